/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shape `bedrock`: messages of Amazon Bedrock's Converse API.
 *
 *     {"role": "user", "content": [{"text": "weather?"}, {"cachePoint": {"type": "default"}}]}
 *     {"role": "assistant", "content": [
 *         {"reasoningContent": {"reasoningText": {"text": "...", "signature": "..."}}},
 *         {"toolUse": {"toolUseId": "tooluse_1", "name": "weather", "input": {"city": "Oslo"}}}]}
 *     {"role": "user", "content": [
 *         {"toolResult": {"toolUseId": "tooluse_1", "content": [{"text": "rain"}]}}]}
 *
 * A block has no type: its only member says what it is. Calls and results of the provider's own tools
 * have a `type` inside. A member that is null counts as absent.
 */
#include "shapes/bedrock.h"

#include "shapes/format.h"

static const struct tk_str names[] = {
#define NAME(id, name) [TK_BEDROCK_##id] = TK_STR_INIT(name),
    TK_BEDROCK_UNION(NAME)
#undef NAME
};

enum tk_bedrock_block tk_bedrock_member(struct tk_val member)
{
    if (tk_is(member, TK_NULL))
        return TK_BEDROCK_NONE;
    for (int i = TK_BEDROCK_TEXT; i < TK_BEDROCK_COUNT; i++)
        if (tk_has_key(member.doc, member.node, names[i]))
            return (enum tk_bedrock_block)i;
    return TK_BEDROCK_NONE;
}

struct tk_val tk_bedrock_value(const struct tk_part *p)
{
    return p->block == TK_BEDROCK_NONE ? TK_NO_VAL
                                       : tk_get(tk_part_val(p, p->node), names[p->block]);
}

bool tk_bedrock_is_server_type(struct tk_val type)
{
    return tk_has_text(type) && !tk_text_is(type, TK_STR("tool_use")) &&
           !tk_text_is(type, TK_STR("tool_result"));
}

/* ---- blocks ---- */

/* Returns the value; absent if it is null. */
static struct tk_val given(struct tk_val v)
{
    return tk_is(v, TK_NULL) ? TK_NO_VAL : v;
}

/* Returns true for an encrypted or signed value: a string that isn't blank, or bytes. */
static bool has_seal(struct tk_val v)
{
    return tk_is(v, TK_BIN) || (tk_is(v, TK_STRING) && !tk_text_is_blank(v));
}

static void read_call_or_result(struct tk_part *p, struct tk_val v, enum tk_part_kind kind)
{
    p->kind = (uint8_t)kind;
    p->type = given(tk_get(v, TK_STR("type"))).node;
    p->id = given(tk_get(v, TK_STR("toolUseId"))).node;
    p->flags |= tk_bedrock_is_server_type(tk_part_val(p, p->type)) ? TK_PART_PROVIDER : 0;
    if (kind == TK_PART_CALL)
        p->name = given(tk_get(v, TK_STR("name"))).node;
    p->payload = given(tk_get(v, kind == TK_PART_CALL ? TK_STR("input") : TK_STR("content"))).node;
}

static void read_reasoning(struct tk_part *p, struct tk_val v)
{
    struct tk_val text = tk_get(v, TK_STR("reasoningText"));
    bool redacted = has_seal(tk_get(v, TK_STR("redactedContent")));

    p->kind = redacted && !tk_is(text, TK_OBJECT) ? TK_PART_REDACTED : TK_PART_THINKING;
    p->payload = given(tk_get(text, TK_STR("text"))).node;
    if (redacted || has_seal(tk_get(text, TK_STR("signature"))))
        p->flags |= TK_PART_SIGNED;
}

/* Reads a block as what the value of the union's member `block` is. */
static void read_value(struct tk_part *p, enum tk_bedrock_block block, struct tk_val v)
{
    p->block = (uint16_t)block;
    p->kind = TK_PART_OTHER;
    if (block == TK_BEDROCK_TEXT) {
        p->kind = TK_PART_TEXT;
        p->payload = v.node;
    } else if (block == TK_BEDROCK_TOOL_USE && tk_is(v, TK_OBJECT)) {
        read_call_or_result(p, v, TK_PART_CALL);
    } else if (block == TK_BEDROCK_TOOL_RESULT && tk_is(v, TK_OBJECT)) {
        read_call_or_result(p, v, TK_PART_RESULT);
    } else if (block == TK_BEDROCK_REASONING) {
        read_reasoning(p, v);
    } else if (block >= TK_BEDROCK_IMAGE && block <= TK_BEDROCK_AUDIO) {
        p->kind = TK_PART_MEDIA;
    }
}

/* Returns the member that a block with several is read as. has: the members, as bits. */
static enum tk_bedrock_block main_member(uint32_t has, const struct tk_val *values)
{
    int i = TK_BEDROCK_TEXT;

