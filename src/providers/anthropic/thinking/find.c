/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges thinking. A model that reasons sends its reasoning as blocks that the provider has signed.
 * They go back unchanged with the rest of the turn, and a turn must not end in one.
 *
 * In dialects of adapters only the end of a turn is judged (DIALECTS.md section 5).
 */
#include "engine/protect.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/shape.h"
#include "value/base64.h"

/* ---- block by block ---- */

/* True for a signature that was cut or doubled on its way: real ones are padded base64. */
static bool is_malformed(const struct tk_judge *j, const struct tk_part *p)
{
    bool restores = j->policy->thinking == TK_FIX_RESTORE;
    struct tk_val signature;

    if (!tk_own_policy(j)->base64_signatures || p->kind != TK_PART_THINKING ||
        j->target.endpoint == TK_ENDPOINT_COMPATIBLE || !tk_judges_thinking(j) ||
        tk_is_in_order(&tk_anthropic(j)->seals, p->message, restores))
        return false;
    signature = tk_get(tk_part_val(p, p->node), TK_STR("signature"));
    return !tk_text_is_blank(signature) && !tk_is_base64(tk_text(signature, j->t->arena));
}

static int judge_unsigned(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val text = tk_part_val(p, p->payload);

    if (j->target.endpoint == TK_ENDPOINT_COMPATIBLE || !tk_judges_thinking(j))
        return 0;
    if (p->kind == TK_PART_REDACTED)
        return tk_find_part(&j->findings, j->t, TK_CODE_REDACTED_THINKING_DATA_INVALID, part);
    return tk_find_part(&j->findings, j->t,
                        !tk_is(text, TK_STRING) || tk_text_is_blank(text)
                            ? TK_CODE_THINKING_EMPTY
                            : TK_CODE_THINKING_SIGNATURE_MISSING,
                        part);
}

static int judge_block(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    int r = 0;

    if (j->t->messages[p->message].role != TK_ROLE_ASSISTANT)
        return tk_find_part(&j->findings, j->t, TK_CODE_THINKING_IN_USER, part);
    if (!(p->flags & TK_PART_SIGNED))
        return judge_unsigned(j, part);
    if (p->kind == TK_PART_THINKING && !tk_is(tk_part_val(p, p->payload), TK_STRING))
        r = tk_find_part(&j->findings, j->t, TK_CODE_THINKING_TEXT_MISSING, part);
    if (r == 0 && is_malformed(j, p))
        r = tk_find_part(&j->findings, j->t, TK_CODE_THINKING_SIGNATURE_MALFORMED, part);
    return r;
}

static int judge_blocks(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (tk_is_thinking(&t->parts[i]))
                r = judge_block(j, i);
    return r;
}

/* ---- turns that were put together again (OPERATIONS.md C.4) ---- */

struct thinking_count {
    uint32_t first;    /* first thinking of the turn, or TK_NONE */
    uint32_t thinking; /* number of thinking blocks */
    uint32_t leading;  /* number of them at the start of the turn */
    bool call;
};

static struct thinking_count count_thinking(const struct tk_judge *j, const struct tk_turn *turn)
{
    const struct tk_transcript *t = j->t;
    struct thinking_count c = {.first = TK_NONE};
    uint32_t parts = 0;

    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE; i = tk_turn_next(t, turn, i), parts++) {
        c.call = c.call || t->parts[i].kind == TK_PART_CALL;
        if (!tk_is_thinking(&t->parts[i]) ||
            tk_is_in_order(&tk_anthropic(j)->seals, t->parts[i].message,
                           j->policy->thinking == TK_FIX_RESTORE))
            continue;
        c.first = c.first == TK_NONE ? i : c.first;
        c.leading += c.leading == parts;
        c.thinking++;
    }
    return c;
}

/* Returns the severity of thinking in an unverified order: a store that groups thinking may have
 * moved it among the calls. A warning if the policy leaves such thinking (OPERATIONS.md C.4 R7). */
static enum tk_severity severity_of_order(const struct tk_policy *policy)
{
    enum tk_fix fix = policy->thinking == TK_FIX_RESTORE ? policy->dead_thinking : policy->thinking;

    return fix == TK_FIX_REPORT ? TK_WARNING : TK_ERROR;
}

static int judge_order(struct tk_judge *j)
{
    bool looks = tk_own_policy(j)->rebuilt && tk_judges_thinking(j);
    const struct tk_turn *turn = looks ? tk_newest_turn(j->t) : NULL;
    struct thinking_count c;

    if (!turn)
        return 0;
    c = count_thinking(j, turn);
    if (c.thinking < 2 || !c.call || (tk_own_policy(j)->grouped_only && c.leading < 2))
        return 0;
    return tk_find(&j->findings, j->t, TK_CODE_THINKING_ORDER_UNVERIFIED,
                   severity_of_order(j->policy), tk_site_of(j->t->parts[c.first].message, c.first));
}

/* ---- the end of a turn ---- */

/* Returns the turn's last part that reaches the wire, or TK_NONE. *ret_only: only thinking and
 * files reach it. */
static uint32_t last_visible(const struct tk_transcript *t, const struct tk_turn *turn,
                             bool *ret_only)
{
    uint32_t last = TK_NONE;

    *ret_only = true;
    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE; i = tk_turn_next(t, turn, i)) {
        if (t->parts[i].flags & TK_PART_INVISIBLE)
            continue;
        last = i;
        *ret_only =
            *ret_only && (tk_is_thinking(&t->parts[i]) || t->parts[i].kind == TK_PART_MEDIA);
    }
    return last;
}

static int judge_ends(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = 0; i < t->turn_count && r == 0; i++) {
        const struct tk_turn *turn = &t->turns[i];
        uint32_t last;
        bool only;

        if (turn->role != TK_ROLE_ASSISTANT)
            continue;
        last = last_visible(t, turn, &only);
        if (last != TK_NONE && tk_is_thinking(&t->parts[last]) &&
            !(only && tk_adapter_of(t->shape)->empty_left_out))
            r = tk_find_part(&j->findings, t, TK_CODE_THINKING_FINAL_BLOCK, last);
    }
    return r;
}

int tk_judge_thinking(struct tk_judge *j)
{
    int r = j->t->shape->wire ? judge_blocks(j) : 0;

    if (r == 0 && j->t->shape->wire)
        r = judge_order(j);
    return r < 0 || j->t->lone_turn ? r : judge_ends(j);
}
