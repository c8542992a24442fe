/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/stream.h"

#include "cli/args/request.h"
#include "methods/core/errors.h"

#include <nettle/base64.h>
#include <stdio.h>

/* This connection has only one stream, so any key will do. */
#define KEY "\"s\""

/* Reports the error object of an answer and returns the exit status for it. */
static int refused(struct cli_stream *s)
{
    struct tk_arena *arena = &s->reply.reading.arena;
    struct tk_val data = tk_get(s->reply.error, TK_STR("data"));
    struct tk_str name = tk_text(tk_get(data, TK_STR("name")), arena);
    struct tk_str text = tk_text(tk_get(s->reply.error, TK_STR("message")), arena);

    if (tk_str_is(name, tk_errors[TK_ERR_INVALID_PARAMS].name))
        return cli_request_refused(s->args, tk_text(tk_get(data, TK_STR("pointer")), arena), text);
    cli_fail("%.*s [%.*s]", (int)text.n, text.p, (int)name.n, name.p);
    return tk_is(tk_get(data, TK_STR("retryable")), TK_TRUE) ? CLI_EXIT_AGAIN : CLI_EXIT_FAILED;
}

/* Sends a request with the buffer's content as `param`, followed by the tail. */
static int ask(struct cli_stream *s, const char *method, const char *param, struct tk_str tail)
{
    struct tk_str request;
    size_t head;

    if (cli_buf_reserve(&s->request, tail.n) < 0)
        return cli_fail("out of memory");
    request = cli_request_wrap(&s->request, method, param, tail, &head);
    s->state = (struct tk_str){NULL, 0};
    if (cli_backend_call(&s->backend, request, &s->reply) < 0)
        return cli_fail("%s", s->backend.error);
    if (tk_exists(s->reply.error))
        return refused(s);
    s->state = tk_text(tk_get(s->reply.result, TK_STR("state")), &s->reply.reading.arena);
    return 0;
}

static int ask_about(struct cli_stream *s, const char *method, struct tk_str tail)
{
    s->request.n = 0;
    if (cli_buf_add(&s->request, KEY, strlen(KEY)) < 0)
        return cli_fail("out of memory");
    return ask(s, method, "stream", tail);
}

int cli_stream_open(struct cli_stream *s, const struct cli_args *args)
{
    const char *fixed = cli_given(args, CLI_OPT_EMIT) ? NULL : "\"emit\":\"wire\"";
    struct cli_buf tail = {0};
    int r;

    *s = (struct cli_stream){.args = args, .backend.socket.fd = -1};
    cli_reply_init(&s->reply);
    r = cli_request_tail(args, fixed, &tail);
    if (r == 0)
        r = cli_backend_open(&s->backend, args);
    s->backend.socket.once = true;
    if (r == 0)
        r = ask_about(s, "stream.open", cli_buf_str(&tail));
    cli_buf_done(&tail);
    return r;
}

int cli_stream_feed(struct cli_stream *s, struct tk_str bytes)
{
    size_t digits = BASE64_ENCODE_RAW_LENGTH(bytes.n);
    char *at;

    s->request.n = 0;
    if (cli_buf_reserve(&s->request, digits + 2) < 0)
        return cli_fail("out of memory");
    at = (char *)cli_buf_at(&s->request);
    at[0] = at[digits + 1] = '"';
    base64_encode_raw(at + 1, bytes.n, (const uint8_t *)bytes.p);
    s->request.n = digits + 2;
    return ask(s, "stream.feed", "data_base64", TK_STR(",\"stream\":" KEY "}}"));
}

int cli_stream_end(struct cli_stream *s, const char *transport_error)
{
    char tail[512];
    int n =
        snprintf(tail, sizeof(tail),
                 transport_error ? ",\"transport_error\":\"%s\"}}" : ",\"transport_error\":null}}",
                 transport_error);

    return ask_about(s, "stream.end", (struct tk_str){tail, (size_t)n});
}

void cli_stream_close(struct cli_stream *s)
{
    cli_backend_close(&s->backend);
    cli_reply_done(&s->reply);
    cli_buf_done(&s->request);
}
