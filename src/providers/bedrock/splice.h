/* SPDX-License-Identifier: Apache-2.0 */
/* Turns of Converse, as splice must know them. */
#ifndef TK_PROVIDERS_BEDROCK_SPLICE_H
#define TK_PROVIDERS_BEDROCK_SPLICE_H

#include "providers/splice.h"

extern const struct tk_splice_rules tk_bedrock_splice;

#endif
