/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper stats, info and ping: the method of the command's name, on the control socket. */
#include "cli/commands/query.h"

int cli_cmd_query(const struct cli_args *args)
{
    struct cli_query query;
    int status;

    if (cli_query_control(&query, args, args->command->name) < 0)
        return cli_fail("out of memory");
    status = cli_query_print(args, &query);
    cli_query_done(&query);
    return status;
}
