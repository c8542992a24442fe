/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A history as RULES.md section 1 reads it, once more and plainly, for laws that want to know what
 * a part is. It judges nothing.
 */
#ifndef TK_TESTS_FUZZ_SIGHT_H
#define TK_TESTS_FUZZ_SIGHT_H

#include "value/doc.h"

enum sight_kind {
    SIGHT_TEXT,
    SIGHT_THINKING,
    SIGHT_CALL,
    SIGHT_RESULT,
    SIGHT_OTHER,
};

struct sight_part {
    enum sight_kind kind;
    bool provider;    /* runs what it calls */
    bool signed_;     /* thinking that somebody vouched for */
    bool invisible;   /* never reaches the wire */
    struct tk_str id; /* of calls and results, empty where it is no string; else p is NULL */
    struct tk_val value;
    uint32_t message, index;
};

struct sight_message {
    char role;             /* 'u', 'a', 's', '?' */
    bool transparent;      /* parts no turn */
    uint32_t first, count; /* its parts */
    uint32_t turn;         /* neighbours of one role share one; transparent ones: no matter */
    struct tk_val value;
};

struct sight {
    struct sight_message *messages;
    struct sight_part *parts;
    uint32_t count, part_count;
};

/* dialect: as in the parameters; not there is anthropic. In the arena. */
struct sight sight_of(struct tk_val messages, struct tk_val dialect, struct tk_arena *arena);

/* The part of a message; NULL where it has no such part. */
const struct sight_part *sight_part(const struct sight *sight, int64_t message, int64_t index);

#endif
