/* SPDX-License-Identifier: Apache-2.0 */
/* Operations: which result answers which call, and what leaves when both are whole. */
#include <errno.h>

#include "shapes/stream_parts.h"
#include "stream/turn/calls.h"

static struct tk_operations *operations(const struct tk_stream_turn *t)
{
    return &t->k->s->operations;
}

struct tk_operation *tk_operation_of(const struct tk_stream_turn *t,
                                     const struct tk_turn_part *part)
{
    return part->operation == TK_NONE ? NULL : &operations(t)->all[part->operation];
}

/* Returns the wire index of a part; TK_NO_INDEX if there is none. */
static int64_t index_of(const struct tk_stream_turn *t, uint32_t part)
{
    return part == TK_NONE ? TK_NO_INDEX : t->parts[part]->wire_index;
}

/* ---- outputs ---- */

static void put_sources(struct tk_stream_turn *t, const struct tk_operation *op,
                        const struct tk_turn_part *result)
{
    struct tk_val content = TK_NO_VAL, list;
    struct tk_stream_source_view source;

    if (!t->format->sources)
        return;
    content = tk_turn_read_kept(t, &result->content);
    list = tk_exists(content) ? t->format->sources(content) : TK_NO_VAL;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (t->format->read_source(v, &source))
            tk_tell_source(t, result->choice, result->wire_index, &source, op->id);
}

static void put_result(struct tk_stream_turn *t, const struct tk_operation *op,
                       const struct tk_turn_part *result)
{
    struct tk_writer *w = t->k->w;

    tk_turn_part_begin(t, TK_PARTS_TOOL_RESULT);
    tk_write_kv_str(w, "id", op->id);
    tk_write_kv_str(w, "name", op->name);
    tk_write_kv_bool(w, TK_PARTS_PROVIDER_EXECUTED, true);
    tk_write_kv_str(w, TK_PARTS_RESULT_TYPE, result->type);
    if (tk_is_kept(&result->content)) {
        tk_write_key(w, TK_PARTS_CONTENT);
        tk_turn_write_kept(t, &result->content, w);
    }
    tk_write_kv_bool(w, TK_PARTS_IS_ERROR, result->is_error);
    tk_turn_part_end(t, result->choice, result->wire_index, NULL);
}

/* Writes a result; before it the sources, and the call unless that left before. */
static void put_operation(struct tk_stream_turn *t, const struct tk_operation *op,
                          const struct tk_turn_part *result, bool with_call)
{
    if (!tk_turn_tells_parts(t))
        return;
    put_sources(t, op, result);
    if (with_call)
        tk_turn_put_call(t, op);
    put_result(t, op, result);
}

/* ---- calls ---- */

int tk_operation_start(struct tk_stream_turn *t, struct tk_turn_part *call, struct tk_str id,
                       struct tk_str name, struct tk_str type)
{
    struct tk_operations *ops = operations(t);
    struct tk_str key = tk_turn_id_in_choice(t, call->choice, id);
    const struct tk_id_use *use = key.p ? tk_id_known(ops, key) : NULL;
    struct tk_operation *op;

    if (use && use->operation != TK_NONE)
        return tk_turn_fail(t, &(struct tk_stream_error){
                                   .kind = TK_STREAM_FAULT_DUPLICATE_OPERATION,
                                   .id = id,
                                   .wire_index = call->wire_index,
                                   .first_index = index_of(t, ops->all[use->operation].call)});
    op = key.p ? tk_operation_new(ops, key, TK_OP_OPENING) : NULL;
    if (!op)
        return -ENOMEM;
    op->id = tk_arena_dup(t->keep, id);
    tk_operation_describe(ops, op, name, type);
    op->call = call->at;
    call->operation = ops->count - 1;
    t->waiting++;
    return 0;
}

/* An operation whose halves are whole leaves. */
static void complete(struct tk_stream_turn *t, struct tk_operation *op)
{
    if (op->state != TK_OP_INPUT_COMPLETE || !op->result_stopped)
        return;
    op->state = TK_OP_COMPLETED;
    t->waiting--;
    put_operation(t, op, t->parts[op->result], true);
}

void tk_operation_called(struct tk_stream_turn *t, struct tk_turn_part *call)
{
    struct tk_operation *op = tk_operation_of(t, call);

    call->whole = true;
    if (op->state == TK_OP_OPENING)
        op->state = TK_OP_INPUT_COMPLETE;
    complete(t, op);
}

void tk_operation_alone(struct tk_stream_turn *t, struct tk_operation *op, bool pending)
{
    if (op->state != TK_OP_OPENING && op->state != TK_OP_INPUT_COMPLETE)
        return;
    op->state = pending ? TK_OP_DEFERRED : TK_OP_COMPLETED;
    t->waiting--;
    if (tk_turn_tells_parts(t))
        tk_turn_put_call(t, op);
}

/* ---- results ---- */

static void take_result(struct tk_stream_turn *t, struct tk_turn_part *result,
                        struct tk_operation *op, struct tk_str type)
{
    result->operation = (uint32_t)(op - operations(t)->all);
    result->type = tk_arena_dup(t->keep, type);
    result->id = op->id;
    result->name = op->name;
    op->result = result->at;
}

int tk_operation_result(struct tk_stream_turn *t, struct tk_turn_part *result,
                        struct tk_operation *op, struct tk_str id, struct tk_str type)
{
    struct tk_operations *ops = operations(t);
    struct tk_str name = id.p ? id : TK_STR(""), key;
    struct tk_stream_error error = {
        .id = name, .result_type = type, .wire_index = result->wire_index};
    const struct tk_id_use *use;

    if (!op) {
        key = tk_turn_id_in_choice(t, result->choice, name);
        use = key.p ? tk_id_known(ops, key) : NULL;
        op = use && use->operation != TK_NONE ? &ops->all[use->operation] : NULL;
        if (op && op->result != TK_NONE) {
            error.kind = TK_STREAM_FAULT_DUPLICATE_RESULT;
            error.first_index = index_of(t, op->result);
            return tk_turn_fail(t, &error);
        }
    }
    if (!op) {
        error.kind = TK_STREAM_FAULT_ORPHAN_RESULT;
        return tk_turn_fail(t, &error);
    }
    take_result(t, result, op, type);
    return 0;
}

int tk_operation_carried(struct tk_stream_turn *t, struct tk_turn_part *result, struct tk_str id,
                         struct tk_str name, struct tk_str type)
{
    struct tk_operation *op = tk_operation_new(operations(t), id, TK_OP_CARRIED);

    if (!op)
        return -ENOMEM;
    tk_operation_describe(operations(t), op, name, (struct tk_str){NULL, 0});
    take_result(t, result, op, type);
    tk_turn_warn(t, TK_WARNING_CARRIED_RESULT);
    return 0;
}

void tk_operation_answered(struct tk_stream_turn *t, struct tk_turn_part *result)
{
    struct tk_operation *op = tk_operation_of(t, result);
    bool again = op->state == TK_OP_CARRIED || op->state == TK_OP_COMPLETED;

    result->whole = true;
    op->result_stopped = true;
    if (again) { /* the call left before, or in an earlier message */
        op->state = TK_OP_COMPLETED;
        put_operation(t, op, result, false);
    } else {
        complete(t, op);
    }
}

/* ---- the end ---- */

void tk_operations_hold(struct tk_stream_turn *t, const struct tk_choice *choice)
{
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct tk_operation *op = tk_operation_of(t, choice->parts[i]);

        if (op && op->state != TK_OP_COMPLETED && op->state != TK_OP_DEFERRED)
            choice->parts[i]->held = TK_HELD_NO_RESULT;
    }
}
