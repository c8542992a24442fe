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

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/*
 * Opens the standard descriptors that are closed, so that no file of the user gets their numbers: it
 * would be read as stdin, or be overwritten by what is printed. Reading one fails, and so does writing.
 */
static int open_standard_descriptors(void)
{
    static const char *const nowhere[] = {"/dev/null", "/dev/full", "/dev/full"};

    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 &&
            open(nowhere[fd], fd == STDIN_FILENO ? O_WRONLY : O_RDWR) != fd)
            return -1;
    }
    return 0;
}

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
    int r;

    if (open_standard_descriptors() < 0)
        return CLI_EXIT_FAILED;
    r = cli_args_parse(&args, argc, argv);
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
