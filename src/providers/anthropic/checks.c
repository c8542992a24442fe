/* SPDX-License-Identifier: Apache-2.0 */
/* The checks, in the order in which they run: some use the findings of others. rules.h declares them by area. */
#include "engine/surrogates/surrogates.h"
#include "providers/anthropic/provider.h"
#include "providers/anthropic/rules.h"

#define WHOLE_REQUEST (TK_HAS_WIRE | TK_HAS_HISTORY | TK_HAS_REQUEST)

const struct tk_check tk_anthropic_checks[] = {
    {"pairs", tk_judge_provider_pairs, 0},
    {"client_pairs", tk_judge_client_pairs, TK_HAS_HISTORY},
    {"ids", tk_judge_ids, TK_HAS_WIRE},
    {"structure", tk_judge_structure, TK_HAS_HISTORY},
    {"target", tk_judge_target, TK_HAS_WIRE | TK_HAS_HISTORY},
    {"emptiness", tk_judge_emptiness, TK_HAS_HISTORY},
    {"text", tk_judge_text, 0},
    {"seals", tk_judge_seals, TK_HAS_HISTORY},
    {"thinking", tk_judge_thinking, 0},
    {"thinking_mode", tk_judge_thinking_mode, TK_HAS_WIRE | TK_HAS_HISTORY | TK_HAS_REQUEST},
    {"missing_thinking", tk_judge_missing_thinking, TK_HAS_WIRE | TK_HAS_HISTORY},
    {"block_shape", tk_judge_block_shape, TK_HAS_WIRE},
    {"tool_shape", tk_judge_tool_shape, TK_HAS_WIRE},
    {"media", tk_judge_media, TK_HAS_WIRE},
    {"limits", tk_judge_limits, TK_HAS_WIRE | TK_HAS_HISTORY},
    {"cache", tk_judge_cache, TK_HAS_WIRE},
    {"citations", tk_judge_citations, TK_HAS_WIRE},
    {"compaction", tk_judge_compaction, 0},
    {"surrogates", tk_judge_surrogates, 0},
    {"betas", tk_judge_betas, TK_HAS_WIRE | TK_HAS_HISTORY | TK_HAS_HEADER},
    {"tools", tk_judge_tools, WHOLE_REQUEST},
    {"tool_uses", tk_judge_tool_uses, WHOLE_REQUEST},
    {"mcp_servers", tk_judge_mcp_servers, WHOLE_REQUEST},
    {"container", tk_judge_container, WHOLE_REQUEST},
    {"context_edits", tk_judge_context_edits, WHOLE_REQUEST},
    {NULL, NULL, 0},
};
