/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "operations/fit/fit_inside.h"
#include "value/compact.h"

bool tk_fit_is_late(struct tk_fit_plan *p)
{
    return tk_judge_cancelled(p->j, p->polls++);
}

uint64_t tk_fit_size_of(const struct tk_fit_options *o, const struct tk_fit_entry *x)
{
    if (!o->tokens)
        return x->bytes;
    if (x->count == TK_NONE)
        return (x->bytes + o->per_token - 1) / o->per_token;
    return (x->count * x->bytes + x->sent - 1) / x->sent;
}

/* Returns how many results of the client's calls an entry has. */
static uint64_t results_in(const struct tk_transcript *t, uint32_t entry)
{
    const struct tk_message *m = &t->messages[entry];
    uint64_t count = 0;

    if (m->flags & TK_MESSAGE_RESULT)
        return 1;
    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next)
        count += tk_is_result(&t->parts[i], false);
    return count;
}

static uint32_t count_at(struct tk_val count)
{
    int64_t n = 0;

    return tk_exists(count) && tk_int64(count, &n) ? (uint32_t)n : TK_NONE;
}

/* A list that is a text is an entry without a message. */
static void read_text(struct tk_fit_plan *p)
{
    struct tk_fit_entry x = {.count = count_at(tk_first(p->o->counts))};

    x.sent = x.bytes = tk_compact_size(p->t->list);
    p->size += tk_fit_size_of(p->o, &x);
}

int tk_fit_read_entries(struct tk_fit_plan *p)
{
    const struct tk_transcript *t = p->t;
    struct tk_val counts = p->o->counts, count = tk_first(counts);
    struct tk_fit_entry *list = tk_arena_alloc(t->arena, t->input_messages * sizeof(*list));

    if (!list)
        return -ENOMEM;
    p->f->entries = list;
    p->entry_count = t->input_messages;
    p->size = p->o->overhead;
    for (uint32_t i = 0; i < p->entry_count; i++) {
        uint64_t bytes = tk_compact_size((struct tk_val){t->doc, t->messages[i].sent});

        if (tk_fit_is_late(p))
            return -ECANCELED;
        list[i] = (struct tk_fit_entry){.sent = bytes,
                                        .bytes = bytes,
                                        .count = count_at(count),
                                        .round = TK_NONE,
                                        .step = TK_NONE,
                                        .kind = (uint8_t)p->rules->kind(p->j, i)};
        count = tk_exists(count) ? tk_after(counts, count) : TK_NO_VAL;
        p->size += tk_fit_size_of(p->o, &list[i]);
        p->result_count += results_in(t, i);
    }
    if (tk_is(t->list, TK_STRING))
        read_text(p);
    return 0;
}
