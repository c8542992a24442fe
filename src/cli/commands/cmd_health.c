/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turnkeeper health, a monitoring plugin: one line and an exit status, in the manner of
 * https://www.monitoring-plugins.org/doc/guidelines.html
 *
 *     TURNKEEPER OK - ok, 4 checks, up 12.5 s | uptime=12.5s worker_heartbeat=0.002s;5.0
 */
#include "cli/commands/query.h"
#include "cli/show/pretty.h"
#include "cli/show/term.h"

#include <stdio.h>
#include <stdlib.h>

enum plugin_status {
    PLUGIN_OK,
    PLUGIN_WARNING,
    PLUGIN_CRITICAL,
};

static const char *const labels[] = {"OK", "WARNING", "CRITICAL"};

static void head(enum plugin_status status)
{
    printf("TURNKEEPER %s - ", labels[status]);
}

/* Prints a number without an exponent, which monitoring systems don't read. */
static void print_number(struct tk_val v)
{
    struct tk_str span;
    char text[64];

    if (!tk_is(v, TK_INT) && !tk_is(v, TK_REAL))
        return;
    span = tk_span(v);
    if (span.n < sizeof(text) && (memchr(span.p, 'e', span.n) || memchr(span.p, 'E', span.n))) {
        memcpy(text, span.p, span.n);
        text[span.n] = '\0';
        printf("%.6f", strtod(text, NULL));
        return;
    }
    printf("%.*s", (int)span.n, span.p);
}

/* Prints "label=value[unit];warning", where the limit is the warning threshold. */
static void print_performance(struct tk_val check, struct tk_arena *arena)
{
    struct tk_str name = tk_text(tk_get(check, TK_STR("name")), arena);
    struct tk_val unit = tk_get(check, TK_STR("unit"));

    putchar(' ');
    for (size_t i = 0; i < name.n; i++) /* only characters that need no quotes in a label */
        putchar(name.p[i] == '_' || (name.p[i] >= 'a' && name.p[i] <= 'z') ? name.p[i] : '_');
    putchar('=');
    print_number(tk_get(check, TK_STR("value")));
    if (tk_text_is(unit, TK_STR("s")))
        putchar('s');
    else if (tk_text_is(unit, TK_STR("bytes")) || tk_text_is(unit, TK_STR("B")))
        putchar('B');
    putchar(';');
    print_number(tk_get(check, TK_STR("limit")));
}

static void print_all_performance(struct tk_val result, struct tk_arena *arena)
{
    struct tk_val checks = tk_get(result, TK_STR("checks"));

    fputs(" | uptime=", stdout);
    print_number(tk_get(result, TK_STR("uptime_s")));
    putchar('s');
    for (struct tk_val c = tk_first(checks); tk_exists(c); c = tk_after(checks, c))
        print_performance(c, arena);
    putchar('\n');
}

/* Prints the checks that failed. Returns the number of all checks. */
static unsigned print_failed(struct tk_val checks, struct tk_arena *arena)
{
    struct cli_sink plain = {stdout, false, false};
    unsigned count = 0;

    for (struct tk_val c = tk_first(checks); tk_exists(c); c = tk_after(checks, c), count++)
        if (!tk_is(tk_get(c, TK_STR("ok")), TK_TRUE)) {
            cli_print(&plain, tk_text(tk_get(c, TK_STR("name")), arena));
            fputs(" at ", stdout);
            print_number(tk_get(c, TK_STR("value")));
            fputs(" of ", stdout);
            print_number(tk_get(c, TK_STR("limit")));
            fputs(", ", stdout);
        }
    return count;
}

static enum plugin_status status_of(struct tk_val result)
{
    static const struct {
        const char *word;
        enum plugin_status status;
    } words[] = {
        {"ok", PLUGIN_OK},
        {"degraded", PLUGIN_WARNING},
        {"draining", PLUGIN_WARNING},
    };

    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        if (tk_text_is(tk_get(result, TK_STR("status")), tk_str_of(words[i].word)))
            return words[i].status;
    return PLUGIN_CRITICAL; /* a status that the protocol doesn't have */
}

static void print_line(enum plugin_status status, struct tk_val result, struct tk_arena *arena)
{
    struct cli_sink plain = {stdout, false, false};

    head(status);
    cli_print(&plain, tk_text(tk_get(result, TK_STR("status")), arena));
    fputs(", ", stdout);
    printf("%u checks, up ", print_failed(tk_get(result, TK_STR("checks")), arena));
    print_number(tk_get(result, TK_STR("uptime_s")));
    fputs(" s", stdout);
    print_all_performance(result, arena);
}

static enum plugin_status report(const struct cli_args *args, const struct cli_query *query)
{
    struct cli_backend backend;
    struct cli_reply reply;
    struct tk_arena *arena = &reply.reading.arena;
    enum plugin_status status = PLUGIN_CRITICAL;

    cli_reply_init(&reply);
    if (cli_query_ask(&backend, query, &reply) < 0) {
        head(status);
        puts(backend.error);
    } else if (tk_exists(reply.error)) {
        head(status);
        cli_print_json_line(reply.error, arena);
    } else {
        status = status_of(reply.result);
        if (cli_given(args, CLI_OPT_JSON))
            cli_print_json_line(reply.result, arena);
        else
            print_line(status, reply.result, arena);
    }
    cli_backend_close(&backend);
    cli_reply_done(&reply);
    return status;
}

int cli_cmd_health(const struct cli_args *args)
{
    struct cli_query query;
    int status;

    if (cli_query_control(&query, args, "health") < 0)
        return cli_fail("out of memory");
    status = (int)report(args, &query);
    cli_query_done(&query);
    return status;
}
