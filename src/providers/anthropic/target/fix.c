/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "engine/merge_messages.h"
#include "engine/protect.h"
#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/client_pairs/insert_point.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/structure/neighbours.h"

/* ---- user messages that the target misses ---- */

/* Returns true if the history begins with a signed summary, which must stay in front. */
static bool begins_with_summary(const struct tk_plan *p)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t summary = tk_anthropic(p->j)->newest_compaction;

    return summary != TK_NONE && t->parts[summary].message == t->first_message &&
           t->parts[summary].prev == TK_NONE;
}

struct tk_decision tk_want_user_first(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy)
{
    (void)f;
    return tk_edit_by(policy->preserve && !begins_with_summary(p) ? TK_ACTION_REWRITE
                                                                  : TK_ACTION_NONE);
}

int tk_fix_user_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_edit_add_user(p->e, f->site.entry, f->code, TK_NONE, TK_STR("."));
}

static bool ends_in_thinking(const struct tk_transcript *t, const struct tk_turn *turn)
{
    uint32_t last = TK_NONE;

    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE; i = tk_turn_next(t, turn, i))
        last = i;
    return last != TK_NONE && tk_is_thinking(&t->parts[last]);
}

/* The history ends after this turn, so no call of it has its result. */
struct tk_decision tk_want_user_last(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_turn *turn = &t->turns[t->messages[f->site.entry].turn];

    if (policy->prefill == TK_FIX_REPORT || (turn->flags & TK_TURN_CLIENT_CALL) ||
        ends_in_thinking(t, turn))
        return tk_no_edit();
    return tk_edit_by(TK_ACTION_REWRITE);
}

int tk_fix_user_last(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_edit_add_user(p->e, f->site.entry, f->code, f->site.entry, TK_STR("Continue."));
}

/* ---- neighbours of one role ---- */

struct tk_decision tk_want_merge(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy)
{
    (void)policy;
    return tk_edit_by(p->j->t->messages[f->site.entry].flags & TK_MESSAGE_KEPT ? TK_ACTION_NONE
                                                                               : TK_ACTION_MERGE);
}

/* Returns true if a merge that puts results first mends a result of the message: one is out of place,
 * and none leaves the message for another reason. */
static bool mends_results(struct tk_plan *p, uint32_t message)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_findings *f = &p->j->findings;
    bool mends = false;

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        if (!tk_is_result(&t->parts[i], false))
            continue;
        if (tk_is_edited(p, i) || tk_insert_point_leaves(p, i))
            return false;
        for (uint32_t k = t->parts[i].finding; k != TK_NONE; k = f->list[k].next)
            mends = mends || f->list[k].code == TK_CODE_TOOL_RESULT_NOT_FIRST;
    }
    return mends;
}

/* Lets what this round knows about a message refer to the one that it was merged into. */
static void forward(struct tk_plan *p, uint32_t message, uint32_t into)
{
    struct tk_anthropic_round *round = &tk_anthropic(p->j)->round;
    uint32_t *known[] = {&round->slide.user, &round->slide.after, &round->asked.before};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (*known[i] == message)
            *known[i] = into;
}

/*
 * Merges a message into the one before it while other fixes of the round are still to come. Both must be of one turn,
 * which stays as it is. A message that others of this round were merged into isn't searched for signatures again.
 */
static int merge_now(struct tk_plan *p, uint32_t message, uint32_t into)
{
    struct tk_transcript *t = p->j->t;
    uint32_t turn = t->messages[message].turn, *last, *merged = &tk_anthropic(p->j)->round.merged;
    int r;

    if (turn == TK_NONE || t->messages[into].turn != turn || !tk_must_join(p->j, message) ||
        (into != *merged && tk_message_is_signed(t, into)) || tk_message_is_signed(t, message) ||
        !tk_may_merge(p->j, into, message))
        return 0;
    last = tk_insert_point_last(p, into);
    r = last ? tk_merge(p->j, p->e, message, last) : -ENOMEM;
    if (r < 0)
        return r;
    if (t->turns[turn].last == message)
        t->turns[turn].last = into;
    *merged = into;
    forward(p, message, into);
    return 0;
}

/* Other messages are merged once the rules have nothing left to edit. */
int tk_fix_merge(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t message = f->site.entry, into = t->messages[message].prev;

    (void)d;
    if (into == TK_NONE || t->messages[message].role != TK_ROLE_USER || !mends_results(p, message))
        return 0;
    return merge_now(p, message, into);
}

