/* SPDX-License-Identifier: Apache-2.0 */
/* Edits the transcript as planned: first inside entries that stay, then whole entries. */
#include <errno.h>

#include "operations/fit/fit_inside.h"

int tk_fit_note_edit(struct tk_fit_plan *p, struct tk_fit_edit edit)
{
    struct tk_fitted *f = p->f;

    if (!TK_GROW(p->t->arena, f->list, f->edit_count, f->edit_capacity))
        return -ENOMEM;
    f->list[f->edit_count++] = edit;
    return 0;
}

/* ---- inside of entries ---- */

static int clear_result(struct tk_fit_plan *p, const struct tk_fit_edit *edit,
                        struct tk_str payload)
{
    int r;

    if (edit->part == TK_NONE)
        return tk_message_set(p->e, edit->entry, p->rules->payload.keys[0], payload);
    r = tk_change_set(p->e, edit->part, &p->rules->payload, payload);
    if (r == 0 && p->rules->also.keys[0])
        r = tk_change_remove(p->e, edit->part, &p->rules->also);
    p->t->parts[edit->part].flags |= TK_PART_CHANGED;
    return r;
}

static void drop_reasoning(struct tk_fit_plan *p, const struct tk_fit_edit *edit)
{
    if (p->t->messages[edit->entry].flags & TK_MESSAGE_WHOLE)
        tk_remove_message(p->e, edit->entry);
    else
        tk_remove_part(p->e, edit->part);
}

static int remove_media(struct tk_fit_plan *p, const struct tk_fit_edit *edit, struct tk_str text)
{
    p->t->parts[edit->part].flags |= TK_PART_CHANGED;
    return tk_change_all(p->e, edit->part, text);
}

/* Makes the edits of entries that stay, and removes the others from the list. */
static int edit_entries(struct tk_fit_plan *p)
{
    struct tk_fitted *f = p->f;
    struct tk_str payload = tk_fit_encode(p, (enum tk_codec)p->t->doc->codec,
                                          p->rules->write_payload, p->o->placeholder);
    struct tk_str text =
        tk_encode_text_part(p->e, p->o->media_placeholder, (struct tk_str){NULL, 0});
    uint32_t kept = 0;
    int r = payload.p && text.p ? 0 : -ENOMEM;

    for (uint32_t i = 0; i < f->edit_count && r == 0; i++) {
        const struct tk_fit_edit edit = f->list[i];

        if (tk_fit_is_late(p))
            return -ECANCELED;
        if (f->entries[edit.entry].leaves > TK_FIT_DROPPED)
            continue;
        f->list[kept++] = edit;
        p->e->steps++;
        if (edit.code == TK_FIT_RESULT_CLEARED)
            r = clear_result(p, &edit, payload);
        else if (edit.code == TK_FIT_REASONING_REMOVED)
            drop_reasoning(p, &edit);
        else
            r = remove_media(p, &edit, text);
    }
    f->edit_count = kept;
    return r;
}

/* ---- whole entries ---- */

static void remove_entries(struct tk_fit_plan *p)
{
    for (uint32_t i = 0; i < p->entry_count; i++)
        if (p->f->entries[i].leaves > TK_FIT_DROPPED) {
            tk_remove_message(p->e, i);
            p->e->steps++;
        }
}

int tk_fit_make_edits(struct tk_fit_plan *p)
{
    uint32_t prompt = tk_fit_marker_place(p);
    int r = p->f->edit_count > 0 ? edit_entries(p) : 0;

    if (r < 0)
        return r;
    remove_entries(p);
    if (prompt != TK_NONE)
        r = tk_fit_put_marker(p, prompt);
    p->f->changed = p->e->steps > 0;
    return r;
}
