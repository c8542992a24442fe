/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/judge.h"

#include <errno.h>

/* How many turns or parts go by between two looks at the clock. */
#define POLL_MASK 255u

static const struct {
    int (*judge)(struct tk_judge *j);
    bool lone_turn; /* also where there is one turn and no history around it */
} areas[] = {
    {tk_judge_pairs, true},      {tk_judge_client_pairs, false}, {tk_judge_ids, true},
    {tk_judge_structure, false}, {tk_judge_emptiness, false},    {tk_judge_text, true},
    {tk_judge_seals, false},     {tk_judge_thinking, true},      {tk_judge_block_shape, true},
    {tk_judge_tool_shape, true}, {tk_judge_media, true},         {tk_judge_cache, true},
    {tk_judge_citations, true},  {tk_judge_compaction, true},    {tk_judge_surrogates, true},
    {tk_judge_betas, false},
};

void tk_judge_init(struct tk_judge *j, struct tk_transcript *t, const struct tk_policy *policy)
{
    *j = (struct tk_judge){.t = t, .policy = policy};
    tk_map_init(&j->serializable, t->arena, t->hash_key);
    tk_doc_init(&j->pairing.input, tk_arena_allocator(t->arena));
}

bool tk_judge_cancelled(struct tk_judge *j, uint32_t step)
{
    return (step & POLL_MASK) == POLL_MASK && j->cancelled && j->cancelled(j->cancel_arg);
}

int tk_judge(struct tk_judge *j)
{
    int r;

    tk_findings_reset(&j->findings, j->t);
    r = tk_turns(j->t);
    for (size_t i = 0; i < sizeof(areas) / sizeof(areas[0]) && r == 0; i++)
        if (!j->t->lone_turn || areas[i].lone_turn)
            r = areas[i].judge(j);
    return r;
}
