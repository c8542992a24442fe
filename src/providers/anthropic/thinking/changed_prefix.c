/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two walks side by side, over the input's parts and over the repaired ones, thinking left out on
 * both. Dropped thinking, cache markers, empty messages and merges don't count, and what
 * precedes a compaction block binds nothing behind it.
 */
#include "providers/anthropic/thinking/changed_prefix.h"

#include "shapes/shape.h"

static bool counts(const struct tk_part *p)
{
    return !tk_is_thinking(p) && !(p->flags & TK_PART_INVISIBLE);
}

/* The same of the input's part, as it came. */
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

/* The input's newest compaction block, if it is still there: comparing begins with it. */
static uint32_t newest_compaction(const struct tk_transcript *t)
{
    for (uint32_t i = t->input_parts; i > 0; i--)
        if (!(t->parts[i - 1].flags & (TK_PART_REMOVED | TK_PART_MADE)) &&
            is_compaction(t, &t->parts[i - 1]))
            return i - 1;
    return TK_NONE;
}

/* Whether the part, or where it went the place it had, still is as the input had it. */
static bool is_as_before(const struct tk_part *p)
{
    return !(p->flags & (TK_PART_REMOVED | TK_PART_MADE | TK_PART_CHANGED));
}

/* Moved within its message, and with it nothing that counts: thinking in a message of the user,
 * whose rules look at the wire alone. */
static bool is_only_moved(const struct tk_transcript *t, const struct tk_part *p)
{
    return p->doc == t->doc && p->message == p->from_message && (p->flags & TK_PART_MOVED) &&
           !(p->flags & (TK_PART_REMOVED | TK_PART_MADE | TK_PART_TOUCHED));
}

/* The message that is now where the input's part was. */
static uint32_t place_of(const struct tk_transcript *t, uint32_t part)
{
    uint32_t m = t->parts[part].from_message;

    while (m != TK_NONE && (t->messages[m].flags & TK_MESSAGE_DROPPED)) {
        if (t->messages[m].flags & TK_MESSAGE_MOVED)
            m = m + 1 < t->input_messages ? m + 1 : TK_NONE; /* what stood behind it when sent */
        else
            m = t->messages[m].next;
    }
    return m;
}

/* The first part of the message that stood behind the input's part, as things are now. */
static uint32_t rest_of(const struct tk_transcript *t, uint32_t message, uint32_t input_part)
{
    uint32_t i = message == TK_NONE ? TK_NONE : t->messages[message].first;

    while (i != TK_NONE && t->parts[i].from_message == t->parts[input_part].from_message &&
           i < input_part)
        i = t->parts[i].next;
    return i;
}

static struct tk_unbound found(const struct tk_transcript *t, uint32_t message, uint32_t part)
{
    struct tk_unbound u = {message, 0, part};

    for (uint32_t m = t->first_message; m != message && m != TK_NONE; m = t->messages[m].next)
        u.index++;
    return u;
}

/* Whether message a stands in front of b. */
static bool is_earlier(const struct tk_transcript *t, uint32_t a, uint32_t b)
{
    for (uint32_t m = t->messages[a].next; m != TK_NONE; m = t->messages[m].next)
        if (m == b)
            return true;
    return false;
}

/* Whether part a stands in front of b, both of one message. */
static bool is_in_front(const struct tk_transcript *t, uint32_t a, uint32_t b)
{
    for (uint32_t i = t->parts[a].next; i != TK_NONE; i = t->parts[i].next)
        if (i == b)
            return true;
    return false;
}

/* The input's part went or changed; if something was put in that stands in front of where it was,
 * or its message went behind another one, that counts. */
static struct tk_unbound found_both(const struct tk_transcript *t, uint32_t in, uint32_t out)
{
    uint32_t message = place_of(t, in);
    uint32_t rest = message == TK_NONE ? TK_NONE : rest_of(t, message, in);
    bool made = out != TK_NONE && !is_as_before(&t->parts[out]);
    bool moved = message != TK_NONE && (t->messages[message].flags & TK_MESSAGE_MOVED);

    if ((made || (moved && out != TK_NONE)) &&
        (message == TK_NONE || is_earlier(t, t->parts[out].message, message) ||
         (t->parts[out].message == message && rest != TK_NONE && is_in_front(t, out, rest))))
        return found(t, t->parts[out].message, out);
    return found(t, message, rest);
}

struct tk_unbound tk_unbound_of(const struct tk_transcript *t)
{
    uint32_t compaction = newest_compaction(t);
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
        /* Something was put in, or the input's part went or changed: whichever stands first. */
        if (in >= t->input_parts || (out != TK_NONE && is_as_before(&t->parts[in])))
            return found(t, t->parts[out].message, out);
        return found_both(t, in, out);
    }
}

/* ---- the report ---- */

void tk_report_unbound(struct tk_writer *w, const struct tk_transcript *t)
{
    struct tk_unbound u = tk_unbound_of(t);
    uint32_t message = 0;
    bool behind = false, begun = false;

    if (u.message == TK_NONE || t->lone_turn)
        return;
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next, message++) {
        uint32_t part = 0, from = m == u.message ? message : TK_NONE;

        for (uint32_t p = t->messages[m].first; p != TK_NONE; p = t->parts[p].next, part++) {
            behind = behind || p == u.part;
            if (!behind || !(t->parts[p].flags & TK_PART_SIGNED))
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
        behind = behind || from != TK_NONE;
    }
    if (begun) {
        tk_write_end(w);
        tk_write_end(w);
    }
}