    if (tk_is(values[TK_BEDROCK_TOOL_USE], TK_OBJECT))
        return TK_BEDROCK_TOOL_USE;
    if (tk_is(values[TK_BEDROCK_TOOL_RESULT], TK_OBJECT))
        return TK_BEDROCK_TOOL_RESULT;
    if (has & 1u << TK_BEDROCK_REASONING)
        return TK_BEDROCK_REASONING;
    while (i < TK_BEDROCK_COUNT && !(has & 1u << i))
        i++;
    return i < TK_BEDROCK_COUNT ? (enum tk_bedrock_block)i : TK_BEDROCK_NONE;
}

/* TK_PART_ODD marks a block that hasn't exactly one member, of the union. */
static void read_part(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena)
{
    struct tk_val block = tk_part_val(p, p->node), values[TK_BEDROCK_COUNT];
    enum tk_bedrock_block only;
    uint32_t has = 0;

    (void)m;
    (void)arena;
    tk_fetch_keys(block);
    values[TK_BEDROCK_NONE] = values[TK_BEDROCK_TOOL_USE] = values[TK_BEDROCK_TOOL_RESULT] =
        TK_NO_VAL;
    for (struct tk_val v = tk_first(block); tk_exists(v); v = tk_after(block, v)) {
        only = tk_bedrock_member(v);
        values[only] = v;
        if (only == TK_BEDROCK_NONE || (has & ~1u))
            p->flags |= TK_PART_ODD;
        has |= 1u << only;
    }
    if (!(has & ~1u))
        p->flags |= TK_PART_ODD;
    only = main_member(has, values);
    read_value(p, only, values[only]);
}

/* A message without a role is the model's if it has a client's call. */
static enum tk_role role_of_parts(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_call(&t->parts[i], false))
            return TK_ROLE_ASSISTANT;
    return TK_ROLE_USER;
}

/* Returns "nova_grounding" for a result whose type is "nova_grounding_result". */
static struct tk_str name_in_type(const struct tk_part *p, struct tk_arena *arena)
{
    static const struct tk_str tail = TK_STR_INIT("_result");
    struct tk_str type;

    if (p->kind != TK_PART_RESULT || !tk_bedrock_is_server_type(tk_part_val(p, p->type)))
        return (struct tk_str){0};
    type = tk_text(tk_part_val(p, p->type), arena);
    return tk_str_ends(type, tail) ? (struct tk_str){type.p, type.n - tail.n} : type;
}

/* ---- writing ---- */

static void write_text(struct tk_writer *w, struct tk_str text, struct tk_str marker)
{
    (void)marker;
    tk_write_map(w);
    tk_write_key(w, "text");
    tk_write_raw(w, text);
    tk_write_end(w);
}

void tk_bedrock_write_result(struct tk_writer *w, struct tk_str id, struct tk_str text, bool status)
{
    tk_write_map(w);
    tk_write_key(w, "toolResult");
    tk_write_map(w);
    tk_write_kv_str(w, "toolUseId", id);
    tk_write_key(w, "content");
    tk_write_list(w);
    tk_write_map(w);
    tk_write_kv_str(w, "text", text);
    tk_write_end(w);
    tk_write_end(w);
    if (status)
        tk_write_kv_cstr(w, "status", "error");
}

static void write_error_result(struct tk_writer *w, const struct tk_part *call, struct tk_str id,
                               struct tk_str result_type)
{
    (void)call;
    tk_bedrock_write_result(w, id, TK_STR("unavailable"), true);
    tk_write_kv_str(w, "type", result_type);
    tk_write_end(w);
    tk_write_end(w);
}

static void write_unexecuted(struct tk_writer *w, const struct tk_part *call, struct tk_str id)
{
    (void)call;
    tk_bedrock_write_result(w, id, TK_STR(TK_NOT_EXECUTED), true);
    tk_write_end(w);
    tk_write_end(w);
}

static const struct tk_role_name roles[] = {
    {TK_STR_INIT("user"), TK_ROLE_USER, 0},
    {TK_STR_INIT("assistant"), TK_ROLE_ASSISTANT, 0},
    {TK_STR_INIT("model"), TK_ROLE_ASSISTANT, TK_MESSAGE_VARIANT},
    {{NULL, 0}, TK_ROLE_USER, TK_MESSAGE_VARIANT},
};

const struct tk_shape tk_shape_bedrock = {
    .name = "bedrock",
    .root = TK_STR_INIT("/messages"),
    .parts = TK_STR_INIT("/content"),
    .wire = true,
    .lists_only = true,
    .names_as_sent = true,
    .roles = roles,
    .read_part = read_part,
    .role_of_parts = role_of_parts,
    .name_in_type = name_in_type,
    .write_text = write_text,
    .write_error_result = write_error_result,
    .write_unexecuted = write_unexecuted,
    .call_id = {{"toolUse", "toolUseId"}},
    .result_id = {{"toolResult", "toolUseId"}},
    .input = {{"toolUse", "input"}},
    .text = {{"text"}},
    .thinking = {{"reasoningContent", "reasoningText", "text"}},
    .asked = TK_ASKED_BEDROCK,
};
