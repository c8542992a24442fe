/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The start of a stream (STREAM.md section 6): carries over the ids that the history used, and the
 * calls that are still open at its end (in flight), as the rules judged them.
 */
#include <errno.h>

#include "stream/stream_inside.h"
#include "value/unicode.h"

static bool is_provider_part(const struct tk_transcript *t, const struct tk_part *p)
{
    return (p->flags & TK_PART_PROVIDER) && t->messages[p->message].role == TK_ROLE_ASSISTANT;
}

static int remember_ids(struct tk_operations *ops, const struct tk_transcript *t)
{
    for (uint32_t i = 0; i < t->part_count; i++) {
        const struct tk_part *p = &t->parts[i];
        struct tk_id_use *use;

        if (!is_provider_part(t, p))
            continue;
        use = tk_id_use(ops, tk_part_id(t, p));
        if (!use)
            return -ENOMEM;
        use->seen = true;
        use->answered = use->answered || p->kind == TK_PART_RESULT;
    }
    return 0;
}

/* Returns true if another model continues after the call. That model never saw the call, so it
 * isn't carried. */
static bool is_declined(const struct tk_transcript *t, const struct tk_part *call,
                        struct tk_str handover)
{
    for (uint32_t i = call->next; handover.p && i != TK_NONE; i = t->parts[i].next)
        if (tk_text_is(tk_part_val(&t->parts[i], t->parts[i].type), handover))
            return true;
    return false;
}

static struct tk_str unless_blank(struct tk_str s)
{
    return s.p && !tk_is_blank(s) ? s : (struct tk_str){NULL, 0};
}

static struct tk_operation *carry(struct tk_operations *ops, struct tk_str id, struct tk_str name,
                                  struct tk_str type)
{
    struct tk_operation *op = tk_operation_new(ops, id, TK_OP_CARRIED);

    if (op)
        tk_operation_describe(ops, op, unless_blank(name), unless_blank(type));
    return op;
}

static int carry_call(struct tk_operations *ops, const struct tk_transcript *t,
                      const struct tk_part *call)
{
    struct tk_str id = tk_part_id(t, call);

    if (tk_is_blank(id) || is_declined(t, call, ops->format->handover))
        return 0;
    return carry(ops, id, tk_part_name(t, call), tk_text(tk_part_val(call, call->type), t->arena))
               ? 0
               : -ENOMEM;
}

int tk_stream_carry_history(struct tk_stream *s, const struct tk_judge *history)
{
    const struct tk_transcript *t = history->t;
    bool (*is_in_flight)(const struct tk_judge *j, uint32_t part) = history->rules->is_in_flight;
    int r = remember_ids(&s->operations, t);

    for (uint32_t i = 0; is_in_flight && i < t->part_count && r == 0; i++)
        if (is_in_flight(history, i))
            r = carry_call(&s->operations, t, &t->parts[i]);
    return r == 0 && tk_arena_failed(&s->arena) ? -ENOMEM : r;
}

int tk_stream_carry(struct tk_stream *s, struct tk_str id, struct tk_str name, struct tk_str type)
{
    struct tk_operations *ops = &s->operations;
    const struct tk_id_use *use = tk_id_known(ops, id);

    if (use && use->answered)
        return TK_CARRY_ANSWERED;
    if (use && use->operation != TK_NONE)
        tk_operation_describe(ops, &ops->all[use->operation], unless_blank(name),
                              unless_blank(type));
    else if (!carry(ops, id, name, type))
        return -ENOMEM;
    return tk_arena_failed(&s->arena) ? -ENOMEM : 0;
}

static void write_text(struct tk_writer *w, const char *key, struct tk_str s)
{
    tk_write_key(w, key);
    if (s.p)
        tk_write_str(w, s);
    else
        tk_write_null(w);
}

void tk_stream_write_pending(const struct tk_stream *s, struct tk_writer *w)
{
    tk_write_list(w);
    for (uint32_t i = 0; i < s->operations.count; i++) {
        const struct tk_operation *op = &s->operations.all[i];

        if (op->state != TK_OP_CARRIED && op->state != TK_OP_DEFERRED)
            continue;
        tk_write_map(w);
        write_text(w, "id", op->id);
        write_text(w, "name", op->name);
        write_text(w, "type", op->type);
        tk_write_end(w);
    }
    tk_write_end(w);
}
