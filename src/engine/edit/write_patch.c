/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the patch. Operations are applied one after the other, so each index must be right at the
 * moment its operation is applied:
 *
 *     1. changes inside parts, and string contents that become lists: indexes are the input's
 *     2. moves of parts, with indexes from a Fenwick tree over the places of each message concerned
 *     3. parts that are removed, added or replaced, from the end of each message to its start: the
 *        parts before a place are still as step 2 left them
 *     4. messages: first moves, with indexes from another Fenwick tree; then removals and additions
 *        from the start: the messages before a place are final
 *
 * So a patch contains only what is new; a moved part is a `move` without its bytes.
 */
#include <errno.h>

#include "engine/edit/emit.h"
#include "shapes/shape.h"
#include "value/patch.h"

/* The places of a message: one for every part that is in it before or after the edits. */
struct places {
    uint32_t *parts;   /* parts by place */
    uint32_t *present; /* Fenwick tree over places: how many contain a part */
    uint32_t count;
};

struct patch {
    struct tk_writer *w;
    const struct tk_edits *e;
    const struct tk_transcript *t;
    struct places *places; /* by message, built on demand; count == TK_NONE: not yet */
    uint32_t *place_of;    /* by part: its place in the message that holds it now */
    uint32_t *input_place; /* by part: its place in the message that held it in the input */
};

/* ---- operations ---- */

/* Returns "/messages/3/content"; for a lone turn "/content". */
static struct tk_str content_path(const struct patch *p, uint32_t message)
{
    return tk_place(p->t, message, 0, TK_AT_PARTS);
}

/* Returns "/messages/3/content/1"; the message itself if it has no list of parts. */
static struct tk_str part_path(const struct patch *p, uint32_t message, uint32_t index)
{
    bool whole = p->t->messages[message].flags & TK_MESSAGE_WHOLE;

    return tk_place(p->t, message, index, whole ? TK_AT_MESSAGE : TK_AT_PART);
}

static void op_part(struct patch *p, const char *op, uint32_t message, uint32_t index,
                    uint32_t part)
{
    tk_patch_op(p->w, op, part_path(p, message, index));
    tk_emit_part(p->w, p->t, part);
    tk_write_end(p->w);
}

/* ---- 1: inside parts, and contents that become lists ---- */

static bool is_gone(const struct patch *p, const struct tk_part *part)
{
    return (part->flags & TK_PART_REMOVED) ||
           ((p->t->messages[part->from_message].flags & TK_MESSAGE_DROPPED) &&
            !(part->flags & TK_PART_MOVED));
}

/* Writes the changes of the part or message at `place`. */
static void write_changes(struct patch *p, struct tk_str place, uint32_t first)
{
    for (uint32_t i = first; i != TK_NONE; i = p->e->changes[i].next) {
        const struct tk_change *c = &p->e->changes[i];
        struct tk_str path = tk_arena_concat(p->t->arena, (struct tk_str[]){place, c->path}, 2);

        if (!c->value.p) {
            tk_patch_remove(p->w, path);
            continue;
        }
        tk_patch_set(p->w, c->replaces, path);
        tk_write_raw(p->w, c->value);
        tk_write_end(p->w);
    }
}

/* Replaces the string by a list; the string, if it isn't empty, becomes its only element. */
static void write_relisting(struct patch *p, uint32_t message, uint32_t part)
{
    tk_patch_set(p->w, !(p->t->messages[message].flags & TK_MESSAGE_FILLED),
                 content_path(p, message));
    tk_write_list(p->w);
    if (part != TK_NONE)
        tk_emit_part(p->w, p->t, part);
    tk_write_end(p->w);
    tk_write_end(p->w);
}

static bool is_relisted(const struct tk_message *m)
{
    return (m->flags & TK_MESSAGE_RELISTED) && m->node != TK_NO_NODE;
}

