/* SPDX-License-Identifier: Apache-2.0 */
/* The result of `health`: one row a check. */
#ifndef TK_DAEMON_HEALTH_H
#define TK_DAEMON_HEALTH_H

#include "daemon/state.h"

/* Writes the result map of `health`. arg: the daemon. Any thread. */
void tk_health(void *arg, struct tk_writer *w);

#endif
