/* SPDX-License-Identifier: Apache-2.0 */
/* Ends a stream by the rules of STREAM.md section 7. */
#include <errno.h>

#include "stream/stream_inside.h"
#include "stream/turn/turn.h"

/* Rule 2: an excuse covers a missing result and nothing else. */
static bool is_bad(const struct tk_operation *op, bool excused)
{
    return tk_operation_is_left(op) && op->state != TK_OP_DEFERRED &&
           (!excused || op->state == TK_OP_OPENING || op->result != TK_NONE);
}

struct tk_str *tk_bad_operations(struct tk_work *k, bool excused, size_t *ret_n)
{
    const struct tk_operations *ops = &k->s->operations;
    struct tk_str *ids = tk_arena_alloc(k->arena, ops->count * sizeof(*ids));

    *ret_n = 0;
    for (uint32_t i = 0; ids && i < ops->count; i++)
        if (is_bad(&ops->all[i], excused))
            ids[(*ret_n)++] = ops->all[i].id;
    return ids;
}

/* Applies rule 3: calls that wait for a result leave without it. */
static void defer_calls(struct tk_work *k)
{
    struct tk_operations *ops = &k->s->operations;

    for (uint32_t i = 0; i < ops->count; i++) {
        if (ops->all[i].state != TK_OP_INPUT_COMPLETE)
            continue;
        ops->all[i].state = TK_OP_DEFERRED;
        if (k->s->emitter->deferred)
            k->s->emitter->deferred(k, &ops->all[i]);
    }
    if (k->s->emitter->excused)
        k->s->emitter->excused(k);
}

/* Applies rule 4. Returns the cause of the end; NULL if the message is over as it should be. */
static const struct tk_stream_error *cause_of(const struct tk_stream *s,
                                              const struct tk_stream_error *cause)
{
    static const struct tk_stream_error truncated = {.kind = TK_STREAM_FAULT_TRUNCATED_STREAM};

    if (cause)
        return cause;
    return s->over && s->facts.stop_reason.p ? NULL : &truncated;
}

int tk_fail_at_end(struct tk_work *k, const struct tk_stream_error *cause, const struct tk_str *ids,
                   size_t n)
{
    struct tk_stream_error error = {.kind = TK_STREAM_FAULT_INCOMPLETE_OPERATION};

    if (n == 0)
        return tk_stream_fail(k, cause);
    if (cause) {
        error = *cause;
        error.cause = cause->kind;
        error.kind = TK_STREAM_FAULT_INCOMPLETE_OPERATION;
    }
    error.ids = ids;
    error.id_count = n;
    return tk_stream_fail(k, &error);
}

static void finish(struct tk_work *k)
{
    struct tk_stream *s = k->s;

    for (uint32_t i = 0; i < s->blocks.count; i++)
        if (!tk_block_at(s, i)->stopped && !tk_block_is_abandoned(s, tk_block_at(s, i)))
            tk_warn(k, TK_WARNING_UNSTOPPED_BLOCK);
    s->emitter->finished(k);
    s->state = TK_STREAM_DONE;
}

int tk_stream_conclude(struct tk_work *k, const struct tk_stream_error *cause)
{
    bool excused;
    struct tk_str *ids;
    size_t n;

    if (k->s->turn)
        return tk_turn_conclude(k, cause);
    excused = tk_is_excused(k->s); /* rule 1 */
    ids = tk_bad_operations(k, excused, &n);
    if (!ids)
        return -ENOMEM;
    if (n == 0 && excused)
        defer_calls(k);
    cause = cause_of(k->s, cause);
    if (n > 0 || cause)
        return tk_fail_at_end(k, cause, ids, n);
    finish(k);
    return 0;
}
