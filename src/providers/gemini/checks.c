/* SPDX-License-Identifier: Apache-2.0 */
/* The checks, by area (CATALOGUE 4.4). */
#include "engine/surrogates/surrogates.h"
#include "providers/gemini/provider.h"
#include "providers/gemini/rules.h"

/* clang-format off */
const struct tk_check tk_gem_checks[] = {
    {"surrogates", tk_judge_surrogates, 0},
    {"messages", tk_gem_find_messages, TK_HAS_HISTORY},
    {"order", tk_gem_find_order, TK_HAS_HISTORY},
    {"parts", tk_gem_find_parts, 0},
    {"pairs", tk_gem_find_pairs, TK_HAS_HISTORY},
    {"server parts", tk_gem_find_server_parts, 0},
    {"signatures", tk_gem_find_signatures, TK_HAS_HISTORY},
    {"request", tk_gem_find_request, TK_HAS_REQUEST},
    {.name = NULL},
};
/* clang-format on */
