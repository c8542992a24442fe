/* SPDX-License-Identifier: Apache-2.0 */
/* One request to a daemon's socket. */
#ifndef TK_CLI_COMMANDS_QUERY_H
#define TK_CLI_COMMANDS_QUERY_H

#include "cli/io/backend.h"

struct cli_query {
    const char *path;
    struct tk_str method;
    struct tk_str params; /* JSON, may be empty */
    uint64_t patience_ms, total_ms;
    char *control; /* the control socket's path, to be freed; NULL if `path` was given */
};

/*
 * Makes a query to the control socket of a main socket: its path ends with ".control.sock" instead
 * of ".sock". Returns 0 or -ENOMEM.
 */
int cli_query_control(struct cli_query *query, const struct cli_args *args, const char *method);
void cli_query_done(struct cli_query *query);

/* Sends the request. Returns 0, or a negative errno with backend->error filled. Close the backend
 * in both cases. */
int cli_query_ask(struct cli_backend *backend, const struct cli_query *query,
                  struct cli_reply *reply);

/* Sends the request and prints the result to stdout, an error object or a failure to stderr.
 * Returns the exit status. */
int cli_query_print(const struct cli_args *args, const struct cli_query *query);

#endif
