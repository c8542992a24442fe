/* SPDX-License-Identifier: Apache-2.0 */
#include "history/history.h"

#include "value/hash.h"

#include <errno.h>

uint32_t tk_new_part(struct tk_transcript *t)
{
    struct tk_part *p;

    if (!TK_GROW(t->arena, t->parts, t->part_count, t->part_capacity))
        return TK_NONE;
    p = &t->parts[t->part_count];
    *p = (struct tk_part){
        .type = TK_NO_NODE,
        .id = TK_NO_NODE,
        .name = TK_NO_NODE,
        .payload = TK_NO_NODE,
        .caller = TK_NO_NODE,
        .own_id = TK_NO_NODE,
        .message = TK_NONE,
        .prev = TK_NONE,
        .next = TK_NONE,
        .from_message = TK_NONE,
        .finding = TK_NONE,
        .kind = TK_PART_OTHER,
    };
    return t->part_count++;
}

uint32_t tk_new_message(struct tk_transcript *t)
{
    struct tk_message *m;

    if (!TK_GROW(t->arena, t->messages, t->message_count, t->message_capacity))
        return TK_NONE;
    m = &t->messages[t->message_count];
    *m = (struct tk_message){
        .sent = TK_NO_NODE,
        .content = TK_NO_NODE,
        .calls = TK_NO_NODE,
        .first = TK_NONE,
        .last = TK_NONE,
        .prev = TK_NONE,
        .next = TK_NONE,
        .filled_prev = TK_NONE,
        .filled_next = TK_NONE,
        .turn = TK_NONE,
        .finding = TK_NONE,
        .options = TK_NO_NODE,
        .own_id = TK_NO_NODE,
        .role = TK_ROLE_OTHER,
    };
    return t->message_count++;
}

/* ---- messages with parts ---- */

/* Links a message into the list of those with parts. Costs one step for each empty message before
 * it. */
static void note_filled(struct tk_transcript *t, uint32_t message)
{
    struct tk_message *m = &t->messages[message];
    uint32_t prev = m->prev;

    while (prev != TK_NONE && !t->messages[prev].filled)
        prev = t->messages[prev].prev;
    m->filled = true;
    m->filled_prev = prev;
    m->filled_next = prev == TK_NONE ? t->first_filled : t->messages[prev].filled_next;
    *(prev == TK_NONE ? &t->first_filled : &t->messages[prev].filled_next) = message;
    if (m->filled_next != TK_NONE)
        t->messages[m->filled_next].filled_prev = message;
}

static void note_empty(struct tk_transcript *t, uint32_t message)
{
    struct tk_message *m = &t->messages[message];

    if (!m->filled)
        return;
    m->filled = false;
    *(m->filled_prev == TK_NONE ? &t->first_filled : &t->messages[m->filled_prev].filled_next) =
        m->filled_next;
    if (m->filled_next != TK_NONE)
        t->messages[m->filled_next].filled_prev = m->filled_prev;
}

uint32_t tk_part_before(const struct tk_transcript *t, uint32_t part)
{
    const struct tk_part *p = &t->parts[part];
    uint32_t message = t->messages[p->message].filled_prev;

    if (p->prev != TK_NONE)
        return p->prev;
    return message == TK_NONE ? TK_NONE : t->messages[message].last;
}

/* ---- links ---- */

void tk_link_part(struct tk_transcript *t, uint32_t message, uint32_t after, uint32_t part)
{
    struct tk_message *m = &t->messages[message];
    struct tk_part *p = &t->parts[part];

    p->message = message;
    p->prev = after;
    p->next = after == TK_NONE ? m->first : t->parts[after].next;
    if (p->prev == TK_NONE)
        m->first = part;
    else
        t->parts[p->prev].next = part;
    if (p->next == TK_NONE)
        m->last = part;
    else
        t->parts[p->next].prev = part;
    if (!m->filled && !(m->flags & TK_MESSAGE_DROPPED))
        note_filled(t, message);
}

