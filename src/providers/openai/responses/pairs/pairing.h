/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs outputs with the calls that they answer (PROVIDERS.md 4.2). Outputs are taken in document
 * order. Neighbouring calls are a batch. An output answers an unanswered call before it that has its id and
 * a fitting type: of the newest batch with such a call, the first one.
 *
 *     call a                  batch 0, answered by the last output
 *     message
 *     call a, call b, call a  batch 1
 *     output a                answers the first call of batch 1
 *     output a                answers the third
 *     output a                answers batch 0
 *     output a                answers nothing: a second output
 */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_PAIRING_H
#define TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_PAIRING_H

#include "engine/pairs/links.h"

struct tk_judge;

/* Pairs calls and outputs, unless they are known. A batch is a scope; a call without an id is open and has no
 * key, an output without an id is no end. Linear. Returns 0, -ENOMEM or -ECANCELED. */
int tk_pair_items(struct tk_judge *j);

/* How an output that has no call, or one of the wrong type, is judged. */
enum tk_lone_output {
    TK_OUTPUT_ORPHAN,    /* the history lacks its call */
    TK_OUTPUT_REFERENCE, /* a reference before it may be its call */
    TK_OUTPUT_STORED,    /* the server has its call */
};
enum tk_lone_output tk_lone_output(const struct tk_judge *j, const struct tk_link *output);

#endif
