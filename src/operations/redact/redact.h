/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Redaction: the same document with every text, name that a person chose, input, output, id and
 * signature replaced by others of the same length and kind, for bug reports.
 *
 *     {"type": "tool_use", "id": "toolu_01AbC", "name": "pay", "input": {"iban": "DE12 3456"}}
 *     {"type": "tool_use", "id": "toolu_48QxT", "name": "wse", "input": {"ujrb": "KX80 1937"}}
 *
 * The result has the size of the document, and each value has its place: only letters and digits
 * differ (value/letters.h), however they are spelled. What stays:
 *
 *   - the protocol's words (providers/words) as names of members, and as values of members that
 *     have such values; model names as far as they consist of known words and short ones;
 *   - beginnings and ends of ids, types, URLs and texts that rules look for ("toolu_", "_tool_result",
 *     "[HIDDEN]");
 *   - numbers of members in which the protocol has one: limits, indexes, counts; no others, so none of
 *     inputs and schemas;
 *   - what tells the kind and size of an image, or that data is a PDF.
 *
 * Equal strings stay equal and different ones different, so validate says the same of the result.
 */
#ifndef TK_OPERATIONS_REDACT_REDACT_H
#define TK_OPERATIONS_REDACT_REDACT_H

#include "value/doc.h"

struct tk_redaction {
    const uint64_t *key; /* two words: secret and random; who has them could undo the redaction */
    struct tk_arena *arena;
    /* Pointer to the history inside of the value, whose surroundings the protocol doesn't know;
     * empty: the value is itself a list of messages or a body. */
    struct tk_str at;
    bool (*cancelled)(void *arg); /* asked now and then; true: give up */
    void *cancel_arg;
};

/*
 * Redacts a value. *ret: its encoded bytes, as many as those of the value, in the arena. Returns 0,
 * -ENOMEM, -ECANCELED, or -ENOENT if `at` names nothing in the value.
 */
int tk_redact(const struct tk_redaction *r, struct tk_val v, struct tk_str *ret);

#endif