void tk_unlink_part(struct tk_transcript *t, uint32_t part)
{
    struct tk_part *p = &t->parts[part];
    struct tk_message *m = &t->messages[p->message];

    if (p->prev == TK_NONE)
        m->first = p->next;
    else
        t->parts[p->prev].next = p->next;
    if (p->next == TK_NONE)
        m->last = p->prev;
    else
        t->parts[p->next].prev = p->prev;
    if (m->first == TK_NONE)
        note_empty(t, p->message);
}

void tk_link_message(struct tk_transcript *t, uint32_t after, uint32_t message)
{
    struct tk_message *m = &t->messages[message];

    m->prev = after;
    m->next = after == TK_NONE ? t->first_message : t->messages[after].next;
    if (m->prev == TK_NONE)
        t->first_message = message;
    else
        t->messages[m->prev].next = message;
    if (m->next == TK_NONE)
        t->last_message = message;
    else
        t->messages[m->next].prev = message;
    t->with_role += !(m->flags & TK_MESSAGE_NO_ROLE);
    t->arrivals++;
    if (m->first != TK_NONE)
        note_filled(t, message);
}

void tk_unlink_message(struct tk_transcript *t, uint32_t message)
{
    struct tk_message *m = &t->messages[message];

    note_empty(t, message);
    t->with_role -= !(m->flags & TK_MESSAGE_NO_ROLE);
    if (m->prev == TK_NONE)
        t->first_message = m->next;
    else
        t->messages[m->prev].next = m->next;
    if (m->next == TK_NONE)
        t->last_message = m->prev;
    else
        t->messages[m->next].prev = m->prev;
}

/* ---- turns ---- */

/* Returns true if a message continues the turn. Adjacent messages of one known role do; each system
 * message is a turn of its own. */
static bool joins(const struct tk_turn *turn, const struct tk_message *m)
{
    return turn->role == m->role && (m->role == TK_ROLE_USER || m->role == TK_ROLE_ASSISTANT);
}

static void add_to_turn(const struct tk_transcript *t, struct tk_turn *turn,
                        const struct tk_message *m)
{
    if (m->flags & TK_MESSAGE_KEPT)
        turn->flags |= TK_TURN_KEPT;
    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_part *p = &t->parts[i];

        turn->flags |= TK_TURN_HAS_PARTS;
        if (p->flags & TK_PART_SIGNED)
            turn->flags |= TK_TURN_SIGNED;
        if (tk_is_call(p, false))
            turn->flags |= TK_TURN_CLIENT_CALL;
        if (!tk_is_result(p, false) && !(p->flags & TK_PART_INVISIBLE))
            turn->flags &= (uint8_t)~TK_TURN_ONLY_RESULTS;
    }
}

int tk_turns(struct tk_transcript *t)
{
    struct tk_turn *turn = NULL;

    if (t->turn_capacity < t->message_count) {
        t->turns = tk_arena_alloc(t->arena, t->message_count * sizeof(*t->turns));
        if (!t->turns)
            return -ENOMEM;
        t->turn_capacity = t->message_count;
    }
    t->turn_count = 0;
    t->first_signed_turn = TK_NONE;
    for (uint32_t i = t->first_message; i != TK_NONE; i = t->messages[i].next) {
        struct tk_message *m = &t->messages[i];

        m->turn = TK_NONE;
        if (m->flags & TK_MESSAGE_TRANSPARENT)
            continue;
        if (!turn || !joins(turn, m)) {
            turn = &t->turns[t->turn_count++];
            *turn = (struct tk_turn){.first = i, .role = m->role, .flags = TK_TURN_ONLY_RESULTS};
        }
        turn->last = i;
        m->turn = t->turn_count - 1;
        add_to_turn(t, turn, m);
        if ((turn->flags & TK_TURN_SIGNED) && t->first_signed_turn == TK_NONE)
            t->first_signed_turn = m->turn;
    }
    return 0;
}

