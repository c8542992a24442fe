/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints findings as a compiler does:
 *
 *     chat.json:/messages/3/content/1: error: TEXT [CODE]
 *     log.jsonl:17:/messages/3/content/1: error: TEXT [CODE]
 *     chat.json:12:5: error: control character in string [parse_error]
 */
#ifndef TK_CLI_SHOW_REPORT_H
#define TK_CLI_SHOW_REPORT_H

#include "cli/show/term.h"
#include "value/doc.h"

/* Place of a document in the input. */
struct cli_place {
    const char *file;
    size_t line; /* 0: the file is the document */
    /* where in the document the history is (--at); `.p == NULL`: it is the document */
    struct tk_str at;
    /* if the history is a list: the pointer with which places in it begin, "/messages" */
    struct tk_str root;
    bool joined; /* its lines were joined (elements.h) */
};

/* Why a document couldn't be judged. */
struct cli_fault {
    struct tk_str name; /* as in `error.data.name` */
    struct tk_str text;
    struct tk_str pointer; /* of the finding, may be empty */
    bool has_offset;
    size_t offset; /* bytes from the document's start */
    bool foreign;  /* another format: the text says everything, no code is printed */
};

/* Prints "FILE:LINE", without a colon after it. */
void cli_print_place(const struct cli_sink *sink, const struct cli_place *place);

/* Prints one finding, as cli_report_findings() does. */
void cli_report_finding(const struct cli_sink *sink, const struct cli_place *place,
                        struct tk_val finding, bool verbose, struct tk_arena *arena);

/* Prints the findings of a list, in order. `verbose` adds the provider's answer to such a history.
 * The arena holds unescaped text. */
void cli_report_findings(const struct cli_sink *sink, const struct cli_place *place,
                         struct tk_val findings, bool verbose, struct tk_arena *arena);

/* Prints a note about the whole document. */
void cli_report_note(const struct cli_sink *sink, const struct cli_place *place, const char *format,
                     ...) __attribute__((format(printf, 3, 4)));

/* Prints the fault of a document that couldn't be judged. `text` is the document, to count line and
 * column. */
void cli_report_fault(const struct cli_sink *sink, const struct cli_place *place,
                      struct tk_str text, const struct cli_fault *fault);

#endif
