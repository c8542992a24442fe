/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/order/join.h"

#include <errno.h>

#include "providers/openai/chat/order/find.h"
#include "providers/openai/chat/state.h"

/* Returns true if the message has no member besides role and content, and, if `calls`, tool_calls. */
static bool is_plain(const struct tk_message *m, bool calls)
{
    uint32_t known =
        1u + (m->content != TK_NO_NODE ? 1u : 0u) + (calls && m->items != TK_NO_NODE ? 1u : 0u);

    return tk_count((struct tk_val){m->doc, m->node}) == known;
}

static bool has_joinable_content(const struct tk_message *m)
{
    struct tk_val content = tk_chat_content(m);

    return !tk_exists(content) || tk_is(content, TK_NULL) || tk_is(content, TK_STRING) ||
           tk_is(content, TK_ARRAY);
}

bool tk_chat_may_join(const struct tk_transcript *t, uint32_t first, uint32_t second)
{
    const struct tk_message *a = &t->messages[first], *b = &t->messages[second];

    return tk_chat_is_same_role(t, first, second) && is_plain(a, false) && is_plain(b, true) &&
           has_joinable_content(a) && has_joinable_content(b);
}

/* Returns the last message that joins the first one, which is the first one itself if none does. */
static uint32_t last_of_group(const struct tk_transcript *t, uint32_t first,
                              bool (*asked)(const struct tk_transcript *t, uint32_t first,
                                            uint32_t second))
{
    uint32_t last = first, next;

    while ((next = t->messages[last].next) != TK_NONE && !tk_has_calls(t, &t->messages[last]) &&
           is_plain(&t->messages[last], false) && tk_chat_may_join(t, last, next) &&
           asked(t, last, next))
        last = next;
    return last;
}

/* ---- the content of all ---- */

static bool has_list(const struct tk_transcript *t, uint32_t first, uint32_t last)
{
    for (uint32_t m = first;; m = t->messages[m].next) {
        if (tk_is(tk_chat_content(&t->messages[m]), TK_ARRAY))
            return true;
        if (m == last)
            return false;
    }
}

/* Returns a content that is no list as it is now: an edit of the string is in its part. */
static struct tk_val string_of(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];
    const struct tk_part *p = m->first == TK_NONE ? NULL : &t->parts[m->first];

    return p && (p->flags & TK_PART_STRING) ? tk_part_val(p, p->node) : tk_chat_content(m);
}

/* Returns the texts of messages, joined by two LF; empty ones are left out. *ret_null: all are null. */
static struct tk_str texts_of(const struct tk_transcript *t, uint32_t first, uint32_t end,
                              bool *ret_null)
{
    struct tk_out out;

    *ret_null = true;
    tk_out_init(&out, t->arena);
    for (uint32_t m = first; m != end; m = t->messages[m].next) {
        struct tk_str text = tk_text(string_of(t, m), t->arena);

        *ret_null = *ret_null && !text.p;
        if (text.n > 0 && out.size > 0)
            tk_out_put(&out, "\n\n", 2);
        tk_out_put(&out, text.p, text.n);
    }
    return tk_out_join(&out);
}

static struct tk_str joined_text(struct tk_edits *e, uint32_t first, uint32_t last)
{
    const struct tk_transcript *t = e->t;
    bool null;
    struct tk_str text = texts_of(t, first, t->messages[last].next, &null);

    if (text.n == 0 && (null || tk_has_calls(t, &t->messages[last])))
        return t->doc->codec == TK_JSON ? TK_STR("null") : TK_STR("\xc0");
    return tk_encode_text(e, text);
}

static void write_parts(struct tk_writer *w, const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_part *p = &t->parts[i];

        if (p->flags & TK_PART_ITEM)
            return;
        if (p->flags & TK_PART_STRING)
            t->shape->write_text(w, tk_span(tk_part_val(p, p->node)), (struct tk_str){0});
        else
            tk_write_val(w, tk_part_val(p, p->node));
    }
}

/* Strings before the first list are one text, as if they were joined before the list came. */
static struct tk_str joined_list(struct tk_edits *e, uint32_t first, uint32_t last)
{
    const struct tk_transcript *t = e->t;
    uint32_t list = first, end = t->messages[last].next;
    struct tk_encoding out;
    struct tk_str text;
    bool null;

    while (!tk_is(tk_chat_content(&t->messages[list]), TK_ARRAY))
        list = t->messages[list].next;
    text = texts_of(t, first, list, &null);
    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_list(&out.w);
    if (text.n > 0)
        tk_write_raw(&out.w, tk_encode_text_part(e, text, (struct tk_str){0}));
    for (uint32_t m = list; m != end; m = t->messages[m].next)
        write_parts(&out.w, t, m);
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

static struct tk_str calls_of(const struct tk_transcript *t, uint32_t message)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_list(&out.w);
    for (uint32_t c = tk_first_call(t, &t->messages[message]); c != TK_NONE; c = t->parts[c].next)
        tk_write_val(&out.w, tk_part_val(&t->parts[c], t->parts[c].node));
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

int tk_chat_join(struct tk_edits *e, uint32_t first, uint16_t code,
                 bool (*asked)(const struct tk_transcript *t, uint32_t first, uint32_t second))
{
    struct tk_transcript *t = e->t;
    uint32_t last = last_of_group(t, first, asked), after;
    struct tk_str content;
    int r;

    if (last == first)
        return 0;
    content = has_list(t, first, last) ? joined_list(e, first, last) : joined_text(e, first, last);
    r = tk_message_set(e, first, "content", content);
    if (r == 0 && tk_has_calls(t, &t->messages[last]))
        r = tk_message_set(e, first, "tool_calls", calls_of(t, last));
    after = t->messages[last].next;
    for (uint32_t m = t->messages[first].next, next; m != after && r == 0; m = next) {
        next = t->messages[m].next;
        r = tk_edit_message_joined(e, m, code);
    }
    return r;
}
