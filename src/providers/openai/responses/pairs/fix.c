/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/rules.h"

#include <errno.h>

#include "engine/fix.h"
#include "engine/pairs/new_id.h"
#include "providers/openai/responses/item.h"
#include "providers/openai/responses/pairs/output.h"
#include "providers/openai/responses/text/textify.h"
#include "value/compact.h"

static struct tk_pairs *pairs_of(const struct tk_plan *p)
{
    return &tk_responses(p->j)->pairs;
}

static const struct tk_link *link_of(const struct tk_plan *p, uint32_t item)
{
    return tk_part_link(pairs_of(p), tk_item_part(p->j->t, item));
}

/* ---- copies of calls ---- */

/* Returns bytes that two calls of one batch share if they are equal without `id` and `status`. */
static struct tk_str likeness(const struct tk_plan *p, uint32_t item)
{
    struct tk_val v = tk_item_val(p->j->t, item);
    struct tk_out out;

    tk_out_init(&out, p->j->t->arena);
    tk_out_put(&out, (const char *)&link_of(p, item)->scope, sizeof(uint32_t));
    for (struct tk_val x = tk_first(v); tk_exists(x); x = tk_after(v, x)) {
        struct tk_str key = tk_raw_key(x);

        if (tk_key_is(x, TK_STR("id")) || tk_key_is(x, TK_STR("status")))
            continue;
        tk_out_put(&out, key.p, key.n);
        tk_out_put(&out, "\"", 1);
        tk_compact_json(&out, x, NULL);
    }
    return tk_out_join(&out);
}

/* Notes every call by its likeness, with its place plus one. */
static int note_copies(struct tk_plan *p)
{
    struct tk_responses *own = tk_responses(p->j);
    const struct tk_transcript *t = p->j->t;

    if (own->knows_copies)
        return 0;
    if (own->copies.count > 0 && !tk_map_clear(&own->copies, 0))
        return -ENOMEM;
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next) {
        bool is_new;
        struct tk_str key;
        uint32_t *at;

        if (!tk_item_is_call(t, m))
            continue;
        key = likeness(p, m);
        at = key.p ? tk_map_put(&own->copies, key, &is_new) : NULL;
        if (!at)
            return -ENOMEM;
        if (is_new)
            *at = link_of(p, m)->at;
    }
    own->knows_copies = true;
    return 0;
}

/* Returns true if an equal call comes before the call in its batch. */
static bool is_copy(struct tk_plan *p, uint32_t item)
{
    const uint32_t *at = NULL;

    if (note_copies(p) == 0)
        at = tk_map_get(&tk_responses(p->j)->copies, likeness(p, item));
    return at && *at < link_of(p, item)->at;
}

/* ---- repeated ids of calls ---- */

struct tk_decision tk_want_call_id_once(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    uint32_t item = f->site.entry;
    bool open = link_of(p, item)->match == TK_MATCH_OPEN;

    if (policy->duplicate_id == TK_FIX_REPORT)
        return tk_no_edit();
    return tk_edit_by(open && !tk_item_is_kept(p->j->t, item) && is_copy(p, item)
                          ? TK_ACTION_DROP
                          : TK_ACTION_REWRITE);
}

/* Gives a call or output a new id. */
static int rename_item(struct tk_plan *p, uint32_t item, uint16_t code, struct tk_str id)
{
    bool by_call_id = tk_has_text(tk_item_get(p->j->t, item, TK_STR("call_id")));
    int r = tk_item_line(p, item, code, TK_ACTION_REWRITE);

    return r == 0 ? tk_item_set_text(p, item, by_call_id ? "call_id" : "id", id) : r;
}

int tk_fix_repeated_call(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_transcript *t = p->j->t;
    const struct tk_link link = *link_of(p, f->site.entry);
    struct tk_str id;
    int r;

    if (d.action == TK_ACTION_DROP)
        return tk_item_drop(p, f->site.entry, f->code);
    id = tk_unused_id(pairs_of(p), tk_part_id(t, &t->parts[f->site.part]), tk_is_used_before,
                      link.at);
    if (!id.p || tk_note_id(pairs_of(p), id, link.at) < 0)
        return -ENOMEM;
    r = rename_item(p, f->site.entry, f->code, id);
    return r == 0 && link.partner != TK_NONE
               ? rename_item(p, t->parts[link.partner].message, f->code, id)
               : r;
}

/* ---- outputs ---- */

/* Returns true if a second output equals the one that answers its call. */
static bool is_same_output(struct tk_plan *p, uint32_t item)
{
    uint32_t call = link_of(p, item)->partner;
    uint32_t first = call == TK_NONE ? TK_NONE : tk_part_link(pairs_of(p), call)->partner;

    return first != TK_NONE && !(p->j->t->parts[first].flags & TK_PART_REMOVED) &&
           tk_items_are_equal(p, p->j->t->parts[first].message, item, NULL);
}

