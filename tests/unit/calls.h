/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of streams through tk_call(), as tests make them. */
#ifndef TK_TESTS_CALLS_H
#define TK_TESTS_CALLS_H

#include "documents.h"
#include "value/writer.h"

struct caller {
    tk_core *core;
    tk_session *session;
    struct tk_arena arena; /* of requests, answers and what is read of them */
    struct tk_doc answer;
};

/* allocator: of core and session. False when there is no memory for them. */
bool caller_init(struct caller *c, tk_allocator allocator);
void caller_done(struct caller *c);

/* Forgets the requests and answers so far. */
void caller_forget(struct caller *c);

/* A request in that codec; params: as written, converted where that is another codec's. */
struct tk_str caller_request(struct caller *c, enum tk_codec codec, const char *method,
                             struct tk_val params);

/* {"stream": "s", "data": bin}, in msgpack. */
struct tk_str caller_feed(struct caller *c, struct tk_str bytes);

/*
 * `pair` of the response that a stream was: what its end says, put together as a provider sends it
 * whole. open: the parameters that the stream was opened with.
 */
struct tk_str caller_pair(struct caller *c, enum tk_codec codec, struct tk_val open,
                          struct tk_val end);

/*
 * Calls and reads the answer: its result, or its error object with *ret_failed set; absent if
 * tk_call() returned -ENOMEM. Valid until the next call.
 */
struct tk_val caller_call(struct caller *c, struct tk_str request, bool *ret_failed);

#endif
