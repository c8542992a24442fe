/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include <errno.h>

#include "providers/openai/chat/state.h"

/* Returns the message's name; `.n == 0`: it has none. */
static struct tk_str name_of(const struct tk_transcript *t, uint32_t message)
{
    return tk_text(tk_chat_member(&t->messages[message], TK_CHAT_M_NAME), t->arena);
}

/* Returns true if the message has no member besides role and content, and, if `calls`, the assistant's
 * tool_calls, and, if `names`, a name. */
static bool is_plain(const struct tk_message *m, bool calls, bool names)
{
    struct tk_val whole = {m->doc, m->node}, name = tk_get(whole, TK_STR("name"));
    uint32_t known =
        1u + (m->content != TK_NO_NODE ? 1u : 0u) + (calls && m->calls != TK_NO_NODE ? 1u : 0u);

    if (names && (tk_is(name, TK_STRING) || tk_is(name, TK_NULL)))
        known++;
    return tk_count(whole) == known;
}

static bool has_joinable_content(const struct tk_message *m)
{
    struct tk_val content = tk_chat_content(m);

    return !tk_exists(content) || tk_is(content, TK_NULL) || tk_is(content, TK_STRING) ||
           tk_is(content, TK_ARRAY);
}

bool tk_chat_may_join(const struct tk_transcript *t, uint32_t first, uint32_t second, bool names)
{
    const struct tk_message *a = &t->messages[first], *b = &t->messages[second];

    return tk_chat_is_same_role(t, first, second) && is_plain(a, false, names) &&
           is_plain(b, true, names) && has_joinable_content(a) && has_joinable_content(b);
}

/* Returns the last message that joins the first one, which is the first one itself if none does. */
static uint32_t last_of_group(const struct tk_transcript *t, uint32_t first, bool names,
                              bool (*asked)(const struct tk_transcript *t, uint32_t first,
                                            uint32_t second))
{
    uint32_t last = first, next;

    while ((next = t->messages[last].next) != TK_NONE && !tk_has_calls(t, &t->messages[last]) &&
           is_plain(&t->messages[last], false, names) && tk_chat_may_join(t, last, next, names) &&
           asked(t, last, next))
        last = next;
    return last;
}

/* ---- whose words they are ---- */

/* Messages that are joined. One name is kept. Where a second name comes, names go into the texts: the first
 * one before all that came before, each later one before its own. */
struct group {
    struct tk_edits *e;
    uint32_t first, last;
    struct tk_str name; /* the first one; `.n == 0`: nobody has one */
    uint32_t second;    /* the first message that has another one; TK_NONE */
    bool list_first;    /* a list comes before `second` */
};

static bool is_list(const struct tk_transcript *t, uint32_t message)
{
    return tk_is(tk_chat_content(&t->messages[message]), TK_ARRAY);
}

static struct group group_of(struct tk_edits *e, uint32_t first, uint32_t last)
{
    const struct tk_transcript *t = e->t;
    struct group g = {e, first, last, {0}, TK_NONE, false};
    uint32_t end = t->messages[last].next;

    for (uint32_t m = first; m != end && g.second == TK_NONE; m = t->messages[m].next) {
        struct tk_str name = name_of(t, m);

        if (g.name.n == 0)
            g.name = name;
        else if (name.n > 0 && !tk_str_eq(name, g.name))
            g.second = m;
        if (g.second == TK_NONE)
            g.list_first |= is_list(t, m);
    }
    return g;
}

/* ---- the content of all ---- */

