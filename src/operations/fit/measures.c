/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The measures, in their order. Each goes over the history from the oldest entry and stops as soon as the size is at most
 * the goal. They only plan: sizes of entries, a list of edits, and what leaves.
 */
#include <errno.h>

#include "operations/fit/fit_inside.h"
#include "shapes/shape.h"
#include "value/compact.h"

/* ---- edits of entries ---- */

static bool is_done(const struct tk_fit_plan *p)
{
    return p->size <= p->goal;
}

static struct tk_val value_of(const struct tk_fit_plan *p, uint32_t part)
{
    return tk_part_val(&p->t->parts[part], p->t->parts[part].node);
}

/* Makes an entry smaller by so many bytes. */
static void shrink(struct tk_fit_plan *p, struct tk_fit_entry *x, uint64_t bytes)
{
    p->size -= tk_fit_size_of(p->o, x);
    x->bytes -= bytes;
    p->size += tk_fit_size_of(p->o, x);
}

/* Returns true if edits may be made in an entry: nobody asked that its round is left alone, and the provider doesn't compare
 * it with what it sent. last: rounds from this one on stay as they are. */
static bool may_edit(const struct tk_fit_plan *p, uint32_t entry, uint32_t last)
{
    const struct tk_fit_entry *x = &p->f->entries[entry];

    return x->leaves == TK_FIT_STAYS && x->round != TK_NONE && x->round < last &&
           !p->f->rounds[x->round].whole && !(p->t->messages[entry].flags & TK_MESSAGE_PROTECTED);
}

/* ---- results ---- */

/* Returns the result as a value: a part, or an entry that is itself one. */
static struct tk_val result_at(const struct tk_fit_plan *p, uint32_t entry, uint32_t part)
{
    return part == TK_NONE ? (struct tk_val){p->t->doc, p->t->messages[entry].sent}
                           : value_of(p, part);
}

/* Returns the name of the tool whose call a result answers, else the one that it has itself. */
static struct tk_str tool_of(const struct tk_fit_plan *p, uint32_t entry, uint32_t part)
{
    const struct tk_transcript *t = p->t;
    uint32_t call = p->rules->call_of(p->j, entry, part);

    if (call != TK_NONE)
        return tk_part_name(t, &t->parts[call]);
    return part == TK_NONE ? tk_message_tool(t->shape, &t->messages[entry], t->arena)
                           : tk_own_tool(t, &t->parts[part]);
}

static bool is_kept_tool(const struct tk_fit_plan *p, uint32_t entry, uint32_t part)
{
    struct tk_str name;

    if (p->tools.count == 0)
        return false;
    name = tool_of(p, entry, part);
    return name.p && tk_map_get(&p->tools, name);
}

/* Returns by how many bytes clearing makes a result smaller; at most 0 if it can't be cleared. */
static int64_t gain_of_clearing(const struct tk_fit_plan *p, uint32_t entry, uint32_t part,
                                uint64_t cleared)
{
    const struct tk_fit_rules *rules = p->rules;
    struct tk_val result = result_at(p, entry, part);
    struct tk_val payload = tk_path_get(result, &rules->payload);
    struct tk_val also = rules->also.keys[0] ? tk_path_get(result, &rules->also) : TK_NO_VAL;
    int64_t gain;

    if (!tk_exists(payload) ||
        (rules->may_clear && part != TK_NONE && !rules->may_clear(&p->t->parts[part])))
        return 0;
    gain = (int64_t)tk_compact_size(payload) - (int64_t)cleared;
    if (tk_exists(also))
        gain += (int64_t)(1 + tk_compact_key_size(also) + tk_compact_size(also));
    return gain;
}

static int clear(struct tk_fit_plan *p, uint32_t entry, uint32_t part, uint64_t cleared)
{
    int64_t gain;

    if (!may_edit(p, entry, p->fresh) || is_kept_tool(p, entry, part))
        return 0;
    gain = gain_of_clearing(p, entry, part, cleared);
    if (gain <= 0)
        return 0;
    shrink(p, &p->f->entries[entry], (uint64_t)gain);
    return tk_fit_note_edit(p, (struct tk_fit_edit){entry, part, result_at(p, entry, part).node,
                                                    TK_FIT_RESULT_CLEARED, TK_ACTION_REWRITE});
}

