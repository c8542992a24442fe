/* SPDX-License-Identifier: Apache-2.0 */
/* The checks, by the folder of their area. */
#include "engine/surrogates/surrogates.h"
#include "providers/bedrock/rules.h"

const struct tk_check tk_bedrock_checks[] = {
    {"surrogates", tk_judge_surrogates, 0},
    {"messages", tk_brk_find_messages, TK_HAS_HISTORY},
    {"blocks", tk_brk_find_blocks, 0},
    {"text", tk_brk_find_blank_texts, 0},
    {"server", tk_brk_find_server_pairs, 0},
    {"pairs", tk_brk_find_pairs, 0},
    {"calls", tk_brk_find_calls, 0},
    {"reasoning", tk_brk_find_reasoning, 0},
    {"last reasoning", tk_brk_find_last_reasoning, TK_HAS_HISTORY},
    {"cache", tk_brk_find_cache_points, TK_HAS_HISTORY},
    {"documents", tk_brk_find_documents, TK_HAS_HISTORY},
    {"request", tk_brk_find_tool_config, TK_HAS_HISTORY | TK_HAS_REQUEST},
    {.name = NULL},
};
