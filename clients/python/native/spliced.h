/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The outcome of an answer of libturnkeeper that says by `splices` what changed in a body of JSON text (PROTOCOL.md 5.2),
 * without decoding the answer: of most answers nobody looks at the rest.
 */
#ifndef NATIVE_SPLICED_H
#define NATIVE_SPLICED_H

#include <stddef.h>
#include <stdint.h>

/* Bytes, of which `p` is the next one to read. */
struct text {
    const char *p;
    const char *end;
};

enum outcome {
    OUTCOME_UNKNOWN, /* an error, or an answer that begins in another way: decode it */
    OUTCOME_SAME,
    OUTCOME_SPLICES, /* the text is at the list of splices */
};

/* Reads the beginning of the answer to request `ident`, up to what changed. */
enum outcome find_splices(struct text *answer, uint64_t ident);

/*
 * Applies the splices at `splices` to a body and writes the new one to `out`; to nowhere if it is NULL. Returns the new
 * body's size, -1 if this isn't a list of splices of this body.
 */
ptrdiff_t apply_splices(struct text splices, struct text body, char *out);

#endif
