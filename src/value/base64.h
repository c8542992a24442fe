/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 with padding (RFC 4648 section 4). */
#ifndef TK_VALUE_BASE64_H
#define TK_VALUE_BASE64_H

#include "value/arena.h"

enum {
    TK_BASE64_INVALID =
        1, /* no base64: another character, or a length that isn't a multiple of 4 */
};

/* Whether it is padded base64: a length that is a multiple of 4, no other character. */
bool tk_is_base64(struct tk_str text);

/* Decodes into the arena. Returns 0, -ENOMEM or TK_BASE64_INVALID. */
int tk_base64_decode(struct tk_str text, struct tk_arena *arena, struct tk_str *ret);

#endif
