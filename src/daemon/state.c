/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/state.h"

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

void tk_daemon_set_settings(struct tk_daemon *d, struct tk_settings *settings)
{
    struct tk_settings *old;

    pthread_mutex_lock(&d->settings_lock);
    old = d->settings;
    d->settings = settings;
    pthread_mutex_unlock(&d->settings_lock);
    tk_settings_unref(old);
    tk_log_set_level((enum tk_log_level)settings->log_level);
    tk_inflight_set_most(&d->inflight, settings->limits.max_inflight_bytes_per_uid);
    for (size_t i = 0; i < d->worker_count; i++) {
        if (tk_worker_set_settings(d->workers[i], settings) < 0)
            tk_log(TK_LOG_ERROR, "settings_lost", "worker=%zu reason=memory", i);
    }
    tk_control_set_settings(d, settings);
}

enum tk_phase tk_daemon_phase(const struct tk_daemon *d)
{
    return __atomic_load_n(&d->phase, __ATOMIC_RELAXED);
}
