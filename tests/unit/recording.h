/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record of a stream, as it was encoded: its outputs in their order, however many answers
 * brought them, then what its end said. Two runs of one stream must leave the same record.
 */
#ifndef TK_TESTS_RECORDING_H
#define TK_TESTS_RECORDING_H

#include "value/doc.h"

struct record {
    char *p; /* the caller's to free(), with record_done() */
    size_t n, room;
};

void record_bytes(struct record *r, struct tk_str s);
void record_done(struct record *r);
bool record_same(const struct record *a, const struct record *b);

/* The result of stream.open, stream.feed or stream.end: its outputs. */
void record_outputs(struct record *r, struct tk_val result);

/* The result of stream.end or pair: all that is no output. */
void record_end(struct record *r, struct tk_val result);

/*
 * Records the parts of a result on which pair and a stream must agree: message, seal and finish,
 * without the two usage objects. Records the whole end of a stream that failed.
 */
void record_turn(struct record *r, struct tk_val result);

#endif
