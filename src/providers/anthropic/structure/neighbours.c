/* SPDX-License-Identifier: Apache-2.0 */
/* Answers the engine's questions about messages that are to be merged (engine/merge_messages.h). */
#include "providers/anthropic/structure/neighbours.h"

#include <errno.h>

#include "engine/edit/edit_part.h"
#include "providers/anthropic/state.h"
#include "shapes/shape.h"
#include "value/splice.h"

/* Returns true if merging would lose no member: a system message of the wire has members next to its content. */
static bool has_no_settings(const struct tk_transcript *t, const struct tk_message *m)
{
    struct tk_val v = {m->doc, m->node};

    return m->role != TK_ROLE_SYSTEM || (!tk_adapter_of(t->shape)->system_is_string &&
                                         !tk_exists(tk_get(v, TK_STR("output_config"))) &&
                                         !tk_exists(tk_get(v, TK_STR("clear_at"))));
}

bool tk_may_join(const struct tk_judge *j, uint32_t message)
{
    return has_no_settings(j->t, &j->t->messages[message]) &&
           tk_sealed_turn_of(&tk_anthropic(j)->seals, message) == NULL;
}

bool tk_must_join(const struct tk_judge *j, uint32_t message)
{
    uint32_t i = j->t->messages[message].finding;

    while (i != TK_NONE && j->findings.list[i].code != TK_CODE_ROLES_NOT_ALTERNATING)
        i = j->findings.list[i].next;
    return i != TK_NONE;
}

/* ---- provider options ---- */

/* Replaces string content by a text part with options, since a string can't hold any. The patch contains it
 * whole. */
static int string_with_options(struct tk_edits *e, uint32_t part, struct tk_str options)
{
    const struct tk_path *path = &e->t->shape->options;
    struct tk_str text = tk_span(tk_part_val(&e->t->parts[part], e->t->parts[part].node));
    const struct tk_doc *doc = tk_fragment(e, tk_encode_string_part(e, text, (struct tk_str){0}));
    struct tk_val at;
    int depth = 0;

    if (!doc)
        return -ENOMEM;
    for (at = tk_root(doc); depth + 1 < TK_PATH_MAX && path->keys[depth + 1]; depth++)
        at = tk_path_step(at, path, depth);
    e->t->parts[part].flags &= ~(uint32_t)TK_PART_STRING;
    return tk_part_refill(e, part,
                          tk_splice_add(e->t->arena, tk_root(doc), at, path->keys[depth], options));
}

/* Returns true if a part can take the message's options. Those that it has itself count more, and
 * stored ones would no longer be read next to others. */
static bool takes_options(const struct tk_shape *d, struct tk_val part)
{
    const struct tk_path *path = &tk_adapter_of(d)->stored_options;
    struct tk_val stored = path->keys[0] ? tk_path_get(part, path) : TK_NO_VAL;

    return tk_is(part, TK_OBJECT) && !tk_is(tk_path_get(part, &d->options), TK_OBJECT) &&
           !tk_is(stored, TK_OBJECT);
}

int tk_options_to_parts(struct tk_edits *e, uint32_t message)
{
    struct tk_transcript *t = e->t;
    struct tk_message *m = &t->messages[message];
    struct tk_val options = {m->doc, m->options}, part;
    uint32_t last = m->last;
    int r = 0;

    if (!tk_exists(options) || (m->flags & TK_MESSAGE_MADE))
        return 0;
    part = last == TK_NONE ? TK_NO_VAL : tk_part_val(&t->parts[last], t->parts[last].node);
    if (tk_is(options, TK_OBJECT) && last != TK_NONE && (t->parts[last].flags & TK_PART_STRING))
        r = string_with_options(e, last, tk_span(options));
    else if (tk_is(options, TK_OBJECT) && takes_options(t->shape, part))
        r = tk_change_set(e, last, &t->shape->options, tk_span(options));
    return r < 0 ? r : tk_message_remove(e, message, t->shape->message_options);
}
