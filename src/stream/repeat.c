/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/repeat.h"

#include "value/unicode.h"

/* Returns true if the event is a delta whose text is its last value, and the data is nothing but the
 * event. */
static bool may_come_again(const struct tk_event *e, struct tk_str data)
{
    const struct tk_doc *doc = e->root.doc;
    const struct tk_node *text;

    if (e->type != TK_EVENT_BLOCK_DELTA || !tk_is(e->payload, TK_STRING) ||
        doc->count > TK_REPEAT_NODES || e->payload.node != doc->count - 1 ||
        !tk_str_eq(tk_span(e->root), data) || tk_span(e->root).p != data.p)
        return false;
    text = tk_node(e->payload);
    return text->off < TK_REPEAT_HEAD && data.n - (text->off + text->len - 1) <= TK_REPEAT_TAIL &&
           !memchr(data.p, '\\', text->off);
}

static bool is_known(const struct tk_repeat *r, struct tk_str head)
{
    return tk_str_eq(head, (struct tk_str){r->head, r->head_size});
}

void tk_repeat_learn(struct tk_repeat *r, const struct tk_event *e, struct tk_str data)
{
    const struct tk_node *text;
    size_t head, tail;

    if (!may_come_again(e, data))
        return;
    text = tk_node(e->payload);
    head = text->off + 1;
    tail = text->off + text->len - 1;
    if (is_known(r, (struct tk_str){data.p, head}))
        return;
    *r = (struct tk_repeat){
        .head_size = (uint8_t)head,
        .tail_size = (uint8_t)(data.n - tail),
        .type_at = (uint8_t)(e->type_text.p - data.p),
        .delta_at = (uint8_t)(e->delta_text.p - data.p),
        .count = (uint8_t)e->root.doc->count,
        .size = (uint32_t)data.n,
        .event = *e,
    };
    memcpy(r->head, data.p, head);
    memcpy(r->tail, data.p + tail, r->tail_size);
    memcpy(r->nodes, e->root.doc->nodes, r->count * sizeof(*r->nodes));
}

/*
 * Returns true if bytes can be the content of a JSON string; *ret_escaped: they contain a backslash.
 * Returns false for \\u escapes, too: one may be half of a surrogate pair, which the reader judges.
 */
static bool is_simple_string(struct tk_str s, bool *ret_escaped)
{
    const uint8_t *p = (const uint8_t *)s.p, *end = p + s.n;
    bool all_ascii = true;

    *ret_escaped = false;
    for (;;) {
        bool ascii;

        p += tk_scan_plain(p, (size_t)(end - p), &ascii);
        all_ascii = all_ascii && ascii;
        if (p == end)
            return all_ascii || tk_utf8_valid(s.p, s.n) == s.n;
        if (*p != '\\' || end - p < 2 || !p[1] || !strchr("\"\\/bfnrt", p[1]))
            return false;
        *ret_escaped = true;
        p += 2;
    }
}

static bool is_repeated(const struct tk_repeat *r, struct tk_str data, bool *ret_escaped)
{
    size_t around = (size_t)r->head_size + r->tail_size;

    return r->count > 0 && data.n >= around && memcmp(data.p, r->head, r->head_size) == 0 &&
           memcmp(data.p + data.n - r->tail_size, r->tail, r->tail_size) == 0 &&
           is_simple_string((struct tk_str){data.p + r->head_size, data.n - around}, ret_escaped);
}

bool tk_repeat_read(const struct tk_repeat *r, struct tk_doc *doc, struct tk_str data,
                    struct tk_event *ret)
{
    bool escaped;

    if (doc->capacity < r->count || !is_repeated(r, data, &escaped))
        return false;
    doc->base = (const uint8_t *)data.p;
    doc->size = (uint32_t)data.n;
    doc->count = r->count;
    doc->codec = TK_JSON;
    doc->has_surrogate = false;
    doc->foreign = TK_NO_NODE;
    memcpy(doc->nodes, r->nodes, r->count * sizeof(*r->nodes));
    for (uint32_t i = 0; i < r->count; i++)
        if (doc->nodes[i].next == r->count) /* the text, and what it is in */
            doc->nodes[i].len += doc->size - r->size;
    doc->nodes[r->count - 1].flags = escaped ? TK_NODE_ESCAPED : 0;
    *ret = r->event;
    ret->type_text.p = data.p + r->type_at;
    ret->delta_text.p = data.p + r->delta_at;
    return true;
}