/* Clears the results of an entry. seen: how many results came before; the newest stay. */
static int clear_in(struct tk_fit_plan *p, uint32_t entry, uint64_t *seen, uint64_t cleared)
{
    const struct tk_message *m = &p->t->messages[entry];
    uint64_t old = p->result_count > p->o->keep_results ? p->result_count - p->o->keep_results : 0;
    int r = 0;

    if (m->flags & TK_MESSAGE_RESULT)
        return (*seen)++ < old ? clear(p, entry, TK_NONE, cleared) : 0;
    for (uint32_t i = m->first; i != TK_NONE && r == 0 && !is_done(p); i = p->t->parts[i].next)
        if (tk_is_result(&p->t->parts[i], false) && (*seen)++ < old)
            r = clear(p, entry, i, cleared);
    return r;
}

static int clear_results(struct tk_fit_plan *p)
{
    struct tk_str payload = tk_fit_encode(p, TK_JSON, p->rules->write_payload, p->o->placeholder);
    uint64_t seen = 0;
    int r = payload.p ? 0 : -ENOMEM;

    for (uint32_t i = 0; i < p->entry_count && r == 0 && !is_done(p); i++)
        r = tk_fit_is_late(p) ? -ECANCELED : clear_in(p, i, &seen, payload.n);
    return r;
}

/* ---- reasoning ---- */

static bool has_reasoning(const struct tk_fit_plan *p, uint32_t entry)
{
    for (uint32_t i = p->t->messages[entry].first; i != TK_NONE; i = p->t->parts[i].next)
        if (p->rules->is_reasoning(&p->t->parts[i]))
            return true;
    return false;
}

/* Returns true if more than blank texts would be left of a message. */
static bool has_other_parts(const struct tk_fit_plan *p, uint32_t entry)
{
    const struct tk_transcript *t = p->t;

    for (uint32_t i = t->messages[entry].first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_part *x = &t->parts[i];

        if (!p->rules->is_reasoning(x) &&
            !(x->kind == TK_PART_TEXT && tk_text_is_blank(tk_part_val(x, x->payload))))
            return true;
    }
    return false;
}

/* Drops an entry that is itself reasoning. */
static int drop_entry(struct tk_fit_plan *p, uint32_t entry)
{
    struct tk_fit_entry *x = &p->f->entries[entry];

    shrink(p, x, x->bytes);
    x->leaves = TK_FIT_DROPPED;
    return tk_fit_note_edit(p, (struct tk_fit_edit){entry, p->t->messages[entry].first,
                                                    p->t->messages[entry].sent,
                                                    TK_FIT_REASONING_REMOVED, TK_ACTION_DROP});
}

/* Drops the reasoning of a message in one go: something stays, so each part goes with a comma. */
static int drop_parts(struct tk_fit_plan *p, uint32_t entry)
{
    uint64_t bytes = 0;
    int r = 0;

    for (uint32_t i = p->t->messages[entry].first; i != TK_NONE && r == 0;
         i = p->t->parts[i].next) {
        if (!p->rules->is_reasoning(&p->t->parts[i]))
            continue;
        bytes += tk_compact_size(value_of(p, i)) + 1;
        r = tk_fit_note_edit(p, (struct tk_fit_edit){entry, i, p->t->parts[i].node,
                                                     TK_FIT_REASONING_REMOVED, TK_ACTION_DROP});
    }
    p->f->entries[entry].lost_reasoning = true;
    shrink(p, &p->f->entries[entry], bytes);
    return r;
}

static bool may_drop_reasoning(struct tk_fit_plan *p, uint32_t entry)
{
    uint32_t last = p->f->round_count - 1;
    bool whole = p->t->messages[entry].flags & TK_MESSAGE_WHOLE;

    return may_edit(p, entry, p->fresh < last ? p->fresh : last) &&
           (whole || has_other_parts(p, entry)) &&
           (!p->rules->may_lose_reasoning || p->rules->may_lose_reasoning(p->j, entry));
}