static bool has_list(const struct group *g)
{
    const struct tk_transcript *t = g->e->t;

    for (uint32_t m = g->first;; m = t->messages[m].next) {
        if (is_list(t, m))
            return true;
        if (m == g->last)
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

static void put_name(struct tk_out *out, struct tk_str name, const char *after)
{
    tk_out_put(out, name.p, name.n);
    tk_out_put(out, after, name.n > 0 ? strlen(after) : 0);
}

/* Returns the texts of the group's messages before `end`, joined by two LF; empty ones are left out.
 * *ret_null: all are null. *ret_named: the second name has come. */
static struct tk_str texts_of(const struct group *g, uint32_t end, bool *ret_null, bool *ret_named)
{
    const struct tk_transcript *t = g->e->t;
    struct tk_str name = {0};
    struct tk_out out;

    if (g->second != TK_NONE && !g->list_first)
        name = g->name;
    *ret_null = true;
    *ret_named = false;
    tk_out_init(&out, t->arena);
    for (uint32_t m = g->first; m != end; m = t->messages[m].next) {
        struct tk_str text = tk_text(string_of(t, m), t->arena);

        *ret_null = *ret_null && !text.p;
        *ret_named |= m == g->second;
        if (*ret_named)
            name = name_of(t, m);
        if (text.n == 0)
            continue;
        if (out.size > 0)
            tk_out_put(&out, "\n\n", 2);
        put_name(&out, name, ": ");
        tk_out_put(&out, text.p, text.n);
        name.n = 0;
    }
    return tk_out_join(&out);
}

static struct tk_str joined_text(const struct group *g)
{
    const struct tk_transcript *t = g->e->t;
    bool null, named;
    struct tk_str text = texts_of(g, t->messages[g->last].next, &null, &named);

    if (text.n == 0 && (null || tk_has_calls(t, &t->messages[g->last])))
        return t->doc->codec == TK_JSON ? TK_STR("null") : TK_STR("\xc0");
    return tk_encode_text(g->e, text);
}

/* Writes a text part with a name, and with a text after it. */
static void write_named(struct tk_writer *w, const struct group *g, struct tk_str name,
                        const char *between, struct tk_str text)
{
    struct tk_out out;

    tk_out_init(&out, g->e->t->arena);
    put_name(&out, name, between);
    tk_out_put(&out, text.p, text.n);
    tk_write_raw(w, tk_encode_text_part(g->e, tk_out_join(&out), (struct tk_str){0}));
}

/* Writes the parts of a message; a name goes before its text, or before its parts. */
static void write_parts(struct tk_writer *w, const struct group *g, uint32_t message,
                        struct tk_str name)
{
    const struct tk_transcript *t = g->e->t;

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_part *p = &t->parts[i];

        if (p->flags & TK_PART_IN_CALLS)
            return;
        if ((p->flags & TK_PART_STRING) && name.n == 0) {
            t->shape->write_text(w, tk_span(tk_part_val(p, p->node)), (struct tk_str){0});
        } else if (p->flags & TK_PART_STRING) {
            write_named(w, g, name, ": ", tk_text(tk_part_val(p, p->node), t->arena));
        } else {
            if (name.n > 0)
                write_named(w, g, name, ":", (struct tk_str){0});
            tk_write_val(w, tk_part_val(p, p->node));
        }
        name.n = 0;
    }
}

/* Strings before the first list are one text, as if they were joined before the list came. */
static struct tk_str joined_list(const struct group *g)
{
    const struct tk_transcript *t = g->e->t;
    uint32_t list = g->first, end = t->messages[g->last].next;
    struct tk_encoding out;
    struct tk_str text;
    bool null, named;

    while (!is_list(t, list))
        list = t->messages[list].next;
    text = texts_of(g, list, &null, &named);
    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_list(&out.w);
    if (g->second != TK_NONE && g->list_first)
        write_named(&out.w, g, g->name, ":", (struct tk_str){0});
    if (text.n > 0)
        tk_write_raw(&out.w, tk_encode_text_part(g->e, text, (struct tk_str){0}));
    for (uint32_t m = list; m != end; m = t->messages[m].next) {
        named |= m == g->second;
        write_parts(&out.w, g, m, named ? name_of(t, m) : (struct tk_str){0});
    }
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

static struct tk_str calls_of(const struct tk_transcript *t, uint32_t message)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_list(&out.w);
    for (uint32_t c = tk_first_call(t, &t->messages[message]); c != TK_NONE; c = tk_next_call(t, c))
        tk_write_val(&out.w, tk_part_val(&t->parts[c], t->parts[c].node));
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

/* Gives the first message the name that is kept, or takes it away. */
static int set_name(const struct group *g)
{
    if (g->second != TK_NONE)
        return tk_message_remove(g->e, g->first, "name");
    if (g->name.n == 0 || name_of(g->e->t, g->first).n > 0)
        return 0;
    return tk_message_set(g->e, g->first, "name", tk_encode_text(g->e, g->name));
}

int tk_chat_join(struct tk_edits *e, uint32_t first, uint16_t code, bool names,
                 bool (*asked)(const struct tk_transcript *t, uint32_t first, uint32_t second))
{
    struct tk_transcript *t = e->t;
    uint32_t last = last_of_group(t, first, names, asked), after;
    struct tk_str content;
    struct group g;
    int r;

    if (last == first)
        return 0;
    g = group_of(e, first, last);
    content = has_list(&g) ? joined_list(&g) : joined_text(&g);
    r = content.p ? set_name(&g) : -ENOMEM; /* the patch has it before the content, too */
    if (r == 0)
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
