/* SPDX-License-Identifier: Apache-2.0 */
/* Prints text for people: with colours if wanted, and without characters that control a
 * terminal. */
#ifndef TK_CLI_SHOW_TERM_H
#define TK_CLI_SHOW_TERM_H

#include <stdio.h>

#include "cli/args/options.h"
#include "value/str.h"

enum cli_style {
    CLI_PLAIN,
    CLI_BOLD,
    CLI_ERROR,
    CLI_WARNING,
    CLI_NOTE,
    CLI_OLD, /* bytes that an edit removes */
    CLI_NEW, /* bytes that it adds */
    CLI_STYLE_COUNT,
};

/* A stream that people read. */
struct cli_sink {
    FILE *file;
    bool color;
    bool terminal; /* the stream is a terminal: no control characters */
};

/* Makes a sink; --color, NO_COLOR and TERM decide about colours. */
struct cli_sink cli_sink_open(FILE *file, const struct cli_args *args);

/* Prints everything after this call in that style, until CLI_PLAIN. */
void cli_style(const struct cli_sink *sink, enum cli_style style);

/* Prints a literal in a style. */
void cli_styled(const struct cli_sink *sink, enum cli_style style, const char *text);

/*
 * Prints text from a document or a daemon. Control characters, invisible characters that change the
 * direction of writing, and bytes that aren't UTF-8 are printed as \u escapes.
 */
void cli_print(const struct cli_sink *sink, struct tk_str text);

/* Prints a file's name unchanged; on a terminal as cli_print() does. */
void cli_print_name(const struct cli_sink *sink, const char *name);

/*
 * Prints JSON or a whole message of the program unchanged. On a terminal it escapes the characters
 * that cli_print() escapes, except line ends and tabs.
 */
void cli_print_text(FILE *file, bool terminal, struct tk_str text);

/* Prints text like cli_print(), but at most `max` characters of it, then "..." if it was cut. */
void cli_print_cut(const struct cli_sink *sink, struct tk_str text, size_t max);

/* Returns the plural's letter after a counted noun: "1 edit", "2 edits". */
static inline const char *cli_plural(unsigned long long n)
{
    return n == 1 ? "" : "s";
}

/* Returns the columns of a descriptor's terminal, or 80 if unknown. */
int cli_columns(int fd);

/* Returns true if both descriptors are the same terminal. */
bool cli_same_terminal(int a, int b);

#endif
