/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shape `anthropic`: the Messages API's own shape.
 *
 *     {"role": "assistant", "content": [
 *         {"type": "thinking", "thinking": "...", "signature": "..."},
 *         {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {...}},
 *         {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [...]},
 *         {"type": "text", "text": "..."}]}
 *
 * Blocks of unknown type are read by their name: a type that ends in `_tool_use` and has an id is
 * a provider-executed call, one that ends in `_tool_result` is a result. So calls and results of
 * tools that the provider adds later already pair.
 */
#include "shapes/blocks.h"
#include "shapes/format.h"
#include "shapes/shape.h"

static void classify(struct tk_part *p, struct tk_str type)
{
    p->block = tk_block_of(type);
    p->kind = tk_blocks[p->block].kind;
    p->flags |= tk_blocks[p->block].flags;
    if (p->block != TK_BLOCK_NONE)
        return;
    p->flags |= TK_PART_ODD;
    if (tk_str_ends(type, TK_STR("_tool_use")) &&
        tk_is(tk_get(tk_part_val(p, p->node), TK_STR("id")), TK_STRING))
        p->kind = TK_PART_CALL;
    else if (tk_str_ends(type, TK_STR("_tool_result")))
        p->kind = TK_PART_RESULT;
    else
        return;
    p->flags |= TK_PART_PROVIDER | TK_PART_MARKABLE;
}

/* The members that a part of each kind refers to. */
enum {
    NO_MEMBER = UINT8_MAX
};

static const struct at_hand {
    uint8_t id, name, payload, signature;
} at_hand[] = {
    [TK_PART_TEXT] = {NO_MEMBER, NO_MEMBER, TK_M_TEXT, NO_MEMBER},
    [TK_PART_THINKING] = {NO_MEMBER, NO_MEMBER, TK_M_THINKING, TK_M_SIGNATURE},
    [TK_PART_REDACTED] = {NO_MEMBER, NO_MEMBER, NO_MEMBER, TK_M_DATA},
    [TK_PART_CALL] = {TK_M_ID, TK_M_NAME, TK_M_INPUT, NO_MEMBER},
    [TK_PART_RESULT] = {TK_M_TOOL_USE_ID, NO_MEMBER, TK_M_CONTENT, NO_MEMBER},
    [TK_PART_MEDIA] = {NO_MEMBER, NO_MEMBER, NO_MEMBER, NO_MEMBER},
    [TK_PART_OTHER] = {NO_MEMBER, NO_MEMBER, NO_MEMBER, NO_MEMBER},
};

static void keep(struct tk_part *p, enum tk_member member, struct tk_val v)
{
    const struct at_hand *h = &at_hand[p->kind];

    if (member == h->payload)
        p->payload = v.node;
    else if (member == h->id)
        p->id = v.node;
    else if (member == h->name)
        p->name = v.node;
    else if (member == h->signature)
        p->flags |= tk_has_text(v) ? TK_PART_SIGNED : 0;
    else if (member == TK_M_CALLER)
        p->caller = v.node;
}

/* Finds the part's members: first those that the block's row names, then all others. */
static void read_members(struct tk_part *p)
{
    const struct tk_block *row = &tk_blocks[p->block];
    struct tk_val block = tk_part_val(p, p->node);
    uint32_t wanted = row->required | row->optional;

    for (struct tk_val v = tk_first(block); tk_exists(v); v = tk_after(block, v)) {
        enum tk_member member;

        if (v.node == p->type)
            continue;
        member = tk_member_of(v, wanted);
        if (member == TK_M_COUNT) {
            p->flags |= TK_PART_ODD;
            member = tk_member_of(v, TK_ALL_MEMBERS & ~wanted);
        }
        keep(p, member, v);
        wanted &= ~TK_HAS(member);
    }
    if (wanted & row->required)
        p->flags |= TK_PART_ODD;
}

static void read_part(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena)
{
    struct tk_val type;

    (void)m;
    if (p->flags & TK_PART_STRING) {
        p->kind = TK_PART_TEXT;
        p->block = TK_BLOCK_TEXT;
        p->payload = p->node;
        return;
    }
    tk_fetch_keys(tk_part_val(p, p->node));
    type = tk_get(tk_part_val(p, p->node), TK_STR("type"));
    p->type = type.node;
    classify(p, tk_text(type, arena));
    read_members(p);
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

/* Members of a message that the shape knows; CATALOGUE 3.10 has rules about them. */
static const struct tk_str message_members[] = {
    TK_STR_INIT("output_config"), TK_STR_INIT("clear_at"), {NULL, 0}};

const struct tk_shape tk_shape_anthropic = {
    .name = "anthropic",
    .root = TK_STR_INIT("/messages"),
    .parts = TK_STR_INIT("/content"),
    .wire = true,
    .marks_odd_parts = true,
    .roles = tk_wire_roles,
    .read_part = read_part,
    .result = result,
    .write_text = write_text,
    .write_error_result = write_error_result,
    .write_unexecuted = write_unexecuted,
    .call_id = {{"id"}},
    .input = {{"input"}},
    .result_id = {{"tool_use_id"}},
    .cache_marker = {{"cache_control"}},
    .text = {{"text"}},
    .thinking = {{"thinking"}},
    .citations = {{"citations"}},
    .hits = {{"content"}},
    .caller = {{"caller"}},
    .caller_id = {{"tool_id"}},
    .message_members = message_members,
    .asked = TK_ASKED_ANTHROPIC,
};
