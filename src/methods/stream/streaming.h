/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers of stream.open, stream.feed, stream.end and pair. */
#ifndef TK_METHODS_STREAM_STREAMING_H
#define TK_METHODS_STREAM_STREAMING_H

#include "methods/core/request.h"
#include "methods/core/session.h"

/*
 * Opens a stream for the parameters of stream.open and pair. Calls in flight come from `history`
 * or `request`, and `carry_in`. `patient`: no timeout ends the reading of the history. Returns 0; -ENOMEM or
 * -ECANCELED; or TK_STREAMING_ANSWERED if a parameter was refused and the request is answered.
 */
enum {
    TK_STREAMING_ANSWERED = 1,
};
int tk_streaming_new(struct tk_request *rq, uint64_t max_buffer, bool patient,
                     struct tk_stream **ret);

/* Returns the call with which a stream writes into an answer that was begun. */
struct tk_stream_call tk_streaming_call(struct tk_request *rq);

/* Returns the key of the stream that a request names. */
struct tk_str tk_streaming_key(struct tk_request *rq);

/* Begins {"outputs": [ in the result; the stream then writes its outputs. */
void tk_streaming_begin(struct tk_request *rq);

/* Ends the outputs, adds the state, and counts a limit that was exceeded. */
void tk_streaming_end(struct tk_request *rq, const struct tk_stream *s);

#endif
