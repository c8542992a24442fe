/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the rest of a request of the Messages API. */
#ifndef TK_PROVIDERS_ANTHROPIC_REQUEST_H
#define TK_PROVIDERS_ANTHROPIC_REQUEST_H

#include "request/view.h"

/* Fills the view of a body. Returns 0 or -ENOMEM. */
int tk_anthropic_read_request(struct tk_request_view *ret, struct tk_val body,
                              struct tk_arena *arena);

/* Reads a definition of a tool: an entry of `tools`, or one that a message adds. */
struct tk_request_tool tk_anthropic_read_tool(struct tk_val tool);

/* Takes another value for `thinking`, of any document. */
void tk_anthropic_read_thinking(struct tk_request_view *v, struct tk_val thinking);

#endif
