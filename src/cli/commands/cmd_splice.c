/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper splice: writes the history with a turn, its results and the appended messages, in
 * order. */
#include "cli/commands/operation.h"

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
    return cli_operation_write_deferred(op);
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
        .object = "request",
        .list = "messages",
        .is_history = true,
        .wrong = "neither a list of messages nor a request body",
        .tell = tell,
        .status = status,
    };

    if (!cli_given(args, CLI_OPT_ASSISTANT))
        return cli_usage_error(args->command, "splice needs --assistant");
    return cli_operation_run(args, &ops);
}
