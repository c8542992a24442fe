/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/removed.h"

#include <errno.h>

#include "shapes/shape.h"

void tk_write_removed_value(struct tk_writer *w, struct tk_str pointer, const char *code,
                            struct tk_val value, const char *stage)
{
    tk_write_map(w);
    tk_write_kv_str(w, "pointer", pointer);
    tk_write_kv_cstr(w, "code", code);
    tk_write_key(w, "value");
    tk_write_val(w, value);
    if (stage)
        tk_write_kv_cstr(w, "stage", stage);
    tk_write_end(w);
}

/* Actions that take something away. */
static const bool removes[TK_ACTION_COUNT] = {
    [TK_ACTION_DROP] = true,         [TK_ACTION_TEXTIFY] = true, [TK_ACTION_MERGE] = true,
    [TK_ACTION_DROP_MESSAGE] = true, [TK_ACTION_DEMOTE] = true,  [TK_ACTION_RESTORE] = true,
    [TK_ACTION_REWRITE] = true,
};

struct removed {
    const struct tk_transcript *t;
    bool *messages;  /* by message of the input: it is listed as a whole */
    bool *written;   /* by message, then by part: it has its element */
    uint32_t *nodes; /* by part of the input: its node as it was sent; TK_NO_NODE: not known yet */
};

/* Returns true if the edit is of a message, or of an item that is itself a part. */
static bool is_of_message(const struct tk_transcript *t, const struct tk_edit *edit)
{
    return edit->site.part == TK_NONE || (t->parts[edit->site.part].flags & TK_PART_WHOLE);
}

/* Returns true if the edit is of a place of the history, and took something away that was sent. */
static bool counts(const struct tk_transcript *t, const struct tk_edit *edit)
{
    return removes[edit->action] && edit->site.entry < t->input_messages;
}

/* Notes the nodes of a list of parts as it was sent, from this part on. A text is one part. */
static void note_list(struct removed *x, struct tk_val list, uint32_t part)
{
    if (tk_is(list, TK_STRING) && part < x->t->input_parts)
        x->nodes[part] = list.node;
    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v);
         v = tk_after(list, v))
        x->nodes[part++] = v.node;
}

/* Returns a part as it was sent. The nodes of a message are noted together. */
static struct tk_val part_as_sent(struct removed *x, uint32_t part)
{
    const struct tk_transcript *t = x->t;
    const struct tk_message *m = &t->messages[t->parts[part].from_message];
    struct tk_val sent = {t->doc, m->sent};

    if (x->nodes[part] == TK_NO_NODE && (t->parts[part].flags & TK_PART_IN_CALLS))
        note_list(x, tk_get(sent, tk_calls_name(t->shape)), m->input_calls);
    else if (x->nodes[part] == TK_NO_NODE)
        note_list(x, tk_get(sent, tk_parts_name(t->shape)), m->input_first);
    return (struct tk_val){t->doc, x->nodes[part]};
}

static void write_edit(struct tk_writer *w, struct removed *x, const struct tk_edit *edit,
                       const char *stage)
{
    const struct tk_transcript *t = x->t;
    bool whole = is_of_message(t, edit);
    bool *written = &x->written[whole ? edit->site.entry : t->input_messages + edit->site.part];
    struct tk_val value;

    if (*written || (!whole && x->messages[edit->site.entry]))
        return;
    *written = true;
    value = whole ? (struct tk_val){t->doc, t->messages[edit->site.entry].sent}
                  : part_as_sent(x, edit->site.part);
    if (tk_exists(value))
        tk_write_removed_value(w, tk_pointer_from(t, edit->site.entry, edit->site.part),
                               tk_catalogue[edit->code].code, value, stage);
}

int tk_report_removed(struct tk_writer *w, const struct tk_edits *edits, const char *stage)
{
    const struct tk_transcript *t = edits->t;
    struct removed x = {.t = t};

    if (edits->count == 0)
        return 0;
    x.messages = tk_arena_zalloc(t->arena, t->input_messages, sizeof(*x.messages));
    x.written =
        tk_arena_zalloc(t->arena, (size_t)t->input_messages + t->input_parts, sizeof(*x.written));
    x.nodes = tk_arena_alloc(t->arena, t->input_parts * sizeof(*x.nodes));
    if (!x.messages || !x.written || !x.nodes)
        return -ENOMEM;
    memset(x.nodes, 0xff, t->input_parts * sizeof(*x.nodes));
    for (uint32_t i = 0; i < edits->count; i++)
        if (counts(t, &edits->list[i]) && is_of_message(t, &edits->list[i]))
            x.messages[edits->list[i].site.entry] = true;
    for (uint32_t i = 0; i < edits->count; i++)
        if (counts(t, &edits->list[i]))
            write_edit(w, &x, &edits->list[i], stage);
    return 0;
}
