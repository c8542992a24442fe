/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Documents with what the JSON reader has to say of each, in the spirit of the public suites: what
 * RFC 8259 demands, what it forbids, and what it leaves to implementations.
 */
#ifndef TK_TESTS_JSON_TABLE_H
#define TK_TESTS_JSON_TABLE_H

#include "value/doc.h"

/* Where jansson is known to judge otherwise: it refuses what we accept. */
enum known_difference {
    SAME,
    BIG_INTEGER,    /* beyond 2^63-1: we keep the lexeme */
    BIG_REAL,       /* 1e999: the same */
    LONE_SURROGATE, /* we keep it and flag it */
    NUL_IN_KEY,     /* its keys are C strings */
};

struct json_row {
    const char *why;
    struct tk_str text;
    int result;    /* enum tk_read_result */
    size_t offset; /* of the refusal */
    enum known_difference differs;
};

extern const struct json_row json_table[];
extern const size_t json_table_size;

#endif
