/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 with padding (RFC 4648 section 4). */
#ifndef TK_VALUE_BASE64_H
#define TK_VALUE_BASE64_H

#include "value/doc.h"

enum {
    TK_BASE64_INVALID =
        1, /* no base64: another character, or a length that isn't a multiple of 4 */
};

/* Whether it is padded base64: a length that is a multiple of 4, no other character. */
bool tk_is_base64(struct tk_str text);

/* Decodes into the arena. Returns 0, -ENOMEM or TK_BASE64_INVALID. */
int tk_base64_decode(struct tk_str text, struct tk_arena *arena, struct tk_str *ret);

/*
 * Whether a string is base64: groups of four digits, the last with at most two `=`. The empty one
 * is. Nothing is decoded, and whatever escapes the string is spelled with (`\/`) cost no copy.
 */
bool tk_base64_valid(struct tk_val string);

/* Returns the length of a string's text, as tk_text() would have it, where that is base64. Nothing is
 * copied; linear only if the string has escapes. */
size_t tk_base64_length(struct tk_val string);

/*
 * Single bytes of what a string holds as base64, front to back: what stands between them is
 * skipped, not decoded.
 */
struct tk_base64 {
    const uint8_t *at, *end; /* of the string as it is spelled */
    bool escaped;
    size_t groups;    /* how many were passed */
    uint8_t group[3]; /* the last of them */
    uint8_t in_group; /* how many bytes it has */
};

void tk_base64_open(struct tk_base64 *b, struct tk_val string);

/* Byte i, which doesn't stand in front of a group that was looked at; -1 where there is none. */
int tk_base64_byte(struct tk_base64 *b, size_t i);

#endif
