/* SPDX-License-Identifier: Apache-2.0 */
/* Unicode: well-formed UTF-8, and white space. */
#ifndef TK_VALUE_UNICODE_H
#define TK_VALUE_UNICODE_H

#include "value/arena.h"

/* Returns the length of the longest well-formed UTF-8 prefix; n if all of it is well-formed. */
size_t tk_utf8_valid(const void *bytes, size_t n);

/* Returns true for well-formed UTF-8 in which there may also be lone surrogates in their form of three
 * bytes (ED A0..BF xx): what the texts of a document are. */
bool tk_is_text(struct tk_str text);

/* Returns the length in bytes of the Unicode White_Space character that a text begins with; 0 if it is
 * empty or begins with something else, be it the middle of a character. */
size_t tk_white_space_at(struct tk_str text);

/* True for a text that is empty or has only Unicode White_Space: "blank" in RULES section 1. */
bool tk_is_blank(struct tk_str text);

/* Return the text without the Unicode White_Space at its end, or at both ends; a view of it. */
struct tk_str tk_trim_end(struct tk_str text);
struct tk_str tk_trim(struct tk_str text);

/*
 * Counts the leading bytes that a JSON string can contain unescaped: stops at '"', '\\' and control
 * characters below 0x20. *ret_ascii: none of them is above 0x7f. Uses the CPU's vector
 * instructions (scan.h).
 */
size_t tk_scan_plain(const uint8_t *bytes, size_t n, bool *ret_ascii);

#endif
