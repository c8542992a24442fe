/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that needs no compacting: most of what providers send. */
#ifndef TK_STREAM_IS_COMPACT_H
#define TK_STREAM_IS_COMPACT_H

#include "value/compact.h"

/*
 * True if a JSON document that was just read holds no white space outside strings. Its tokens'
 * sizes add up to its own then. Linear in the values, not in the bytes.
 */
bool tk_json_is_compact(const struct tk_doc *doc);

#endif
