/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/backend.h"

#include "cli/args/request.h"
#include "cli/io/socket.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* An answer may be deeper and have more values than a request. */
#define REPLY_DEPTH  1024
#define REPLY_VALUES (1u << 30)

/* No longer answer is read for whether it's a refusal of a daemon that shuts down. */
#define REFUSAL_SIZE 1024

void cli_reply_init(struct cli_reply *reply)
{
    *reply = (struct cli_reply){.result = TK_NO_VAL, .error = TK_NO_VAL};
    cli_reading_init(&reply->reading);
    reply->reading.limits.max_depth = REPLY_DEPTH;
    reply->reading.limits.max_values = REPLY_VALUES;
}

void cli_reply_done(struct cli_reply *reply)
{
    cli_reading_done(&reply->reading);
    cli_buf_done(&reply->bytes);
}

int cli_backend_embed(struct cli_backend *backend)
{
    tk_options options = {.size = sizeof(options)};

    *backend = (struct cli_backend){.socket = {.fd = -1}};
    cli_secret_key(options.hash_key);
    backend->core = tk_core_new(&options);
    backend->session = backend->core ? tk_session_new(backend->core) : NULL;
    if (backend->session)
        return 0;
    snprintf(backend->error, sizeof(backend->error), "out of memory");
    return -ENOMEM;
}

static int fail(struct cli_backend *backend, int error, const char *what)
{
    snprintf(backend->error, sizeof(backend->error), "%s: %s: %s", backend->socket.path, what,
             error == -ETIMEDOUT    ? "no answer in time"
             : error == -ECONNRESET ? "connection closed without an answer"
                                    : strerror(-error));
    return error;
}

static int bounded(uint64_t ms)
{
    return ms < INT_MAX ? (int)ms : INT_MAX;
}

int cli_backend_connect(struct cli_backend *backend, const char *path, uint64_t patience_ms,
                        uint64_t total_ms)
{
    int r;

    *backend = (struct cli_backend){.socket = {.path = path,
                                               .fd = -1,
                                               .patience_ms = bounded(patience_ms),
                                               .total_ms = bounded(total_ms)}};
    r = cli_socket_connect(&backend->socket);
    return r < 0 ? fail(backend, r, "cannot connect") : 0;
}

int cli_backend_open(struct cli_backend *backend, const struct cli_args *args)
{
    uint64_t timeout = cli_number(args, CLI_OPT_TIMEOUT_MS, 0);
    int r;

    if (cli_given(args, CLI_OPT_SOCKET) || cli_given(args, CLI_OPT_DAEMON))
        r = cli_backend_connect(backend, cli_socket_path(args), CLI_PATIENCE_MS + timeout, 0);
    else
        r = cli_backend_embed(backend);
    return r < 0 ? cli_fail("%s", backend->error) : 0;
}

void cli_backend_close(struct cli_backend *backend)
{
    if (backend->socket.path)
        cli_socket_close(&backend->socket);
    tk_session_free(backend->session);
    tk_core_free(backend->core);
    backend->session = NULL;
    backend->core = NULL;
}

/* ---- the embedded core ---- */

/* A call of the core. */
struct ongoing {
    struct timespec start;
    const struct cli_tick *tick;
};

static bool is_late(void *opaque, uint32_t timeout_ms)
{
    const struct ongoing *call = opaque;
    struct timespec now;

    cli_tick(call->tick);
    if (timeout_ms == 0)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec - call->start.tv_sec) * 1000 +
               (now.tv_nsec - call->start.tv_nsec) / 1000000 >=
           (int64_t)timeout_ms;
}

static int call_core(struct cli_backend *backend, struct tk_str request, struct cli_buf *ret_answer)
{
    struct ongoing call = {.tick = &backend->socket.tick};
    tk_call_options options = {
        .size = sizeof(options), .cancelled = is_late, .opaque = &call, .flags = TK_CALL_JSON_ONLY};
    const struct iovec *pieces;
    tk_reply *reply;
    size_t count;
    int r;

    clock_gettime(CLOCK_MONOTONIC, &call.start);
    r = tk_call(backend->core, backend->session, request.p, request.n, &options, &reply);
    if (r < 0)
        return r;
    ret_answer->n = 0;
    r = cli_buf_reserve(ret_answer, tk_reply_size(reply));
    pieces = tk_reply_iov(reply, &count);
    for (size_t i = 0; i < count && r == 0; i++)
        r = cli_buf_add(ret_answer, pieces[i].iov_base, pieces[i].iov_len);
    tk_reply_free(reply);
    return r;
}

