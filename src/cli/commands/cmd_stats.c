/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper stats: the daemon's counters as JSON, or as a text that Prometheus reads. */
#include <stdio.h>

#include "cli/commands/query.h"

/* Parameters of the request, for each format other than JSON. */
static const struct {
    const char *name, *params;
} formats[] = {
    {"prometheus", "{\"format\":\"prometheus\"}"},
    {"openmetrics", "{\"format\":\"openmetrics\"}"},
};

/* Asks and prints the text of the result. Returns the exit status. */
static int print_text(const struct cli_query *query)
{
    struct cli_backend backend;
    struct cli_reply reply;
    struct tk_str text;
    int status = CLI_EXIT_OK;

    cli_reply_init(&reply);
    if (cli_query_ask(&backend, query, &reply) < 0) {
        status = cli_fail("%s", backend.error);
    } else if (tk_exists(reply.error)) {
        status = cli_fail("the daemon doesn't know --format");
    } else {
        text = tk_text(tk_get(reply.result, TK_STR("text")), &reply.reading.arena);
        (void)fwrite(text.p, 1, text.n, stdout);
    }
    cli_backend_close(&backend);
    cli_reply_done(&reply);
    return status;
}

static int stats_as(const struct cli_args *args, const char *params)
{
    struct cli_query query;
    int status;

    if (cli_query_control(&query, args, args->command->name) < 0)
        return cli_fail("out of memory");
    query.params = tk_str_of(params);
    status = print_text(&query);
    cli_query_done(&query);
    return status;
}

int cli_cmd_stats(const struct cli_args *args)
{
    const char *format = args->value[CLI_OPT_FORMAT];

    if (!format || strcmp(format, "json") == 0)
        return cli_cmd_query(args);
    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
        if (strcmp(formats[i].name, format) == 0)
            return stats_as(args, formats[i].params);
    }
    return cli_usage_error(args->command, "--format: must be json, prometheus or openmetrics");
}
