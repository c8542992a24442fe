/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/report.h"

#include <stdarg.h>
#include <stdlib.h>

static const struct {
    const char *name;
    enum cli_style style;
} severities[] = {
    {"error", CLI_ERROR},
    {"warning", CLI_WARNING},
    {"note", CLI_NOTE},
};

void cli_print_place(const struct cli_sink *sink, const struct cli_place *place)
{
    cli_print_name(sink, place->file);
    if (place->line)
        fprintf(sink->file, ":%zu", place->line);
}

/* Prints ":POINTER", a place in the whole document. If the document is a list, the pointer is the
 * one that it would have in a body (/messages/...). */
static void print_pointer(const struct cli_sink *sink, const struct cli_place *place,
                          struct tk_str pointer)
{
    struct tk_str root = place->root;

    if (place->at.n && root.n && tk_str_starts(pointer, root))
        pointer = (struct tk_str){pointer.p + root.n, pointer.n - root.n};
    if (!place->at.n && !pointer.n)
        return;
    fputc(':', sink->file);
    cli_print(sink, place->at);
    cli_print(sink, pointer);
}

/* Prints "FILE:LINE:POINTER: SEVERITY: ". */
static void print_head(const struct cli_sink *sink, const struct cli_place *place,
                       struct tk_str pointer, struct tk_str severity)
{
    enum cli_style style = CLI_NOTE;

    for (size_t i = 0; i < sizeof(severities) / sizeof(*severities); i++)
        if (tk_str_is(severity, severities[i].name))
            style = severities[i].style;
    cli_style(sink, CLI_BOLD);
    cli_print_place(sink, place);
    if (pointer.n)
        print_pointer(sink, place, pointer);
    cli_style(sink, CLI_PLAIN);
    fputs(": ", sink->file);
    cli_style(sink, style);
    cli_print(sink, severity);
    cli_style(sink, CLI_PLAIN);
    fputs(": ", sink->file);
}

static void print_note(const struct cli_sink *sink, const struct cli_place *place,
                       struct tk_str pointer, const char *what, struct tk_str text)
{
    if (!text.n)
        return;
    print_head(sink, place, pointer, TK_STR("note"));
    fputs(what, sink->file);
    cli_print(sink, text);
    fputc('\n', sink->file);
}

void cli_report_finding(const struct cli_sink *sink, const struct cli_place *place,
                        struct tk_val finding, bool verbose, struct tk_arena *arena)
{
    struct tk_str pointer = tk_text(tk_get(finding, TK_STR("pointer")), arena);

    print_head(sink, place, pointer, tk_text(tk_get(finding, TK_STR("severity")), arena));
    cli_print(sink, tk_text(tk_get(finding, TK_STR("text")), arena));
    fputs(" [", sink->file);
    cli_print(sink, tk_text(tk_get(finding, TK_STR("code")), arena));
    fputs("]\n", sink->file);
    print_note(sink, place, pointer,
               "not allowed here, but needed: ", tk_text(tk_get(finding, TK_STR("needed")), arena));
    print_note(sink, place, pointer,
               "way out: ", tk_text(tk_get(finding, TK_STR("way_out")), arena));
    if (verbose)
        print_note(sink, place, pointer, "the provider would answer: ",
                   tk_text(tk_get(finding, TK_STR("provider_error")), arena));
}

void cli_report_findings(const struct cli_sink *sink, const struct cli_place *place,
                         struct tk_val findings, bool verbose, struct tk_arena *arena)
{
    for (struct tk_val f = tk_first(findings); tk_exists(f); f = tk_after(findings, f))
        cli_report_finding(sink, place, f, verbose, arena);
}

void cli_report_note(const struct cli_sink *sink, const struct cli_place *place, const char *format,
                     ...)
{
    va_list ap;
    char *text;

    print_head(sink, place, TK_STR(""), TK_STR("note"));
    va_start(ap, format);
    if (vasprintf(&text, format, ap) >= 0) {
        cli_print_text(sink->file, sink->terminal, tk_str_of(text));
        free(text);
    }
    va_end(ap);
    fputc('\n', sink->file);
}

/* Prints "LINE:COLUMN" of a byte in the document. In JSONL LINE is the line of the file. */
static void print_offset(const struct cli_sink *sink, const struct cli_place *place,
                         struct tk_str text, size_t offset)
{
    size_t line = 1, start = 0, column;

    if (offset > text.n)
        offset = text.n;
    for (size_t i = 0; place->line == 0 && i < offset; i++)
        if (text.p[i] == '\n') {
            line++;
            start = i + 1;
        }
    column = offset - start + 1;
    if (place->joined && column > 1) /* cli_elements_join() put one byte before each line */
        column--;
    if (place->line == 0)
        fprintf(sink->file, ":%zu", line);
    fprintf(sink->file, ":%zu", column);
}

void cli_report_fault(const struct cli_sink *sink, const struct cli_place *place,
                      struct tk_str text, const struct cli_fault *fault)
{
    cli_style(sink, CLI_BOLD);
    cli_print_place(sink, place);
    if (fault->has_offset)
        print_offset(sink, place, text, fault->offset);
    else if (fault->pointer.n)
        print_pointer(sink, place, fault->pointer);
    cli_style(sink, CLI_PLAIN);
    fputs(": ", sink->file);
    if (!fault->foreign) {
        cli_styled(sink, CLI_ERROR, "error");
        fputs(": ", sink->file);
    }
    cli_print(sink, fault->text);
    if (fault->foreign) {
        fputc('\n', sink->file);
        return;
    }
    if (fault->has_offset && fault->pointer.n) {
        fputs(" in ", sink->file);
        cli_print(sink, fault->pointer);
    }
    fputs(" [", sink->file);
    cli_print(sink, fault->name);
    fputs("]\n", sink->file);
}
