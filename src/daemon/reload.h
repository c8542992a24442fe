/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIGHUP: the configuration is read aside and swapped in whole, or not at all. What can't change
 * while we run keeps its value and is named in the log.
 */
#ifndef TK_DAEMON_RELOAD_H
#define TK_DAEMON_RELOAD_H

#include "daemon/state.h"

/* Reads the configuration again and applies it; a bad one changes nothing. Logs the outcome. */
void tk_reload(struct tk_daemon *d);

#endif