/* Returns the first part in the turn's messages from m on. Skips transparent messages. */
static uint32_t first_from(const struct tk_transcript *t, const struct tk_turn *turn, uint32_t m)
{
    for (;;) {
        const struct tk_message *message = &t->messages[m];

        if (message->turn != TK_NONE && message->first != TK_NONE)
            return message->first;
        if (m == turn->last)
            return TK_NONE;
        m = message->next;
    }
}

uint32_t tk_turn_first(const struct tk_transcript *t, const struct tk_turn *turn)
{
    return first_from(t, turn, turn->first);
}

uint32_t tk_turn_next(const struct tk_transcript *t, const struct tk_turn *turn, uint32_t part)
{
    const struct tk_part *p = &t->parts[part];

    if (p->next != TK_NONE)
        return p->next;
    if (p->message == turn->last)
        return TK_NONE;
    return first_from(t, turn, t->messages[p->message].next);
}

/* ---- neighbours ---- */

static uint32_t part_next_to(const struct tk_transcript *t, uint32_t part, bool before)
{
    const struct tk_part *p = &t->parts[part];

    return before ? p->prev : p->next;
}

/* Returns the message before or after `message` in its turn; TK_NONE at the end of the turn. */
static uint32_t message_next_to(const struct tk_transcript *t, uint32_t message, bool before)
{
    uint8_t role = t->messages[message].role;

    do
        message = before ? t->messages[message].prev : t->messages[message].next;
    while (message != TK_NONE && (t->messages[message].flags & TK_MESSAGE_TRANSPARENT));
    return message != TK_NONE && t->messages[message].role == role ? message : TK_NONE;
}

static bool is_fresh(const struct tk_transcript *t, const struct tk_separator_walk *walk)
{
    return walk && (walk->seen == TK_NONE || !(t->parts[walk->seen].flags & TK_PART_REMOVED));
}

/* Returns true if the last search began at this part, or in this message, which is empty now: then
 * its result still holds. */
static bool is_known(const struct tk_transcript *t, const struct tk_separator_walk *walk,
                     uint32_t part, uint32_t message)
{
    bool same =
        walk && (part == TK_NONE ? message == walk->message && t->messages[message].first == TK_NONE
                                 : part == walk->from);

    return same && is_fresh(t, walk);
}

/* Returns the nearest visible part before or after `part` in its turn; TK_NONE: there is none. */
static uint32_t visible_next_to(const struct tk_transcript *t, uint32_t part, bool before,
                                const struct tk_separator_walk *walk)
{
    uint32_t message = t->parts[part].message, i = part_next_to(t, part, before);

    for (;;) {
        for (; i != TK_NONE && (t->parts[i].flags & TK_PART_INVISIBLE);
             i = part_next_to(t, i, before))
            if (is_known(t, walk, i, message))
                return walk->seen;
        if (i != TK_NONE)
            return i;
        if (is_known(t, walk, TK_NONE, message))
            return walk->seen;
        message = message_next_to(t, message, before);
        if (message == TK_NONE)
            return TK_NONE;
        i = before ? t->messages[message].last : t->messages[message].first;
    }
}

static bool is_signed(const struct tk_transcript *t, uint32_t part)
{
    return part != TK_NONE && (t->parts[part].flags & TK_PART_SIGNED);
}

bool tk_is_separator(const struct tk_transcript *t, uint32_t part, struct tk_separator_walk *walk)
{
    uint32_t before;

    if (t->messages[t->parts[part].message].role != TK_ROLE_ASSISTANT)
        return false;
    before = visible_next_to(t, part, true, walk);
    if (walk)
        *walk = (struct tk_separator_walk){t->parts[part].prev, before, t->parts[part].message};
    return is_signed(t, before) && is_signed(t, visible_next_to(t, part, false, NULL));
}

/* ---- places ---- */

/* Writes n in decimal and returns the end. Not printf: one answer can contain thousands of
 * these. */
