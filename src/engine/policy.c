/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/policy.h"

const char *const tk_fix_names[] = {
#define FIX_NAME(id, name) [TK_FIX_##id] = name,
    TK_FIXES(FIX_NAME)
#undef FIX_NAME
};

#define CONSERVATIVE(key, conservative, preserve) .key = TK_FIX_##conservative,
#define PRESERVE(key, conservative, preserve)     .key = TK_FIX_##preserve,

const struct tk_policy tk_policy_conservative = {.merge_adjacent = TK_MERGE_NEVER,
                                                 TK_POLICY_FIXES(CONSERVATIVE)};

const struct tk_policy tk_policy_preserve = {.preserve = true,
                                             .merge_adjacent = TK_MERGE_NEVER,
                                             .mark_text = true,
                                             TK_POLICY_FIXES(PRESERVE)};
