/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the fault of a document that wasn't judged from its reader's error or from the core's
 * answer. */
#ifndef TK_CLI_SHOW_FAULT_H
#define TK_CLI_SHOW_FAULT_H

#include "cli/io/backend.h"
#include "cli/show/report.h"
#include "methods/core/errors.h"

struct tk_str cli_error_name(enum tk_error_id id);

/* Returns the reader's error under the name that the core gives it. */
struct cli_fault cli_fault_read(const struct cli_reading *reading, int result);

/* How a document was sent. */
struct cli_question {
    const char *param;  /* the parameter in which the document was sent */
    bool is_object;     /* the document is the whole parameter; else it is one of its lists */
    size_t head;        /* bytes of the request before the document */
    struct tk_str root; /* name of a list in a body: "/messages"; `.p == NULL`: `param` */
};

/* Returns the error of a reply. *ret_pointer points into the request; the fault has it too if it
 * leads into the document. */
struct cli_fault cli_fault_answered(struct cli_reply *reply, const struct cli_question *asked,
                                    struct tk_str *ret_pointer);

#endif
