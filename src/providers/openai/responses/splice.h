/* SPDX-License-Identifier: Apache-2.0 */
/* Turns of Responses, as splice must know them. */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_SPLICE_H
#define TK_PROVIDERS_OPENAI_RESPONSES_SPLICE_H

#include "providers/splice.h"

extern const struct tk_splice_rules tk_responses_splice;

#endif
