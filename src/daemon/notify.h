/* SPDX-License-Identifier: Apache-2.0 */
/* Messages to the service manager: a datagram of VARIABLE=value lines, as sd_notify(3) sends. */
#ifndef TK_DAEMON_NOTIFY_H
#define TK_DAEMON_NOTIFY_H

#include <stdint.h>

/* Sends a message; does nothing without NOTIFY_SOCKET. Send errors are ignored. */
void tk_notify(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Returns the watchdog's timeout in nanoseconds, 0 if this process has none. */
int64_t tk_notify_watchdog(void);

#endif
