/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what a block is (STREAM.md section 5), and reads what pairing needs of it. */
#include "providers/anthropic/provider_pairs/server_tools.h"
#include "providers/anthropic/stream/format.h"
#include "providers/anthropic/stream/views.h"
#include "shapes/shape.h"
#include "value/unicode.h"

/* The role of a block by the kind of part that the shape reads it as. */
static const uint8_t roles[] = {
    [TK_PART_TEXT] = TK_STREAM_BLOCK_TEXT,         [TK_PART_THINKING] = TK_STREAM_BLOCK_REASONING,
    [TK_PART_REDACTED] = TK_STREAM_BLOCK_REDACTED, [TK_PART_CALL] = TK_STREAM_BLOCK_CALL,
    [TK_PART_RESULT] = TK_STREAM_BLOCK_RESULT,     [TK_PART_MEDIA] = TK_STREAM_BLOCK_UNKNOWN,
    [TK_PART_OTHER] = TK_STREAM_BLOCK_UNKNOWN,
};

/* Blocks without a pair whose deltas are known. */
static const struct {
    struct tk_str type;
    uint8_t role;
} others[] = {
    {TK_STR_INIT("compaction"), TK_STREAM_BLOCK_SUMMARY},
    {TK_STR_INIT(TK_ANTHROPIC_HANDOVER), TK_STREAM_BLOCK_HANDOVER},
    {TK_STR_INIT("container_upload"), TK_STREAM_BLOCK_OPAQUE},
};

static bool is_blank(struct tk_str s)
{
    return !s.p || tk_is_blank(s);
}

static bool is_known_call(struct tk_str type)
{
    return tk_str_is(type, "server_tool_use") || tk_str_is(type, "mcp_tool_use");
}

/*
 * Returns a block's role. The shape tells calls and results, as it does in a history; except that
 * a call of an unlisted family is recognised by its id, so with a blank id it is no call.
 */
static uint8_t role_of(const struct tk_part *p, struct tk_str type, struct tk_str id)
{
    if (tk_is_call(p, false))
        return TK_STREAM_BLOCK_CLIENT_CALL;
    if (tk_is_result(p, false))
        return TK_STREAM_BLOCK_UNKNOWN;
    if (p->kind == TK_PART_CALL && !is_known_call(type) && is_blank(id))
        return TK_STREAM_BLOCK_UNKNOWN;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (tk_str_eq(type, others[i].type))
            return others[i].role;
    return roles[p->kind];
}

/* Returns a call's name. A call of an unlisted family may come without one: it takes the name of
 * its family ("x" of "x_tool_use"). */
static struct tk_str name_of_call(struct tk_str type, struct tk_str name)
{
    struct tk_str tail = TK_STR("_tool_use");

    if (!is_blank(name) || is_known_call(type) || !tk_str_ends(type, tail))
        return name;
    return (struct tk_str){type.p, type.n - tail.n};
}

/* Returns the id of the call whose tool made this one. The model itself, type `direct`, is no
 * caller that could be looked up (provider_pairs/callers.c). */
static struct tk_str id_of_caller(struct tk_val caller, struct tk_arena *arena)
{
    if (!tk_is(caller, TK_OBJECT) || tk_text_is(tk_get(caller, TK_STR("type")), TK_STR("direct")))
        return (struct tk_str){NULL, 0};
    return tk_text(tk_get(caller, TK_STR("tool_id")), arena);
}

struct tk_stream_block_view tk_anthropic_read_block(struct tk_val block, struct tk_arena *arena)
{
    struct tk_part part = {
        .doc = block.doc,
        .node = block.node,
        .type = TK_NO_NODE,
        .id = TK_NO_NODE,
        .name = TK_NO_NODE,
        .payload = TK_NO_NODE,
        .caller = TK_NO_NODE,
    };
    struct tk_stream_block_view view;

    tk_shape_anthropic.read_part(&part, NULL, arena);
    view = (struct tk_stream_block_view){
        .type = tk_text(tk_part_val(&part, part.type), arena),
        .id = tk_text(tk_part_val(&part, part.id), arena),
        .name = tk_text(tk_part_val(&part, part.name), arena),
        .caller = id_of_caller(tk_part_val(&part, part.caller), arena),
    };
    view.role = role_of(&part, view.type, view.id);
    if (view.role == TK_STREAM_BLOCK_CALL) {
        view.name = name_of_call(view.type, view.name);
        view.unlisted = !tk_tool_of_wire_call(view.type, view.name);
    }
    return view;
}
