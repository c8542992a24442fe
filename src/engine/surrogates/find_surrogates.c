/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/surrogates/surrogates.h"

uint32_t tk_find_surrogate(const struct tk_doc *doc, uint32_t node, uint32_t end)
{
    if (!doc->has_surrogate)
        return end;
    while (node < end && !(doc->nodes[node].flags & TK_NODE_SURROGATE))
        node++;
    return node;
}

/* Position of the walk over the request's bytes: the provider counts characters from the start of
 * the body. */
struct ruler {
    struct tk_judge *j;
    struct tk_str at; /* the bytes that the walk hasn't reached */
    size_t characters;
};

static size_t count_characters(const char *from, const char *to)
{
    size_t n = 0;

    for (; from < to; from++)
        n += ((uint8_t)*from & 0xC0) != 0x80;
    return n;
}

/* Returns how many characters precede a place in its document. An edit's bytes are a document of
 * their own, counted from their own start. */
static size_t measure(struct ruler *ruler, const struct tk_doc *doc, const char *place)
{
    const char *base = (const char *)doc->base;

    if (doc != ruler->j->t->doc)
        return count_characters(base, place);
    if (place < ruler->at.p)
        ruler->characters -= count_characters(place, ruler->at.p);
    else
        ruler->characters += count_characters(ruler->at.p, place);
    ruler->at.p = place;
    return ruler->characters;
}

static struct tk_str first_escape(struct tk_val v)
{
    struct tk_str key = tk_lone_surrogate(tk_raw_key(v));

    return key.p ? key : tk_lone_surrogate(tk_raw(v));
}

/* Adds to the newest finding the place of its escape, counted like JSON readers do. */
static int say_where(struct ruler *ruler, struct tk_val v)
{
    struct tk_transcript *t = ruler->j->t;
    unsigned long offset = measure(ruler, v.doc, first_escape(v).p);

    return tk_find_words(&ruler->j->findings, t, tk_arena_printf(t->arena, "%lu", offset + 1),
                         tk_arena_printf(t->arena, "%lu", offset));
}

static int blame(struct ruler *ruler, uint32_t message, uint32_t part, struct tk_val v)
{
    int r = tk_find(&ruler->j->findings, ruler->j->t, TK_CODE_BODY_LONE_SURROGATE, TK_ERROR,
                    tk_site_of(message, part));

    return r < 0 ? r : say_where(ruler, v);
}

bool tk_member_has_surrogate(struct tk_val member)
{
    uint32_t end = tk_node(member)->next;

    return tk_find_surrogate(member.doc, member.node, end) < end;
}

/* Returns the first node of an object with a lone surrogate, or TK_NO_VAL. The members `but` and `nor`
 * are left out; `.p == NULL`: none is. */
static struct tk_val find_in(struct tk_val object, struct tk_str but, struct tk_str nor)
{
    for (struct tk_val v = tk_first(object); tk_exists(v); v = tk_after(object, v))
        if (tk_member_has_surrogate(v) && !(but.p && tk_key_is(v, but)) &&
            !(nor.p && tk_key_is(v, nor)))
            return (struct tk_val){v.doc, tk_find_surrogate(v.doc, v.node, tk_node(v)->next)};
    return TK_NO_VAL;
}

/* Returns true if the message's content is read as parts. Where only lists have parts, a string that
 * no edit replaced is one of the message's own members. */
static bool has_parts(const struct tk_message *m, const struct tk_shape *shape)
{
    struct tk_val content = {m->doc, m->content};

    return (m->flags & TK_MESSAGE_RELISTED) ||
           (tk_takes_parts(m) && !(shape->lists_only && tk_is(content, TK_STRING)));
}

/* Judges a message's own members. Lists of parts, and strings that are a part, are judged as parts. */
static int judge_message(struct ruler *ruler, uint32_t message)
{
    const struct tk_message *m = &ruler->j->t->messages[message];
    const struct tk_shape *shape = ruler->j->t->shape;
    struct tk_str parts = has_parts(m, shape) ? tk_parts_name(shape) : (struct tk_str){0};
    struct tk_str calls = m->calls != TK_NO_NODE ? tk_calls_name(shape) : (struct tk_str){0};
    struct tk_val whole = {m->doc, m->node}, found;

    if ((m->flags & (TK_MESSAGE_MADE | TK_MESSAGE_WHOLE)) || m->node == TK_NO_NODE ||
        !m->doc->has_surrogate)
        return 0;
    found = find_in(whole, parts, calls);
    return tk_exists(found) ? blame(ruler, message, TK_NONE, found) : 0;
}

static int judge_part(struct ruler *ruler, uint32_t part)
{
    const struct tk_part *p = &ruler->j->t->parts[part];
    uint32_t node = tk_part_surrogate(p);

    return node < p->doc->nodes[p->node].next ? blame(ruler, p->message, part, tk_part_val(p, node))
                                              : 0;
}

int tk_judge_surrogates(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    struct tk_val body = j->request->body, found;
    struct ruler ruler = {.j = j};
    int r = 0;

    if (!t->doc->has_surrogate)
        return 0;
    ruler.at = tk_span(tk_exists(body) ? body : t->list);
    /* a list that is a text has no messages here */
    found = find_in(body, tk_is(t->list, TK_STRING) ? (struct tk_str){0} : tk_root_name(t->shape),
                    (struct tk_str){0});
    if (tk_exists(found))
        r = blame(&ruler, TK_NONE, TK_NONE, found);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        r = judge_message(&ruler, m);
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            r = judge_part(&ruler, i);
    }
    return r;
}
