/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shape `openai-chat`: messages of OpenAI's Chat Completions, which many servers copy.
 *
 *     {"role": "system", "content": "be brief"}
 *     {"role": "user", "content": [{"type": "text", "text": "weather?"},
 *                                  {"type": "image_url", "image_url": {"url": "https://..."}}]}
 *     {"role": "assistant", "content": null, "tool_calls": [
 *         {"id": "call_1", "type": "function",
 *          "function": {"name": "weather", "arguments": "{\"city\": \"Oslo\"}"}}]}
 *     {"role": "tool", "tool_call_id": "call_1", "content": "rain"}
 *
 * A message has two lists of parts, `content` and then `tool_calls`. A message of role `tool` is itself
 * a result, whatever its content is.
 */
#include "shapes/openai_chat.h"

#include "shapes/format.h"

/* ---- content ---- */

static const struct chat_type {
    struct tk_str name, payload;
    uint8_t kind;
} types[] = {
#define TYPE(id, type, kind, payload)                                                              \
    [TK_CHAT_##id] = {TK_STR_INIT(type), TK_STR_INIT(payload), TK_PART_##kind},
    TK_CHAT_TYPES(TYPE)
#undef TYPE
};

static void read_content_part(struct tk_part *p)
{
    struct tk_val v = tk_part_val(p, p->node), type = tk_get(v, TK_STR("type"));

    p->type = type.node;
    for (uint16_t i = TK_CHAT_TEXT; i < sizeof(types) / sizeof(types[0]); i++)
        if (tk_text_is(type, types[i].name)) {
            p->block = i;
            p->kind = types[i].kind;
            p->payload = tk_get(v, types[i].payload).node;
            return;
        }
    p->kind = TK_PART_OTHER;
}

/* ---- calls ---- */

static void read_function(struct tk_part *p, struct tk_val function)
{
    for (struct tk_val v = tk_first(function); tk_exists(v) && tk_is(function, TK_OBJECT);
         v = tk_after(function, v)) {
        if (tk_has_key(v.doc, v.node, TK_STR("name")))
            p->name = v.node;
        else if (tk_has_key(v.doc, v.node, TK_STR("arguments")) ||
                 tk_has_key(v.doc, v.node, TK_STR("input")))
            p->payload = v.node;
    }
}

static void read_call(struct tk_part *p)
{
    struct tk_val call = tk_part_val(p, p->node), function = TK_NO_VAL, custom = TK_NO_VAL;

    if (tk_is(call, TK_NULL)) {
        p->kind = TK_PART_OTHER;
        p->block = TK_CHAT_HOLE;
        return;
    }
    for (struct tk_val v = tk_first(call); tk_exists(v); v = tk_after(call, v)) {
        if (tk_has_key(v.doc, v.node, TK_STR("id")))
            p->id = v.node;
        else if (tk_has_key(v.doc, v.node, TK_STR("type")))
            p->type = v.node;
        else if (tk_has_key(v.doc, v.node, TK_STR("function")))
            function = v;
        else if (tk_has_key(v.doc, v.node, TK_STR("custom")))
            custom = v;
    }
    p->kind = TK_PART_CALL;
    p->block = TK_CHAT_FUNCTION_CALL;
    if (tk_text_is(tk_part_val(p, p->type), TK_STR("custom")) ||
        (!tk_exists(function) && tk_exists(custom))) {
        p->block = TK_CHAT_CUSTOM_CALL;
        function = custom;
    }
    read_function(p, function);
}

static void read_part(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena)
{
    (void)m;
    (void)arena;
    p->block = TK_CHAT_UNKNOWN;
    if (p->flags & TK_PART_STRING) {
        p->kind = TK_PART_TEXT;
        p->block = TK_CHAT_TEXT;
        p->payload = p->node;
    } else if (p->flags & TK_PART_IN_CALLS) {
        read_call(p);
    } else {
        read_content_part(p);
    }
}

/* ---- the shape ---- */

static void write_text(struct tk_writer *w, struct tk_str text, struct tk_str marker)
{
    (void)marker;
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "text");
    tk_write_key(w, "text");
    tk_write_raw(w, text);
    tk_write_end(w);
}

static const struct tk_role_name roles[] = {
    {TK_STR_INIT("user"), TK_ROLE_USER, 0},
    {TK_STR_INIT("assistant"), TK_ROLE_ASSISTANT, 0},
    {TK_STR_INIT("tool"), TK_ROLE_USER, TK_MESSAGE_TOOL | TK_MESSAGE_RESULT},
    {TK_STR_INIT("system"), TK_ROLE_SYSTEM, 0},
    {TK_STR_INIT("developer"), TK_ROLE_SYSTEM, TK_MESSAGE_VARIANT},
    {TK_STR_INIT("function"), TK_ROLE_USER, TK_MESSAGE_VARIANT},
    {{NULL, 0}, TK_ROLE_OTHER, 0},
};

const struct tk_str tk_chat_members[TK_CHAT_M_COUNT + 1] = {
#define MEMBER(id, name) [TK_CHAT_M_##id] = TK_STR_INIT(name),
    TK_CHAT_MEMBERS(MEMBER)
#undef MEMBER
};

const struct tk_shape tk_shape_openai_chat = {
    .name = "openai-chat",
    .root = TK_STR_INIT("/messages"),
    .parts = TK_STR_INIT("/content"),
    .calls = TK_STR_INIT("/tool_calls"),
    .wire = true,
    .turns_are_lists = true,
    .names_as_sent = true,
    .roles = roles,
    .read_part = read_part,
    .write_text = write_text,
    .call_id = {{"id"}},
    .input = {{"function", "arguments"}},
    .text = {{"text"}},
    .message_id = {{"tool_call_id"}},
    .message_name = {{"name"}},
    .message_members = tk_chat_members,
    .asked = TK_ASKED_OPENAI_CHAT,
};
