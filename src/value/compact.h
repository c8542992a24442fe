/* SPDX-License-Identifier: Apache-2.0 */
/* A document's value as compact JSON text, whichever codec it came in. */
#ifndef TK_VALUE_COMPACT_H
#define TK_VALUE_COMPACT_H

#include "value/doc.h"
#include "value/out.h"

/*
 * Appends v as JSON on one line: white space outside strings removed, tokens as they were
 * spelled. msgpack values are written as JSON (integers in decimal, floats in the shortest form
 * that reads back the same; what JSON can't hold as null). Long tokens of the document are referred
 * to, not copied. `skip`, if given, is asked for every member and leaves out those it
 * says true to.
 */
void tk_compact_json(struct tk_out *out, struct tk_val v,
                     bool (*skip)(struct tk_val member, struct tk_arena *arena));

#endif