struct tk_decision tk_want_output_once(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    uint32_t item = f->site.entry;

    if (policy->duplicate_id == TK_FIX_REPORT)
        return tk_no_edit();
    if (!tk_item_is_kept(p->j->t, item) && is_same_output(p, item))
        return tk_edit_by(TK_ACTION_DROP);
    return tk_want_text(p, item);
}

struct tk_decision tk_want_call_of(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy)
{
    if (policy->unmatched_result == TK_FIX_REPORT)
        return tk_no_edit();
    return link_of(p, f->site.entry)->match == TK_MATCH_CLAIM ? tk_edit_by(TK_ACTION_REWRITE)
                                                              : tk_want_text(p, f->site.entry);
}

int tk_fix_output(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t item = f->site.entry;
    uint8_t other = tk_item_is(p->j->t, item, TK_ITEM_FUNCTION_OUTPUT) ? TK_ITEM_CUSTOM_OUTPUT
                                                                       : TK_ITEM_FUNCTION_OUTPUT;
    int r;

    if (d.action == TK_ACTION_DROP)
        return tk_item_drop(p, item, f->code);
    if (d.action == TK_ACTION_TEXTIFY)
        return tk_item_textify(p, item, f->code);
    r = tk_item_line(p, item, f->code, TK_ACTION_REWRITE);
    if (r == 0)
        r = tk_item_set_text(p, item, "type", tk_items[other].type);
    if (r == 0)
        p->j->t->messages[item].item = other;
    return r;
}

/* ---- the row of outputs after a batch ---- */

/* Returns the last item of a call's batch and of the outputs directly after it. */
static uint32_t walk_row(const struct tk_transcript *t, uint32_t item)
{
    uint32_t next = t->messages[item].next;

    for (; next != TK_NONE && tk_item_is_call(t, next); next = t->messages[item].next)
        item = next;
    for (; next != TK_NONE && tk_item_is_output(t, next); next = t->messages[item].next)
        item = next;
    return item;
}

/* Returns where the next output of a call's batch goes, to be read and written: the message before
 * it. NULL without memory. */
static uint32_t *row_end(struct tk_plan *p, uint32_t call)
{
    struct tk_responses *own = tk_responses(p->j);
    uint32_t batch = tk_part_link(pairs_of(p), call)->scope;

    if (own->row_end_count == 0) {
        own->row_ends =
            tk_arena_alloc(p->j->t->arena, pairs_of(p)->scope_count * sizeof(*own->row_ends));
        if (!own->row_ends)
            return NULL;
        own->row_end_count = pairs_of(p)->scope_count;
        memset(own->row_ends, 0xff, own->row_end_count * sizeof(*own->row_ends));
    }
    if (own->row_ends[batch] == TK_NONE)
        own->row_ends[batch] = walk_row(p->j->t, p->j->t->parts[call].message);
    return &own->row_ends[batch];
}

/* ---- calls without an output ---- */

struct tk_decision tk_want_output_of(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    uint32_t item = f->site.entry;

    if (policy->unanswered_call == TK_FIX_REPORT)
        return tk_no_edit();
    if (tk_item_at(p->j->t, item)->output != TK_ITEM_NONE)
        return tk_edit_by(TK_ACTION_INSERT_RESULT);
    return tk_item_is_kept(p->j->t, item) ? tk_no_edit() : tk_edit_by(TK_ACTION_DROP);
}

static void write_not_executed(struct tk_writer *w, const void *arg)
{
    (void)arg;
    tk_write_cstr(w, TK_NOT_EXECUTED);
}

/* Returns an output that says that its call was not executed. */
static struct tk_str unexecuted(struct tk_plan *p, uint32_t item)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_item_output output = {
        .call = tk_item_val(t, item),
        .row = tk_item_at(t, item)->output,
        .failed = true,
        .write_text = write_not_executed,
    };
    struct tk_encoding e;

    tk_encode_begin(&e, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_item_output(&e.w, &output);
    return tk_encode_end(&e);
}

int tk_fix_open_call(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t *end;
    int r;

    if (d.action == TK_ACTION_DROP)
        return tk_item_drop(p, f->site.entry, f->code);
    end = row_end(p, f->site.part);
    if (!end)
        return -ENOMEM;
    r = tk_item_line(p, f->site.entry, f->code, TK_ACTION_INSERT_RESULT);
    return r == 0 ? tk_item_insert(p, *end, unexecuted(p, f->site.entry), end) : r;
}

/* ---- outputs apart from their calls ---- */

int tk_fix_interleaved(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t item = f->site.entry, call = link_of(p, item)->partner;
    uint32_t *end = row_end(p, call);
    int r;

    (void)d;
    if (!end)
        return -ENOMEM;
    r = tk_item_line(p, item, f->code, TK_ACTION_MOVE);
    if (r < 0)
        return r;
    tk_items_touch(p->j);
    tk_put_message_after(p->e, item, *end);
    *end = item;
    return 0;
}
