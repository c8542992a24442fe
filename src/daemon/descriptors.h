/* SPDX-License-Identifier: Apache-2.0 */
/* The standard descriptors; the limit of open files, and max_connections within it. */
#ifndef TK_DAEMON_DESCRIPTORS_H
#define TK_DAEMON_DESCRIPTORS_H

#include "net/settings.h"

/*
 * Opens the standard descriptors that are closed, as /dev/null, so that no socket gets their numbers:
 * the log would be written to a client. 0, or -1 if that fails.
 */
int tk_descriptors_open_standard(void);

/* Raises the soft limit to the hard one, and lowers max_connections if it still doesn't fit. */
void tk_descriptors_fit(struct tk_settings *settings);

#endif
