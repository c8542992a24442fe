/* SPDX-License-Identifier: Apache-2.0 */
#include "operations/tools/beta.h"

#include <errno.h>

/* The API refuses it together with a client toolset. */
#define FINE_GRAINED TK_STR("fine-grained-tool-streaming-2025-05-14")

/* Where the value of the second is sent, or needed, that of the first isn't. */
static const struct {
    enum tk_beta older, newer;
} covered[] = {
    {TK_BETA_MCP_TOOLSET, TK_BETA_MCP_PINNED},
    {TK_BETA_TOOL_REFERENCE, TK_BETA_TOOL_DEFINITION},
    {TK_BETA_FALLBACK_LIST, TK_BETA_FALLBACK_DEFAULT},
};

/* ---- a set of values ---- */

void tk_betas_init(struct tk_betas *b, struct tk_arena *arena, const uint64_t *hash_key)
{
    *b = (struct tk_betas){.arena = arena};
    tk_map_init(&b->seen, arena, hash_key);
}

static struct tk_str lower_case(struct tk_str s, struct tk_arena *arena)
{
    char *text = tk_arena_alloc(arena, s.n);

    for (size_t i = 0; text && i < s.n; i++)
        text[i] = s.p[i] >= 'A' && s.p[i] <= 'Z' ? (char)(s.p[i] + ('a' - 'A')) : s.p[i];
    return (struct tk_str){text, text ? s.n : 0};
}

static void add(struct tk_betas *b, struct tk_str value)
{
    struct tk_str key = lower_case(value, b->arena);
    bool is_new = false;

    if (!key.p || !TK_GROW(b->arena, b->values, b->count, b->capacity) ||
        !tk_map_put(&b->seen, key, &is_new))
        b->failed = true;
    else if (is_new)
        b->values[b->count++] = value;
}

static bool is_sent(const struct tk_betas *b, enum tk_beta beta)
{
    return tk_map_get(&b->seen, tk_beta_values[beta]) != NULL;
}

static void add_line(struct tk_betas *b, struct tk_str line)
{
    struct tk_str value;

    while (tk_beta_next(&line, &value))
        add(b, value);
}

void tk_betas_add(struct tk_betas *b, struct tk_val lines)
{
    if (tk_is(lines, TK_STRING))
        add_line(b, tk_text(lines, b->arena));
    if (tk_is(lines, TK_ARRAY))
        for (struct tk_val v = tk_first(lines); tk_exists(v); v = tk_after(lines, v))
            add_line(b, tk_text(v, b->arena));
    b->given = b->count;
}

/* ---- what is missing ---- */

/* Web tools left beta; Vertex still wants the value for search, but not to count tokens. */
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

/* Rows that hang on more than what was seen. */
static uint64_t needs_of(const struct tk_betas *b, uint64_t seen, const struct tk_beta_call *call)
{
    uint64_t needs = seen & (tk_beta_bit(TK_BETA_COUNT) - 1);

    needs &= ~(tk_beta_bit(TK_BETA_WEB_SEARCH) | tk_beta_bit(TK_BETA_WEB_FETCH));
    needs |= web_needs(seen, call);
    if (seen & tk_beta_bit(TK_BETA_MCP_TOOLSET))
        needs &= ~tk_beta_bit(TK_BETA_MCP_SERVERS);
    if ((seen & tk_beta_bit(TK_BETA_FALLBACK_BLOCK)) && !is_sent(b, TK_BETA_FALLBACK_LIST))
        needs |= tk_beta_bit(TK_BETA_FALLBACK_DEFAULT);
    if ((seen & tk_beta_bit(TK_BETA_MANUAL_THINKING)) && call->interleaved)
        needs |= tk_beta_bit(TK_BETA_INTERLEAVED);
    for (size_t i = 0; i < sizeof(covered) / sizeof(covered[0]); i++)
        if ((needs & tk_beta_bit(covered[i].newer)) || is_sent(b, covered[i].newer))
            needs &= ~tk_beta_bit(covered[i].older);
    return needs;
}

int tk_betas_complete(struct tk_betas *b, const struct tk_beta_scan *scan,
                      const struct tk_beta_call *call)
{
    uint64_t needs = needs_of(b, scan->seen, call);

    for (unsigned beta = 0; beta < TK_BETA_COUNT; beta++)
        if (needs & tk_beta_bit(beta))
            add(b, tk_beta_values[beta]);
    return b->failed ? -ENOMEM : 0;
}

struct tk_known_betas tk_betas_known(const struct tk_betas *b, const struct tk_beta_scan *scan,
                                     const struct tk_beta_call *call)
{
    struct tk_known_betas known = {true, needs_of(b, scan->seen, call)};

    for (unsigned beta = 0; beta < TK_BETA_KNOWN; beta++)
        if (is_sent(b, (enum tk_beta)beta))
            known.has |= tk_beta_bit(beta);
    return known;
}

int tk_betas_check(const struct tk_betas *b, const struct tk_beta_scan *scan, struct tk_val lines,
                   struct tk_refusal *refusal)
{
    if (!(scan->seen & tk_beta_bit(TK_BETA_CLIENT_TOOLSET)) || !tk_map_get(&b->seen, FINE_GRAINED))
        return 0;
    tk_refusal_blame(refusal, TK_REFUSAL_BETA_CONFLICT, lines);
    return tk_refusal_list(refusal, "betas", FINE_GRAINED, b->arena);
}

/* ---- on the wire ---- */

bool tk_betas_equal(const struct tk_betas *b, struct tk_val list)
{
    uint32_t i = 0;

    if (!tk_is(list, TK_ARRAY) || tk_count(list) != b->count)
        return false;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!tk_text_is(v, b->values[i++]))
            return false;
    return true;
}

void tk_betas_write(struct tk_writer *w, const struct tk_betas *b, uint32_t from)
{
    tk_write_list(w);
    for (uint32_t i = from; i < b->count; i++)
        tk_write_str(w, b->values[i]);
    tk_write_end(w);
}

void tk_betas_write_header(struct tk_writer *w, const struct tk_betas *b)
{
    struct tk_out line;

    tk_out_init(&line, b->arena);
    for (uint32_t i = 0; i < b->count; i++) {
        if (i > 0)
            tk_out_put(&line, ",", 1);
        tk_out_ref(&line, b->values[i]);
    }
    tk_write_str(w, tk_out_join(&line));
}
