/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON-RPC 2.0 envelope around a request (PROTOCOL section 2). */
#ifndef TK_METHODS_CORE_ENVELOPE_H
#define TK_METHODS_CORE_ENVELOPE_H

#include "value/doc.h"

struct tk_envelope {
    struct tk_val id;     /* string, number or null; absent in notifications */
    struct tk_val method; /* a string */
    struct tk_val params; /* absent if left out; the schema checks its type */
};

/* The fault of a document that isn't a request. */
struct tk_envelope_fault {
    struct tk_str pointer; /* `.p == NULL`: the document itself */
    struct tk_str message;
};

enum {
    TK_ENVELOPE_FAULT = 1,
};

/* Returns 0, or TK_ENVELOPE_FAULT with *ret_fault filled. Unknown members are ignored. */
int tk_envelope_read(const struct tk_doc *doc, struct tk_envelope *ret_envelope,
                     struct tk_envelope_fault *ret_fault);

#endif
