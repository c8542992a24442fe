/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper explain: prints the rules that a provider's refusal belongs to, and with FILE the findings
 * there that fit. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/args/request.h"
#include "cli/commands/explain_file.h"
#include "cli/io/backend.h"
#include "value/unicode.h"
#include "value/writer.h"

/* ---- asking ---- */

/* Reads TEXT: the operand, or stdin for "-". Returns 0, or the status of a failure that has been
 * reported. */
static int read_text(const struct cli_args *args, struct cli_buf *ret_text)
{
    const char *text = args->operands[0];
    int r;

    if (strcmp(text, "-") == 0)
        r = cli_buf_read_all(ret_text, STDIN_FILENO, TK_EXPLAIN_MAX);
    else if (strlen(text) > TK_EXPLAIN_MAX)
        r = -EFBIG;
    else
        r = cli_buf_add(ret_text, text, strlen(text));
    if (r == -EFBIG)
        return cli_fail("TEXT: more than %d bytes: give the error's message or body alone",
                        TK_EXPLAIN_MAX);
    if (r < 0)
        return cli_fail("TEXT: %s", strerror(-r));
    if (ret_text->n == 0)
        return cli_usage_error(args->command, "TEXT: there is nothing in it");
    if (tk_utf8_valid((const char *)cli_buf_at(ret_text), ret_text->n) != ret_text->n)
        return cli_usage_error(args->command, "TEXT: not UTF-8");
    return 0;
}

/* Writes the request. Returns 0 or -ENOMEM. */
static int write_request(const struct cli_args *args, struct tk_str text, struct cli_buf *ret)
{
    struct tk_arena arena;
    struct tk_encoding params;
    int r;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_encode_begin(&params, TK_JSON, &arena);
    tk_write_map(&params.w);
    tk_write_kv_str(&params.w, "text", text);
    if (cli_given(args, CLI_OPT_PROVIDER))
        tk_write_kv_cstr(&params.w, "provider", args->value[CLI_OPT_PROVIDER]);
    if (cli_given(args, CLI_OPT_TIMEOUT_MS))
        tk_write_kv_int(&params.w, "timeout_ms", (int64_t)cli_number(args, CLI_OPT_TIMEOUT_MS, 0));
    tk_write_end(&params.w);
    r = cli_request_plain(ret, TK_STR("explain"), tk_encode_end(&params));
    r = tk_arena_failed(&arena) ? -ENOMEM : r;
    tk_arena_done(&arena);
    return r;
}

static int refused(const struct cli_args *args, const struct cli_reply *reply,
                   struct tk_arena *arena)
{
    struct tk_val data = tk_get(reply->error, TK_STR("data"));
    struct tk_str message = tk_text(tk_get(reply->error, TK_STR("message")), arena);

    if (tk_text_is(tk_get(data, TK_STR("name")), TK_STR("invalid_params")))
        return cli_request_refused(args, tk_text(tk_get(data, TK_STR("pointer")), arena), message);
    return cli_fail("%.*s", (int)message.n, message.p);
}

/* Asks for the rules. Returns 0 with a result in the reply, or the status of a failure that has been
 * reported. */
static int ask(const struct cli_args *args, struct tk_str text, struct cli_reply *reply)
{
    struct cli_backend backend = {0};
    struct cli_buf request = {0};
    int status = cli_backend_open(&backend, args);

    if (status == 0 && write_request(args, text, &request) < 0)
        status = cli_fail("out of memory");
    else if (status == 0 && cli_backend_call(&backend, cli_buf_str(&request), reply) < 0)
        status = cli_fail("%s", backend.error);
    else if (status == 0 && tk_exists(reply->error))
        status = refused(args, reply, &reply->reading.arena);
    cli_backend_close(&backend);
    cli_buf_done(&request);
    return status;
}

/* ---- answering ---- */

static int tell(const struct cli_args *args, struct cli_reply *reply)
{
    struct tk_arena *arena = &reply->reading.arena;
    struct cli_matches matches;

    cli_matches_init(&matches, reply->result);
    if (matches.count > 0 && args->operand_count > 1)
        return cli_explain_file(args, &matches, arena);
    cli_matches_print(args, &matches, true, arena);
    if (matches.count > 0)
        return CLI_EXIT_OK;
    fputs("turnkeeper: no rule has these words\n", stderr);
    return CLI_EXIT_ERRORS;
}

int cli_cmd_explain(const struct cli_args *args)
{
    struct cli_buf text = {0};
    struct cli_reply reply;
    int status;

    if (args->operand_count > 1 && strcmp(args->operands[0], "-") == 0 &&
        strcmp(args->operands[1], "-") == 0)
        return cli_usage_error(args->command, "TEXT and FILE can't both be stdin");
    cli_reply_init(&reply);
    status = read_text(args, &text);
    if (status == 0)
        status = ask(args, cli_buf_str(&text), &reply);
    if (status == 0)
        status = tell(args, &reply);
    cli_reply_done(&reply);
    cli_buf_done(&text);
    return status;
}
