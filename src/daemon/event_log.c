/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/event_log.h"

#include <event2/event.h>
#include <inttypes.h>

#include "net/clock.h"
#include "net/log.h"

static void on_message(int severity, const char *message)
{
    static struct tk_log_rate rate;
    uint64_t dropped;

    if (severity < EVENT_LOG_WARN || !tk_log_rate_pass(&rate, tk_now(), &dropped))
        return;
    tk_log(severity == EVENT_LOG_ERR ? TK_LOG_ERROR : TK_LOG_WARNING, "libevent",
           "problem=\"%s\" more=%" PRIu64, message, dropped);
}

void tk_event_log_init(void)
{
    event_set_log_callback(on_message);
}
