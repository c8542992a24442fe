/* SPDX-License-Identifier: Apache-2.0 */
/* The reasons why a turn ended (`stop_reason` of an answer). */
#ifndef TK_PROVIDERS_ANTHROPIC_STOP_H
#define TK_PROVIDERS_ANTHROPIC_STOP_H

#include "providers/provider.h"

/* Returns the reason that a `stop_reason` gives; TK_STOP_OTHER if nothing depends on it. */
enum tk_stop tk_anthropic_stop(struct tk_val reason);

#endif
