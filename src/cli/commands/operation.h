/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What splice, tools, prepare and seal share: one document through a method, and to stdout or where
 * --output says what the answer makes of it: a patch applied, or a member of the result.
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
    const char *fixed;  /* parameters that always go along, as JSON members; NULL: none */
    const char *object; /* the parameter that a document which is an object becomes: "request" */
    const char *list;   /* the same of a list: "messages"; NULL: none */
    const char *wrong;  /* what to say of a document of another shape */
    const char *whole;  /* the result's member to be written; NULL: the document, patched */
    bool takes_null;    /* null is such a list, too */
    /*
     * The answer is there: tells people what it says. *ret_writes: the document is to be written.
     * Returns 0, or CLI_EXIT_FAILED after having said why.
     */
    int (*tell)(struct cli_operation *op, bool *ret_writes);
    /* The exit status that the answer means. */
    int (*status)(const struct cli_operation *op);
};

struct cli_operation {
    const struct cli_args *args;
    const struct cli_operation_ops *ops;
    const char *name; /* of the file */
    struct cli_reading reading;
    struct tk_val document;
    struct cli_reply reply;
    struct cli_sink err;
};

/* Does all of it. Returns the exit status. */
int cli_operation_run(const struct cli_args *args, const struct cli_operation_ops *ops);

/* "anthropic-beta: a,b" on stdout, a line each. */
void cli_operation_print_headers(struct cli_operation *op);

/* Messages that have to wait, where --deferred says: an empty list where there are none. Returns 0
 * or CLI_EXIT_FAILED after having said why. */
int cli_operation_write_deferred(struct cli_operation *op);

/* Findings that remain: of a result, or of an error's data. */
void cli_operation_report_findings(struct cli_operation *op, struct tk_val answer);

/* "FILE: " on stderr, and the elements of a list of strings one after the other. */
void cli_operation_begin_line(const struct cli_operation *op);
void cli_operation_print_list(struct cli_operation *op, struct tk_val list, const char *between);

#endif
