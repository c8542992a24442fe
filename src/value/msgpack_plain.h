/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of value: the fast way through msgpack. msgpack_read.c reads any document, a child at a
 * time; msgpack_plain.c reads as many plain children as it can before it hands back.
 */
#ifndef TK_VALUE_MSGPACK_PLAIN_H
#define TK_VALUE_MSGPACK_PLAIN_H

#include "value/reader.h"

/*
 * Reads children of the innermost container, of those that they open and of those around it, while
 * their headers are short: keys of up to 31 bytes, strings of up to 65,535. p: the byte after the
 * header of the container, or after one of its children. Returns NULL if a value was refused, else
 * where it stopped: after the document, or again at such a place. It may stop at once.
 */
const uint8_t *tk_msgpack_read_plain(struct tk_reader *r, const uint8_t *p);

/* ---- of msgpack_read.c ---- */

/* Reads as tk_msgpack_read() does, with this for the plain children. */
int tk_msgpack_read_by(const uint8_t *(*plain)(struct tk_reader *r, const uint8_t *p),
                       struct tk_doc *doc, const void *bytes, size_t n,
                       const struct tk_read_limits *limits, struct tk_arena *arena,
                       struct tk_read_error *ret_error);

/* Reads a scalar, or a container's header. Returns the byte after it, or NULL. */
const uint8_t *tk_msgpack_read_value(struct tk_reader *r, const uint8_t *p,
                                     struct tk_pending_key key);

#endif
