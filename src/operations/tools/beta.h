/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of the header `anthropic-beta` (OPERATIONS.md B.2): those of the caller first, as it
 * spelled them, then what its request needs and lacks, in the order of the table.
 *
 *     tk_betas_init(&b, arena, hash_key);
 *     tk_betas_add(&b, header);                what the caller has
 *     tk_beta_scan_body(&scan, request); tk_beta_scan_messages(...); tk_beta_scan_tool(...) ...
 *     tk_betas_complete(&b, &scan, &where);    what is missing
 *
 * The scan is told piece by piece what the request is made of, so pieces may come from several
 * documents: a history that is only being put together can be scanned, too.
 */
#ifndef TK_OPERATIONS_TOOLS_BETA_H
#define TK_OPERATIONS_TOOLS_BETA_H

#include "operations/refusal.h"
#include "value/hash.h"
#include "value/writer.h"

/* Rows H1 to H25 that name a value: what triggers them, the value. */
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

enum tk_beta {
#define TK_BETA_ENUM(id, value) TK_BETA_##id,
    TK_BETAS(TK_BETA_ENUM)
#undef TK_BETA_ENUM
    TK_BETA_COUNT,
    /* What a request can have that is no row by itself. */
    TK_BETA_FALLBACK_BLOCK = TK_BETA_COUNT,
    TK_BETA_CLIENT_TOOLSET,
    TK_BETA_MANUAL_THINKING,
};

/* ---- what a request has ---- */

struct tk_beta_scan {
    uint64_t seen; /* bits by enum tk_beta */
};

void tk_beta_see(struct tk_beta_scan *scan, enum tk_beta what);

/* What either has. */
static inline struct tk_beta_scan tk_beta_both(struct tk_beta_scan a, struct tk_beta_scan b)
{
    return (struct tk_beta_scan){a.seen | b.seen};
}

/* An entry of `tools`. */
void tk_beta_scan_tool(struct tk_beta_scan *scan, struct tk_val tool, struct tk_arena *arena);

/* A block of a message's content. */
void tk_beta_scan_block(struct tk_beta_scan *scan, struct tk_val block, struct tk_arena *arena);

/* A message without its blocks; with them; a list of messages. */
void tk_beta_scan_members(struct tk_beta_scan *scan, struct tk_val message);
void tk_beta_scan_message(struct tk_beta_scan *scan, struct tk_val message, struct tk_arena *arena);
void tk_beta_scan_messages(struct tk_beta_scan *scan, struct tk_val messages,
                           struct tk_arena *arena);

/* Members of the request's body other than `tools`, `messages` and `mcp_servers`: of the last one
 * only matters whether it holds any (TK_BETA_MCP_SERVERS). */
void tk_beta_scan_body(struct tk_beta_scan *scan, struct tk_val body, struct tk_arena *arena);

/* The body's thinking is switched off, or bound to its conversation, whatever it said. */
void tk_beta_thinking_off(struct tk_beta_scan *scan);
void tk_beta_thinking_bound(struct tk_beta_scan *scan);

/* ---- values ---- */

struct tk_betas {
    struct tk_arena *arena;
    struct tk_map seen; /* in lower case */
    struct tk_str *values;
    uint32_t count, capacity;
    uint32_t given; /* how many of them are the caller's */
    bool failed;    /* no memory */
};

void tk_betas_init(struct tk_betas *b, struct tk_arena *arena, const uint64_t *hash_key);

/* The caller's: a line, or a list of lines; each is split at commas, blanks around values, empty
 * values and repeats are left out. What isn't text says nothing. */
void tk_betas_add(struct tk_betas *b, struct tk_val lines);

/* Where and for what the request is made, as far as it matters here. */
struct tk_beta_call {
    bool vertex;
    bool count_tokens;
    bool interleaved; /* the caller wants thinking between calls */
    bool legacy;      /* and the values that once were needed for web tools */
};

/* Adds what is missing; b->given is how many came before. Returns 0 or -ENOMEM. */
int tk_betas_complete(struct tk_betas *b, const struct tk_beta_scan *scan,
                      const struct tk_beta_call *call);

/* A value that the API refuses beside these tools: returns TK_REFUSED and blames `lines`, or 0. */
int tk_betas_check(const struct tk_betas *b, const struct tk_beta_scan *scan, struct tk_val lines,
                   struct tk_refusal *refusal);

/* Whether `list` is a list of just these values. */
bool tk_betas_equal(const struct tk_betas *b, struct tk_val list);

/* The values from the first one on as a list; all of them as one header line. */
void tk_betas_write(struct tk_writer *w, const struct tk_betas *b, uint32_t from);
void tk_betas_write_header(struct tk_writer *w, const struct tk_betas *b);

#endif