/* Sets the content and the list of calls that an edit gave to a message; an "add" also replaces. */
static void write_new_lists(struct patch *p, uint32_t message)
{
    const struct tk_message *m = &p->t->messages[message];

    for (int calls = 0; calls < 2; calls++) {
        uint32_t flag = calls ? TK_MESSAGE_NEW_CALLS : TK_MESSAGE_NEW_CONTENT;

        if (!(m->flags & flag) || (calls ? m->calls : m->content) == TK_NO_NODE)
            continue;
        tk_patch_op(p->w, "add", tk_place(p->t, message, 0, calls ? TK_AT_CALLS : TK_AT_PARTS));
        tk_emit_list_of(p->w, p->t, message, calls);
        tk_write_end(p->w);
    }
}

/* Writes what happened to a message's own members and lists. */
static void write_message(struct patch *p, uint32_t m, uint32_t string)
{
    const struct tk_message *message = &p->t->messages[m];
    bool dropped = message->flags & TK_MESSAGE_DROPPED;

    if (message->flags & TK_MESSAGE_RECAST) {
        if (dropped)
            return;
        tk_patch_set(p->w, true, tk_place(p->t, m, TK_NONE, TK_AT_MESSAGE));
        tk_emit_message(p->w, p->t, m);
        tk_write_end(p->w);
        return;
    }
    if (is_relisted(message) &&
        (!dropped || (string != TK_NONE && (p->t->parts[string].flags & TK_PART_MOVED))))
        write_relisting(p, m, string);
    if (dropped)
        return;
    if (p->e->changes_of_message)
        write_changes(p, tk_pointer_from(p->t, m, TK_NONE), p->e->changes_of_message[m]);
    write_new_lists(p, m);
}

static void write_inside(struct patch *p)
{
    uint32_t i = 0;

    for (uint32_t m = 0; m < p->t->input_messages; m++) {
        const struct tk_message *message = &p->t->messages[m];
        bool is_string = tk_is((struct tk_val){message->doc, message->content}, TK_STRING);
        uint32_t string = TK_NONE;

        for (; i < p->t->input_parts && p->t->parts[i].from_message == m; i++) {
            const struct tk_part *part = &p->t->parts[i];

            if (is_string && !(part->flags & TK_PART_IN_CALLS))
                string = i;
            if (p->e->changes_of && !(part->flags & TK_PART_MADE) && !is_gone(p, part) &&
                ((part->flags & TK_PART_IN_CALLS) ||
                 is_string == ((part->flags & TK_PART_STRING) != 0)))
                write_changes(p, tk_pointer_from(p->t, m, i), p->e->changes_of[i]);
        }
        write_message(p, m, string);
    }
}

/* ---- 2: moves ---- */

static void add_at(struct places *s, uint32_t place, int32_t delta)
{
    for (uint32_t i = place + 1; i <= s->count; i += i & -i)
        s->present[i] = (uint32_t)((int32_t)s->present[i] + delta);
}

/* Returns how many places before this one contain a part: its index in the list. */
static uint32_t index_of(const struct places *s, uint32_t place)
{
    uint32_t n = 0;

    for (uint32_t i = place; i > 0; i -= i & -i)
        n += s->present[i];
    return n;
}

/* Returns true if a part of the input stays in this message, in its order. */
static bool is_in_place(const struct patch *p, uint32_t part, uint32_t message)
{
    const struct tk_part *x = &p->t->parts[part];

    return part < p->t->input_parts && x->from_message == message && x->message == message &&
           !(x->flags & (TK_PART_REMOVED | TK_PART_MOVED));
}

static void take_place(struct patch *p, struct places *s, uint32_t part, bool now, bool before)
{
    if (now)
        p->place_of[part] = s->count;
    if (before)
        p->input_place[part] = s->count;
    s->parts[s->count++] = part;
}

/* Gives places to added parts, from this one of the edited list up to the next part that stayed.
 * Returns that part. */
static uint32_t take_newcomers(struct patch *p, struct places *s, uint32_t message, uint32_t part)
{
    for (; part != TK_NONE && !is_in_place(p, part, message); part = p->t->parts[part].next)
        take_place(p, s, part, true, false);
    return part;
}

