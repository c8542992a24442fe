/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers requests, either by the embedded core or by the daemon over its socket. Both give equal
 * answers to equal calls.
 */
#ifndef TK_CLI_IO_BACKEND_H
#define TK_CLI_IO_BACKEND_H

#include "cli/args/options.h"
#include "cli/io/buf.h"
#include "cli/io/reading.h"
#include "turnkeeper/turnkeeper.h"

/* A callback that runs from time to time while the CLI waits for an answer. A zeroed one does
 * nothing. */
struct cli_tick {
    void (*run)(void *opaque);
    void *opaque;
};

static inline void cli_tick(const struct cli_tick *tick)
{
    if (tick->run)
        tick->run(tick->opaque);
}

struct cli_socket {
    const char *path; /* NULL: the embedded core answers */
    int fd;           /* -1: not connected */
    int patience_ms;  /* how long to wait until the next byte can be sent or read */
    int total_ms;     /* how long a whole call may take; 0: no limit while bytes move */
    bool once;        /* requests belong to this connection: don't repeat them on a new one */
    struct cli_tick tick;
};

/* Size of an error's text: a path and a reason. */
#define CLI_BACKEND_ERROR (4096 + 128)

struct cli_backend {
    tk_core *core;
    tk_session *session; /* streams of the embedded core */
    struct cli_socket socket;
    char error[CLI_BACKEND_ERROR]; /* why the last call or open failed */
};

/* One answer. Exactly one of `result` and `error` exists. */
struct cli_reply {
    struct cli_buf bytes;
    struct cli_reading reading; /* its arena may be used for what lives as long as the reply */
    struct tk_val result, error;
};

void cli_reply_init(struct cli_reply *reply);
void cli_reply_done(struct cli_reply *reply);

/* Opens the embedded core. Returns 0 or -ENOMEM. */
int cli_backend_embed(struct cli_backend *backend);

/* How long to wait for a daemon that sends nothing: the default of its limit frame_timeout. */
#define CLI_PATIENCE_MS 30000

/*
 * Connects to a daemon's socket; `path` must outlive the backend. patience_ms and total_ms are
 * those of struct cli_socket. Returns 0, or a negative errno with `error` filled.
 */
int cli_backend_connect(struct cli_backend *backend, const char *path, uint64_t patience_ms,
                        uint64_t total_ms);

/*
 * Opens the backend that the options ask for: the daemon with --socket or --daemon, else the
 * embedded core. Returns 0, or the status of a failure that has been reported.
 */
int cli_backend_open(struct cli_backend *backend, const struct cli_args *args);

/*
 * Sends a request and reads the answer. Returns 0, or a negative errno with `error` filled: no
 * connection, timeout, or an answer that isn't JSON-RPC.
 */
int cli_backend_call(struct cli_backend *backend, struct tk_str request, struct cli_reply *reply);

/* The two halves of a call: sending a request and receiving the answer's bytes, and reading them.
 * cli_backend_read() swaps the bytes with those of the reply. Both return what cli_backend_call()
 * does. */
int cli_backend_ask(struct cli_backend *backend, struct tk_str request, struct cli_buf *ret_answer);
int cli_backend_read(struct cli_backend *backend, struct cli_buf *answer, struct cli_reply *reply);

/* Closes the backend. A zeroed backend is fine. */
void cli_backend_close(struct cli_backend *backend);

#endif
