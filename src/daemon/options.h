/* SPDX-License-Identifier: Apache-2.0 */
/* The command line. */
#ifndef TK_DAEMON_OPTIONS_H
#define TK_DAEMON_OPTIONS_H

#include "daemon/config.h"

enum tk_action {
    TK_ACTION_SERVE,
    TK_ACTION_CHECK,
    TK_ACTION_VERSION,
    TK_ACTION_HELP,
    TK_ACTION_USAGE_ERROR, /* said on stderr */
};

enum tk_action tk_options_read(int argc, char **argv, struct tk_overrides *ret_overrides);

void tk_options_help(FILE *to);

#endif