/* Returns true if the entry has reasoning, after what was planned so far. */
static bool has_reasoning_left(const struct tk_fit_plan *p, uint32_t entry)
{
    const struct tk_fit_entry *x = &p->f->entries[entry];

    return x->kind == TK_ENTRY_MODEL && x->leaves == TK_FIT_STAYS && !x->lost_reasoning &&
           has_reasoning(p, entry);
}

static int drop_reasoning(struct tk_fit_plan *p)
{
    int r = 0;

    if (!p->rules->is_reasoning)
        return 0;
    for (uint32_t i = 0; i < p->entry_count && r == 0 && !is_done(p); i++) {
        if (tk_fit_is_late(p))
            return -ECANCELED;
        if (!has_reasoning_left(p, i))
            continue;
        if (may_drop_reasoning(p, i))
            r = p->t->messages[i].flags & TK_MESSAGE_WHOLE ? drop_entry(p, i) : drop_parts(p, i);
        else if (p->rules->reasoning_is_bound)
            break;
    }
    return r;
}

/* ---- media ---- */

static int remove_media(struct tk_fit_plan *p, uint32_t entry, uint64_t text)
{
    int r = 0;

    for (uint32_t i = p->t->messages[entry].first; i != TK_NONE && r == 0 && !is_done(p);
         i = p->t->parts[i].next) {
        uint64_t size;

        if (!p->rules->is_media(&p->t->parts[i]) ||
            tk_exists(tk_get(value_of(p, i), TK_STR(TK_MARKER_KEY))))
            continue;
        size = tk_compact_size(value_of(p, i));
        if (size <= text)
            continue;
        shrink(p, &p->f->entries[entry], size - text);
        r = tk_fit_note_edit(p, (struct tk_fit_edit){entry, i, p->t->parts[i].node,
                                                     TK_FIT_MEDIA_REMOVED, TK_ACTION_REWRITE});
    }
    return r;
}

/* Returns the last prompt, which no measure edits; 0 if there is none. */
static uint32_t last_prompt(const struct tk_fit_plan *p)
{
    uint32_t i = p->entry_count;

    while (i > 0 && p->f->entries[--i].kind != TK_ENTRY_PROMPT)
        ;
    return i;
}

static int replace_media(struct tk_fit_plan *p)
{
    uint64_t text = tk_fit_text_part_size(p, p->o->media_placeholder);
    uint32_t end = last_prompt(p);
    int r = 0;

    for (uint32_t i = 0; i < end && r == 0 && !is_done(p); i++) {
        if (tk_fit_is_late(p))
            return -ECANCELED;
        if (p->f->entries[i].kind == TK_ENTRY_PROMPT && may_edit(p, i, p->fresh))
            r = remove_media(p, i, text);
    }
    return r;
}

/* ---- rounds and loops ---- */

/* Removes the entries from `first` to `last`, but no system entries. */
static void remove_entries(struct tk_fit_plan *p, uint32_t first, uint32_t last,
                           enum tk_fit_exit how)
{
    for (uint32_t i = first; i <= last; i++) {
        struct tk_fit_entry *x = &p->f->entries[i];

        if (x->kind == TK_ENTRY_SYSTEM || x->leaves > TK_FIT_DROPPED)
            continue;
        x->leaves = (uint8_t)how;
        p->size -= tk_fit_size_of(p->o, x);
    }
}

/* Returns the last round of the unit that a round begins. stays: set to true if a round of it stays. */
static uint32_t end_of_unit(const struct tk_fitted *f, uint32_t first, bool *stays)
{
    uint32_t last = f->rounds[first].reach;

    *stays = false;
    for (uint32_t i = first; i <= last; i++) {
        last = f->rounds[i].reach > last ? f->rounds[i].reach : last;
        *stays = *stays || f->rounds[i].stays;
    }
    return last;
}

