/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper prepare: a request body ready to be sent, or the header lines that it needs. */
#include "cli/commands/operation.h"

static void tell_notes(struct cli_operation *op)
{
    struct tk_val notes = tk_get(op->reply.result, TK_STR("notes"));

    for (struct tk_val v = tk_first(notes); tk_exists(v); v = tk_after(notes, v)) {
        if (tk_count(v) == 0)
            continue;
        fputs("; ", op->err.file);
        cli_operation_print_list(op, v, ", ");
    }
}

/* Prints one line per edit: "    drop /messages/1/content/0 [CODE]". */
static void tell_edits(struct cli_operation *op)
{
    struct tk_val edits = tk_get(op->reply.result, TK_STR("edits"));
    struct tk_arena *arena = &op->reply.reading.arena;

    for (struct tk_val v = tk_first(edits); tk_exists(v); v = tk_after(edits, v)) {
        fputs("    ", op->err.file);
        cli_print(&op->err, tk_text(tk_get(v, TK_STR("action")), arena));
        fputc(' ', op->err.file);
        cli_print(&op->err, tk_text(tk_get(v, TK_STR("pointer")), arena));
        fputs(" [", op->err.file);
        cli_print(&op->err, tk_text(tk_get(v, TK_STR("code")), arena));
        fputs("]\n", op->err.file);
    }
}

/*
 * Prints one line for each other member that is to be sent with another value than it had:
 * "    set /thinking {"type":"disabled"}". Lists are told by edits, notes and beta values.
 */
static void tell_settings(struct cli_operation *op)
{
    struct tk_val sent = tk_get(op->reply.result, TK_STR("request"));
    struct tk_arena *arena = &op->reply.reading.arena;

    for (struct tk_val v = tk_first(sent); tk_exists(v); v = tk_after(sent, v)) {
        struct tk_val was = tk_get(op->document, tk_key(v, arena));

        if (tk_is(v, TK_ARRAY) || (tk_exists(was) && tk_str_eq(tk_span(was), tk_span(v))))
            continue;
        fputs("    set /", op->err.file);
        cli_print(&op->err, tk_key(v, arena));
        fputc(' ', op->err.file);
        cli_print(&op->err, tk_span(v));
        fputc('\n', op->err.file);
    }
}

static void tell_summary(struct cli_operation *op)
{
    struct tk_val result = op->reply.result, betas = tk_get(result, TK_STR("betas"));
    uint32_t waiting = tk_count(tk_get(result, TK_STR("deferred")));

    cli_operation_begin_line(op);
    cli_print(&op->err, tk_text(tk_get(result, TK_STR("action")), &op->reply.reading.arena));
    fputs(tk_is(tk_get(result, TK_STR("changed")), TK_TRUE) ? ", changed" : ", unchanged",
          op->err.file);
    if (waiting > 0)
        fprintf(op->err.file, ", %u message%s deferred", waiting, cli_plural(waiting));
    if (tk_count(betas) > 0)
        fputs("; betas ", op->err.file);
    cli_operation_print_list(op, betas, ", ");
    tell_notes(op);
    fputc('\n', op->err.file);
    tell_edits(op);
    tell_settings(op);
}

static int tell(struct cli_operation *op, bool *ret_writes)
{
    *ret_writes = !cli_given(op->args, CLI_OPT_HEADER);
    if (!*ret_writes)
        cli_operation_print_headers(op);
    if (!cli_given(op->args, CLI_OPT_QUIET))
        tell_summary(op);
    cli_operation_report_findings(op, op->reply.result);
    return cli_operation_write_deferred(op);
}

static int status(const struct cli_operation *op)
{
    struct tk_val action = tk_get(op->reply.result, TK_STR("action"));

    if (tk_text_is(action, TK_STR("stop")))
        return CLI_EXIT_STOP;
    return tk_is(tk_get(op->reply.result, TK_STR("safe")), TK_FALSE) ? CLI_EXIT_ERRORS
                                                                     : CLI_EXIT_OK;
}

int cli_cmd_prepare(const struct cli_args *args)
{
    static const struct cli_operation_ops ops = {
        .method = "prepare",
        .fixed = "\"return\":\"request\"",
        .object = "request",
        .wrong = "not a request body",
        .whole = "request",
        .tell = tell,
        .status = status,
    };

    return cli_operation_run(args, &ops);
}
