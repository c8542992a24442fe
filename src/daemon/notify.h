/* SPDX-License-Identifier: Apache-2.0 */
/* What the service manager is told: sd_notify(3)'s protocol, a datagram of VARIABLE=value lines. */
#ifndef TK_DAEMON_NOTIFY_H
#define TK_DAEMON_NOTIFY_H

#include <stdint.h>

/* Sends; without NOTIFY_SOCKET nothing happens. A lost message is nobody's failure. */
void tk_notify(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The watchdog's patience in nanoseconds, 0 where there is none for this process. */
int64_t tk_notify_watchdog(void);

#endif
