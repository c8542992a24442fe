/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shape `gemini`: contents of the Gemini API, also on Vertex AI.
 *
 *     {"role": "user", "parts": [{"text": "weather?"}]}
 *     {"role": "model", "parts": [
 *         {"text": "let me see", "thought": true},
 *         {"functionCall": {"name": "weather", "args": {"city": "Oslo"}}, "thoughtSignature": "..."}]}
 *     {"role": "user", "parts": [
 *         {"functionResponse": {"name": "weather", "response": {"output": "rain"}}}]}
 *
 * A part has no type: its data member says what it is. `function_call` is another spelling of
 * `functionCall`, and so for all members. A member that is null counts as absent. Any part may be signed.
 */
#include "shapes/gemini.h"

#include "shapes/format.h"

static const struct {
    struct tk_str name, other;
} names[TK_GEMINI_COUNT] = {
#define NAME(id, name, other) [TK_GEMINI_##id] = {TK_STR_INIT(name), TK_STR_INIT(other)},
    TK_GEMINI_DATA(NAME) TK_GEMINI_OTHERS(NAME)
#undef NAME
};

enum tk_gemini_member tk_gemini_member_of(struct tk_val member)
{
    for (int i = TK_GEMINI_NONE + 1; i < TK_GEMINI_COUNT; i++)
        if (tk_has_key(member.doc, member.node, names[i].name) ||
            tk_has_key(member.doc, member.node, names[i].other))
            return (enum tk_gemini_member)i;
    return TK_GEMINI_NONE;
}

/* Returns a member in one of two spellings; absent if it is null. */
static struct tk_val given(struct tk_val v, struct tk_str name, struct tk_str other)
{
    struct tk_val member = tk_get_spelled(v, name, other);

    return tk_is(member, TK_NULL) ? TK_NO_VAL : member;
}

struct tk_val tk_gemini_get(const struct tk_part *p, enum tk_gemini_member member)
{
    return given(tk_part_val(p, p->node), names[member].name, names[member].other);
}

bool tk_gemini_is_snake(const struct tk_part *p)
{
    struct tk_val data = tk_gemini_get(p, (enum tk_gemini_member)p->block);

    return tk_exists(data) && !tk_has_key(data.doc, data.node, names[p->block].name);
}

/* ---- signatures ---- */

static bool is_blank(struct tk_val v)
{
    return !tk_is(v, TK_BIN) && (!tk_is(v, TK_STRING) || tk_text_is_blank(v));
}

bool tk_gemini_has_signature(const struct tk_part *p)
{
    return !is_blank(tk_gemini_get(p, TK_GEMINI_SIGNATURE));
}

/* Returns true for a signature that the provider made. */
static bool is_real(struct tk_val signature)
{
    return !is_blank(signature) && !tk_text_is(signature, TK_STR(TK_GEMINI_DUMMY)) &&
           !tk_text_is(signature, TK_STR("context_engineering_is_the_way_to_go"));
}

/* ---- parts ---- */

/* The names inside a call or a response. */
static const struct inside {
    enum tk_part_kind kind;
    uint32_t flags;
    struct tk_str name, other_name, payload;
} inside[] = {
    [TK_GEMINI_FUNCTION_CALL] = {TK_PART_CALL, 0, TK_STR_INIT("name"), TK_STR_INIT("name"),
                                 TK_STR_INIT("args")},
    [TK_GEMINI_FUNCTION_RESPONSE] = {TK_PART_RESULT, 0, TK_STR_INIT("name"), TK_STR_INIT("name"),
                                     TK_STR_INIT("response")},
    [TK_GEMINI_TOOL_CALL] = {TK_PART_CALL, TK_PART_PROVIDER, TK_STR_INIT("toolType"),
                             TK_STR_INIT("tool_type"), TK_STR_INIT("args")},
    [TK_GEMINI_TOOL_RESPONSE] = {TK_PART_RESULT, TK_PART_PROVIDER, TK_STR_INIT("toolType"),
                                 TK_STR_INIT("tool_type"), TK_STR_INIT("response")},
};

static void read_call_or_response(struct tk_part *p, struct tk_val v, const struct inside *at)
{
    p->kind = (uint8_t)at->kind;
    p->flags |= at->flags;
    p->id = given(v, TK_STR("id"), TK_STR("id")).node;
    p->name = given(v, at->name, at->other_name).node;
    p->payload = given(v, at->payload, at->payload).node;
}

