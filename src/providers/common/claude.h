/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Models, as far as rules differ by them (CATALOGUE 1, "Target and model"). A client names a model
 * in the spelling of the platform that it uses:
 *
 *     claude-sonnet-4-5-20250929                               first party, with its date
 *     claude-3-5-sonnet-latest                                 an alias
 *     us.anthropic.claude-opus-4-6-v1:0                        Bedrock, with a region
 *     arn:aws:bedrock:...:foundation-model/anthropic.claude-...
 *     claude-opus-4-5@20251101                                 Vertex
 *     anthropic/claude-sonnet-4.5                              gateways
 *
 * All of them contain the family and the version. A name without them (an inference profile of
 * the user, another vendor's model) is unknown, and then no rule about the brand's models applies.
 * A few models of other vendors have rules of their own.
 */
#ifndef TK_PROVIDERS_COMMON_CLAUDE_H
#define TK_PROVIDERS_COMMON_CLAUDE_H

#include "value/str.h"

/* Facts about models. A fact that isn't known is absent, so none of them holds for an unknown
 * model. */
enum {
    /* the last message must not be the assistant's: the model doesn't continue it */
    TK_MODEL_TAKES_NO_PREFILL = 1 << 0,
    /* the list of messages must hold no system message, or the model doesn't see its text */
    TK_MODEL_TAKES_NO_SYSTEM = 1 << 1,
    /* the model decides itself how much it thinks: rules of thinking with a budget don't apply */
    TK_MODEL_THINKS_FREELY = 1 << 2,
    /* a request may hold 100 images, or 600 with a beta value; other models take 600 */
    TK_MODEL_TAKES_FEW_IMAGES = 1 << 3,
    /* another vendor's: wants back the thinking of every turn that calls a tool */
    TK_MODEL_WANTS_THINKING = 1 << 4,
};

struct tk_model {
    struct tk_str family; /* "sonnet", as written; `.p == NULL`: an unknown model */
    uint8_t major, minor; /* 4 and 5 of "claude-sonnet-4-5" */
    uint8_t facts;        /* TK_MODEL_* bits */
};

/* Reads a model's name; `name.p` may be NULL. Returns the model with `family.p == NULL` if
 * the name has no family and version; it has facts only if it is a known model of another vendor. */
struct tk_model tk_model_of(struct tk_str name);

#endif
