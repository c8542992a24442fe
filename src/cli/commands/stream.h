/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One stream at a backend, from its opening to its end:
 *
 *     open ─> feed ... feed ─> end
 *
 * Bytes travel as base64 inside JSON, to the embedded core as to a daemon, for a chunk may end in
 * the middle of a character. Each call leaves its answer in `reply`.
 */
#ifndef TK_CLI_COMMANDS_STREAM_H
#define TK_CLI_COMMANDS_STREAM_H

#include "cli/io/backend.h"

struct cli_stream {
    const struct cli_args *args;
    struct cli_backend backend;
    struct cli_reply reply; /* the answer to the last call */
    struct cli_buf request;
    struct tk_str state; /* "open", "done" or "failed", as the last call said */
};

/*
 * Opens the backend that the options ask for and a stream there, with the parameters that they
 * give. This and the next two return 0, or the status of a failure that has been reported;
 * CLI_EXIT_AGAIN if the backend has no room at the moment.
 */
int cli_stream_open(struct cli_stream *s, const struct cli_args *args);

/* Sends the next bytes. */
int cli_stream_feed(struct cli_stream *s, struct tk_str bytes);

/* Sends the end. `transport_error` says why the bytes broke off; NULL if they didn't. */
int cli_stream_end(struct cli_stream *s, const char *transport_error);

static inline bool cli_stream_is(const struct cli_stream *s, const char *state)
{
    return tk_str_is(s->state, state);
}

/* Closes the stream and the backend. Call it even if cli_stream_open() failed. */
void cli_stream_close(struct cli_stream *s);

#endif