/* Reads a part as what its data is. */
static void read_data(struct tk_part *p, struct tk_val data)
{
    p->kind = TK_PART_OTHER;
    if (p->block == TK_GEMINI_TEXT) {
        p->kind = TK_PART_TEXT;
        p->payload = data.node;
    } else if (p->block == TK_GEMINI_INLINE_DATA || p->block == TK_GEMINI_FILE_DATA) {
        p->kind = TK_PART_MEDIA;
    } else if (p->block != TK_GEMINI_NONE && p->block <= TK_GEMINI_TOOL_RESPONSE &&
               tk_is(data, TK_OBJECT)) {
        read_call_or_response(p, data, &inside[p->block]);
    }
}

/* TK_PART_ODD marks a part that hasn't exactly one data member, or has one that the API doesn't know. */
static void read_part(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena)
{
    struct tk_val part = tk_part_val(p, p->node), data = TK_NO_VAL, signature = TK_NO_VAL;

    (void)m;
    (void)arena;
    tk_fetch_keys(part);
    p->block = TK_GEMINI_NONE;
    for (struct tk_val v = tk_first(part); tk_exists(v); v = tk_after(part, v)) {
        enum tk_gemini_member member;

        if (tk_is(v, TK_NULL))
            continue;
        member = tk_gemini_member_of(v);
        if (member == TK_GEMINI_SIGNATURE && !tk_exists(signature))
            signature = v;
        if (member == TK_GEMINI_NONE || (tk_gemini_is_data(member) && tk_exists(data)))
            p->flags |= TK_PART_ODD;
        if (tk_gemini_is_data(member) && (p->block == TK_GEMINI_NONE || member < p->block)) {
            p->block = (uint16_t)member;
            data = v;
        }
    }
    p->flags |= (tk_exists(data) ? 0u : TK_PART_ODD) | (is_real(signature) ? TK_PART_SIGNED : 0u);
    read_data(p, data);
}

/* A message without a role is the model's if it has a call of the client. */
static enum tk_role role_of_parts(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (tk_is_call(&t->parts[i], false))
            return TK_ROLE_ASSISTANT;
    return TK_ROLE_USER;
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

void tk_gemini_write_response(struct tk_writer *w, const struct tk_part *call,
                              void (*write)(struct tk_writer *w, const void *arg), const void *arg)
{
    struct tk_val id = tk_part_val(call, call->id);

    tk_write_map(w);
    tk_write_key(w, tk_gemini_is_snake(call) ? "function_response" : "functionResponse");
    tk_write_map(w);
    if (tk_has_text(id))
        tk_write_kv_str(w, "id", tk_text(id, w->out->arena));
    if (call->name != TK_NO_NODE) {
        tk_write_key(w, "name");
        tk_write_any(w, tk_part_val(call, call->name));
    }
    tk_write_key(w, "response");
    write(w, arg);
    tk_write_end(w);
    tk_write_end(w);
}

static void write_not_executed(struct tk_writer *w, const void *arg)
{
    (void)arg;
    tk_write_map(w);
    tk_write_kv_cstr(w, "error", TK_NOT_EXECUTED);
    tk_write_end(w);
}

static void write_unexecuted(struct tk_writer *w, const struct tk_part *call, struct tk_str id)
{
    (void)id;
    tk_gemini_write_response(w, call, write_not_executed, NULL);
}

static const struct tk_role_name roles[] = {
    {TK_STR_INIT("user"), TK_ROLE_USER, 0},
    {TK_STR_INIT("model"), TK_ROLE_ASSISTANT, 0},
    {TK_STR_INIT("assistant"), TK_ROLE_ASSISTANT, TK_MESSAGE_VARIANT},
    {{NULL, 0}, TK_ROLE_USER, TK_MESSAGE_VARIANT},
};

const struct tk_shape tk_shape_gemini = {
    .name = "gemini",
    .root = TK_STR_INIT("/contents"),
    .parts = TK_STR_INIT("/parts"),
    .wire = true,
    .lists_only = true,
    .marks_odd_parts = true,
    .names_as_sent = true,
    .roles = roles,
    .read_part = read_part,
    .role_of_parts = role_of_parts,
    .write_text = write_text,
    .write_unexecuted = write_unexecuted,
    .call_id = {{"functionCall", "id", [TK_OTHER(0)] = "function_call"}},
    .result_id = {{"functionResponse", "id", [TK_OTHER(0)] = "function_response"}},
    .input = {{"functionCall", "args", [TK_OTHER(0)] = "function_call"}},
    .text = {{"text"}},
    .asked = TK_ASKED_GEMINI,
};
