/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper splice: the history with a turn, its results and what was appended, in order. */
#include "cli/operation.h"
#include "cli/output.h"

/* What has to wait goes to its own file: an empty list where nothing has. */
static int write_deferred(struct cli_operation *op, struct tk_val deferred)
{
    struct cli_output output = {.name = op->args->value[CLI_OPT_DEFERRED]};
    int r = cli_output_open(&output, output.name);

    if (r == 0)
        r = cli_output_put(&output, tk_exists(deferred) ? tk_span(deferred) : TK_STR("[]"));
    if (r == 0)
        r = cli_output_put(&output, TK_STR("\n"));
    if (r == 0)
        r = cli_output_commit(&output);
    cli_output_abort(&output);
    return r < 0 ? cli_fail("%s: %s", output.name, strerror(-r)) : 0;
}

static int tell(struct cli_operation *op, bool *ret_writes)
{
    struct tk_val result = op->reply.result, deferred = tk_get(result, TK_STR("deferred"));
    struct tk_val action = tk_get(result, TK_STR("action")),
                  notes = tk_get(result, TK_STR("notes"));
    uint32_t waiting = tk_count(deferred);

    *ret_writes = true;
    if (!cli_given(op->args, CLI_OPT_QUIET)) {
        cli_operation_begin_line(op);
        cli_print(&op->err, tk_text(action, &op->reply.reading.arena));
        if (waiting > 0)
            fprintf(op->err.file, ", %u message%s deferred", waiting, cli_plural(waiting));
        if (tk_count(notes) > 0)
            fputs("; ", op->err.file);
        cli_operation_print_list(op, notes, ", ");
        fputc('\n', op->err.file);
    }
    return cli_given(op->args, CLI_OPT_DEFERRED) ? write_deferred(op, deferred) : 0;
}

static int status(const struct cli_operation *op)
{
    struct tk_val action = tk_get(op->reply.result, TK_STR("action"));

    return tk_text_is(action, TK_STR("stop")) ? CLI_EXIT_STOP : CLI_EXIT_OK;
}

int cli_cmd_splice(const struct cli_args *args)
{
    static const struct cli_operation_ops ops = {
        .method = "splice",
        .list = "messages",
        .wrong = "neither a list of messages nor a request body",
        .tell = tell,
        .status = status,
    };

    if (!cli_given(args, CLI_OPT_ASSISTANT))
        return cli_usage_error(args->command, "splice needs --assistant");
    return cli_operation_run(args, &ops);
}
