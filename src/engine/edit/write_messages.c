/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adjacent values that no edit touched are written as one span with the white space between them.
 * Edited ones keep the bytes before them, too (spacing.h).
 */
#include "engine/edit/emit.h"

#include <errno.h>

#include "engine/edit/spacing.h"
#include "shapes/shape.h"
#include "value/own.h"
#include "value/splice.h"

static bool part_is_original(const struct tk_transcript *t, const struct tk_part *p)
{
    return p->doc == t->doc && !(p->flags & (TK_PART_STRING | TK_PART_MADE | TK_PART_TOUCHED));
}

/* Returns true if the part was sent in the message. */
static bool is_of(const struct tk_transcript *t, uint32_t part, const struct tk_message *m)
{
    return part < t->input_parts && &t->messages[t->parts[part].from_message] == m;
}

/* Returns true if all inserted parts were removed again and the input's parts are complete and in
 * order. */
static bool is_whole(const struct tk_transcript *t, const struct tk_message *m)
{
    uint32_t want = m->input_first;

    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next, want++)
        if (i != want || !part_is_original(t, &t->parts[i]) || !is_of(t, i, m))
            return false;
    return !is_of(t, want, m);
}

static bool message_is_original(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];

    if (m->doc != t->doc || (m->flags & (TK_MESSAGE_MADE | TK_MESSAGE_RELISTED)))
        return false;
    return !(m->flags & TK_MESSAGE_TOUCHED) || is_whole(t, m);
}

static struct tk_str span(const struct tk_transcript *t, uint32_t a, uint32_t b)
{
    return tk_span_between((struct tk_val){t->doc, a}, (struct tk_val){t->doc, b});
}

void tk_emit_part(struct tk_writer *w, const struct tk_transcript *t, uint32_t part)
{
    const struct tk_part *p = &t->parts[part];

    if (p->flags & TK_PART_STRING)
        t->shape->write_text(w, tk_span(tk_part_val(p, p->node)), (struct tk_str){0});
    else
        tk_write_val(w, tk_part_val(p, p->node));
}

static bool is_in_calls(const struct tk_transcript *t, uint32_t part)
{
    return (t->parts[part].flags & TK_PART_IN_CALLS) != 0;
}

/* Returns the index of a part in its list of the input; UINT32_MAX: it wasn't in this message. */
static uint32_t index_of(const struct tk_transcript *t, uint32_t part, const struct tk_message *m)
{
    return is_of(t, part, m) ? tk_part_index_from(t, part) : UINT32_MAX;
}

/* Returns the list of the input that the message's content, or its list of calls, replaces; TK_NO_VAL:
 * there is none. */
static struct tk_val old_list(const struct tk_transcript *t, const struct tk_message *m, bool calls)
{
    uint32_t node = calls ? m->calls : m->content;

    if (t->lone_turn)
        return t->list;
    return m->doc == t->doc && node != TK_NO_NODE ? (struct tk_val){m->doc, node} : TK_NO_VAL;
}

/* Returns the first part of the content, or of the second list; TK_NONE: it has none. */
static uint32_t first_of(const struct tk_transcript *t, const struct tk_message *m, bool calls)
{
    uint32_t i = m->first;

    while (calls && i != TK_NONE && !is_in_calls(t, i))
        i = t->parts[i].next;
    return i != TK_NONE && is_in_calls(t, i) == calls ? i : TK_NONE;
}

static void write_list(struct tk_writer *w, const struct tk_transcript *t, uint32_t message,
                       bool calls)
{
    const struct tk_message *m = &t->messages[message];
    struct tk_spacing spacing;

    tk_spacing_begin(&spacing, w, old_list(t, m, calls));
    for (uint32_t i = first_of(t, m, calls); i != TK_NONE && is_in_calls(t, i) == calls;) {
        const struct tk_part *p = &t->parts[i];
        uint32_t last = i, count = 1, next = p->next;

        tk_spacing_next(&spacing, w, index_of(t, i, m));
        if (!part_is_original(t, p)) {
            tk_emit_part(w, t, i);
            i = next;
            continue;
        }
        while (next != TK_NONE && part_is_original(t, &t->parts[next]) && next == last + 1 &&
               t->parts[next].from_message == p->from_message && is_in_calls(t, next) == calls) {
            last = next;
            next = t->parts[last].next;
            count++;
        }
        tk_write_run(w, span(t, p->node, t->parts[last].node), count);
        i = next;
    }
    tk_spacing_end(&spacing, w);
}

