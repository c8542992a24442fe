/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The configuration: a JSON object; each key is a row of one table. An error names file, line and
 * key, and then no value of the file is used. The command line overrides the file.
 */
#ifndef TK_DAEMON_CONFIG_H
#define TK_DAEMON_CONFIG_H

#include <stdbool.h>
#include <stdio.h>

#include "net/settings.h"

#ifndef TK_CONFIG_FILE
#define TK_CONFIG_FILE "/etc/turnkeeper/turnkeeper.json"
#endif
#ifndef TK_DEFAULT_SOCKET
#define TK_DEFAULT_SOCKET "/run/turnkeeper/turnkeeper.sock"
#endif

/* Values of the command line; NULL if not given. */
struct tk_overrides {
    const char *config; /* NULL: TK_CONFIG_FILE, which may be missing */
    const char *socket, *control, *workers, *log_level, *http;
};

struct tk_config_error {
    char text[512]; /* FILE:LINE:COLUMN: KEY: the error */
};

/* Returned by tk_config_load(): a value of the file or of the command line is wrong. */
enum {
    TK_CONFIG_BAD = 1
};

/*
 * Reads file and command line into new settings, complete and checked. 0 and *ret_settings,
 * TK_CONFIG_BAD and *ret_error, or -ENOMEM, -EMFILE or -ENFILE and *ret_error.
 */
int tk_config_load(const struct tk_overrides *overrides, struct tk_settings **ret_settings,
                   struct tk_config_error *ret_error);

/* Writes the path of the file that was read, in quotes, for the log; or `none`. */
#define TK_CONFIG_SHOWN_MAX 512
void tk_config_show(const struct tk_overrides *overrides, const struct tk_settings *settings,
                    char to[TK_CONFIG_SHOWN_MAX]);

/*
 * For a reload: gives `settings` the present values of all keys that can't change while the
 * daemon runs, and lists those that differ in names. 0 or -ENOMEM.
 */
int tk_config_keep_fixed(struct tk_settings *settings, const struct tk_settings *present,
                         char *names, size_t size);

/* Prints the keys for --help. */
void tk_config_help(FILE *to);

#endif
