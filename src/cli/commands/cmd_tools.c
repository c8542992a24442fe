/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper tools: writes the tools with those that --add names, or the header lines that they
 * need. */
#include "cli/commands/operation.h"

/* If the input was only a list of tools, the caller must put their servers into the body. */
static void tell_servers(struct cli_operation *op, struct tk_val servers)
{
    if (tk_is(op->document, TK_OBJECT) || tk_count(servers) == 0)
        return;
    cli_operation_begin_line(op);
    fputs("to go into mcp_servers: ", op->err.file);
    cli_print(&op->err, tk_span(servers));
    fputc('\n', op->err.file);
}

static int tell(struct cli_operation *op, bool *ret_writes)
{
    struct tk_val result = op->reply.result, betas = tk_get(result, TK_STR("betas"));
    struct tk_val notes = tk_get(result, TK_STR("notes"));

    *ret_writes = !cli_given(op->args, CLI_OPT_HEADER);
    if (!*ret_writes)
        cli_operation_print_headers(op);
    tell_servers(op, tk_get(result, TK_STR("mcp_servers")));
    if (cli_given(op->args, CLI_OPT_QUIET))
        return 0;
    cli_operation_begin_line(op);
    fputs(tk_is(tk_get(result, TK_STR("changed")), TK_TRUE) ? "changed" : "unchanged",
          op->err.file);
    if (tk_count(betas) > 0)
        fputs("; betas ", op->err.file);
    cli_operation_print_list(op, betas, ", ");
    if (tk_count(notes) > 0)
        fputs("; ", op->err.file);
    cli_operation_print_list(op, notes, ", ");
    fputc('\n', op->err.file);
    return 0;
}

static int status(const struct cli_operation *op)
{
    (void)op;
    return CLI_EXIT_OK;
}

int cli_cmd_tools(const struct cli_args *args)
{
    static const struct cli_operation_ops ops = {
        .method = "tools",
        .object = "request",
        .list = "tools",
        .wrong = "neither a list of tools, nor null, nor a request body",
        .takes_null = true,
        .no_messages = true,
        .tell = tell,
        .status = status,
    };

    return cli_operation_run(args, &ops);
}
