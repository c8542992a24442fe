/* SPDX-License-Identifier: Apache-2.0 */
/* The messages of libevent, as lines of the daemon's log. */
#ifndef TK_DAEMON_EVENT_LOG_H
#define TK_DAEMON_EVENT_LOG_H

/* Passes warnings and errors of libevent on to tk_log(), at most one a second. Call it once. */
void tk_event_log_init(void);

#endif
