/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs calls with results: the rules of STREAM.md section 6, for each block that starts or stops. */
#include <errno.h>

#include "stream/stream_inside.h"
#include "value/unicode.h"

static bool is_blank(struct tk_str s)
{
    return !s.p || tk_is_blank(s);
}

static int64_t index_or_none(uint32_t block)
{
    return block == TK_NONE ? TK_NO_INDEX : (int64_t)block;
}

/* Applies rule 1, for calls of both kinds. Returns 0 or TK_FAILED. */
static int check_call(struct tk_work *k, const struct tk_stream_block *b,
                      const struct tk_stream_block_view *view)
{
    struct tk_stream_error error = {.id = view->id, .wire_index = b->at};
    const struct tk_id_use *use;

    if (is_blank(view->id)) {
        error.kind = TK_STREAM_FAULT_MISSING_ID;
        return tk_stream_fail(k, &error);
    }
    if (is_blank(view->name)) {
        error.kind = TK_STREAM_FAULT_MISSING_NAME;
        return tk_stream_fail(k, &error);
    }
    use = tk_id_known(&k->s->operations, view->id);
    if (use && use->seen) {
        error.kind = TK_STREAM_FAULT_DUPLICATE_OPERATION;
        error.first_index = index_or_none(use->seen_at);
        return tk_stream_fail(k, &error);
    }
    return 0;
}

static int client_call_started(struct tk_work *k, struct tk_stream_block *b,
                               const struct tk_stream_block_view *view)
{
    int r = check_call(k, b, view);
    struct tk_id_use *use;

    if (r != 0)
        return r;
    use = tk_id_use(&k->s->operations, view->id);
    if (!use)
        return -ENOMEM;
    use->seen = true;
    use->seen_at = b->at;
    k->s->client_call = true;
    return 0;
}

static int call_started(struct tk_work *k, struct tk_stream_block *b,
                        const struct tk_stream_block_view *view)
{
    struct tk_operations *ops = &k->s->operations;
    struct tk_operation *op;
    int r = check_call(k, b, view);

    if (r != 0)
        return r;
    if (view->unlisted) {
        if (k->s->setup.unknown_tools_error)
            return tk_stream_fail(k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_UNKNOWN_TOOL,
                                                               .id = view->id,
                                                               .name = view->name,
                                                               .wire_index = b->at});
        tk_warn(k, TK_WARNING_UNKNOWN_TOOL);
    }
    op = tk_operation_new(ops, view->id, TK_OP_OPENING);
    if (!op)
        return -ENOMEM;
    tk_operation_describe(ops, op, view->name, view->type);
    op->call = b->at;
    b->operation = ops->count - 1;
    tk_id_use(ops, view->id)->seen_at = b->at;
    return 0;
}

/* Applies rule 3. Returns 0 or TK_FAILED. */
static int result_started(struct tk_work *k, struct tk_stream_block *b,
                          const struct tk_stream_block_view *view)
{
    struct tk_operations *ops = &k->s->operations;
    struct tk_str id = view->id.p ? view->id : TK_STR("");
    const struct tk_id_use *use = tk_id_known(ops, id);
    struct tk_operation *op = tk_operation_awaiting(ops, id);
    struct tk_stream_error error = {
        .id = id, .result_type = view->type, .got = view->type, .wire_index = b->at};

    if (use && use->answered) {
        error.kind = TK_STREAM_FAULT_DUPLICATE_RESULT;
        error.first_index = index_or_none(use->answered_at);
        return tk_stream_fail(k, &error);
    }
    if (!op) {
        error.kind = TK_STREAM_FAULT_ORPHAN_RESULT;
        return tk_stream_fail(k, &error);
    }
    if (!tk_operation_takes(ops, op, view->type)) {
        error.kind = TK_STREAM_FAULT_RESULT_TYPE_MISMATCH;
        error.expected_type = op->result_type;
        return tk_stream_fail(k, &error);
    }
    b->operation = use->operation;
    op->result = b->at;
    ops->uses[use - ops->uses].answered = true;
    ops->uses[use - ops->uses].answered_at = b->at;
    return 0;
}

/*
 * Applies rule 5: the model that continues knows nothing of the calls that the model before it left
 * unanswered. Those before abandoned_to were looked at earlier: each is looked at once.
 */
static int handover_started(struct tk_work *k, struct tk_stream_block *b,
                            const struct tk_stream_block_view *view)
{
    struct tk_operations *ops = &k->s->operations;

    (void)b;
    (void)view;
    for (; ops->abandoned_to < ops->count; ops->abandoned_to++) {
        struct tk_operation *op = &ops->all[ops->abandoned_to];

        if (op->call == TK_NONE || op->result != TK_NONE)
            continue;
        op->state = TK_OP_ABANDONED;
        tk_warn(k, TK_WARNING_ABANDONED_CALL);
    }
    return 0;
}

static int (*const starts[TK_STREAM_BLOCK_ROLES])(struct tk_work *k, struct tk_stream_block *b,
                                                  const struct tk_stream_block_view *view) = {
    [TK_STREAM_BLOCK_CLIENT_CALL] = client_call_started,
    [TK_STREAM_BLOCK_CALL] = call_started,
    [TK_STREAM_BLOCK_RESULT] = result_started,
    [TK_STREAM_BLOCK_HANDOVER] = handover_started,
};

/* Returns true if the id of a caller is that of no operation so far. */
static bool is_dangling(const struct tk_stream *s, struct tk_str caller)
{
    const struct tk_id_use *use = tk_id_known(&s->operations, caller);

    return !use || use->operation == TK_NONE;
}

int tk_pair_block_started(struct tk_work *k, struct tk_stream_block *b,
                          const struct tk_stream_block_view *view)
{
    if (view->caller.p && is_dangling(k->s, view->caller))
        tk_warn(k, TK_WARNING_CALLER_REFERENCE_DANGLING);
    return starts[b->role] ? starts[b->role](k, b, view) : 0;
}

/* Applies rules 2 and 4. */
struct tk_operation *tk_pair_block_stopped(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_operation *op = tk_block_operation(k->s, b);

    if (!op)
        return NULL;
    if (b->role == TK_STREAM_BLOCK_CALL && op->state == TK_OP_OPENING)
        op->state = TK_OP_INPUT_COMPLETE;
    if (b->role == TK_STREAM_BLOCK_RESULT)
        op->result_stopped = true;
    if (!op->result_stopped || (op->state != TK_OP_INPUT_COMPLETE && op->state != TK_OP_CARRIED))
        return NULL;
    op->state = TK_OP_COMPLETED;
    return op;
}