/* ---- system messages ---- */

/* Returns true if a rule edits the part in this stage. */
static bool is_being_edited(struct tk_plan *p, uint32_t part)
{
    const struct tk_findings *findings = &p->j->findings;

    for (uint32_t i = p->j->t->parts[part].finding; i != TK_NONE; i = findings->list[i].next)
        if (findings->list[i].severity == TK_ERROR &&
            tk_fix_wanted(p, &findings->list[i]).action != TK_ACTION_NONE)
            return true;
    return false;
}

static bool is_only_text(struct tk_plan *p, uint32_t message)
{
    const struct tk_transcript *t = p->j->t;

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (t->parts[i].kind != TK_PART_TEXT ||
            !tk_is(tk_part_val(&t->parts[i], t->parts[i].payload), TK_STRING) ||
            is_being_edited(p, i))
            return false;
    return true;
}

struct tk_decision tk_want_as_user(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy)
{
    const struct tk_message *m = &p->j->t->messages[f->site.entry];

    (void)policy;
    if (!tk_takes_parts(m) || !is_only_text(p, f->site.entry))
        return tk_no_edit();
    if (m->first != TK_NONE)
        return tk_edit_by(TK_ACTION_REWRITE);
    return tk_edit_by(m->flags & TK_MESSAGE_KEPT ? TK_ACTION_NONE : TK_ACTION_DROP_MESSAGE);
}

/* Returns the texts of a message as one encoded string: joined by line feeds, in the tags that
 * models know. JSON keeps its spelling of the texts. `.p == NULL` when out of memory. */
static struct tk_str told_by_the_system(struct tk_edits *e, uint32_t message)
{
    const struct tk_transcript *t = e->t;
    bool json = t->doc->codec == TK_JSON;
    struct tk_out out;
    struct tk_str text;

    tk_out_init(&out, t->arena);
    if (json)
        tk_out_put(&out, "\"", 1);
    tk_out_put(&out, "<system>", 8);
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        struct tk_val v = tk_part_val(&t->parts[i], t->parts[i].payload);

        if (i != t->messages[message].first)
            tk_out_put(&out, json ? "\\n" : "\n", json ? 2 : 1);
        tk_out_ref(&out, json ? tk_raw(v) : tk_text(v, t->arena));
    }
    tk_out_put(&out, "</system>", 9);
    if (json)
        tk_out_put(&out, "\"", 1);
    text = tk_out_join(&out);
    return json || !text.p ? text : tk_encode_text(e, text);
}

/* Makes a system message the user's, without the members that only system messages have. */
static int become_user(struct tk_edits *e, uint32_t message)
{
    int r = tk_message_set(e, message, "role", tk_encode_text(e, TK_STR("user")));

    if (r == 0)
        r = tk_message_remove(e, message, "output_config");
    return r < 0 ? r : tk_message_remove(e, message, "clear_at");
}

/* Replaces the parts of a message, which are all texts, by one text, an encoded string. The content is that string,
 * or stays a list if one of the texts had a cache marker: a string can't carry one. */
static int become_text(struct tk_edits *e, uint32_t message, struct tk_str text)
{
    struct tk_transcript *t = e->t;
    uint32_t part = t->messages[message].first;
    struct tk_str marker = {0};

    if (t->parts[part].flags & TK_PART_STRING) {
        t->parts[part].flags |= TK_PART_CHANGED;
        return tk_change_text(e, part, text);
    }
    for (uint32_t next; part != TK_NONE; part = next) {
        struct tk_str own = tk_marker_of(t, part);

        marker = own.p ? own : marker;
        next = t->parts[part].next;
        tk_remove_part(e, part);
    }
    t->messages[message].flags |= TK_MESSAGE_PLAIN;
    return tk_edit_insert(e, message, TK_NONE, tk_encode_string_part(e, text, marker));
}

int tk_fix_as_user(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_str text;
    int r;

    if (d.action == TK_ACTION_DROP_MESSAGE)
        return tk_fix_empty_system(p, f, d);
    text = told_by_the_system(p->e, f->site.entry);
    if (!text.p)
        return -ENOMEM;
    r = tk_edit_message(p->e, f->site.entry, f->code, TK_ACTION_REWRITE);
    if (r == 0)
        r = become_user(p->e, f->site.entry);
    return r < 0 ? r : become_text(p->e, f->site.entry, text);
}
