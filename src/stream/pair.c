/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of STREAM.md section 6, for each block that starts or stops. */
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

/* A call of an unlisted family may go without a name: it takes that of its family. */
static struct tk_str name_of_call(const struct tk_block_view *view)
{
    struct tk_str tail = TK_STR("_tool_use");

    if (!is_blank(view->name) || tk_str_is(view->type, "server_tool_use") ||
        tk_str_is(view->type, "mcp_tool_use") || !tk_str_ends(view->type, tail))
        return view->name;
    return (struct tk_str){view->type.p, view->type.n - tail.n};
}

/* Rule 1, for calls of both kinds. */
static int check_call(struct tk_work *k, const struct tk_stream_block *b, struct tk_str id,
                      struct tk_str name)
{
    struct tk_stream_error error = {.id = id, .wire_index = b->at};
    const struct tk_id_use *use;

    if (is_blank(id)) {
        error.kind = TK_STREAM_FAULT_MISSING_ID;
        return tk_stream_fail(k, &error);
    }
    if (is_blank(name)) {
        error.kind = TK_STREAM_FAULT_MISSING_NAME;
        return tk_stream_fail(k, &error);
    }
    use = tk_id_known(&k->s->operations, id);
    if (use && use->seen) {
        error.kind = TK_STREAM_FAULT_DUPLICATE_OPERATION;
        error.first_index = index_or_none(use->seen_at);
        return tk_stream_fail(k, &error);
    }
    return 0;
}

static int client_call_started(struct tk_work *k, struct tk_stream_block *b,
                               const struct tk_block_view *view)
{
    int r = check_call(k, b, view->id, view->name);
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
                        const struct tk_block_view *view)
{
    struct tk_operations *ops = &k->s->operations;
    struct tk_str name = name_of_call(view);
    struct tk_operation *op;
    int r = check_call(k, b, view->id, name);

    if (r != 0)
        return r;
    if (!tk_tool_of_wire_call(view->type, name)) {
        if (k->s->setup.unknown_tools_error)
            return tk_stream_fail(k, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_UNKNOWN_TOOL,
                                                               .id = view->id,
                                                               .name = name,
                                                               .wire_index = b->at});
        tk_warn(k, TK_WARNING_UNKNOWN_TOOL);
    }
    op = tk_operation_new(ops, view->id, TK_OP_OPENING);
    if (!op)
        return -ENOMEM;
    tk_operation_describe(ops, op, name, view->type);
    op->call = b->at;
    b->operation = ops->count - 1;
    tk_id_use(ops, view->id)->seen_at = b->at;
    return 0;
}

/* Rule 3. */
static int result_started(struct tk_work *k, struct tk_stream_block *b,
                          const struct tk_block_view *view)
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
    if (!tk_operation_takes(op, view->type, &error.expected_type)) {
        error.kind = TK_STREAM_FAULT_RESULT_TYPE_MISMATCH;
        return tk_stream_fail(k, &error);
    }
    b->operation = use->operation;
    op->result = b->at;
    ops->uses[use - ops->uses].answered = true;
    ops->uses[use - ops->uses].answered_at = b->at;
    return 0;
}

/*
 * Rule 5: the model that answers from here on knows nothing of the calls that its predecessor
 * left unanswered. Those before abandoned_to were judged earlier: each is judged once.
 */
static int fallback_started(struct tk_work *k, struct tk_stream_block *b,
                            const struct tk_block_view *view)
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
                                                  const struct tk_block_view *view) = {
    [TK_STREAM_BLOCK_CLIENT_CALL] = client_call_started,
    [TK_STREAM_BLOCK_CALL] = call_started,
    [TK_STREAM_BLOCK_RESULT] = result_started,
    [TK_STREAM_BLOCK_FALLBACK] = fallback_started,
};

/* The model itself is no caller that could be looked up
 * (providers/anthropic/provider_pairs/callers.c). */
static bool caller_dangles(struct tk_work *k, struct tk_val caller)
{
    struct tk_val id = tk_get(caller, TK_STR("tool_id"));
    const struct tk_id_use *use;

    if (!tk_is(id, TK_STRING) || tk_text_is(tk_get(caller, TK_STR("type")), TK_STR("direct")))
        return false;
    use = tk_id_known(&k->s->operations, tk_text(id, k->arena));
    return !use || use->operation == TK_NONE;
}

int tk_pair_block_started(struct tk_work *k, struct tk_stream_block *b,
                          const struct tk_block_view *view)
{
    if (tk_is(view->caller, TK_OBJECT) && caller_dangles(k, view->caller))
        tk_warn(k, TK_WARNING_CALLER_REFERENCE_DANGLING);
    return starts[b->role] ? starts[b->role](k, b, view) : 0;
}

/* Rules 2 and 4. */
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
