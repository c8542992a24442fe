/* SPDX-License-Identifier: Apache-2.0 */
/* Why a document wasn't judged: what its reader found, what the core answered. */
#ifndef TK_CLI_SHOW_FAULT_H
#define TK_CLI_SHOW_FAULT_H

#include "cli/io/backend.h"
#include "cli/show/report.h"
#include "methods/core/errors.h"

struct tk_str cli_error_name(enum tk_error_id id);

/* Prints the reader's error under the name that the core gives it. */
struct cli_fault cli_fault_read(const struct cli_reading *reading, int result);

/* How a document was sent. */
struct cli_question {
    const char *param; /* the parameter that it became */
    bool is_object;    /* it is that; else one of its lists */
    size_t head;       /* bytes of the request before it */
};

/* The error that a reply is. *ret_pointer: into the request; the fault has it where it leads into
 * the document. */
struct cli_fault cli_fault_answered(struct cli_reply *reply, const struct cli_question *asked,
                                    struct tk_str *ret_pointer);

#endif
