/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/pretty.h"

#include "cli/show/term.h"
#include "value/compact.h"

#include <unistd.h>

#define INDENT 2

static void put(struct tk_str s)
{
    fwrite(s.p, 1, s.n, stdout);
}

/* Prints a scalar. Keys and strings keep their escapes, so no control character reaches the
 * terminal. */
static void print_scalar(const struct cli_sink *sink, struct tk_val v)
{
    cli_style(sink, tk_is(v, TK_STRING) ? CLI_NEW : CLI_NOTE);
    cli_print(sink, tk_span(v));
    cli_style(sink, CLI_PLAIN);
}

static void print_indented(const struct cli_sink *sink, struct tk_val v, int depth)
{
    bool is_object = tk_is(v, TK_OBJECT);
    struct tk_val child = tk_first(v);

    if (!is_object && !tk_is(v, TK_ARRAY)) {
        print_scalar(sink, v);
        return;
    }
    putchar(is_object ? '{' : '[');
    for (; tk_exists(child); child = tk_after(v, child)) {
        if (child.node != v.node + 1)
            putchar(',');
        printf("\n%*s", (depth + 1) * INDENT, "");
        if (is_object) {
            putchar('"');
            cli_print(sink, tk_raw_key(child));
            fputs("\": ", stdout);
        }
        print_indented(sink, child, depth + 1);
    }
    if (tk_exists(tk_first(v)))
        printf("\n%*s", depth * INDENT, "");
    putchar(is_object ? '}' : ']');
}

void cli_print_json_line(struct tk_val v, struct tk_arena *arena)
{
    struct tk_out out;

    bool terminal = isatty(STDOUT_FILENO);

    tk_out_init(&out, arena);
    tk_compact_json(&out, v, NULL);
    for (size_t i = 0; i < out.count; i++)
        cli_print_text(stdout, terminal,
                       (struct tk_str){out.pieces[i].iov_base, out.pieces[i].iov_len});
    putchar('\n');
}

void cli_print_json(const struct cli_args *args, struct tk_val v, struct tk_arena *arena)
{
    if (cli_given(args, CLI_OPT_JSON)) {
        cli_print_json_line(v, arena);
        return;
    }
    if (isatty(STDOUT_FILENO)) {
        struct cli_sink sink = cli_sink_open(stdout, args);

        print_indented(&sink, v, 0);
    } else {
        put(tk_span(v));
    }
    putchar('\n');
}
