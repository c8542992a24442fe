/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeperd: reads the command line and the configuration, serves, returns the exit status. */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "daemon/daemon.h"
#include "daemon/descriptors.h"
#include "daemon/drain.h"
#include "daemon/event_log.h"
#include "daemon/options.h"
#include "net/log.h"

enum {
    EXIT_DRAINED = 0,
    EXIT_FAILED = 1,
    EXIT_CONFIGURATION = 2,
};

/* Blocks of at least this size go back to the system when freed, so that an idle daemon doesn't
 * keep the memory of one large request. */
#define MMAP_THRESHOLD (1 << 20)

static int serve(const struct tk_overrides *overrides, struct tk_settings *settings)
{
    static struct tk_daemon daemon;
    char config[TK_CONFIG_SHOWN_MAX];
    int code = EXIT_FAILED;
    sigset_t signals;

    tk_signals_block(&signals);
    tk_config_show(overrides, settings, config);
    tk_log(TK_LOG_NOTICE, "start", "version=%s pid=%d config=%s", tk_version(), (int)getpid(),
           config);
    tk_descriptors_fit(settings);
    if (tk_daemon_init(&daemon, overrides, settings) == 0)
        code = tk_daemon_run(&daemon);
    tk_daemon_done(&daemon);
    return code;
}

static int with_settings(const struct tk_overrides *overrides, bool check)
{
    struct tk_config_error error;
    struct tk_settings *settings;
    int r = tk_config_load(overrides, &settings, &error);
    int code = EXIT_DRAINED;

    if (r != 0) {
        if (check)
            (void)fprintf(stderr, "%s\n", error.text);
        else
            tk_log(TK_LOG_ERROR, "configuration", "problem=\"%s\"", error.text);
        return r < 0 ? EXIT_FAILED : EXIT_CONFIGURATION;
    }
    tk_log_set_level((enum tk_log_level)settings->log_level);
    if (!check)
        code = serve(overrides, settings);
    tk_settings_unref(settings);
    return code;
}

/* Returns the exit status of a command that only prints: a full disk shows at the end. */
static int printed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_DRAINED;
    (void)fprintf(stderr, "turnkeeperd: cannot write to stdout: %s\n", strerror(errno));
    return EXIT_FAILED;
}

int main(int argc, char **argv)
{
    struct tk_overrides overrides;
    enum tk_daemon_action action;

    if (tk_descriptors_open_standard() < 0)
        return EXIT_FAILED;
    /* A pipe without a reader, or a file that may not grow, is no reason to end. */
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
    action = tk_options_read(argc, argv, &overrides);
    tk_log_init();
    tk_event_log_init();
    (void)mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD);
    if (action == TK_DAEMON_USAGE_ERROR) {
        (void)fputs("Try 'turnkeeperd --help'.\n", stderr);
        return EXIT_CONFIGURATION;
    }
    if (action == TK_DAEMON_HELP)
        tk_options_help(stdout);
    else if (action == TK_DAEMON_VERSION)
        (void)printf("turnkeeperd %s\n", tk_version());
    else
        return with_settings(&overrides, action == TK_DAEMON_CHECK);
    return printed();
}
