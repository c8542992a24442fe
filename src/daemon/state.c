/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/state.h"

#include <errno.h>

#include "daemon/control.h"
#include "net/log.h"

struct tk_settings *tk_daemon_settings(struct tk_daemon *d)
{
    struct tk_settings *s;

    pthread_mutex_lock(&d->settings_lock);
    s = tk_settings_ref(d->settings);
    pthread_mutex_unlock(&d->settings_lock);
    return s;
}

int tk_daemon_set_settings(struct tk_daemon *d, struct tk_settings *settings)
{
    struct tk_settings *old;

    if (tk_control_set_settings(d, settings) < 0) /* the only part that needs memory */
        return -ENOMEM;
    pthread_mutex_lock(&d->settings_lock);
    old = d->settings;
    d->settings = settings;
    pthread_mutex_unlock(&d->settings_lock);
    tk_settings_unref(old);
    tk_log_set_level((enum tk_log_level)settings->log_level);
    tk_inflight_set_most(&d->inflight, settings->limits.max_inflight_bytes_per_uid);
    for (size_t i = 0; i < d->worker_count; i++)
        tk_worker_set_settings(d->workers[i], settings);
    return 0;
}

enum tk_phase tk_daemon_phase(const struct tk_daemon *d)
{
    return __atomic_load_n(&d->phase, __ATOMIC_RELAXED);
}
