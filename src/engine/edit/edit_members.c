/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of a message's own members, and messages that are given as their bytes. */
#include "engine/edit/edit_part.h"

#include <errno.h>

#include "shapes/read.h"
#include "value/pointer.h"
#include "value/splice.h"

/* ---- lists of parts ---- */

/* The flags that follow from a message's bytes. */
#define READ_FLAGS                                                                                 \
    (TK_MESSAGE_TOOL | TK_MESSAGE_VARIANT | TK_MESSAGE_RESULT | TK_MESSAGE_NO_ROLE |               \
     TK_MESSAGE_EXTRA | TK_MESSAGE_KEPT)

/* Takes the parts of the content, or of the second list, out of a message. */
static void remove_parts(struct tk_edits *e, uint32_t message, bool calls)
{
    struct tk_transcript *t = e->t;

    for (uint32_t i = t->messages[message].first, next; i != TK_NONE; i = next) {
        next = t->parts[i].next;
        if (!(t->parts[i].flags & TK_PART_IN_CALLS) == calls)
            continue;
        tk_remove_part(e, i);
    }
}

int tk_change_message(struct tk_edits *e, uint32_t message, struct tk_str encoded)
{
    const struct tk_doc *doc = encoded.p ? tk_fragment(e, encoded) : NULL;
    struct tk_message *m = &e->t->messages[message];
    uint32_t before = m->flags;

    if (!doc)
        return -ENOMEM;
    m->doc = doc;
    m->node = 0;
    m->options = TK_NO_NODE;
    m->flags &= ~(uint32_t)READ_FLAGS;
    m->flags |= TK_MESSAGE_TOUCHED;
    tk_shape_read_message(e->t->shape, m, e->t->arena);
    tk_read_role_of_parts(e->t, message);
    if ((before ^ m->flags) & TK_MESSAGE_NO_ROLE)
        e->t->with_role += before & TK_MESSAGE_NO_ROLE ? 1u : UINT32_MAX;
    return 0;
}

/* Reads a list of parts again, from the message's new bytes. */
static int read_again(struct tk_edits *e, uint32_t message, bool calls)
{
    struct tk_message *m = &e->t->messages[message];

    remove_parts(e, message, calls);
    m->flags |= calls ? TK_MESSAGE_NEW_CALLS : TK_MESSAGE_NEW_CONTENT;
    m->flags &= ~(uint32_t)TK_MESSAGE_EMPTIED;
    return calls ? tk_read_calls(e->t, message, TK_PART_MADE | TK_PART_CHANGED)
                 : tk_read_content(e->t, message, TK_PART_MADE | TK_PART_CHANGED);
}

/* ---- members ---- */

static bool is_content(const struct tk_edits *e, const char *key)
{
    return tk_str_eq(tk_str_of(key), tk_parts_name(e->t->shape));
}

static bool is_calls(const struct tk_edits *e, const char *key)
{
    return e->t->shape->calls.p && tk_str_eq(tk_str_of(key), tk_calls_name(e->t->shape));
}

/* Notes the operation for the patch. A list of parts is written from the parts, at the end. */
static int note_member(struct tk_edits *e, uint32_t message, const char *key, struct tk_str value,
                       bool replaces)
{
    struct tk_str path = tk_pointer_add(TK_STR(""), tk_str_of(key), e->t->arena);

    if (message >= e->t->input_messages || (value.p && (is_content(e, key) || is_calls(e, key))))
        return 0;
    return tk_message_change_note(e, message, path, value, replaces);
}

int tk_message_set(struct tk_edits *e, uint32_t message, const char *key, struct tk_str value)
{
    const struct tk_message *m = &e->t->messages[message];
    struct tk_val whole = {m->doc, m->node}, old = tk_get(whole, tk_str_of(key));
    bool had_calls = m->calls != TK_NO_NODE;
    struct tk_str encoded;
    int r;

    if (!value.p)
        return -ENOMEM;
    encoded = tk_exists(old) ? tk_splice_replace(e->t->arena, whole, old, value)
                             : tk_splice_add(e->t->arena, whole, whole, key, value);
    r = note_member(e, message, key, value, tk_exists(old));
    if (r == 0)
        r = tk_change_message(e, message, encoded);
    if (r == 0 && (is_content(e, key) || is_calls(e, key)))
        r = read_again(e, message, is_calls(e, key));
    else if (r == 0 && had_calls != (e->t->messages[message].calls != TK_NO_NODE))
        r = read_again(e, message, true); /* the new role has a second list, or has none */
    return r;
}

