/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turnkeeper, the command line program.
 *
 *     argv ─ options ─> command ─┬─ input ─> request ─> backend ─> reply ─> report, view, output
 *                                └─ health, stats, info, ping, call ─> backend ─> stdout
 *
 * A backend is the embedded core or a daemon's socket; commands don't know which one they use.
 */
#include "cli/args/help.h"
#include "cli/args/options.h"
#include "turnkeeper/turnkeeper.h"

#include <stdio.h>

/* Flushes stdout: only then a full disk or a closed pipe may show. */
static int finish(int status)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || status >= CLI_EXIT_FAILED)
        return status;
    return cli_fail("cannot write to stdout: %m");
}

int main(int argc, char **argv)
{
    struct cli_args args;
    int r = cli_args_parse(&args, argc, argv);

    if (r != 0)
        return finish(r);
    if (cli_given(&args, CLI_OPT_HELP))
        cli_help(args.command);
    else if (cli_given(&args, CLI_OPT_VERSION))
        printf("turnkeeper %s\n", tk_version());
    else
        r = args.command->run(&args);
    return finish(r);
}
