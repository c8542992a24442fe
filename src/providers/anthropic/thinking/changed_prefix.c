/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks in parallel over the input's parts and the repaired ones, without thinking on both sides.
 * Dropped thinking, cache markers, empty messages and merges don't count. What precedes a
 * compaction block doesn't bind anything after it. Then looks for the first directive that went: of
 * a message's members only these are read by the provider.
 */
#include "providers/anthropic/thinking/changed_prefix.h"

#include "shapes/shape.h"

static bool counts(const struct tk_part *p)
{
    return !tk_is_thinking(p) && !(p->flags & TK_PART_INVISIBLE);
}

/* Returns true if the part counted in the input, before any edit. */
static bool counted(const struct tk_part *p)
{
    return counts(p) && !(p->flags & TK_PART_DEMOTED);
}

static bool is_compaction(const struct tk_transcript *t, const struct tk_part *p)
{
    return t->shape->wire && p->kind == TK_PART_OTHER &&
           tk_text_is(tk_part_val(p, p->type), TK_STR("compaction"));
}

static uint32_t first_in(const struct tk_transcript *t, uint32_t message)
{
    while (message != TK_NONE && t->messages[message].first == TK_NONE)
        message = t->messages[message].next;
    return message == TK_NONE ? TK_NONE : t->messages[message].first;
}

static uint32_t after(const struct tk_transcript *t, uint32_t part)
{
    return t->parts[part].next != TK_NONE ? t->parts[part].next
                                          : first_in(t, t->messages[t->parts[part].message].next);
}

/* Returns the input's newest compaction block that is still there, or TK_NONE. Comparing begins
 * with it. */
static uint32_t newest_compaction(const struct tk_transcript *t)
{
    for (uint32_t i = t->input_parts; i > 0; i--)
        if (!(t->parts[i - 1].flags & (TK_PART_REMOVED | TK_PART_MADE)) &&
            is_compaction(t, &t->parts[i - 1]))
            return i - 1;
    return TK_NONE;
}

/* True if the part is unchanged, or its place is if the part was removed. */
static bool is_as_before(const struct tk_part *p)
{
    return !(p->flags & (TK_PART_REMOVED | TK_PART_MADE | TK_PART_CHANGED));
}

/* True if the part only moved within its message, past parts that don't count: thinking in a user
 * message, whose rules look at the wire alone. */
static bool is_only_moved(const struct tk_transcript *t, const struct tk_part *p)
{
    return p->doc == t->doc && p->message == p->from_message && (p->flags & TK_PART_MOVED) &&
           !(p->flags & (TK_PART_REMOVED | TK_PART_MADE | TK_PART_TOUCHED));
}

/* Returns the message that is now where the input's part was, or TK_NONE. */
static uint32_t place_of(const struct tk_transcript *t, uint32_t part)
{
    uint32_t m = t->parts[part].from_message;

    while (m != TK_NONE && (t->messages[m].flags & TK_MESSAGE_DROPPED)) {
        if (t->messages[m].flags & TK_MESSAGE_MERGED)
            m = t->messages[m].prev;
        else if (t->messages[m].flags & TK_MESSAGE_MOVED)
            m = m + 1 < t->input_messages ? m + 1
                                          : TK_NONE; /* the message that followed it in the input */
        else
            m = t->messages[m].next;
    }
    return m;
}

/* Returns the part that now is where the input's part was: after the last of those that preceded it
 * in its message, in whatever order a seal has put them. A message that was merged has parts of
 * others, too. TK_NONE: it was the last one. */
static uint32_t rest_of(const struct tk_transcript *t, uint32_t message, uint32_t input_part)
{
    uint32_t from = t->parts[input_part].from_message;
    bool merged = t->messages[from].flags & TK_MESSAGE_MERGED;
    uint32_t rest = message == TK_NONE ? TK_NONE : t->messages[message].first;

    for (uint32_t i = rest; i != TK_NONE; i = t->parts[i].next)
        if (i < input_part && (merged || t->parts[i].from_message == from))
            rest = t->parts[i].next;
    return rest;
}

static struct tk_unbound found(const struct tk_transcript *t, uint32_t message, uint32_t part)
{
    struct tk_unbound u = {message, 0, part};

    for (uint32_t m = t->first_message; m != message && m != TK_NONE; m = t->messages[m].next)
        u.index++;
    return u;
}

/* Returns true if message a precedes b. */
static bool is_earlier(const struct tk_transcript *t, uint32_t a, uint32_t b)
{
    for (uint32_t m = t->messages[a].next; m != TK_NONE; m = t->messages[m].next)
        if (m == b)
            return true;
    return false;
}

/* Returns true if part a precedes b in the same message. */
static bool is_before(const struct tk_transcript *t, uint32_t a, uint32_t b)
{
    for (uint32_t i = t->parts[a].next; i != TK_NONE; i = t->parts[i].next)
        if (i == b)
            return true;
    return false;
}

/* Returns where the histories differ if the input's part was removed or changed. A part that was
 * inserted before its place counts, or one that a move of its message left before it. */
static struct tk_unbound found_both(const struct tk_transcript *t, uint32_t in, uint32_t out)
{
    uint32_t message = place_of(t, in);
    uint32_t rest = message == TK_NONE ? TK_NONE : rest_of(t, message, in);
    bool made = out != TK_NONE && !is_as_before(&t->parts[out]);
    bool moved = message != TK_NONE && (t->messages[message].flags & TK_MESSAGE_MOVED);

