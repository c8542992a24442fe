/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Merges adjacent user messages into one with the blocks of all, for callers whose stores or
 * providers want that. Results stay first, because they are in the first of the messages.
 */
#include "operations/splice/splice_inside.h"

/* Returns true for a message with role and content only: merging would lose other members. */
static bool is_mergeable(const struct tk_splice_message *m)
{
    return m->role == TK_ROLE_USER && (!tk_exists(m->whole) || tk_count(m->whole) == 2);
}

static void push(struct tk_splice_state *s, struct tk_val val, enum tk_splice_form form)
{
    s->blocks[s->block_count++] =
        (struct tk_splice_block){.val = val, .toolset = TK_NO_VAL, .form = (uint8_t)form};
}

static void push_blocks(struct tk_splice_state *s, const struct tk_splice_message *m)
{
    if (m->rewritten) {
        for (uint32_t i = 0; i < m->block_count; i++)
            s->blocks[s->block_count++] = m->blocks[i];
        return;
    }
    if (tk_is(m->content, TK_STRING))
        push(s, m->content, TK_SPLICE_STRING);
    for (struct tk_val v = tk_first(m->content); tk_exists(v); v = tk_after(m->content, v))
        push(s, v, TK_SPLICE_AS_IS);
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
        while (to < s->out->count && is_mergeable(&messages[from]) && is_mergeable(&messages[to]))
            to++;
        messages[kept] = to == from + 1 ? messages[from] : join(s, from, to);
        kept++;
    }
    s->out->count = kept;
}
