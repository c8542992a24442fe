/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of splice, tools, prepare and seal: sends one document to a method and writes
 * the patched document, or a member of the result, to stdout or --output.
 *
 *     file ─ read ─ wrap ─> request ─ backend ─> reply ─┬─> ops->tell, document ─ patch ─> output
 *                                                       └─> fault
 */
#ifndef TK_CLI_COMMANDS_OPERATION_H
#define TK_CLI_COMMANDS_OPERATION_H

#include "cli/io/backend.h"
#include "cli/show/report.h"

struct cli_operation;

struct cli_operation_ops {
    const char *method;
    const char *fixed;  /* parameters of every request, as JSON members; NULL: none */
    const char *object; /* the parameter for a document that is an object: "request" */
    const char *list;   /* the parameter for a document that is a list: "messages"; NULL: none */
    const char *wrong;  /* the error for a document of another shape */
    const char *whole;  /* the result's member to write; NULL: the patched document */
    bool is_history;    /* the list is a history: patches name it as the provider does */
    bool takes_null;    /* null is accepted as a list */
    bool no_messages;   /* a list of messages is a document of another shape */
    /*
     * Prints the answer for people. *ret_writes: the document is to be written. Returns 0, or
     * CLI_EXIT_FAILED if the reason has been reported.
     */
    int (*tell)(struct cli_operation *op, bool *ret_writes);
    /* Returns the exit status for the answer. */
    int (*status)(const struct cli_operation *op);
};

struct cli_operation {
    const struct cli_args *args;
    const struct cli_operation_ops *ops;
    const char *name; /* of the input file */
    struct cli_reading reading;
    struct tk_val document;
    struct cli_reply reply;
    struct cli_sink err;
};

/* Runs the command. Returns the exit status. */
int cli_operation_run(const struct cli_args *args, const struct cli_operation_ops *ops);

/* Prints the header lines to stdout: "anthropic-beta: a,b". */
void cli_operation_print_headers(struct cli_operation *op);

/* Writes the messages that have to wait to the file of --deferred; an empty list if there are none.
 * Returns 0, or CLI_EXIT_FAILED if the reason has been reported. */
int cli_operation_write_deferred(struct cli_operation *op);

/* Prints the findings that remain, from a result or an error's data. */
void cli_operation_report_findings(struct cli_operation *op, struct tk_val answer);

/* Print "FILE: " to stderr, and the strings of a list with `between` between them. */
void cli_operation_begin_line(const struct cli_operation *op);
void cli_operation_print_list(struct cli_operation *op, struct tk_val list, const char *between);

#endif
