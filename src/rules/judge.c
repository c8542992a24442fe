/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/judge.h"

#include <errno.h>

/* How many turns or parts go by between two looks at the clock. */
#define POLL_MASK 255u

const struct tk_area tk_areas[] = {
    {"pairs", tk_judge_pairs, true},
    {"client_pairs", tk_judge_client_pairs, false},
    {"ids", tk_judge_ids, true},
    {"structure", tk_judge_structure, false},
    {"emptiness", tk_judge_emptiness, false},
    {"text", tk_judge_text, true},
    {"seals", tk_judge_seals, false},
    {"thinking", tk_judge_thinking, true},
    {"block_shape", tk_judge_block_shape, true},
    {"tool_shape", tk_judge_tool_shape, true},
    {"media", tk_judge_media, true},
    {"cache", tk_judge_cache, true},
    {"citations", tk_judge_citations, true},
    {"compaction", tk_judge_compaction, true},
    {"surrogates", tk_judge_surrogates, true},
    {"betas", tk_judge_betas, false},
};

const size_t tk_area_count = sizeof(tk_areas) / sizeof(tk_areas[0]);

void tk_judge_init(struct tk_judge *j, struct tk_transcript *t, const struct tk_policy *policy)
{
    *j = (struct tk_judge){.t = t, .policy = policy};
    tk_map_init(&j->serializable, t->arena, t->hash_key);
    tk_map_init(&j->clients.index, t->arena, t->hash_key);
    tk_doc_init(&j->pairing.input, tk_arena_allocator(t->arena));
}

bool tk_judge_cancelled(struct tk_judge *j, uint32_t step)
{
    return (step & POLL_MASK) == POLL_MASK && tk_judge_is_late(j);
}

bool tk_judge_is_late(const struct tk_judge *j)
{
    return j->cancelled && j->cancelled(j->cancel_arg);
}

int tk_judge_begin(struct tk_judge *j)
{
    tk_findings_reset(&j->findings, j->t);
    return tk_turns(j->t);
}

int tk_judge_area(struct tk_judge *j, const struct tk_area *area)
{
    return j->t->lone_turn && !area->lone_turn ? 0 : area->judge(j);
}

int tk_judge(struct tk_judge *j)
{
    int r = tk_judge_begin(j);

    for (size_t i = 0; i < tk_area_count && r == 0; i++)
        r = tk_judge_is_late(j) ? -ECANCELED : tk_judge_area(j, &tk_areas[i]);
    return r;
}