static uint32_t first_input_part(const struct patch *p, uint32_t message)
{
    uint32_t low = 0, high = p->t->input_parts;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (p->t->parts[middle].from_message < message)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Builds the places of a message: the input's order, with added parts where they are inserted. */
static int lay_out(struct patch *p, uint32_t message)
{
    struct places *s = &p->places[message];
    const struct tk_transcript *t = p->t;
    uint32_t first = first_input_part(p, message), room = 0, next;

    for (uint32_t i = first; i < t->input_parts && t->parts[i].from_message == message; i++)
        room++;
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        room++;
    s->parts = tk_arena_alloc(t->arena, room * sizeof(*s->parts));
    s->present = tk_arena_zalloc(t->arena, room + 1, sizeof(*s->present));
    if (!s->parts || !s->present)
        return -ENOMEM;
    s->count = 0;
    next = take_newcomers(p, s, message, t->messages[message].first);
    for (uint32_t i = first; i < t->input_parts && t->parts[i].from_message == message; i++) {
        bool stays = is_in_place(p, i, message);

        take_place(p, s, i, stays, true);
        if (stays)
            next = take_newcomers(p, s, message, t->parts[i].next);
    }
    (void)next;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->parts[i] < t->input_parts && p->input_place[s->parts[i]] == i &&
            t->parts[s->parts[i]].from_message == message)
            add_at(s, i, 1);
    return 0;
}

static int places_of(struct patch *p, uint32_t message, struct places **ret)
{
    int r = p->places[message].count == TK_NONE ? lay_out(p, message) : 0;

    *ret = &p->places[message];
    return r;
}

static int write_move(struct patch *p, uint32_t part)
{
    const struct tk_part *x = &p->t->parts[part];
    struct places *from = NULL, *to = NULL;
    struct tk_str source;
    int r = places_of(p, x->from_message, &from);

    if (r == 0)
        r = places_of(p, x->message, &to);
    if (r < 0)
        return r;
    source = part_path(p, x->from_message, index_of(from, p->input_place[part]));
    add_at(from, p->input_place[part], -1);
    tk_patch_move(p->w, source, part_path(p, x->message, index_of(to, p->place_of[part])));
    add_at(to, p->place_of[part], 1);
    return 0;
}

static int write_moves(struct patch *p)
{
    int r = 0;

    for (uint32_t i = 0; i < p->t->input_parts && r == 0; i++) {
        uint32_t flags = p->t->parts[i].flags;

        if ((flags & TK_PART_MOVED) && !(flags & TK_PART_REMOVED) &&
            p->t->parts[i].message < p->t->input_messages)
            r = write_move(p, i);
    }
    return r;
}

/* ---- 3: parts ---- */

/* Returns true if the place contains a part after step 2. */
static bool is_present(const struct patch *p, const struct places *s, uint32_t place,
                       uint32_t message)
{
    uint32_t part = s->parts[place];
    const struct tk_part *x = &p->t->parts[part];
    bool moved = (x->flags & TK_PART_MOVED) && !(x->flags & TK_PART_REMOVED);

    if (part >= p->t->input_parts)
        return false;
    if (moved && x->message == message && p->place_of[part] == place)
        return true;
    if (moved && x->message < p->t->input_messages)
        return false;
    return x->from_message == message && p->input_place[part] == place;
}

static void write_place(struct patch *p, const struct places *s, uint32_t place, uint32_t message,
                        uint32_t index, bool present)
{
    uint32_t part = s->parts[place];
    const struct tk_part *x = &p->t->parts[part];
    bool here =
        x->message == message && !(x->flags & TK_PART_REMOVED) && p->place_of[part] == place;

    if (present && !here)
        tk_patch_remove(p->w, part_path(p, message, index));
    else if (!present && here)
        op_part(p, "add", message, index, part);
    else if (present && (x->flags & TK_PART_MADE))
        op_part(p, "replace", message, index, part);
}

/* Replaces the content by the text of its only part. */
static void write_string(struct patch *p, uint32_t message)
{
    const struct tk_part *text = &p->t->parts[p->t->messages[message].first];

    tk_patch_set(p->w, true, content_path(p, message));
    tk_write_raw(p->w, tk_span(tk_part_val(text, text->payload)));
    tk_write_end(p->w);
}

