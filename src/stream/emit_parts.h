/* SPDX-License-Identifier: Apache-2.0 */
/* Common functions of the form `parts` (STREAM.md 8.1), whose outputs are maps. */
#ifndef TK_STREAM_EMIT_PARTS_H
#define TK_STREAM_EMIT_PARTS_H

#include "shapes/stream_parts.h"
#include "stream/stream_inside.h"

/* Begins an output of a type; returns its writer. */
static inline struct tk_writer *tk_parts_begin(struct tk_work *k, const char *type)
{
    tk_write_map(k->w);
    tk_write_kv_cstr(k->w, "type", type);
    return k->w;
}

/* Ends an output of the block at an index. */
static inline void tk_parts_end(struct tk_work *k, uint32_t at)
{
    tk_write_kv_int(k->w, TK_PARTS_WIRE_INDEX, at);
    tk_write_end(k->w);
}

static inline void tk_parts_put(struct tk_work *k, const char *key, struct tk_val v)
{
    tk_write_key(k->w, key);
    tk_write_any(k->w, v);
}

/* ---- emit_tools.c ---- */

/* Write what leaves when a client's call starts and stops. `v`: the block as it started. */
void tk_parts_client_call_started(struct tk_work *k, struct tk_stream_block *b, struct tk_val v);
void tk_parts_client_call_stopped(struct tk_work *k, struct tk_stream_block *b);

/* Writes the call of an operation, which leaves with its result, or at the end without one. */
void tk_parts_put_call(struct tk_work *k, const struct tk_operation *op);

/* Writes an operation that is complete: the sources, the call unless an earlier message contained
 * it, and the result. */
void tk_parts_put_operation(struct tk_work *k, const struct tk_operation *op);

#endif
