/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises JSON that needs no compacting, which is most of what providers send. */
#ifndef TK_STREAM_IS_COMPACT_H
#define TK_STREAM_IS_COMPACT_H

#include "value/compact.h"

/*
 * Returns true if a JSON document that was just read contains no white space outside strings: then
 * the sizes of its tokens add up to its own. Takes time linear in the values, not in the bytes.
 */
bool tk_json_is_compact(const struct tk_doc *doc);

#endif
