/* SPDX-License-Identifier: Apache-2.0 */
/* Values of the header `anthropic-beta` (providers/betas.h). */
#ifndef TK_PROVIDERS_ANTHROPIC_BETAS_VALUES_H
#define TK_PROVIDERS_ANTHROPIC_BETAS_VALUES_H

#include "providers/betas.h"

/* A name for what needs the beta, and its value: rows H1 to H25 of OPERATIONS.md B.2. */
#define TK_BETAS(X)                                                                                \
    X(COMPUTER_2024_10, "computer-use-2024-10-22")                                                 \
    X(COMPUTER_2025_01, "computer-use-2025-01-24")                                                 \
    X(COMPUTER_2025_11, "computer-use-2025-11-24")                                                 \
    X(CODE_EXECUTION, "code-execution-2025-05-22")                                                 \
    X(ADVISOR, "advisor-tool-2026-03-01")                                                          \
    X(MCP_SERVERS, "mcp-client-2025-04-04")                                                        \
    X(MCP_TOOLSET, "mcp-client-2025-11-20")                                                        \
    X(MCP_PINNED, "mcp-client-2026-09-15")                                                         \
    X(WEB_SEARCH, "web-search-2025-03-05")                                                         \
    X(WEB_FETCH, "web-fetch-2025-09-10")                                                           \
    X(CONTEXT_EDIT, "context-management-2025-06-27")                                               \
    X(COMPACT_EDIT, "compact-2026-01-12")                                                          \
    X(COMPACTION, "compact-2026-09-04")                                                            \
    X(INTERLEAVED, "interleaved-thinking-2025-05-14")                                              \
    X(BLOCK_BINDING, "thinking-binding-controls-2026-08-01")                                       \
    X(DISPLAY_UPDATES, "thinking-display-updates-2026-08-18")                                      \
    X(CLEAR_AT, "mid-conversation-system-clear-at-2026-08-21")                                     \
    X(OUTPUT_CONFIG, "mid-conversation-output-config-2026-07-01")                                  \
    X(TOOL_REFERENCE, "mid-conversation-tool-changes-2026-07-01")                                  \
    X(TOOL_DEFINITION, "inline-tools-2026-09-15")                                                  \
    X(FALLBACK_LIST, "server-side-fallback-2026-06-01")                                            \
    X(FALLBACK_DEFAULT, "server-side-fallback-2026-07-01")                                         \
    X(FALLBACK_CREDIT, "fallback-credit-2026-07-01")                                               \
    X(TASK_BUDGET, "task-budgets-2026-03-13")                                                      \
    X(THREAD, "message-threads-2026-08-12")

/* Values that rules ask for and that no request is given. */
#define TK_OTHER_BETAS(X) X(LONG_CONTEXT, "context-1m-2025-08-07")

enum tk_beta {
#define TK_BETA_ENUM(id, value) TK_BETA_##id,
    TK_BETAS(TK_BETA_ENUM) TK_BETA_COUNT,
    TK_BETAS_BEFORE_OTHERS = TK_BETA_COUNT - 1,
    TK_OTHER_BETAS(TK_BETA_ENUM) TK_BETA_KNOWN,
#undef TK_BETA_ENUM
};

/* Values by enum tk_beta. */
extern const struct tk_str tk_beta_values[TK_BETA_KNOWN];

/* Facts about a request that matter for several values, after the bits of the values. */
enum {
    TK_BETA_FALLBACK_BLOCK = TK_BETA_KNOWN,
    TK_BETA_CLIENT_TOOLSET,
    TK_BETA_MANUAL_THINKING,
};

static inline bool tk_lacks_beta(const struct tk_known_betas *b, unsigned beta)
{
    return !(b->has & tk_beta_bit(beta));
}

/* The values as the engine and the operations see them. */
extern const struct tk_beta_rules tk_anthropic_betas;

/* ---- scan.c: finds what needs a value ---- */

void tk_anthropic_scan_tool(struct tk_beta_scan *scan, struct tk_val tool, struct tk_arena *arena);
void tk_anthropic_scan_servers(struct tk_beta_scan *scan);
void tk_anthropic_scan_block(struct tk_beta_scan *scan, struct tk_val block,
                             struct tk_arena *arena);
void tk_anthropic_scan_message(struct tk_beta_scan *scan, struct tk_val message);
void tk_anthropic_scan_request(struct tk_beta_scan *scan, const struct tk_request_view *request);

#endif
