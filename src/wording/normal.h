/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The normal form of a text, in which the same words of a provider are the same bytes, however they
 * were passed on (PROTOCOL 5.10): letters are small, a run of white space is one space, a run of digits
 * is one "0" (also with commas between thousands), full-width characters are ASCII, ".[" is "[", and quotes, backslashes, the escapes of JSON
 * and what terminals draw are gone. Each other character beyond ASCII is one byte.
 *
 *     raw     "Messages.12: `tool_use` ids\\nwere"
 *     normal  messages.0: tool_use ids were
 *
 * Each byte of the normal form knows the raw bytes that it came from.
 */
#ifndef TK_ENGINE_WORDING_NORMAL_H
#define TK_ENGINE_WORDING_NORMAL_H

#include "value/arena.h"
#include "value/str.h"

/* The raw bytes of one byte of the normal form: the first, and the one after the last. */
struct tk_origin {
    uint32_t from, to;
};

struct tk_normal {
    struct tk_str raw;
    char *p;
    uint32_t n;
    struct tk_origin *origins; /* of each byte; NULL: nobody asks for them */
    size_t number_end;         /* while it is made: where the newest digit ends in the raw bytes */
};

/* Writes the normal form of normal->raw to normal->p, which has room for raw.n bytes, and, unless it is
 * NULL, normal->origins, which has room for as many. Linear. */
void tk_normalize(struct tk_normal *normal);

/* Makes the normal form of a text of less than 4 GiB, with origins, in the arena. Returns 0 or
 * -ENOMEM. */
int tk_normal_make(struct tk_normal *ret, struct tk_str raw, struct tk_arena *arena);

/* Returns the raw bytes of the normal form's bytes from `from` to before `to`. */
struct tk_str tk_normal_raw(const struct tk_normal *normal, uint32_t from, uint32_t to);

/* Returns true if no raw byte was left out between the bytes at - 1 and at. */
static inline bool tk_normal_joined(const struct tk_normal *normal, uint32_t at)
{
    return normal->origins[at - 1].to == normal->origins[at].from;
}

#endif
