/* SPDX-License-Identifier: Apache-2.0 */
/* Base64 with padding (RFC 4648 section 4). */
#ifndef TK_VALUE_BASE64_H
#define TK_VALUE_BASE64_H

#include "value/doc.h"

enum {
    /* Not base64: another character, or a length that isn't a multiple of 4. */
    TK_BASE64_INVALID = 1,
};

/* True for padded base64: digits only, at most two `=` at the end, a length divisible by 4. */
bool tk_is_base64(struct tk_str text);

/* Decodes into the arena. Returns 0, -ENOMEM or TK_BASE64_INVALID; *ret is filled only with 0. */
int tk_base64_decode(struct tk_str text, struct tk_arena *arena, struct tk_str *ret);

/* Encodes bytes, with padding, into the arena. `.p == NULL` without memory. */
struct tk_str tk_base64_encode(struct tk_str bytes, struct tk_arena *arena);

/*
 * True if a string of a document is padded base64; the empty string is. Nothing is decoded, and a
 * string with escapes (`\/`) isn't copied.
 */
bool tk_base64_valid(struct tk_val string);

/* Returns the length of a string's text, as tk_text() would have it, where that is base64. Nothing is
 * copied; linear only if the string has escapes. */
size_t tk_base64_length(struct tk_val string);

/*
 * Reads single bytes of the data that a string has as base64, in ascending order: only the groups
 * (four digits for three bytes) with these bytes are decoded, those between them are skipped. An
 * image's size is read from megabytes this way.
 */
struct tk_base64 {
    const uint8_t *at, *end; /* the unread rest of the string as it is spelled */
    bool escaped;            /* the string has a backslash */
    size_t groups;           /* groups that are read or skipped */
    uint8_t group[3];        /* bytes of the last group that was read */
    uint8_t in_group;        /* how many they are; 0 if the group isn't base64 */
    /* runs for each group that is read, with the bytes that spell it; NULL: nobody wants to know */
    void (*on_group)(void *arg, const uint8_t *from, const uint8_t *to);
    void *arg;
};

/* Begin at the first byte, of a string of a document or of a text. A value that isn't a string counts
 * as an empty one. */
void tk_base64_open(struct tk_base64 *b, struct tk_val string);
void tk_base64_open_text(struct tk_base64 *b, struct tk_str text);

/*
 * Returns byte i; -1 after the end, and in a group that isn't base64. i must not be in a group
 * before the last one that was read.
 */
int tk_base64_byte(struct tk_base64 *b, size_t i);

#endif
