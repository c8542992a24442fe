/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the outcome: what was removed and edited, the patch, and the quarantine. */
#include "engine/edit/emit.h"
#include "engine/removed.h"
#include "operations/fit/fit_inside.h"
#include "shapes/shape.h"
#include "value/cut.h"
#include "value/patch.h"

static bool is_removed(const struct tk_fitted *f, uint32_t entry)
{
    return f->entries[entry].leaves > TK_FIT_DROPPED;
}

/* ---- ranges of removed entries ---- */

struct removed_range {
    uint32_t from, to;
    uint32_t rounds, steps;
    uint64_t size;
};

static void write_range(struct tk_writer *w, const struct tk_fitted *f,
                        const struct removed_range *range)
{
    const struct tk_transcript *t = f->edits->t;

    tk_write_map(w);
    tk_write_kv_str(w, "from", tk_pointer_from(t, range->from, TK_NONE));
    tk_write_kv_str(w, "to", tk_pointer_from(t, range->to, TK_NONE));
    tk_write_kv_int(w, "rounds", range->rounds);
    tk_write_kv_int(w, "steps", range->steps);
    tk_write_key(w, "size");
    tk_write_uint(w, range->size);
    tk_write_end(w);
}

static void add_to_range(const struct tk_fitted *f, uint32_t entry, struct removed_range *range)
{
    const struct tk_fit_entry *x = &f->entries[entry];

    range->to = entry;
    range->size += tk_fit_size_of(f->options, x);
    range->rounds += f->rounds[x->round].gone && f->rounds[x->round].first == entry;
    range->steps +=
        x->step != TK_NONE && f->steps[x->step].gone && f->steps[x->step].first == entry;
}

static void write_removed(struct tk_writer *w, const struct tk_fitted *f)
{
    uint32_t i = 0, n = f->edits->t->input_messages;

    tk_write_key(w, "removed");
    tk_write_list(w);
    while (i < n) {
        struct removed_range range = {.from = i};

        if (!is_removed(f, i)) {
            i++;
            continue;
        }
        while (i < n && is_removed(f, i))
            add_to_range(f, i++, &range);
        write_range(w, f, &range);
    }
    tk_write_end(w);
}

/* ---- edits ---- */

static const char *const codes[] = {
    [TK_FIT_RESULT_CLEARED] = "result_cleared",
    [TK_FIT_REASONING_REMOVED] = "reasoning_removed",
    [TK_FIT_MEDIA_REMOVED] = "media_removed",
    [TK_FIT_MARKER_INSERTED] = "marker_inserted",
};

static void write_name(struct tk_writer *w, const char *key, struct tk_str name)
{
    if (name.p)
        tk_write_kv_str(w, key, tk_cut(name, w->out->arena));
}

/* Writes the id of a result, and the name of its tool if it has one itself. */
static void write_names(struct tk_writer *w, const struct tk_transcript *t,
                        const struct tk_fit_edit *edit)
{
    const struct tk_message *m = &t->messages[edit->entry];
    struct tk_str id = {NULL, 0}, tool = {NULL, 0};

    if (edit->part == TK_NONE) {
        id = tk_message_id(t->shape, m, t->arena);
        tool = tk_message_tool(t->shape, m, t->arena);
    } else {
        id = tk_text(tk_part_val(&t->parts[edit->part], t->parts[edit->part].id), t->arena);
        tool = tk_own_tool(t, &t->parts[edit->part]);
    }
    write_name(w, "id", id);
    write_name(w, "tool", tool);
}

static void write_edit(struct tk_writer *w, const struct tk_transcript *t,
                       const struct tk_fit_edit *edit)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "code", codes[edit->code]);
    tk_write_kv_cstr(w, "action", tk_action_names[edit->action]);
    tk_write_kv_str(w, "pointer", tk_pointer_from(t, edit->entry, edit->part));
    if (edit->code == TK_FIT_RESULT_CLEARED)
        write_names(w, t, edit);
    tk_write_end(w);
}

/* Returns the index of a message of the outcome. */
static uint32_t index_now(const struct tk_transcript *t, uint32_t message)
{
    uint32_t index = 0;

    for (uint32_t m = t->messages[message].prev; m != TK_NONE; m = t->messages[m].prev)
        index++;
    return index;
}

void tk_fit_write_facts(struct tk_writer *w, const struct tk_fitted *f)
{
    const struct tk_transcript *t = f->edits->t;

    write_removed(w, f);
    tk_write_key(w, "edits");
    tk_write_list(w);
    for (uint32_t i = 0; i < f->edit_count; i++)
        write_edit(w, t, &f->list[i]);
    tk_write_end(w);
    if (f->marker != TK_NONE)
        tk_write_kv_str(w, "marker", tk_place(t, index_now(t, f->marker), TK_NONE, TK_AT_MESSAGE));
}

/* ---- the patch ---- */

int tk_fit_write_operations(struct tk_writer *w, const struct tk_fitted *f)
{
    const struct tk_transcript *t = f->edits->t;
    int r = f->changed ? tk_emit_inner_operations(w, f->edits) : 0;

    for (uint32_t i = t->input_messages; i > 0 && r == 0; i--)
        if (t->messages[i - 1].flags & TK_MESSAGE_DROPPED)
            tk_patch_remove(w, tk_pointer_from(t, i - 1, TK_NONE));
    if (r < 0 || f->marker == TK_NONE || f->marker < t->input_messages)
        return r;
    tk_patch_op(w, "add", tk_place(t, index_now(t, f->marker), TK_NONE, TK_AT_MESSAGE));
    tk_emit_message(w, t, f->marker);
    tk_write_end(w);
    return r;
}

/* ---- what was taken away ---- */

void tk_fit_write_quarantine(struct tk_writer *w, const struct tk_fitted *f, const char *stage)
{
    static const char *const removals[] = {
        [TK_FIT_ROUND_REMOVED] = "round_removed",
        [TK_FIT_STEP_REMOVED] = "step_removed",
    };
    const struct tk_transcript *t = f->edits->t;

    for (uint32_t i = 0; i < f->edit_count; i++)
        if (f->list[i].code != TK_FIT_MARKER_INSERTED)
            tk_write_removed_value(w, tk_pointer_from(t, f->list[i].entry, f->list[i].part),
                                   codes[f->list[i].code], (struct tk_val){t->doc, f->list[i].node},
                                   stage);
    for (uint32_t i = 0; i < t->input_messages; i++)
        if (is_removed(f, i))
            tk_write_removed_value(w, tk_pointer_from(t, i, TK_NONE),
                                   removals[f->entries[i].leaves],
                                   (struct tk_val){t->doc, t->messages[i].sent}, stage);
}
