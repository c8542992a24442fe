/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/query.h"

#include "cli/args/request.h"
#include "cli/show/pretty.h"
#include "cli/show/term.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* How long to wait for the control socket, in milliseconds. It promises to answer in 100. */
#define CONTROL_MS 10000

static char *control_path(const char *main_path)
{
    struct tk_str path = tk_str_of(main_path);
    size_t n = path.n - (tk_str_ends(path, TK_STR(".sock")) ? strlen(".sock") : 0);
    char *control = malloc(n + sizeof(".control.sock"));

    if (control) {
        memcpy(control, main_path, n);
        strcpy(control + n, ".control.sock");
    }
    return control;
}

int cli_query_control(struct cli_query *query, const struct cli_args *args, const char *method)
{
    uint64_t timeout = cli_number(args, CLI_OPT_TIMEOUT_MS, CONTROL_MS);
    char *path = control_path(cli_socket_path(args));

    if (!path)
        return -ENOMEM;
    *query = (struct cli_query){.path = path,
                                .method = tk_str_of(method),
                                .patience_ms = timeout,
                                .total_ms = timeout,
                                .control = path};
    return 0;
}

void cli_query_done(struct cli_query *query)
{
    free(query->control);
    query->control = NULL;
}

int cli_query_ask(struct cli_backend *backend, const struct cli_query *query,
                  struct cli_reply *reply)
{
    struct cli_buf request = {0};
    int r = cli_backend_connect(backend, query->path, query->patience_ms, query->total_ms);

    if (r == 0 && cli_request_plain(&request, query->method, query->params) < 0) {
        snprintf(backend->error, sizeof(backend->error), "out of memory");
        r = -ENOMEM;
    }
    if (r == 0)
        r = cli_backend_call(backend, cli_buf_str(&request), reply);
    cli_buf_done(&request);
    return r;
}

int cli_query_print(const struct cli_args *args, const struct cli_query *query)
{
    struct cli_backend backend;
    struct cli_reply reply;
    int status = CLI_EXIT_OK;

    cli_reply_init(&reply);
    if (cli_query_ask(&backend, query, &reply) < 0) {
        status = cli_fail("%s", backend.error);
    } else if (tk_exists(reply.error)) {
        cli_print_text(stderr, isatty(STDERR_FILENO), tk_span(reply.error));
        fputc('\n', stderr);
        status = CLI_EXIT_ERRORS;
    } else {
        cli_print_json(args, reply.result, &reply.reading.arena);
    }
    cli_backend_close(&backend);
    cli_reply_done(&reply);
    return status;
}
