/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges adjacent user messages into one with the blocks of all, for callers whose stores or
 * providers want that. Results stay first, because they are in the first of the messages.
 */
#include "operations/splice/splice_inside.h"

/* Returns true for a message with role and content only: merging would lose other members. Its content
 * must be something to which parts can be added. */
static bool is_mergeable(const struct tk_splice_state *s, const struct tk_splice_message *m)
{
    if (m->role != TK_ROLE_USER || !tk_exists(m->whole))
        return m->role == TK_ROLE_USER;
    return tk_count(m->whole) == 2 &&
           (tk_is(m->content, TK_ARRAY) ||
            (tk_is(m->content, TK_STRING) && !tk_splice_shape(s)->lists_only));
}

static void push_blocks(struct tk_splice_state *s, const struct tk_splice_message *m)
{
    if (m->rewritten) {
        for (uint32_t i = 0; i < m->block_count; i++)
            s->blocks[s->block_count++] = m->blocks[i];
        return;
    }
    if (tk_is(m->content, TK_STRING))
        tk_splice_push(s, TK_SPLICE_STRING, m->content);
    for (struct tk_val v = tk_first(m->content); tk_exists(v); v = tk_after(m->content, v))
        tk_splice_push(s, TK_SPLICE_AS_IS, v);
}

/* Returns one message with the blocks of the messages from..to. */
static struct tk_splice_message join(struct tk_splice_state *s, uint32_t from, uint32_t to)
{
    uint32_t first = s->block_count;

    for (uint32_t i = from; i < to; i++)
        push_blocks(s, &s->out->messages[i]);
    return (struct tk_splice_message){
        .whole = TK_NO_VAL,
        .content = TK_NO_VAL,
        .blocks = &s->blocks[first],
        .block_count = s->block_count - first,
        .role = TK_ROLE_USER,
        .rewritten = true,
    };
}

void tk_splice_merge(struct tk_splice_state *s)
{
    struct tk_splice_message *messages = s->out->messages;
    uint32_t kept = 0, to;

    for (uint32_t from = 0; from < s->out->count; from = to) {
        to = from + 1;
        while (to < s->out->count && is_mergeable(s, &messages[from]) &&
               is_mergeable(s, &messages[to]))
            to++;
        messages[kept] = to == from + 1 ? messages[from] : join(s, from, to);
        kept++;
    }
    s->out->count = kept;
}
