/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by tests and fuzzers of documents: reading, comparing, generating, and properties of all
 * documents.
 */
#ifndef TK_TESTS_DOCUMENTS_H
#define TK_TESTS_DOCUMENTS_H

#include "memory.h"
#include "value/doc.h"

#include <stdint.h>

/* A document with all that reading needs. */
struct reading {
    struct memory memory; /* of the doc and the arena */
    struct tk_doc doc;
    struct tk_arena arena;
    struct tk_read_limits limits;
    struct tk_read_error error;
};

/* Generous limits: depth 256, 2^20 values. */
void reading_init(struct reading *r);
/* Frees all; false if memory was left, or if a size was wrong. */
bool reading_done(struct reading *r);
int reading_json(struct reading *r, struct tk_str text);
int reading_msgpack(struct reading *r, struct tk_str bytes);

/*
 * Compares values, which may be in different codecs: strings by their text, JSON numbers by lexeme,
 * numbers of different codecs by value (beyond 64 bits by the nearest finite double), members in
 * order.
 */
bool same_value(struct tk_val a, struct tk_val b, struct tk_arena *arena);

/*
 * Checks a document that was read: spans nest in order, siblings don't overlap, `next`
 * leads over children, and each value's span read by itself gives the same part of the tape.
 * Returns NULL, or the fault.
 */
const char *broken_tape(const struct tk_doc *doc);

/*
 * The document written in the other codec, read, written back and read again is the same. Documents
 * with bin, ext or other foreign values are left alone. Returns NULL, or what doesn't hold.
 */
const char *broken_round_trip(const struct tk_doc *doc);

/* Numbers that are the same everywhere, unlike rand()'s. The seed isn't 0. */
uint32_t random_below(uint64_t *seed, uint32_t n);

/*
 * A JSON document of all kinds of values, white space, escapes and number forms; a msgpack document
 * of all formats, also longer ones than needed, without foreign values.
 */
struct tk_str generate_json(uint64_t *seed, struct tk_arena *arena);
struct tk_str generate_msgpack(uint64_t *seed, struct tk_arena *arena);

#endif
