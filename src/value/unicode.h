/* SPDX-License-Identifier: Apache-2.0 */
/* What we need to know of Unicode. */
#ifndef TK_VALUE_UNICODE_H
#define TK_VALUE_UNICODE_H

#include "value/arena.h"

/* Length of the longest well-formed UTF-8 prefix; n when all of it is. */
size_t tk_utf8_valid(const void *bytes, size_t n);

/* Returns how many bytes the Unicode White_Space takes that a text begins with; 0: it begins with
 * something else, or is empty. */
size_t tk_white_space_at(struct tk_str text);

/* Nothing but Unicode White_Space (or nothing at all): what RULES section 1 calls blank. */
bool tk_is_blank(struct tk_str text);

/* The text without the Unicode White_Space at its end. */
struct tk_str tk_trim_end(struct tk_str text);

/* Returns the text without the Unicode White_Space at both ends. */
struct tk_str tk_trim(struct tk_str text);

/*
 * Bytes at the front that can stand in a JSON string unescaped: stops at '"', '\\' and control
 * characters below 0x20. *ret_ascii: no byte of them is above 0x7f. The vector code behind it is
 * chosen by what the CPU has; a portable version does the same.
 */
size_t tk_scan_plain(const uint8_t *bytes, size_t n, bool *ret_ascii);

#endif
