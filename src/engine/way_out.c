/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/way_out.h"

#include <errno.h>

#include "engine/fix.h"
#include "engine/protect.h"
#include "engine/ruleset.h"
#include "shapes/read.h"
#include "value/unicode.h"

/* ---- keys of the policy that forbid an edit ---- */

static const struct policy_key {
    const char *name;
    size_t at; /* offset of an enum tk_fix in struct tk_policy */
    /* the value that allows the edit; TK_FIX_REPORT: that of the policy's base */
    enum tk_fix allows;
} keys[] = {
    {"orphan_call", offsetof(struct tk_policy, orphan_call), TK_FIX_REPORT},
    {"orphan_result", offsetof(struct tk_policy, orphan_result), TK_FIX_REPORT},
    {"result_before_call", offsetof(struct tk_policy, result_before_call), TK_FIX_REPORT},
    {"duplicate_id", offsetof(struct tk_policy, duplicate_id), TK_FIX_REPORT},
    {"invalid_pair", offsetof(struct tk_policy, invalid_pair), TK_FIX_REPORT},
    {"unanswered_call", offsetof(struct tk_policy, unanswered_call), TK_FIX_REPORT},
    {"unmatched_result", offsetof(struct tk_policy, unmatched_result), TK_FIX_REPORT},
    {"blank_text", offsetof(struct tk_policy, blank_text), TK_FIX_REPORT},
    {"prefill", offsetof(struct tk_policy, prefill), TK_FIX_REPORT},
    {"dead_thinking", offsetof(struct tk_policy, dead_thinking), TK_FIX_REPORT},
    {"extra_members", offsetof(struct tk_policy, extra_members), TK_FIX_DROP},
};

static enum tk_fix value_of(const struct tk_policy *policy, const struct policy_key *key)
{
    enum tk_fix value;

    memcpy(&value, (const char *)policy + key->at, sizeof(value));
    return value;
}

/* Returns the other half of a part's provider-executed pair; TK_NONE: there is none. */
static uint32_t other_half(const struct tk_judge *j, uint32_t part)
{
    bool has_half =
        part != TK_NONE && j->rules->partner && (j->t->parts[part].flags & TK_PART_PROVIDER);

    return has_half ? j->rules->partner(j, part) : TK_NONE;
}

/* Returns the action that a policy wants. An edit of either half fixes a provider-executed pair, so it
 * asks for both. */
static enum tk_action wanted(struct tk_plan *p, const struct tk_finding *f,
                             const struct tk_policy *policy)
{
    enum tk_action action = tk_fix_by(p, f, policy).action;
    struct tk_finding other = *f;

    other.site.part = other_half(p->j, f->site.part);
    if (action != TK_ACTION_NONE || other.site.part == TK_NONE || other.site.part == f->site.part)
        return action;
    return tk_fix_by(p, &other, policy).action;
}

static enum tk_action wanted_with(struct tk_plan *p, const struct tk_finding *f,
                                  const struct policy_key *key, enum tk_fix value)
{
    struct tk_policy changed = *p->j->policy;

    memcpy((char *)&changed + key->at, &value, sizeof(value));
    return wanted(p, f, &changed);
}

static struct tk_str say_key(struct tk_arena *arena, enum tk_action action, const char *key,
                             const char *is, const char *other)
{
    return tk_arena_printf(arena,
                           "The edit \"%s\" is needed, but policy.%s is \"%s\": set it to \"%s\".",
                           tk_action_names[action], key, is, other);
}

static bool is_blank_text(const struct tk_part *p, struct tk_arena *arena)
{
    return p->kind == TK_PART_TEXT && tk_is_blank(tk_text(tk_part_val(p, p->payload), arena));
}

/* Returns true for a blank text among others in the protected turn: once the others are dropped, it
 * may be what separates two thinking blocks. */
static bool may_separate(const struct tk_transcript *t, uint32_t part)
{
    const struct tk_part *p = part == TK_NONE ? NULL : &t->parts[part];

    if (!p || !tk_is_protected(t, p->message) || !is_blank_text(p, t->arena))
        return false;
    return (p->prev != TK_NONE && is_blank_text(&t->parts[p->prev], t->arena)) ||
           (p->next != TK_NONE && is_blank_text(&t->parts[p->next], t->arena));
}

/* Returns the key that forbids the edit; `.p == NULL`: none does. */
static struct tk_str by_key(struct tk_plan *p, const struct tk_finding *f)
{
    const struct tk_policy *base = tk_policy_base(p->j->policy);

    /* If the policy wants an edit as it is, no key of it is the reason. */
    if (may_separate(p->j->t, f->site.part) || wanted(p, f, p->j->policy) != TK_ACTION_NONE)
        return (struct tk_str){0};
    for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
        enum tk_fix value = keys[i].allows;
        enum tk_action action;

        if (value == TK_FIX_REPORT)
            value = value_of(base, &keys[i]);
        if (value_of(p->j->policy, &keys[i]) != TK_FIX_REPORT)
            continue;
        action = wanted_with(p, f, &keys[i], value);
        if (action != TK_ACTION_NONE)
            return say_key(p->j->t->arena, action, keys[i].name, "report", tk_fix_names[value]);
    }
    return (struct tk_str){0};
}

/* Returns the sentence for an edit that only `preserve` makes; `.p == NULL`: there is none. */
static struct tk_str by_base(struct tk_plan *p, const struct tk_finding *f)
{
    struct tk_policy changed = *p->j->policy;
    enum tk_action action;

    if (wanted(p, f, p->j->policy) != TK_ACTION_NONE)
        return (struct tk_str){0};
    changed.preserve = true;
    action = wanted(p, f, &changed);
    return action == TK_ACTION_NONE
               ? (struct tk_str){0}
               : say_key(p->j->t->arena, action, "base", "conservative", "preserve");
}

