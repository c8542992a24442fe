/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Dialect `anthropic`: the Messages API's own shape.
 *
 *     {"role": "assistant", "content": [
 *         {"type": "thinking", "thinking": "...", "signature": "..."},
 *         {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {...}},
 *         {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [...]},
 *         {"type": "text", "text": "..."}]}
 *
 * Blocks whose type nobody knows yet are read by their shape: a type that ends in `_tool_use`
 * and has an id is a provider's call, one that ends in `_tool_result` a provider's result. So a
 * tool that the provider adds tomorrow pairs today.
 */
#include "dialects/blocks.h"
#include "dialects/dialect.h"

/* The members that rules look at, whatever the block. */
enum {
    M_TYPE,
    M_ID,
    M_TOOL_USE_ID,
    M_NAME,
    M_INPUT,
    M_CONTENT,
    M_TEXT,
    M_THINKING,
    M_SIGNATURE,
    M_DATA,
    M_CALLER,
    M_COUNT,
};

static const struct tk_str members[M_COUNT] = {
    [M_TYPE] = TK_STR_INIT("type"),
    [M_ID] = TK_STR_INIT("id"),
    [M_TOOL_USE_ID] = TK_STR_INIT("tool_use_id"),
    [M_NAME] = TK_STR_INIT("name"),
    [M_INPUT] = TK_STR_INIT("input"),
    [M_CONTENT] = TK_STR_INIT("content"),
    [M_TEXT] = TK_STR_INIT("text"),
    [M_THINKING] = TK_STR_INIT("thinking"),
    [M_SIGNATURE] = TK_STR_INIT("signature"),
    [M_DATA] = TK_STR_INIT("data"),
    [M_CALLER] = TK_STR_INIT("caller"),
};

static void classify(struct tk_part *p, struct tk_str type, bool has_id)
{
    p->block = tk_block_of(type);
    p->kind = tk_blocks[p->block].kind;
    p->flags |= tk_blocks[p->block].flags;
    if (p->block != TK_BLOCK_NONE)
        return;
    if (tk_str_ends(type, TK_STR("_tool_use")) && has_id)
        p->kind = TK_PART_CALL;
    else if (tk_str_ends(type, TK_STR("_tool_result")))
        p->kind = TK_PART_RESULT;
    else
        return;
    p->flags |= TK_PART_PROVIDER | TK_PART_MARKABLE;
}

static void read_part(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena)
{
    struct tk_val b[M_COUNT];

    (void)m;
    if (p->flags & TK_PART_STRING) {
        p->kind = TK_PART_TEXT;
        p->block = TK_BLOCK_TEXT;
        p->payload = p->node;
        return;
    }
    tk_pick(tk_part_val(p, p->node), members, M_COUNT, b);
    p->type = b[M_TYPE].node;
    classify(p, tk_text(b[M_TYPE], arena), tk_is(b[M_ID], TK_STRING));
    switch (p->kind) {
    case TK_PART_TEXT:
        p->payload = b[M_TEXT].node;
        break;
    case TK_PART_THINKING:
        p->payload = b[M_THINKING].node;
        p->flags |= tk_has_text(b[M_SIGNATURE]) ? TK_PART_SIGNED : 0;
        break;
    case TK_PART_REDACTED:
        p->flags |= tk_has_text(b[M_DATA]) ? TK_PART_SIGNED : 0;
        break;
    case TK_PART_CALL:
        p->id = b[M_ID].node;
        p->name = b[M_NAME].node;
        p->payload = b[M_INPUT].node;
        break;
    case TK_PART_RESULT:
        p->id = b[M_TOOL_USE_ID].node;
        p->payload = b[M_CONTENT].node;
        break;
    default:
        break;
    }
    p->caller = b[M_CALLER].node;
}

static struct tk_result_view result(const struct tk_part *p, struct tk_arena *arena)
{
    return (struct tk_result_view){
        .content = tk_part_val(p, p->payload),
        .type = tk_text(tk_part_val(p, p->type), arena),
        .metadata = TK_NO_VAL,
    };
}

static void write_text(struct tk_writer *w, struct tk_str text, struct tk_str marker)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "text");
    tk_write_key(w, "text");
    tk_write_raw(w, text);
    if (marker.p) {
        tk_write_key(w, "cache_control");
        tk_write_raw(w, marker);
    }
    tk_write_end(w);
}

static void write_error_result(struct tk_writer *w, const struct tk_part *call, struct tk_str id,
                               struct tk_str result_type)
{
    bool mcp = tk_str_is(result_type, "mcp_tool_result");

    (void)call;
    tk_write_map(w);
    tk_write_kv_str(w, "type", result_type);
    tk_write_kv_str(w, "tool_use_id", id);
    if (mcp) {
        tk_write_kv_bool(w, "is_error", true);
        tk_write_key(w, "content");
        tk_write_list(w);
        tk_write_map(w);
        tk_write_kv_cstr(w, "type", "text");
        tk_write_kv_cstr(w, "text", "unavailable");
        tk_write_end(w);
        tk_write_end(w);
    } else {
        tk_write_key(w, "content");
        tk_write_map(w);
        tk_write_key(w, "type");
        tk_write_strf(w, "%.*s_error", (int)result_type.n, result_type.p);
        tk_write_kv_cstr(w, "error_code", "unavailable");
        tk_write_end(w);
    }
    tk_write_end(w);
}

static void write_unexecuted(struct tk_writer *w, const struct tk_part *call, struct tk_str id)
{
    struct tk_val toolset = tk_get(tk_part_val(call, call->node), TK_STR("toolset_name"));

    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "tool_result");
    tk_write_kv_str(w, "tool_use_id", id);
    tk_write_kv_cstr(w, "content", TK_NOT_EXECUTED);
    tk_write_kv_bool(w, "is_error", true);
    if (tk_exists(toolset)) {
        tk_write_key(w, "toolset_name");
        tk_write_any(w, toolset);
    }
    tk_write_end(w);
}

const struct tk_dialect tk_dialect_anthropic = {
    .name = "anthropic",
    .wire = true,
    .roles = tk_wire_roles,
    .read_part = read_part,
    .result = result,
    .write_text = write_text,
    .write_error_result = write_error_result,
    .write_unexecuted = write_unexecuted,
    .call_id = {{"id"}},
    .result_id = {{"tool_use_id"}},
    .cache_marker = {{"cache_control"}},
    .text = {{"text"}},
    .thinking = {{"thinking"}},
    .caller = {{"caller"}},
    .caller_id = {{"tool_id"}},
};