static void write_content(struct tk_writer *w, const struct tk_transcript *t, uint32_t message)
{
    write_list(w, t, message, false);
}

/* ---- messages with two lists, or with bytes that an edit made ---- */

/* Returns true if the list is in the message's bytes as its parts are now. */
static bool list_is_intact(const struct tk_transcript *t, const struct tk_message *m, bool calls)
{
    uint32_t i = first_of(t, m, calls), want = calls ? m->input_calls : m->input_first;

    if (m->flags & (calls ? TK_MESSAGE_NEW_CALLS : TK_MESSAGE_NEW_CONTENT))
        return false;
    for (; i != TK_NONE && is_in_calls(t, i) == calls; i = t->parts[i].next, want++)
        if (i != want || !part_is_original(t, &t->parts[i]) || !is_of(t, i, m))
            return false;
    return !is_of(t, want, m) || is_in_calls(t, want) != calls;
}

static struct tk_val list_now(const struct tk_message *m, bool calls)
{
    return (struct tk_val){m->doc, calls ? m->calls : m->content};
}

void tk_emit_list_of(struct tk_writer *w, const struct tk_transcript *t, uint32_t message,
                     bool calls)
{
    const struct tk_message *m = &t->messages[message];
    uint32_t first = first_of(t, m, calls);

    if (first != TK_NONE && (t->parts[first].flags & TK_PART_STRING))
        tk_write_val(w, tk_part_val(&t->parts[first], t->parts[first].node));
    else if (first == TK_NONE && !tk_is(list_now(m, calls), TK_ARRAY))
        tk_write_val(w, list_now(m, calls));
    else
        write_list(w, t, message, calls);
}

static bool is_rewritten(const struct tk_transcript *t, const struct tk_message *m, bool calls)
{
    struct tk_val v = list_now(m, calls);

    return m->doc && (tk_is(v, TK_ARRAY) || tk_is(v, TK_STRING)) && !list_is_intact(t, m, calls);
}

/* Writes the message's bytes with the lists that were edited written anew. */
static void write_with_lists(struct tk_writer *w, const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    struct tk_val whole = {m->doc, m->node};
    bool both[2] = {is_rewritten(t, m, false), is_rewritten(t, m, true)};
    bool calls = !both[0] || (both[1] && m->calls < m->content);
    struct tk_val first = list_now(m, calls), second = list_now(m, !calls);
    struct tk_writer inner;

    if (!both[0] && !both[1]) {
        tk_write_val(w, whole);
        return;
    }
    tk_write_raw(w, tk_span_before(whole, first));
    tk_writer_init(&inner, w->codec, w->out);
    tk_emit_list_of(&inner, t, message, calls);
    if (both[0] && both[1]) {
        const struct tk_node *a = tk_node(first), *b = tk_node(second);
        size_t from = (size_t)a->off + a->len;

        tk_out_ref(w->out, (struct tk_str){(const char *)m->doc->base + from, b->off - from});
        tk_writer_init(&inner, w->codec, w->out);
        tk_emit_list_of(&inner, t, message, !calls);
        first = second;
    }
    tk_out_ref(w->out, tk_span_after(whole, first));
}

void tk_emit_made_message(struct tk_writer *w, const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];

    if (m->flags & TK_MESSAGE_WHOLE) {
        tk_emit_part(w, t, m->first);
        return;
    }
    if (m->doc) {
        write_with_lists(w, t, message);
        return;
    }
    tk_write_map(w);
    tk_write_kv_cstr(w, "role",
                     m->role == TK_ROLE_ASSISTANT   ? "assistant"
                     : (m->flags & TK_MESSAGE_TOOL) ? "tool"
                                                    : "user");
    tk_write_key(w, tk_parts_name(t->shape).p);
    write_content(w, t, message);
    tk_write_end(w);
}

bool tk_is_plain(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    const struct tk_part *p = m->first == TK_NONE ? NULL : &t->parts[m->first];

    return (m->flags & TK_MESSAGE_PLAIN) && p && m->first == m->last && p->kind == TK_PART_TEXT &&
           tk_count(tk_part_val(p, p->node)) == 2;
}

/* Writes the message with its only text as a string in the place of its content. */
static void write_with_string(struct tk_writer *w, const struct tk_transcript *t,
                              const struct tk_message *m)
{
    const struct tk_part *p = &t->parts[m->first];
    struct tk_val whole = {m->doc, m->node};

    tk_write_raw(w, tk_splice_replace(t->arena, whole, (struct tk_val){m->doc, m->content},
                                      tk_span(tk_part_val(p, p->payload))));
}

