/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/thinking/settings.h"

#include "providers/anthropic/thinking/bound_find.h"
#include "rules/protect.h"

/* The last message answers calls of the newest assistant turn, right behind it. */
static bool is_open_loop(const struct tk_transcript *t, const struct tk_turn *newest)
{
    uint32_t last = t->last_message;

    if (last == TK_NONE || t->messages[newest->last].next == TK_NONE ||
        t->messages[last].turn != t->messages[t->messages[newest->last].next].turn ||
        t->messages[last].role != TK_ROLE_USER)
        return false;
    for (uint32_t i = t->messages[last].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_result(&t->parts[i], false))
            return true;
    return false;
}

/* What the message began with when it was sent. */
static bool began_with_thinking(const struct tk_transcript *t, uint32_t message)
{
    struct tk_val content =
        tk_get((struct tk_val){t->doc, t->messages[message].sent}, TK_STR("content"));
    struct tk_val first = tk_is(content, TK_ARRAY) ? tk_first(content) : TK_NO_VAL;
    struct tk_val type = tk_get(first, TK_STR("type"));

    return tk_text_is(type, TK_STR("thinking")) || tk_text_is(type, TK_STR("redacted_thinking"));
}

/* The first message of the turn when it was sent: those in front of it may have been emptied. */
static uint32_t first_sent(const struct tk_transcript *t, const struct tk_turn *turn)
{
    uint32_t m = turn->first;

    while (m > 0 && m < t->input_messages && t->messages[m - 1].role == TK_ROLE_ASSISTANT &&
           (t->messages[m - 1].flags & TK_MESSAGE_DROPPED))
        m--;
    return m;
}

bool tk_lost_leading_thinking(const struct tk_repair *r)
{
    const struct tk_transcript *t = r->judge.t;
    const struct tk_turn *newest = tk_newest_turn(t);
    uint32_t first, part;

    if (!newest || r->edits.count == 0 || t->lone_turn || !tk_judges_thinking(r->judge.policy) ||
        !(r->judge.request->flags & TK_REQUEST_THINKS_BY_BUDGET) || !is_open_loop(t, newest))
        return false;
    first = first_sent(t, newest);
    part = tk_turn_first(t, newest);
    return first < t->input_messages && began_with_thinking(t, first) &&
           (part == TK_NONE || !tk_is_thinking(&t->parts[part]));
}

enum tk_advice tk_repair_advice(struct tk_repair *r)
{
    if (tk_lost_leading_thinking(r))
        return TK_ADVICE_THINKING_OFF;
    if (r->judge.policy->prefix_mismatch == TK_MISMATCH_DROP_BLOCK &&
        (r->judge.request->flags & TK_REQUEST_THINKS) && tk_has_unbound(&r->judge, &r->edits))
        return TK_ADVICE_BLOCK_BINDING;
    return TK_ADVICE_NONE;
}

const char *tk_advice_path(enum tk_advice advice)
{
    static const char *const paths[] = {
        [TK_ADVICE_NONE] = "",
        [TK_ADVICE_THINKING_OFF] = "/thinking",
        [TK_ADVICE_BLOCK_BINDING] = "/thinking/block_binding",
    };

    return paths[advice];
}

static const char *binding_member(const struct tk_policy *policy)
{
    return policy->bedrock ? "mismatch_behavior" : "prefix_mismatch_behavior";
}

bool tk_advice_holds(const struct tk_repair *r, enum tk_advice advice)
{
    struct tk_val binding = r->judge.request->binding;

    return advice == TK_ADVICE_BLOCK_BINDING &&
           tk_text_is(tk_get(binding, tk_str_of(binding_member(r->judge.policy))),
                      TK_STR("drop_block"));
}

void tk_write_advised(struct tk_writer *w, enum tk_advice advice, const struct tk_policy *policy)
{
    tk_write_map(w);
    if (advice == TK_ADVICE_THINKING_OFF)
        tk_write_kv_cstr(w, "type", "disabled");
    else
        tk_write_kv_cstr(w, binding_member(policy), "drop_block");
    tk_write_end(w);
}
