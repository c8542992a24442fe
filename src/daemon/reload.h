/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SIGHUP: the configuration is read again and applied as a whole, or not at all. Keys that can't
 * change at run time keep their values and are named in the log.
 */
#ifndef TK_DAEMON_RELOAD_H
#define TK_DAEMON_RELOAD_H

#include "daemon/state.h"

/* Reads the configuration again and applies it; a bad one changes nothing. Logs the outcome. */
void tk_reload(struct tk_daemon *d);

#endif
