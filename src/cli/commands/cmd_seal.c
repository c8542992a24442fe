/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper seal: prints a turn's seal as an element of the list that --seals takes. */
#include "cli/commands/operation.h"
#include "cli/io/output.h"

#include <string.h>

static int tell(struct cli_operation *op, bool *ret_writes)
{
    struct cli_output output = {.name = op->args->value[CLI_OPT_OUTPUT]};
    int r = cli_output_open(&output, output.name);

    *ret_writes = false;
    if (r == 0)
        r = cli_output_put(&output, tk_span(op->reply.result));
    if (r == 0)
        r = cli_output_put(&output, TK_STR("\n"));
    if (r == 0)
        r = cli_output_commit(&output);
    cli_output_abort(&output);
    return r < 0 ? cli_fail("%s: %s", output.name ? output.name : "stdout", strerror(-r)) : 0;
}

static int status(const struct cli_operation *op)
{
    (void)op;
    return CLI_EXIT_OK;
}

int cli_cmd_seal(const struct cli_args *args)
{
    static const struct cli_operation_ops ops = {
        .method = "seal",
        .object = "message",
        .list = "content",
        .wrong = "neither a message, nor a response body, nor a list of blocks",
        .no_messages = true,
        .tell = tell,
        .status = status,
    };

    return cli_operation_run(args, &ops);
}
