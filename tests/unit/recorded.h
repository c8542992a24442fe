/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All streams that are recorded in the tree, as bytes: those of the conformance cases (the folders
 * of tests/conformance whose names begin with "stream"), and the files of tests/streams in each form
 * of outputs.
 */
#ifndef TK_TESTS_RECORDED_H
#define TK_TESTS_RECORDED_H

#include "documents.h"
#include "value/out.h"

struct recorded {
    struct tk_str name;
    struct tk_val open; /* parameters of stream.open, whose key is "s" */
    struct tk_str bytes;
    struct tk_val end; /* parameters of stream.end */
    bool of_blocks;    /* Anthropic's, as server-sent events */
};

/* A case's `pair` that isn't refused. */
struct recorded_response {
    struct tk_str name;
    struct tk_val params;
    bool of_blocks; /* Anthropic's */
};

#define RECORDED_FOLDERS 8

struct recordings {
    struct reading cases[RECORDED_FOLDERS], params; /* what the others refer to */
    char *texts[RECORDED_FOLDERS];
    size_t folders;
    struct recorded *streams;
    size_t stream_count;
    struct recorded_response *responses;
    size_t response_count;
};

/* Aborts where a file can't be read. */
void recordings_init(struct recordings *all);
/* Frees all. False if memory was left. */
bool recordings_done(struct recordings *all);

/* One event as a frame. */
void put_frame(struct tk_out *out, struct tk_val event, struct tk_arena *arena);

#endif