static int remove_rounds(struct tk_fit_plan *p)
{
    struct tk_fitted *f = p->f;
    bool stays;

    for (uint32_t first = 0, last; first < f->round_count && !is_done(p); first = last + 1) {
        last = end_of_unit(f, first, &stays);
        for (uint32_t i = first; i <= last && !stays; i++) {
            f->rounds[i].gone = true;
            remove_entries(p, f->rounds[i].first, f->rounds[i].last, TK_FIT_ROUND_REMOVED);
        }
    }
    return 0;
}

/* Returns the end of the steps of a round that may go: the newest ones of the last round stay, and the one that another round
 * ends in. */
static uint32_t end_of_old_steps(const struct tk_fit_plan *p, uint32_t round)
{
    const struct tk_fit_round *x = &p->f->rounds[round];
    uint32_t count = x->end - x->first_step;

    if (round + 1 == p->f->round_count)
        return p->o->keep_last_steps >= count ? x->first_step
                                              : x->end - (uint32_t)p->o->keep_last_steps;
    return count > 0 && p->f->steps[x->end - 1].last == x->last ? x->end - 1 : x->end;
}

static int remove_steps(struct tk_fit_plan *p)
{
    struct tk_fitted *f = p->f;

    for (uint32_t i = 0; i < f->round_count; i++) {
        uint32_t end = end_of_old_steps(p, i);

        if (f->rounds[i].gone || f->rounds[i].whole)
            continue;
        for (uint32_t s = f->rounds[i].first_step; s < end && !is_done(p); s++) {
            if (f->steps[s].bound)
                continue;
            f->steps[s].gone = true;
            remove_entries(p, f->steps[s].first, f->steps[s].last, TK_FIT_STEP_REMOVED);
        }
    }
    return 0;
}

/* ---- all of them ---- */

static const struct {
    int (*take)(struct tk_fit_plan *p);
    bool cuts; /* takes out entries, so that a marker may be put there */
} measures[TK_FIT_MEASURE_COUNT] = {
    [TK_FIT_RESULTS] = {clear_results, false}, [TK_FIT_REASONING] = {drop_reasoning, false},
    [TK_FIT_MEDIA] = {replace_media, false},   [TK_FIT_ROUNDS] = {remove_rounds, true},
    [TK_FIT_LOOPS] = {remove_steps, true},
};

/* Sets the goal: what has to go is rounded up to a multiple of the step, so that the cut stays where it is until the history
 * has grown by a step. */
static void set_goal(struct tk_fit_plan *p)
{
    uint64_t step = p->o->over - p->o->to;
    uint64_t need = p->size > p->o->over ? p->size - p->o->over : 0;

    if (step > 0)
        need = (need + step - 1) / step * step;
    p->goal = p->size > need ? p->size - need : 0;
}

/* Counts the marker, once it may be needed. */
static void add_marker(struct tk_fit_plan *p)
{
    if (!p->o->marker.p || p->marker_size > 0)
        return;
    p->marker_size = tk_fit_marker_size(p);
    p->size += p->marker_size;
    set_goal(p);
}

static int take(struct tk_fit_plan *p, enum tk_fit_measure measure)
{
    if (!(p->o->measures & 1u << measure) || is_done(p))
        return 0;
    if (measures[measure].cuts)
        add_marker(p);
    return measures[measure].take(p);
}

/* Removed rounds may have had the reasoning that kept later reasoning: where nothing else helps, more of it can go. */
int tk_fit_take_measures(struct tk_fit_plan *p)
{
    int r = 0;

    set_goal(p);
    for (int i = 0; i < TK_FIT_MEASURE_COUNT && r == 0; i++)
        r = take(p, (enum tk_fit_measure)i);
    if (r == 0 && p->size > p->o->over && p->rules->reasoning_is_bound)
        r = take(p, TK_FIT_REASONING);
    if (tk_fit_marker_place(p) == TK_NONE) {
        p->size -= p->marker_size;
        p->marker_size = 0;
    }
    return r;
}