int tk_message_remove(struct tk_edits *e, uint32_t message, const char *key)
{
    struct tk_message *m = &e->t->messages[message];
    struct tk_val whole = {m->doc, m->node}, old = tk_get(whole, tk_str_of(key));
    int r;

    if (!tk_exists(old))
        return 0;
    if (is_content(e, key) || is_calls(e, key)) {
        remove_parts(e, message, is_calls(e, key));
        m->flags |= is_calls(e, key) ? TK_MESSAGE_NEW_CALLS : TK_MESSAGE_NEW_CONTENT;
    }
    r = note_member(e, message, key, (struct tk_str){0}, true);
    return r < 0 ? r
                 : tk_change_message(e, message, tk_splice_remove(e->t->arena, whole, whole, old));
}

int tk_message_sieve(struct tk_edits *e, uint32_t message,
                     bool (*goes)(const void *arg, struct tk_val member), const void *arg)
{
    const struct tk_message *m = &e->t->messages[message];
    struct tk_val whole = {m->doc, m->node};
    struct tk_str without = tk_splice_without(e->t->arena, whole, goes, arg);
    int r = without.p ? 0 : -ENOMEM;

    for (struct tk_val v = tk_first(whole); tk_exists(v) && r == 0; v = tk_after(whole, v))
        if (message < e->t->input_messages && goes(arg, v))
            r = tk_message_change_note(
                e, message, tk_pointer_add(TK_STR(""), tk_key(v, e->t->arena), e->t->arena),
                (struct tk_str){0}, true);
    return r < 0 ? r : tk_change_message(e, message, without);
}

/* ---- whole messages ---- */

/* Reads a message that has no parts from its bytes, with its parts. */
static int read_whole(struct tk_edits *e, uint32_t message, struct tk_str encoded)
{
    int r = tk_change_message(e, message, encoded);

    if (r == 0)
        r = tk_read_content(e->t, message, TK_PART_MADE | TK_PART_CHANGED);
    return r < 0 ? r : tk_read_calls(e->t, message, TK_PART_MADE | TK_PART_CHANGED);
}

int tk_message_recast(struct tk_edits *e, uint32_t message, struct tk_str encoded)
{
    struct tk_transcript *t = e->t;
    int r;

    remove_parts(e, message, false);
    remove_parts(e, message, true);
    t->messages[message].flags &=
        ~(uint32_t)(TK_MESSAGE_WHOLE | TK_MESSAGE_EMPTIED | TK_MESSAGE_RELISTED |
                    TK_MESSAGE_NEW_CONTENT | TK_MESSAGE_NEW_CALLS);
    t->messages[message].flags |= TK_MESSAGE_RECAST;
    r = read_whole(e, message, encoded);
    /* A message that was sent is still the one that is reported about. */
    if (r == 0 && (t->messages[message].flags & TK_MESSAGE_WHOLE))
        t->parts[t->messages[message].first].from_message = tk_message_from(t, message);
    return r;
}

int tk_edit_drop_item(struct tk_edits *e, uint32_t message, uint16_t code)
{
    int r;

    if (e->t->messages[message].flags & TK_MESSAGE_WHOLE)
        return tk_edit_drop(e, e->t->messages[message].first, code);
    r = tk_edit_message(e, message, code, TK_ACTION_DROP);
    if (r == 0)
        tk_remove_message(e, message);
    return r;
}

uint32_t tk_edit_new_message(struct tk_edits *e, uint32_t after, struct tk_str encoded)
{
    uint32_t message = tk_new_message(e->t);

    if (message == TK_NONE)
        return TK_NONE;
    e->t->messages[message].flags = TK_MESSAGE_MADE | TK_MESSAGE_NO_ROLE;
    tk_link_message(e->t, after, message);
    return read_whole(e, message, encoded) < 0 ? TK_NONE : message;
}

void tk_remove_part(struct tk_edits *e, uint32_t part)
{
    e->t->messages[e->t->parts[part].message].flags |= TK_MESSAGE_TOUCHED;
    tk_unlink_part(e->t, part);
    e->t->parts[part].flags |= TK_PART_REMOVED;
}

void tk_put_message_after(struct tk_edits *e, uint32_t message, uint32_t after)
{
    if (e->t->messages[message].prev == after || message == after)
        return;
    tk_unlink_message(e->t, message);
    tk_link_message(e->t, after, message);
    e->t->messages[message].flags |= TK_MESSAGE_MOVED;
    e->moves_messages = true;
}

int tk_edit_message(struct tk_edits *e, uint32_t message, uint16_t code, enum tk_action action)
{
    const struct tk_message *m = &e->t->messages[message];

    if (m->flags & TK_MESSAGE_WHOLE)
        return tk_edit_note(e, TK_NONE, m->first, code, action);
    return tk_edit_note(e, tk_message_from(e->t, message), TK_NONE, code, action);
}

int tk_edit_message_joined(struct tk_edits *e, uint32_t message, uint16_t code)
{
    int r = tk_edit_message(e, message, code, TK_ACTION_MERGE);

    if (r < 0)
        return r;
    tk_remove_message(e, message);
    e->t->messages[message].flags |= TK_MESSAGE_MERGED;
    return 0;
}