/* ---- keys of the policy that make something an error ---- */

static struct tk_str by_cause(struct tk_plan *p, const struct tk_finding *f)
{
    for (const struct tk_cause *c = p->j->rules->causes; c && c->is_cause; c++)
        if (c->code == f->code && c->is_cause(p, f))
            return c->sentence;
    return (struct tk_str){0};
}

/* ---- going back ---- */

/* True for a fault of an empty message that must stay (RULES.md section 8). */
static bool is_kept(const struct tk_transcript *t, const struct tk_finding *f)
{
    return f->site.part == TK_NONE && t->messages[f->site.entry].first == TK_NONE &&
           tk_is_kept(t, f->site.entry);
}

static struct tk_str reason(struct tk_plan *p, const struct tk_finding *f)
{
    enum tk_action needed = tk_plan_needed(p, f);
    struct tk_arena *arena = p->j->t->arena;

    if (needed == TK_ACTION_NONE && is_kept(p->j->t, f))
        return TK_STR("The message is empty, and repair removes none that has members which it "
                      "does not know (fill it, or remove it yourself)");
    if (needed == TK_ACTION_NONE)
        return TK_STR("No edit is known for this");
    if (tk_is_forbidden(p, f))
        return tk_arena_printf(arena,
                               "The edit \"%s\" is needed, but it would change the protected turn "
                               "(the newest assistant turn, which has signed thinking)",
                               tk_action_names[needed]);
    return tk_arena_printf(arena, "The edit \"%s\" is needed, but repair can't make it here",
                           tk_action_names[needed]);
}

static struct tk_str go_back(struct tk_plan *p, const struct tk_finding *f, uint32_t before)
{
    struct tk_str parts[] = {reason(p, f), TK_STR(": start a new conversation.")};

    if (before > 0)
        parts[1] = tk_arena_printf(p->j->t->arena, ": go back to before message %u.", before);
    return tk_arena_concat(p->j->t->arena, parts, 2);
}

struct tk_str tk_way_out(struct tk_plan *p, const struct tk_finding *f, uint32_t before)
{
    struct tk_str (*const policies[])(struct tk_plan * p,
                                      const struct tk_finding *f) = {by_key, by_base, by_cause};

    for (size_t i = tk_is_forbidden(p, f) ? 2 : 0; i < sizeof(policies) / sizeof(policies[0]);
         i++) {
        struct tk_str sentence = policies[i](p, f);

        if (sentence.p)
            return sentence;
    }
    if (f->site.entry == TK_NONE)
        return TK_STR(
            "This is not in a message, and repair edits messages only: change the request.");
    return go_back(p, f, before);
}

/* ---- how far back ---- */

/* After this many exact tries, the next prefix has at most half the length, so that all tries
 * together cost linear time. */
#define EXACT_TRIES 3u

static bool has_error(const struct tk_judge *j, uint32_t finding)
{
    while (finding != TK_NONE && j->findings.list[finding].severity != TK_ERROR)
        finding = j->findings.list[finding].next;
    return finding != TK_NONE;
}

static uint32_t earlier(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Returns the first message of the input with an error; TK_NONE: no message has one. An added
 * message counts as the one before it, a moved part as its message in the input. */
static uint32_t first_fault(const struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t first = TK_NONE, at = 0;

    if (has_error(j, j->findings.request) && t->first_message == TK_NONE)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next) {
        if (m < t->input_messages)
            at = m;
        if (has_error(j, t->messages[m].finding))
            first = earlier(first, at);
        for (uint32_t i = t->messages[m].first; i != TK_NONE; i = t->parts[i].next)
            if (has_error(j, t->parts[i].finding))
                first = earlier(first, earlier(at, t->parts[i].from_message));
    }
    return first;
}

/* Returns the first message of a message's turn in the input. */
static uint32_t turn_begin(const struct tk_transcript *t, uint32_t message)
{
    while (message > 0 && t->messages[message - 1].role == t->messages[message].role)
        message--;
    return message;
}

/* Repairs the history before message `count`. *ret_fault: the first message that still has an
 * error; TK_NONE: none. Returns 0, -ENOMEM or -ECANCELED. */
static int repair_first(const struct tk_repair *r, struct tk_arena *arena, uint32_t count,
                        uint32_t *ret_fault)
{
    const struct tk_transcript *from = r->judge.t;
    struct tk_transcript t;
    struct tk_repair shorter = {.changes_request = r->changes_request};
    int err = tk_transcript_read_first(&t, from->list, count, from->shape, arena, from->hash_key);

    if (err < 0)
        return err;
    err = tk_judge_init(&shorter.judge, &t, r->judge.rules, r->judge.policy);
    if (err < 0)
        return err;
    tk_judge_inherit(&shorter.judge, &r->judge);
    err = tk_repair(&shorter, true);
    if (err == 0)
        *ret_fault = first_fault(&shorter.judge);
    return err;
}

int tk_way_back(const struct tk_repair *r, uint32_t *ret_before)
{
    const struct tk_transcript *t = r->judge.t;
    uint32_t fault = first_fault(&r->judge), count = 0, tries = 0;
    struct tk_arena arena;
    int err = 0;

    tk_arena_init(&arena, t->arena->allocator);
    while (err == 0 && fault != TK_NONE) {
        count = turn_begin(t, fault);
        if (count == 0)
            break;
        err = repair_first(r, &arena, count, &fault);
        tk_arena_reset(&arena);
        if (fault != TK_NONE && ++tries >= EXACT_TRIES)
            fault = earlier(fault, count / 2);
    }
    tk_arena_done(&arena);
    *ret_before = count;
    return err;
}
