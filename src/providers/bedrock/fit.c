/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/fit.h"

#include "providers/bedrock/rules.h"
#include "providers/bedrock/state.h"

static enum tk_entry_kind kind(const struct tk_judge *j, uint32_t entry)
{
    return tk_entry_kind_of(j->t, entry, tk_brk_is_cache_point);
}

/* The provider's own pairs are in one message each. */
static int join(struct tk_judge *j, struct tk_joins *joins)
{
    const struct tk_transcript *t = j->t;
    int r = tk_brk_find_server_pairs(j);

    if (r == 0)
        r = tk_brk_find_pairs(j);
    for (uint32_t i = 0; i < t->part_count && r == 0; i++) {
        const struct tk_brk_group *g =
            tk_is_call(&t->parts[i], true) ? tk_brk_group_of(j, i) : NULL;

        if (g && g->results == 0)
            r = tk_join_entries(joins, t->parts[i].message, TK_NONE);
    }
    return r;
}

static uint32_t call_of(const struct tk_judge *j, uint32_t entry, uint32_t part)
{
    (void)entry;
    return tk_part_link(&tk_bedrock(j)->pairs, part)->partner;
}

static void write_payload(struct tk_writer *w, struct tk_str text)
{
    tk_write_list(w);
    tk_write_map(w);
    tk_write_kv_str(w, "text", text);
    tk_write_end(w);
    tk_write_end(w);
}

static bool is_reasoning(const struct tk_part *p)
{
    return p->block == TK_BEDROCK_REASONING;
}

static bool is_media(const struct tk_part *p)
{
    return p->block == TK_BEDROCK_IMAGE || p->block == TK_BEDROCK_VIDEO ||
           p->block == TK_BEDROCK_AUDIO;
}

const struct tk_fit_rules tk_bedrock_fit = {
    .kind = kind,
    .join = join,
    .call_of = call_of,
    .payload = {{"toolResult", "content"}},
    .write_payload = write_payload,
    .is_reasoning = is_reasoning,
    .reasoning_is_bound = true,
    .is_media = is_media,
    .alternates = true,
};
