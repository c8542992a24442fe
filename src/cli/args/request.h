/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests. A request is a short head, the document's own bytes, and a tail with the other
 * parameters. All documents of a run share the tail.
 */
#ifndef TK_CLI_ARGS_REQUEST_H
#define TK_CLI_ARGS_REQUEST_H

#include "cli/args/options.h"
#include "cli/io/buf.h"
#include "value/arena.h"

/* The id of every request; answers must repeat it. */
#define CLI_REQUEST_ID 1

/*
 * Writes the tail: `fixed` ("\"return\":\"messages\"", may be NULL), the parameters that the
 * options give, and the closing brackets. Returns 0, or the status of a usage error or failure that
 * has been reported.
 */
int cli_request_tail(const struct cli_args *args, const char *fixed, struct cli_buf *ret_tail);

/*
 * Writes the request around a buffer's content, which becomes the parameter `param`. The buffer
 * must have room for the tail (cli_buf_reserve()), so that nothing moves. The request is a view
 * of the buffer; *ret_head says how many bytes precede the content.
 */
struct tk_str cli_request_wrap(struct cli_buf *buf, const char *method, const char *param,
                               struct tk_str tail, size_t *ret_head);

/* Writes a whole request with `params` unchanged, or without parameters if it is empty. Returns 0
 * or -ENOMEM. */
int cli_request_plain(struct cli_buf *ret_request, struct tk_str method, struct tk_str params);

/* Returns a refused parameter's message after the name of the option that gave it, else after the
 * pointer: "--betas: ...". Allocated in the arena. */
struct tk_str cli_request_blame(const struct cli_args *args, struct tk_str pointer,
                                struct tk_str message, struct tk_arena *arena);

/*
 * Reports a refused parameter (`invalid_params`) under the name of the option that gave it. Returns
 * the status of the usage error or failure.
 */
int cli_request_refused(const struct cli_args *args, struct tk_str pointer, struct tk_str message);

/*
 * Reads the JSON that an argument names: the argument itself, the file of "@FILE", or stdin for "-"
 * if `stdin_too`. Returns 0, or the status of a failure that has been reported.
 */
int cli_json_argument(const char *argument, bool stdin_too, struct cli_buf *ret_json);

#endif
