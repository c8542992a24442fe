/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of value: the fast way through JSON. json_read.c reads any document, a child at a time;
 * json_plain.c reads as many plain children as it can before it hands back to json_read.c.
 */
#ifndef TK_VALUE_JSON_PLAIN_H
#define TK_VALUE_JSON_PLAIN_H

#include "value/reader.h"

/* Changing this bit makes a quote 0x20. Control characters stay below 0x20, and all that is plain but
 * the backslash is above; as signed numbers, bytes above 0x7f are below, too. */
#define TK_JSON_QUOTE_BIT ('"' ^ 0x20)

struct tk_json_plain {
    const char *name;
    bool (*supported)(void); /* by this CPU */
    /*
     * Reads children of the innermost container, of those that they open and of those around it,
     * while they are plain: keys of ASCII without escapes, and no white space between tokens but
     * one space after a comma or colon. p: the byte after the bracket that opened the container, or
     * after one of its children. Returns NULL if a value was refused, else where it stopped: after
     * the document, or again at such a place, from which read_element() and read_member() can go
     * on. It may stop at once.
     */
    const uint8_t *(*read)(struct tk_reader *r, const uint8_t *p);
};

/* Best first; the last one always stops at once. Tests run all of them. */
extern const struct tk_json_plain *const tk_json_plain_variants[];
extern const size_t tk_json_plain_variant_count;

extern const struct tk_json_plain tk_json_plain_avx2, tk_json_plain_sse2, tk_json_plain_wasm;
extern const struct tk_json_plain tk_json_plain_none;

/* ---- of json_read.c ---- */

/* Reads as tk_json_read() does, which chooses the best variant. */
int tk_json_read_by(const struct tk_json_plain *plain, struct tk_doc *doc, const void *bytes,
                    size_t n, const struct tk_read_limits *limits, struct tk_arena *arena,
                    struct tk_read_error *ret_error);

/* Reads a scalar, or the bracket that opens a container. Returns the byte after it, or NULL. */
const uint8_t *tk_json_read_value(struct tk_reader *r, const uint8_t *p, struct tk_pending_key key);

/*
 * Passes a string of any length, from its opening quote. `plain`: no byte from the one after the
 * quote up to here ends the string, is escaped or isn't ASCII. Adds TK_NODE_ESCAPED and
 * TK_NODE_SURROGATE to *flags. Returns the byte after the closing quote, or NULL.
 */
const uint8_t *tk_json_pass_long_string(struct tk_reader *r, const uint8_t *quote,
                                        const uint8_t *plain, unsigned *flags);

#endif
