/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One stream from its opening to its end, watched: whatever a harness feeds it, after each answer
 *
 *   - of a provider-executed operation both halves have left or none, but for calls that wait for
 *     their result at the end; in `parts` they leave in one piece,
 *   - in the forms of events the blocks that left count from 0 without a gap,
 *   - the stream holds no more than a small multiple of what it was fed,
 *
 * and at the end
 *
 *   - there was one finish or one error, last, and what stream.end says fits to it,
 *   - the message holds the halves that left, and no other,
 *   - history and message have no pairing fault,
 *   - `pair` of the same turn says the same.
 *
 * The harness itself checks that cuts change nothing: it compares records.
 */
#ifndef TK_TESTS_WATCHED_H
#define TK_TESTS_WATCHED_H

#include "../unit/calls.h"
#include "../unit/memory.h"
#include "../unit/recording.h"

#include "value/hash.h"

struct watched {
    struct caller *c;
    enum tk_codec codec;
    struct reading params; /* of stream.open */
    bool parts;
    bool open; /* no finish and no error so far */
    size_t fed;
    struct record record;
    struct tk_arena arena;
    struct tk_map left;      /* ids: what of them has left, or that they were carried in */
    uint32_t halves;         /* calls that left alone */
    uint32_t calls, results; /* that left */
    int64_t blocks;          /* events: blocks that left */
    struct tk_str expected;  /* parts: operation whose next part must follow; `.p == NULL`: any */
    unsigned ends;           /* finishes and errors */
    bool ended_last;
    /* Told of each half that leaves while the stream is open; NULL: nobody wants to know. */
    void (*on_half)(void *arg, struct tk_str id, bool is_result);
    void *arg;
};

/* params: of stream.open, JSON, whose key is "s". */
void watched_open(struct watched *w, struct caller *c, enum tk_codec codec, const char *params);

/* A request stream.feed that brings so many bytes. Nothing where the stream has ended. */
void watched_feed(struct watched *w, struct tk_str request, size_t bytes);

/* params: of stream.end, JSON; NULL where its key is all. */
void watched_end(struct watched *w, const char *params);

void watched_done(struct watched *w);

#endif