/* Returns true if none of its parts was edited; its own members may have been. */
static bool has_its_parts(const struct tk_transcript *t, const struct tk_message *m)
{
    return !(m->flags & TK_MESSAGE_RELISTED) &&
           (!tk_is((struct tk_val){m->doc, m->content}, TK_ARRAY) || is_whole(t, m));
}

/* Writes the message with its content written anew. */
static void write_edited_message(struct tk_writer *w, const struct tk_transcript *t,
                                 uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    struct tk_val whole = {m->doc, m->node}, content = {m->doc, m->content};
    struct tk_writer inner;

    if (t->shape->calls.p || (m->flags & TK_MESSAGE_NEW_CONTENT)) {
        write_with_lists(w, t, message);
        return;
    }
    if (tk_is_plain(t, message)) {
        write_with_string(w, t, m);
        return;
    }
    if (has_its_parts(t, m)) {
        if (tk_is(content, TK_STRING) && m->first != TK_NONE &&
            (t->parts[m->first].flags & TK_PART_TOUCHED))
            write_with_string(w, t, m);
        else
            tk_write_val(w, whole);
        return;
    }
    tk_write_raw(w, tk_span_before(whole, content));
    tk_writer_init(&inner, w->codec, w->out);
    write_content(&inner, t, message);
    tk_out_ref(w->out, tk_span_after(whole, content));
}

/* Writes a message that isn't the original. */
static void write_changed(struct tk_writer *w, const struct tk_transcript *t, uint32_t message)
{
    const uint32_t anew = TK_MESSAGE_MADE | TK_MESSAGE_WHOLE;

    if (t->messages[message].flags & anew)
        tk_emit_made_message(w, t, message);
    else
        write_edited_message(w, t, message);
}

void tk_emit_message(struct tk_writer *w, const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];

    if (!(m->flags & TK_MESSAGE_MADE) && message_is_original(t, message))
        tk_write_val(w, (struct tk_val){m->doc, m->node});
    else
        write_changed(w, t, message);
}

struct tk_val tk_emitted_message(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    struct tk_encoding out;
    const struct tk_doc *doc;

    if (m->flags & TK_MESSAGE_WHOLE)
        return tk_part_val(&t->parts[m->first], t->parts[m->first].node);
    if (!(m->flags & TK_MESSAGE_MADE) && message_is_original(t, message))
        return (struct tk_val){m->doc, m->node};
    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    write_changed(&out.w, t, message);
    doc = tk_doc_of_own(tk_encode_end(&out), t->hash_key, t->arena);
    return doc ? tk_root(doc) : TK_NO_VAL;
}

static void write_messages(struct tk_writer *w, const struct tk_transcript *t)
{
    struct tk_spacing spacing;

    tk_spacing_begin(&spacing, w, t->list);
    for (uint32_t m = t->first_message; m != TK_NONE;) {
        const struct tk_message *message = &t->messages[m];
        uint32_t last = m, count = 1, next = message->next;

        tk_spacing_next(&spacing, w, m < t->input_messages ? m : UINT32_MAX);
        if ((message->flags & TK_MESSAGE_MADE) || !message_is_original(t, m)) {
            write_changed(w, t, m);
        } else {
            while (next != TK_NONE && next == last + 1 && next < t->input_messages &&
                   message_is_original(t, next)) {
                last = next;
                next = t->messages[last].next;
                count++;
            }
            tk_write_run(w, span(t, message->node, t->messages[last].node), count);
        }
        m = next;
    }
    tk_spacing_end(&spacing, w);
}

void tk_emit_list(struct tk_writer *w, const struct tk_transcript *t)
{
    if (t->lone_turn)
        write_content(w, t, t->first_message);
    else
        write_messages(w, t);
}

int tk_emitted_size(const struct tk_transcript *t, uint64_t *ret)
{
    struct tk_writer w;
    struct tk_arena arena;
    struct tk_out out;
    int r;

    tk_arena_init(&arena, t->arena->allocator);
    tk_out_init(&out, &arena);
    tk_writer_init(&w, (enum tk_codec)t->doc->codec, &out);
    tk_emit_list(&w, t);
    r = tk_arena_failed(&arena) || tk_arena_failed(t->arena) ? -ENOMEM : 0;
    *ret = out.size;
    tk_arena_done(&arena);
    return r;
}