/* ---- both ---- */

/* Returns true if the answer has our request's id, or null because the daemon couldn't read it. */
static bool is_ours(struct tk_val root)
{
    struct tk_val id = tk_get(root, TK_STR("id"));
    int64_t n;

    return tk_is(id, TK_NULL) || (tk_exists(id) && tk_int64(id, &n) && n == CLI_REQUEST_ID);
}

/* Fills `error` if nothing has yet. Returns the error. */
static int explain(struct cli_backend *backend, int error)
{
    if (error < 0 && backend->socket.path && !backend->error[0])
        return fail(backend, error, "no answer");
    if (error < 0 && !backend->error[0])
        snprintf(backend->error, sizeof(backend->error), "%s", strerror(-error));
    return error;
}

/* Returns true if a daemon refused a request because it shuts down. */
static bool is_draining(struct tk_str answer)
{
    struct cli_reading reading;
    bool draining = false;

    if (answer.n > REFUSAL_SIZE || !memmem(answer.p, answer.n, "draining", strlen("draining")))
        return false;
    cli_reading_init(&reading);
    if (cli_read_json(&reading, answer) == 0) {
        struct tk_val error = tk_get(tk_root(&reading.doc), TK_STR("error"));
        struct tk_val data = tk_get(error, TK_STR("data"));

        draining = tk_text_is(tk_get(data, TK_STR("name")), TK_STR("draining")) &&
                   tk_is(tk_get(data, TK_STR("retryable")), TK_TRUE);
    }
    cli_reading_done(&reading);
    return draining;
}

/*
 * Asks the daemon. One that shuts down refuses what it had not read by then, but a service manager
 * keeps the socket open for the next daemon, which answers; so an upgrade costs nobody an answer.
 * Where the socket is gone, the refusal is the answer.
 */
static int ask_daemon(struct cli_backend *backend, struct tk_str request,
                      struct cli_buf *ret_answer)
{
    struct cli_buf next = {0};
    int r = cli_socket_exchange(&backend->socket, request, ret_answer);

    if (r < 0 || backend->socket.once || !is_draining(cli_buf_str(ret_answer)))
        return r;
    cli_socket_close(&backend->socket);
    if (cli_socket_exchange(&backend->socket, request, &next) == 0) {
        struct cli_buf refusal = *ret_answer;

        *ret_answer = next;
        next = refusal;
    }
    cli_buf_done(&next);
    return 0;
}

int cli_backend_ask(struct cli_backend *backend, struct tk_str request, struct cli_buf *ret_answer)
{
    backend->error[0] = '\0';
    return explain(backend, backend->socket.path ? ask_daemon(backend, request, ret_answer)
                                                 : call_core(backend, request, ret_answer));
}

static int read_reply(struct cli_backend *backend, struct cli_reply *reply)
{
    int r = cli_read_json(&reply->reading, cli_buf_str(&reply->bytes));
    struct tk_val root = tk_root(&reply->reading.doc);

    if (r < 0)
        return r;
    reply->result = r ? TK_NO_VAL : tk_get(root, TK_STR("result"));
    reply->error = r ? TK_NO_VAL : tk_get(root, TK_STR("error"));
    if (r == 0 && is_ours(root) && tk_exists(reply->result) != tk_is(reply->error, TK_OBJECT))
        return 0;
    snprintf(backend->error, sizeof(backend->error), "%s: not an answer of turnkeeperd",
             backend->socket.path ? backend->socket.path : "core");
    return -EPROTO;
}

int cli_backend_read(struct cli_backend *backend, struct cli_buf *answer, struct cli_reply *reply)
{
    struct cli_buf taken = *answer;

    *answer = reply->bytes;
    reply->bytes = taken;
    backend->error[0] = '\0';
    return explain(backend, read_reply(backend, reply));
}

int cli_backend_call(struct cli_backend *backend, struct tk_str request, struct cli_reply *reply)
{
    int r = cli_backend_ask(backend, request, &reply->bytes);

    return r < 0 ? r : explain(backend, read_reply(backend, reply));
}
