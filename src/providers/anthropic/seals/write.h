/* SPDX-License-Identifier: Apache-2.0 */
/* Seals of the Messages API, as methods use them. */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_WRITE_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_WRITE_H

#include "providers/seal_rules.h"

extern const struct tk_seal_rules tk_anthropic_seals;

#endif