static char *put_number(char *p, uint32_t n)
{
    char digits[10];
    int count = 0;

    do
        digits[count++] = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    while (count > 0)
        *p++ = digits[--count];
    return p;
}

static char *put(char *p, struct tk_str s)
{
    memcpy(p, s.p, s.n);
    return p + s.n;
}

/* The longest number with the slash before it. */
#define NUMBER_MAX (sizeof("/4294967295") - 1)

struct tk_str tk_place(const struct tk_transcript *t, uint32_t message, uint32_t part,
                       enum tk_place_of of)
{
    bool is_call = of == TK_AT_CALL || of == TK_AT_CALLS;
    struct tk_str list = is_call ? t->calls_at : t->parts_at;
    char *start = tk_arena_alloc(t->arena, t->root.n + list.n + 2 * NUMBER_MAX), *p = start;

    if (!start)
        return (struct tk_str){0};
    if (!t->lone_turn) {
        p = put(p, t->root);
        *p++ = '/';
        p = put_number(p, message);
    }
    if (of != TK_AT_MESSAGE)
        p = put(p, list);
    if (of == TK_AT_PART || of == TK_AT_CALL) {
        *p++ = '/';
        p = put_number(p, part);
    }
    return (struct tk_str){start, (size_t)(p - start)};
}

struct tk_str tk_pointer_from(const struct tk_transcript *t, uint32_t message, uint32_t part)
{
    if (part == TK_NONE)
        return tk_place(t, message, TK_NONE, TK_AT_MESSAGE);
    return tk_place(t, message, tk_part_index_from(t, part), tk_place_of_part(t, message, part));
}

/* ---- texts that many parts share ---- */

/* A string whose bytes are fewer is unescaped each time. */
#define LONG_TEXT 1024

/* Names a string: zeroed before it is filled, since its bytes are a key. */
struct place_of_text {
    const struct tk_doc *doc;
    uint64_t node;
};

struct shared_text {
    struct place_of_text place;
    struct tk_str text;
};

struct tk_shared_texts {
    struct tk_map index; /* from the bytes of a place to its text */
    struct shared_text **list;
    uint32_t count, capacity;
};

int tk_share_texts(struct tk_transcript *t)
{
    t->shared = tk_arena_zalloc(t->arena, 1, sizeof(*t->shared));
    if (!t->shared)
        return -ENOMEM;
    tk_map_init(&t->shared->index, t->arena, t->hash_key);
    return 0;
}

static struct tk_str key_of(const struct place_of_text *place)
{
    return (struct tk_str){(const char *)place, sizeof(*place)};
}

/* Unescapes the string and keeps its text. */
static struct tk_str share(const struct tk_transcript *t, struct tk_val string)
{
    struct tk_shared_texts *shared = t->shared;
    struct shared_text *s = tk_arena_zalloc(t->arena, 1, sizeof(*s));
    struct tk_str none = {NULL, 0};
    uint32_t *at;
    bool is_new;

    if (!s || !TK_GROW(t->arena, shared->list, shared->count, shared->capacity))
        return none;
    s->place.doc = string.doc;
    s->place.node = string.node;
    s->text = tk_text(string, t->arena);
    at = tk_map_put(&shared->index, key_of(&s->place), &is_new);
    if (!at)
        return none;
    *at = shared->count;
    shared->list[shared->count++] = s;
    return s->text;
}

struct tk_str tk_shared_text(const struct tk_transcript *t, struct tk_val string)
{
    struct place_of_text place = {string.doc, string.node};
    const uint32_t *at;

    if (!t->shared || !tk_is(string, TK_STRING) || tk_node(string)->len < LONG_TEXT ||
        !(tk_node(string)->flags & TK_NODE_ESCAPED))
        return tk_text(string, t->arena);
    at = tk_map_get(&t->shared->index, key_of(&place));
    return at ? t->shared->list[*at]->text : share(t, string);
}