/* Writes removals and replacements in the lists of a message whose parts never move, from the end to
 * the start: indexes are the input's. */
static void write_lists(struct patch *p, uint32_t message)
{
    uint32_t flags = p->t->messages[message].flags, first = p->t->messages[message].input_first;
    uint32_t i = first;

    while (i < p->t->input_parts && p->t->parts[i].from_message == message)
        i++;
    while (i-- > first) {
        const struct tk_part *part = &p->t->parts[i];
        uint32_t whole =
            part->flags & TK_PART_IN_CALLS ? TK_MESSAGE_NEW_CALLS : TK_MESSAGE_NEW_CONTENT;

        if (flags & whole)
            continue;
        if (part->flags & TK_PART_REMOVED) {
            tk_patch_remove(p->w, tk_pointer_from(p->t, message, i));
        } else if (part->flags & TK_PART_MADE) {
            tk_patch_op(p->w, "replace", tk_pointer_from(p->t, message, i));
            tk_emit_part(p->w, p->t, i);
            tk_write_end(p->w);
        }
    }
}

static int write_parts(struct patch *p, uint32_t message)
{
    struct places *s = NULL;
    uint32_t index = 0;
    int r;

    if (p->t->shape->calls.p || (p->t->messages[message].flags & TK_MESSAGE_NEW_CONTENT)) {
        write_lists(p, message);
        return 0;
    }
    if (tk_is_plain(p->t, message)) {
        write_string(p, message);
        return 0;
    }
    r = places_of(p, message, &s);
    for (uint32_t i = 0; i < s->count && r == 0; i++)
        index += is_present(p, s, i, message);
    for (uint32_t i = s->count; i > 0 && r == 0; i--) {
        bool present = is_present(p, s, i - 1, message);

        index -= present;
        write_place(p, s, i - 1, message, index, present);
    }
    return r;
}

/* ---- 4: messages ---- */

static struct tk_str message_path(const struct patch *p, uint32_t index)
{
    return tk_place(p->t, index, TK_NONE, TK_AT_MESSAGE);
}

static void add_message(struct patch *p, uint32_t index, uint32_t made)
{
    tk_patch_op(p->w, "add", message_path(p, index));
    tk_emit_made_message(p->w, p->t, made);
    tk_write_end(p->w);
}

/*
 * The places of messages: one for each message of the input; after each message that didn't move,
 * one for every message that was added or moved there.
 */
struct order {
    uint32_t *messages; /* by place */
    uint32_t *present;  /* Fenwick tree over places: how many contain a message */
    uint32_t *place_of; /* by message: its place now */
    uint32_t *sent_at;  /* by message of the input: its place in the input */
    uint32_t count;
};

static bool is_newcomer(const struct tk_transcript *t, uint32_t message)
{
    return message >= t->input_messages || (t->messages[message].flags & TK_MESSAGE_MOVED);
}

static uint32_t place_newcomers(const struct tk_transcript *t, struct order *o, uint32_t m)
{
    for (; m != TK_NONE && is_newcomer(t, m); m = t->messages[m].next) {
        o->place_of[m] = o->count;
        o->messages[o->count++] = m;
    }
    return m;
}

static int order_messages(const struct tk_transcript *t, struct order *o)
{
    uint32_t room = t->input_messages + t->message_count;

    o->messages = tk_arena_alloc(t->arena, room * sizeof(*o->messages));
    o->present = tk_arena_zalloc(t->arena, room + 1, sizeof(*o->present));
    o->place_of = tk_arena_alloc(t->arena, t->message_count * sizeof(*o->place_of));
    o->sent_at = tk_arena_alloc(t->arena, t->message_count * sizeof(*o->sent_at));
    if (!o->messages || !o->present || !o->place_of || !o->sent_at)
        return -ENOMEM;
    o->count = 0;
    place_newcomers(t, o, t->first_message);
    for (uint32_t m = 0; m < t->input_messages; m++) {
        bool stays = !(t->messages[m].flags & (TK_MESSAGE_DROPPED | TK_MESSAGE_MOVED));

        o->sent_at[m] = o->count;
        if (stays)
            o->place_of[m] = o->count;
        o->messages[o->count++] = m;
        if (stays)
            place_newcomers(t, o, t->messages[m].next);
    }
    return 0;
}

