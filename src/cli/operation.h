/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What splice and tools share: one document through a method, and the document with the answer's
 * patch applied to stdout or where --output says.
 *
 *     file ─ read ─ wrap ─> request ─ backend ─> reply ─┬─> ops->tell, document ─ patch ─> output
 *                                                       └─> fault
 */
#ifndef TK_CLI_OPERATION_H
#define TK_CLI_OPERATION_H

#include "cli/backend.h"
#include "cli/report.h"

struct cli_operation;

struct cli_operation_ops {
    const char *method;
    const char *list;  /* the parameter that a document which is no body becomes: "messages" */
    const char *wrong; /* what to say of a document of another shape */
    bool takes_null;   /* null is such a list, too */
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

/* "FILE: " on stderr, and the elements of a list of strings behind one another. */
void cli_operation_begin_line(const struct cli_operation *op);
void cli_operation_print_list(struct cli_operation *op, struct tk_val list, const char *between);

#endif
