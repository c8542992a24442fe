/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper explain: prints the rules that a provider's refusal belongs to, and with FILE the findings
 * there that fit. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/args/request.h"
#include "cli/commands/explain_file.h"
#include "cli/io/backend.h"
#include "cli/show/pretty.h"
#include "cli/show/term.h"
#include "rules/wording/explain.h"
#include "value/unicode.h"
#include "value/writer.h"

/* ---- what a match says ---- */

static struct tk_str member(struct tk_val match, const char *name, struct tk_arena *arena)
{
    struct tk_str text = tk_text(tk_get(match, tk_str_of(name)), arena);

    return text.p ? text : TK_STR("");
}

static void print_item(const struct cli_sink *out, const char *mark, struct tk_str text)
{
    if (text.n == 0)
        return;
    fprintf(out->file, "  %s: ", mark);
    cli_print(out, text);
    fputc('\n', out->file);
}

/* Members of a place after its pointer. */
static const char *const place_members[] = {"message", "block", "id"};

static void print_place(const struct cli_sink *out, struct tk_val place, struct tk_arena *arena)
{
    const char *before = "  place: ";
    struct tk_str pointer = member(place, "pointer", arena);

    if (pointer.n) {
        fputs(before, out->file);
        cli_print(out, pointer);
        before = ", ";
    }
    for (size_t i = 0; i < sizeof(place_members) / sizeof(*place_members); i++) {
        struct tk_val v = tk_get(place, tk_str_of(place_members[i]));

        if (!tk_exists(v))
            continue;
        fprintf(out->file, "%s%s ", before, place_members[i]);
        cli_print(out, tk_is(v, TK_STRING) ? tk_text(v, arena) : tk_span(v));
        before = ", ";
    }
    if (*before == ',')
        fputc('\n', out->file);
}

/* Returns what the user can do. */
static const char *way_out(struct tk_val match)
{
    bool judged = tk_is(tk_get(match, TK_STR("judged")), TK_TRUE);
    bool helps = tk_is(tk_get(match, TK_STR("action")), TK_STRING);

    if (judged)
        return helps
                   ? "turnkeeper repair makes this edit; store the original, send the repaired copy"
                   : "no edit helps: change what is sent, as the fault says";
    return helps
               ? "turnkeeper can't find this fault by itself: make this edit, then send the request "
                 "once more"
               : "turnkeeper can't find this fault, and no edit of the history helps: change the "
                 "request";
}

static void print_match(const struct cli_sink *out, struct tk_val match, struct tk_arena *arena)
{
    cli_style(out, CLI_BOLD);
    cli_print(out, member(match, "code", arena));
    cli_style(out, CLI_PLAIN);
    fputs(" (", out->file);
    cli_print(out, member(match, "provider", arena));
    fputs(", ", out->file);
    cli_print(out, member(match, "severity", arena));
    fputs(")\n", out->file);
    print_item(out, "fault", member(match, "text", arena));
    print_place(out, tk_get(match, TK_STR("place")), arena);
    print_item(out, "repair", member(match, "action", arena));
    print_item(out, "repair, policy preserve", member(match, "preserve", arena));
    print_item(out, "way out", tk_str_of(way_out(match)));
}

static void print_matches(const struct cli_sink *out, struct tk_val matches, struct tk_arena *arena)
{
    const char *between = "";

    for (struct tk_val match = tk_first(matches); tk_exists(match);
         match = tk_after(matches, match)) {
        fputs(between, out->file);
        print_match(out, match, arena);
        between = "\n";
    }
}

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
    struct tk_str message = member(reply->error, "message", arena);

    if (tk_str_is(member(data, "name", arena), "invalid_params"))
        return cli_request_refused(args, member(data, "pointer", arena), message);
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
    struct tk_val matches = tk_get(reply->result, TK_STR("matches"));
    struct tk_arena *arena = &reply->reading.arena;
    struct cli_sink out = cli_sink_open(stdout, args);

    if (cli_given(args, CLI_OPT_JSON))
        cli_print_json(args, reply->result, arena);
    else
        print_matches(&out, matches, arena);
    if (!tk_exists(tk_first(matches))) {
        fputs("turnkeeper: no rule has these words\n", stderr);
        return CLI_EXIT_ERRORS;
    }
    return args->operand_count > 1 ? cli_explain_file(args, matches, arena) : CLI_EXIT_OK;
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
