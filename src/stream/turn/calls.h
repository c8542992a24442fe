/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TK_STREAM_TURN_CALLS_H
#define TK_STREAM_TURN_CALLS_H

#include "stream/turn/turn.h"

/* Returns an id as it is known among those of all choices: each choice has ids of its own. */
struct tk_str tk_turn_id_in_choice(struct tk_stream_turn *t, const struct tk_choice *choice,
                                   struct tk_str id);

/* Writes the call of an operation, in the form `parts`. */
void tk_turn_put_call(struct tk_stream_turn *t, const struct tk_operation *op);

#endif
