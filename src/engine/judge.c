/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/judge.h"

#include <errno.h>

#include "engine/protect.h"

/* The time limit is checked every POLL_MASK + 1 turns or parts. */
#define POLL_MASK 255u

int tk_judge_init(struct tk_judge *j, struct tk_transcript *t, const struct tk_ruleset *rules,
                  const struct tk_policy *policy)
{
    *j = (struct tk_judge){.t = t, .rules = rules, .policy = policy, .request = &tk_no_request};
    j->has = (uint8_t)((t->shape == rules->shapes[0] ? TK_HAS_WIRE : 0) |
                       (t->is_turn ? 0 : TK_HAS_HISTORY));
    return rules->begin ? rules->begin(j) : 0;
}

void tk_judge_take_request(struct tk_judge *j, const struct tk_request_view *request,
                           const struct tk_target *target)
{
    j->request = request;
    j->target = *target;
    j->has |= tk_exists(request->body) ? TK_HAS_REQUEST : 0;
    if (j->rules->take_target)
        j->rules->take_target(j);
}

void tk_judge_inherit(struct tk_judge *j, const struct tk_judge *from)
{
    j->cancelled = from->cancelled;
    j->cancel_arg = from->cancel_arg;
    tk_judge_take_request(j, from->request, &from->target);
    j->has |= from->has & TK_HAS_HEADER;
    if (j->rules->inherit)
        j->rules->inherit(j, from);
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
    int r;

    tk_findings_reset(&j->findings, j->t);
    r = tk_turns(j->t);
    return r == 0 && j->rules->survey ? j->rules->survey(j) : r;
}

void tk_judge_protect(struct tk_judge *j)
{
    if (j->rules->protect)
        j->rules->protect(j);
    else
        tk_protect(j->t);
}

int tk_judge_check(struct tk_judge *j, const struct tk_check *check)
{
    return (check->needs & ~j->has) != 0 ? 0 : check->find(j);
}

int tk_judge(struct tk_judge *j)
{
    const struct tk_check *checks = j->rules->checks;
    int r = tk_judge_begin(j);

    j->found = 0;
    for (size_t i = 0; checks[i].name && r == 0; i++) {
        uint32_t before = j->findings.count;

        r = tk_judge_is_late(j) ? -ECANCELED : tk_judge_check(j, &checks[i]);
        j->found |= j->findings.count > before ? tk_check_bit(i) : 0;
    }
    return r;
}
