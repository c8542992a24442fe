/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/reload.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "daemon/descriptors.h"
#include "daemon/notify.h"
#include "net/log.h"

static void refuse(struct tk_daemon *d, const char *reason)
{
    tk_count(&d->control.counters, reload_failures, 1);
    tk_log(TK_LOG_ERROR, "reload_failed", "problem=\"%s\"", reason);
    tk_notify("READY=1\nSTATUS=Serving; the new configuration was refused: %s", reason);
}

/* Applies the new limits, log level and allow-lists; other keys keep their values. */
static void take_over(struct tk_daemon *d, struct tk_settings *settings)
{
    char names[256], config[TK_CONFIG_SHOWN_MAX];

    int r = tk_config_keep_fixed(settings, d->settings, names, sizeof(names));

    if (r == 0) {
        tk_descriptors_fit(settings);
        r = tk_daemon_set_settings(d, settings);
    }
    if (r < 0) {
        tk_settings_unref(settings);
        refuse(d, "no memory");
        return;
    }
    if (names[0] != '\0')
        tk_log(TK_LOG_WARNING, "restart_needed", "keys=\"%s\"", names);
    if (d->main_socket.bound) /* on a listening socket this sets the backlog anew */
        (void)listen(d->main_socket.fd, (int)settings->limits.backlog);
    tk_count(&d->control.counters, reloads, 1);
    tk_config_show(d->overrides, settings, config);
    tk_log(TK_LOG_NOTICE, "reload", "config=%s", config);
    tk_notify("READY=1\nSTATUS=Serving on %s with %zu workers.", settings->socket, d->worker_count);
}

void tk_reload(struct tk_daemon *d)
{
    struct tk_config_error error;
    struct tk_settings *settings;

    if (d->phase != TK_PHASE_RUNNING) {
        tk_log(TK_LOG_WARNING, "reload_ignored", "reason=draining");
        return;
    }
    tk_notify("RELOADING=1\nMONOTONIC_USEC=%lld", (long long)(tk_now() / TK_MICROSECOND));
    if (tk_config_load(d->overrides, &settings, &error) == 0)
        take_over(d, settings);
    else
        refuse(d, error.text);
}