    if ((made || (moved && out != TK_NONE)) &&
        (message == TK_NONE || is_earlier(t, t->parts[out].message, message) ||
         (t->parts[out].message == message && (rest == TK_NONE || is_before(t, out, rest)))))
        return found(t, t->parts[out].message, out);
    return found(t, message, rest);
}

/* ---- directives ---- */

static bool same_member(struct tk_val a, struct tk_val b)
{
    return tk_exists(a) == tk_exists(b) && (!tk_exists(a) || tk_str_eq(tk_span(a), tk_span(b)));
}

/* Returns true if a message of the input lost a directive: a member of its own, or with the message
 * itself. */
static bool lost_directive(const struct tk_transcript *t, uint32_t message)
{
    static const struct tk_str directives[] = {TK_STR_INIT("output_config"),
                                               TK_STR_INIT("clear_at")};
    const struct tk_message *m = &t->messages[message];
    bool gone = m->flags & TK_MESSAGE_DROPPED;
    struct tk_val sent = {t->doc, m->sent}, now = {m->doc, m->node};

    if (m->sent == TK_NO_NODE || (!gone && m->doc == t->doc))
        return false;
    for (size_t i = 0; i < sizeof(directives) / sizeof(directives[0]); i++) {
        struct tk_val old = tk_get(sent, directives[i]);

        if (gone ? tk_exists(old) : !same_member(old, tk_get(now, directives[i])))
            return true;
    }
    return false;
}

/* Returns where the first directive was lost; a directive of a message that stays comes after its
 * parts. */
static struct tk_unbound first_lost(const struct tk_transcript *t, uint32_t from)
{
    for (uint32_t m = from; t->shape->wire && m < t->input_messages; m++) {
        uint32_t place = m;

        if (!lost_directive(t, m))
            continue;
        while (place != TK_NONE && (t->messages[place].flags & TK_MESSAGE_DROPPED))
            place = t->messages[place].flags & TK_MESSAGE_MERGED ? t->messages[place].prev
                                                                 : t->messages[place].next;
        if (place == TK_NONE)
            break;
        return found(t, place,
                     t->messages[m].flags & TK_MESSAGE_MERGED || place == m
                         ? TK_NONE
                         : t->messages[place].first);
    }
    return (struct tk_unbound){TK_NONE, 0, TK_NONE};
}

/* Returns the earlier of two places. */
static struct tk_unbound earlier(const struct tk_transcript *t, struct tk_unbound a,
                                 struct tk_unbound b)
{
    if (a.message == TK_NONE || b.message == TK_NONE)
        return a.message == TK_NONE ? b : a;
    if (a.message != b.message)
        return a.index < b.index ? a : b;
    if (a.part == TK_NONE || b.part == TK_NONE)
        return a.part == TK_NONE ? b : a;
    return is_before(t, b.part, a.part) ? b : a;
}

/* ---- the first difference ---- */

static struct tk_unbound first_changed(const struct tk_transcript *t, uint32_t compaction)
{
    uint32_t in = compaction == TK_NONE ? 0 : compaction;
    uint32_t out = compaction == TK_NONE ? first_in(t, t->first_message) : compaction;

    for (;; in++, out = after(t, out)) {
        while (in < t->input_parts && !counted(&t->parts[in]))
            in++;
        while (out != TK_NONE && !counts(&t->parts[out]))
            out = after(t, out);
        if (in >= t->input_parts && out == TK_NONE)
            return (struct tk_unbound){TK_NONE, 0, TK_NONE};
        if (in == out && (is_as_before(&t->parts[in]) || is_only_moved(t, &t->parts[in])))
            continue;
        /* Either a part was inserted, or the input's part was removed or changed: the first of both
         * counts. */
        if (in >= t->input_parts || (out != TK_NONE && is_as_before(&t->parts[in])))
            return found(t, t->parts[out].message, out);
        return found_both(t, in, out);
    }
}

struct tk_unbound tk_unbound_of(const struct tk_transcript *t)
{
    uint32_t compaction = newest_compaction(t);
    uint32_t from = compaction == TK_NONE ? 0 : t->parts[compaction].from_message;

    return earlier(t, first_changed(t, compaction), first_lost(t, from));
}

/* ---- the report ---- */

void tk_report_unbound(struct tk_writer *w, const struct tk_transcript *t)
{
    struct tk_unbound u = tk_unbound_of(t);
    uint32_t message = 0;
    bool reached = false, begun = false;

    if (u.message == TK_NONE || t->lone_turn)
        return;
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next, message++) {
        uint32_t part = 0, from = m == u.message ? message : TK_NONE;

        for (uint32_t p = t->messages[m].first; p != TK_NONE; p = t->parts[p].next, part++) {
            reached = reached || p == u.part;
            if (!reached || !(t->parts[p].flags & TK_PART_SIGNED))
                continue;
            if (!begun) {
                tk_write_key(w, "unbound");
                tk_write_map(w);
                tk_write_kv_str(w, "from", tk_place(t, u.index, TK_NONE, TK_AT_MESSAGE));
                tk_write_key(w, "thinking");
                tk_write_list(w);
                begun = true;
            }
            tk_write_str(w, tk_place(t, message, part, TK_AT_PART));
        }
        reached = reached || from != TK_NONE;
    }
    if (begun) {
        tk_write_end(w);
        tk_write_end(w);
    }
}
