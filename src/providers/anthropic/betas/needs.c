/* SPDX-License-Identifier: Apache-2.0 */
/* Beta values that a request needs or must not have (OPERATIONS.md B.2). */
#include "providers/anthropic/betas/values.h"
#include "providers/anthropic/state.h"

/* The API refuses this value together with a client toolset. */
#define FINE_GRAINED TK_STR("fine-grained-tool-streaming-2025-05-14")

/* If the value of `newer` is sent or needed, that of `older` isn't needed. */
static const struct {
    enum tk_beta older, newer;
} covered[] = {
    {TK_BETA_MCP_TOOLSET, TK_BETA_MCP_PINNED},
    {TK_BETA_TOOL_REFERENCE, TK_BETA_TOOL_DEFINITION},
    {TK_BETA_FALLBACK_LIST, TK_BETA_FALLBACK_DEFAULT},
};

static bool has(const struct tk_betas *b, enum tk_beta beta)
{
    return tk_beta_is_sent(b, tk_beta_values[beta]);
}

/* Web tools left beta; Vertex still needs the value for search, but not to count tokens. */
static uint64_t web_needs(uint64_t seen, const struct tk_beta_call *call)
{
    uint64_t needs = 0;

    if (call->vertex && call->count_tokens)
        return 0;
    if (call->legacy || call->vertex)
        needs |= seen & tk_beta_bit(TK_BETA_WEB_SEARCH);
    if (call->legacy)
        needs |= seen & tk_beta_bit(TK_BETA_WEB_FETCH);
    return needs;
}

/* Returns what is needed, with the rows that depend on more than one fact. */
static uint64_t needs_of(const struct tk_betas *b, const struct tk_beta_scan *scan,
                         const struct tk_beta_call *call)
{
    uint64_t seen = scan->seen, needs = seen & (tk_beta_bit(TK_BETA_COUNT) - 1);

    needs &= ~(tk_beta_bit(TK_BETA_WEB_SEARCH) | tk_beta_bit(TK_BETA_WEB_FETCH));
    needs |= web_needs(seen, call);
    if (seen & tk_beta_bit(TK_BETA_MCP_TOOLSET))
        needs &= ~tk_beta_bit(TK_BETA_MCP_SERVERS);
    if ((seen & tk_beta_bit(TK_BETA_FALLBACK_BLOCK)) && !has(b, TK_BETA_FALLBACK_LIST))
        needs |= tk_beta_bit(TK_BETA_FALLBACK_DEFAULT);
    if ((seen & tk_beta_bit(TK_BETA_MANUAL_THINKING)) && call->interleaved)
        needs |= tk_beta_bit(TK_BETA_INTERLEAVED);
    for (size_t i = 0; i < sizeof(covered) / sizeof(covered[0]); i++)
        if ((needs & tk_beta_bit(covered[i].newer)) || has(b, covered[i].newer))
            needs &= ~tk_beta_bit(covered[i].older);
    return needs;
}

static struct tk_str find_conflict(const struct tk_betas *b, const struct tk_beta_scan *scan)
{
    bool refused = (scan->seen & tk_beta_bit(TK_BETA_CLIENT_TOOLSET)) != 0;

    return refused && tk_beta_is_sent(b, FINE_GRAINED) ? FINE_GRAINED : (struct tk_str){NULL, 0};
}

static void tell(struct tk_judge *j, const struct tk_known_betas *known)
{
    tk_anthropic(j)->betas = *known;
    j->has |= known->known ? TK_HAS_HEADER : 0;
}

const struct tk_beta_rules tk_anthropic_betas = {
    .header = "anthropic-beta",
    .member = "anthropic_beta",
    .values = tk_beta_values,
    .count = TK_BETA_KNOWN,
    .scan_tool = tk_anthropic_scan_tool,
    .scan_servers = tk_anthropic_scan_servers,
    .scan_block = tk_anthropic_scan_block,
    .scan_message = tk_anthropic_scan_message,
    .scan_request = tk_anthropic_scan_request,
    .needs = needs_of,
    .conflict = find_conflict,
    .tell = tell,
};