static void count_sent(const struct tk_transcript *t, struct order *o)
{
    struct places s = {NULL, o->present, o->count};

    for (uint32_t m = 0; m < t->input_messages; m++)
        add_at(&s, o->sent_at[m], 1);
}

static void move_messages(struct patch *p, struct order *o)
{
    const struct tk_transcript *t = p->t;
    struct places s = {NULL, o->present, o->count};
    struct tk_str from;

    count_sent(t, o);
    for (uint32_t m = 0; m < t->input_messages; m++) {
        if ((t->messages[m].flags & (TK_MESSAGE_MOVED | TK_MESSAGE_DROPPED)) != TK_MESSAGE_MOVED)
            continue;
        from = message_path(p, index_of(&s, o->sent_at[m]));
        add_at(&s, o->sent_at[m], -1);
        tk_patch_move(p->w, from, message_path(p, index_of(&s, o->place_of[m])));
        add_at(&s, o->place_of[m], 1);
    }
}

static int write_messages(struct patch *p)
{
    const struct tk_transcript *t = p->t;
    struct order o;
    uint32_t index = 0;
    int r = order_messages(t, &o);

    if (r < 0)
        return r;
    if (p->e->moves_messages)
        move_messages(p, &o);
    for (uint32_t i = 0; i < o.count; i++) {
        uint32_t m = o.messages[i];
        bool dropped = t->messages[m].flags & TK_MESSAGE_DROPPED;

        if (m < t->input_messages && dropped && o.sent_at[m] == i)
            tk_patch_remove(p->w, message_path(p, index));
        else if (!dropped && o.place_of[m] == i) {
            if (m >= t->input_messages)
                add_message(p, index, m);
            index++;
        }
    }
    return 0;
}

/* ---- the whole patch ---- */

static int prepare(struct patch *p)
{
    const struct tk_transcript *t = p->t;

    p->places = tk_arena_alloc(t->arena, t->message_count * sizeof(*p->places));
    p->place_of = tk_arena_alloc(t->arena, t->part_count * sizeof(*p->place_of));
    p->input_place = tk_arena_alloc(t->arena, t->part_count * sizeof(*p->input_place));
    if (!p->places || !p->place_of || !p->input_place)
        return -ENOMEM;
    for (uint32_t m = 0; m < t->message_count; m++)
        p->places[m].count = TK_NONE;
    memset(p->place_of, 0xff, t->part_count * sizeof(*p->place_of));
    memset(p->input_place, 0xff, t->part_count * sizeof(*p->input_place));
    return 0;
}

/* Writes what happens inside messages: steps 1 to 3. */
static int write_inner(struct patch *p)
{
    const struct tk_transcript *t = p->t;
    int r = prepare(p);

    if (r < 0)
        return r;
    write_inside(p);
    r = write_moves(p);
    for (uint32_t m = 0; m < t->input_messages && r == 0; m++)
        if ((t->messages[m].flags &
             (TK_MESSAGE_TOUCHED | TK_MESSAGE_DROPPED | TK_MESSAGE_RECAST)) == TK_MESSAGE_TOUCHED)
            r = write_parts(p, m);
    return r;
}

int tk_emit_inner_operations(struct tk_writer *w, const struct tk_edits *e)
{
    struct patch p = {.w = w, .e = e, .t = e->t};

    return write_inner(&p);
}

int tk_emit_operations(struct tk_writer *w, const struct tk_edits *e)
{
    struct patch p = {.w = w, .e = e, .t = e->t};
    int r = e->count > 0 ? write_inner(&p) : 0;

    return r < 0 || e->count == 0 || e->t->lone_turn ? r : write_messages(&p);
}

int tk_emit_patch(struct tk_writer *w, const struct tk_edits *e)
{
    int r;

    tk_write_list(w);
    r = tk_emit_operations(w, e);
    tk_write_end(w);
    return r;
}
