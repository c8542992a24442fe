/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about the model that Converse is asked for (PROVIDERS.md 6.3). The id names the vendor:
 *
 *     anthropic.claude-sonnet-4-5-20250929-v1:0             us.meta.llama4-maverick-17b-instruct-v1:0
 *     arn:aws:bedrock:...::foundation-model/amazon.nova-pro-v1:0
 *
 * The ARN of an inference profile names none. Then the model is unknown and has no fact.
 */
#ifndef TK_PROVIDERS_BEDROCK_MODELS_H
#define TK_PROVIDERS_BEDROCK_MODELS_H

#include "value/str.h"

enum {
    TK_BRK_CLAUDE = 1 << 0,
    TK_BRK_OTHER_VENDOR = 1 << 1,  /* known to be another vendor's than Anthropic */
    TK_BRK_NO_PREFILL = 1 << 2,    /* the last message must not be the model's */
    TK_BRK_USER_FIRST = 1 << 3,    /* the first message must be the user's */
    TK_BRK_RESULTS_ALONE = 1 << 4, /* results and calls don't share a message with other blocks */
    TK_BRK_NO_STATUS = 1 << 5,     /* a result has no `status` */
};

/* Returns the facts about a model, TK_BRK_* bits. `name.p` may be NULL. */
uint32_t tk_brk_facts(struct tk_str name);

#endif
