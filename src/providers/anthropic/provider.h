/* SPDX-License-Identifier: Apache-2.0 */
/* Anthropic's Messages API: its row for the engine, and the tables that the row is made of. */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_H

#include "engine/fix.h"
#include "providers/provider.h"

extern const struct tk_provider tk_provider_anthropic;

extern const struct tk_check tk_anthropic_checks[];
extern const struct tk_rule_fix tk_anthropic_fixes[TK_CODE_COUNT];
extern const struct tk_step tk_anthropic_steps[];
extern const struct tk_cause tk_anthropic_causes[];

#endif
