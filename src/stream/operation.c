/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/operation.h"

void tk_operations_init(struct tk_operations *ops, const struct tk_block_format *format,
                        struct tk_arena *arena, const uint64_t *hash_key)
{
    *ops = (struct tk_operations){.format = format, .arena = arena};
    tk_map_init(&ops->ids, arena, hash_key);
}

struct tk_id_use *tk_id_use(struct tk_operations *ops, struct tk_str id)
{
    uint32_t *known = tk_map_get(&ops->ids, id);
    bool is_new;

    if (known)
        return &ops->uses[*known];
    if (!TK_GROW(ops->arena, ops->uses, ops->use_count, ops->use_capacity))
        return NULL;
    id = tk_arena_dup(ops->arena, id);
    known = id.p ? tk_map_put(&ops->ids, id, &is_new) : NULL;
    if (!known)
        return NULL;
    *known = ops->use_count;
    ops->uses[ops->use_count] = (struct tk_id_use){
        .id = id, .operation = TK_NONE, .seen_at = TK_NONE, .answered_at = TK_NONE};
    return &ops->uses[ops->use_count++];
}

const struct tk_id_use *tk_id_known(const struct tk_operations *ops, struct tk_str id)
{
    const uint32_t *known = tk_map_get(&ops->ids, id);

    return known ? &ops->uses[*known] : NULL;
}

static struct tk_str copy(struct tk_operations *ops, struct tk_str s)
{
    return s.p ? tk_arena_dup(ops->arena, s) : s;
}

struct tk_operation *tk_operation_new(struct tk_operations *ops, struct tk_str id,
                                      enum tk_operation_state state)
{
    struct tk_id_use *use = tk_id_use(ops, id);
    struct tk_operation *op;

    if (!use || !TK_GROW(ops->arena, ops->all, ops->count, ops->capacity))
        return NULL;
    op = &ops->all[ops->count];
    *op = (struct tk_operation){
        .id = use->id, .call = TK_NONE, .result = TK_NONE, .state = (uint8_t)state};
    use->operation = ops->count++;
    use->seen = true;
    return op;
}

void tk_operation_describe(struct tk_operations *ops, struct tk_operation *op, struct tk_str name,
                           struct tk_str type)
{
    if (name.p)
        op->name = copy(ops, name);
    if (type.p)
        op->type = copy(ops, type);
    if (ops->format)
        op->result_type = ops->format->result_type(op->type, op->name);
}

struct tk_operation *tk_operation_awaiting(const struct tk_operations *ops, struct tk_str id)
{
    const struct tk_id_use *use = tk_id_known(ops, id);
    struct tk_operation *op;

    if (!use || use->operation == TK_NONE)
        return NULL;
    op = &ops->all[use->operation];
    return op->state == TK_OP_OPENING || op->state == TK_OP_INPUT_COMPLETE ||
                   op->state == TK_OP_CARRIED
               ? op
               : NULL;
}

bool tk_operation_takes(const struct tk_operations *ops, const struct tk_operation *op,
                        struct tk_str result_type)
{
    if (op->result_type.p)
        return tk_str_eq(result_type, op->result_type);
    if (!op->name.p && op->call == TK_NONE)
        return true; /* carried, and of an unknown tool */
    return !ops->format->is_listed_result(result_type);
}
