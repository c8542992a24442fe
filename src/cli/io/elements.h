/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file with one message a line is one history. It is read as the list
 *
 *     {"role": "user", ...}           [{"role": "user", ...}
 *     {"role": "assistant", ...}  ->  ,{"role": "assistant", ...}
 *                                     ]
 *
 * and written as lines again.
 */
#ifndef TK_CLI_IO_ELEMENTS_H
#define TK_CLI_IO_ELEMENTS_H

#include "cli/io/buf.h"
#include "value/doc.h"

/* Joins lines to a list: '[' precedes the first line that isn't blank, ',' each later one, and ']'
 * is added at the end. Returns 0 or -ENOMEM. */
int cli_elements_join(struct cli_buf *ret, struct tk_str text);

/* Splits a list: appends one line for each element. Returns 0 or -ENOMEM. */
int cli_elements_split(struct cli_buf *ret, struct tk_val list);

#endif
