/* SPDX-License-Identifier: Apache-2.0 */
/* The limit of open files, and max_connections within it. */
#ifndef TK_DAEMON_DESCRIPTORS_H
#define TK_DAEMON_DESCRIPTORS_H

#include "net/settings.h"

/* Raises the soft limit to the hard one, and lowers max_connections if it still doesn't fit. */
void tk_descriptors_fit(struct tk_settings *settings);

#endif
