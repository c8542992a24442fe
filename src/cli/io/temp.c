/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* At most two are in use: the file that is written, and the copy of the file that it will
 * replace. */
#define SLOTS 4

/* Names of the files to remove; "" in a free slot. A longer name isn't watched. */
static char doomed[SLOTS][PATH_MAX];

/* Removes the files. All signals are blocked here: a second one waits until the files are
 * removed. */
static void on_signal(int number)
{
    int saved =
        errno; /* a second signal finds no file; the code that it interrupts must keep its errno */

    for (int i = 0; i < SLOTS; i++)
        if (doomed[i][0])
            unlink(doomed[i]);
    signal(number, SIG_DFL);
    raise(number);
    errno = saved;
}

/* Installs on_signal() for signals whose default action ends the process. SIGXFSZ is ignored, so
 * that a write to a file that is too large fails with EFBIG. */
static void watch_signals(void)
{
    static const int numbers[] = {
        SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,   SIGALRM, SIGTERM, SIGUSR1,
        SIGUSR2, SIGPOLL, SIGPROF, SIGVTALRM, SIGXCPU, SIGPWR,
    };
    struct sigaction action = {.sa_handler = on_signal};
    struct sigaction now;

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
    if (sigaction(SIGXFSZ, NULL, &now) == 0 && now.sa_handler == SIG_DFL)
        signal(SIGXFSZ, SIG_IGN);
}

void cli_temp_block_signals(sigset_t *ret_before)
{
    sigset_t all;

    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, ret_before);
}

void cli_temp_unblock_signals(const sigset_t *before)
{
    sigprocmask(SIG_SETMASK, before, NULL);
}

static void doom(const char *name)
{
    for (int i = 0; i < SLOTS && strlen(name) < PATH_MAX; i++)
        if (!doomed[i][0]) {
            strcpy(doomed[i], name);
            return;
        }
}

/* Makes a file from a template, or by `name` if template is NULL. Blocks signals until the file is
 * watched. */
static int make(char *template, const char *name)
{
    sigset_t before;
    int fd, error;

    watch_signals();
    cli_temp_block_signals(&before);
    fd = template ? mkstemp(template) : open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    error = errno;
    if (fd >= 0)
        doom(template ? template : name);
    cli_temp_unblock_signals(&before);
    return fd >= 0 ? fd : -error;
}

int cli_temp_make(char *template)
{
    return make(template, NULL);
}

int cli_temp_make_named(const char *name)
{
    return make(NULL, name);
}

void cli_temp_keep(const char *name)
{
    for (int i = 0; i < SLOTS; i++)
        if (strcmp(doomed[i], name) == 0)
            doomed[i][0] = '\0';
}
