/* SPDX-License-Identifier: Apache-2.0 */
/* Turns of Chat Completions, as splice must know them. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_SPLICE_H
#define TK_PROVIDERS_OPENAI_CHAT_SPLICE_H

#include "providers/splice.h"

extern const struct tk_splice_rules tk_chat_splice;

#endif
