/* SPDX-License-Identifier: Apache-2.0 */
/* Bedrock's and Gemini's messages, as PROVIDERS.md 5.1, 6.2, 6.4, 7.1 and 7.4 read them. */
#include "../fuzz/must.h"
#include "value/unicode.h"
#include "view.h"

#define S TK_STR

static bool is_given(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

/* Returns true for a string that isn't blank. */
static bool is_filled(struct tk_val v, struct tk_arena *arena)
{
    return tk_is(v, TK_STRING) && !tk_is_blank(tk_text(v, arena));
}

static struct tk_str id_of(struct tk_val id, struct tk_arena *arena)
{
    return tk_is(id, TK_STRING) ? tk_text(id, arena) : S("");
}

/* ---- Bedrock ---- */

static bool has_server_type(struct tk_val v)
{
    struct tk_val type = tk_get(v, S("type"));

    return tk_is(type, TK_STRING) && tk_raw(type).n > 0 && !tk_text_is(type, S("tool_use")) &&
           !tk_text_is(type, S("tool_result"));
}

static void read_block(struct view_part *p, struct tk_arena *arena)
{
    struct tk_val call = tk_get(p->value, S("toolUse")), result = tk_get(p->value, S("toolResult"));
    struct tk_val thought = tk_get(p->value, S("reasoningContent"));

    if (tk_is(call, TK_OBJECT) || tk_is(result, TK_OBJECT)) {
        struct tk_val v = tk_is(call, TK_OBJECT) ? call : result;

        p->kind = v.node == call.node ? VIEW_CALL : VIEW_RESULT;
        p->provider = has_server_type(v);
        p->id = id_of(tk_get(v, S("toolUseId")), arena);
        p->data = v;
    } else if (is_given(thought)) {
        p->kind = VIEW_THINKING;
        p->signed_ = is_filled(tk_get(thought, S("redactedContent")), arena) ||
                     is_filled(tk_get(tk_get(thought, S("reasoningText")), S("signature")), arena);
        p->data = thought;
    } else if (is_given(tk_get(p->value, S("text")))) {
        p->kind = VIEW_TEXT;
        p->data = tk_get(p->value, S("text"));
    }
}

/* Calls and results without a type are the provider's if they share an id with one that has it. */
static void spread_provider(struct view *s, const struct view_message *m)
{
    struct view_part *parts = s->parts + m->first;

    for (uint32_t i = 0; m->role == 'a' && i < m->count; i++)
        for (uint32_t k = 0; k < m->count; k++)
            if (parts[k].id.n > 0 && has_server_type(parts[k].data) && parts[i].id.p &&
                tk_str_eq(parts[i].id, parts[k].id) && !is_given(tk_get(parts[i].data, S("type"))))
                parts[i].provider = true;
}

/* ---- Gemini ---- */

struct tk_val view_member(struct tk_val v, const char *name, const char *other)
{
    struct tk_val member = TK_NO_VAL;

    for (struct tk_val m = tk_first(v); tk_is(v, TK_OBJECT) && tk_exists(m); m = tk_after(v, m))
        if (!tk_exists(member) && is_given(m) &&
            (tk_key_is(m, tk_str_of(name)) || tk_key_is(m, tk_str_of(other))))
            member = m;
    return member;
}

static const struct {
    const char *name, *other;
    enum view_kind kind;
    bool provider;
} data_members[] = {
    {"functionCall", "function_call", VIEW_CALL, false},
    {"functionResponse", "function_response", VIEW_RESULT, false},
    {"toolCall", "tool_call", VIEW_CALL, true},
    {"toolResponse", "tool_response", VIEW_RESULT, true},
    {"executableCode", "executable_code", VIEW_OTHER, true},
    {"codeExecutionResult", "code_execution_result", VIEW_OTHER, true},
    {"inlineData", "inline_data", VIEW_OTHER, false},
    {"fileData", "file_data", VIEW_OTHER, false},
    {"text", "text", VIEW_TEXT, false},
};

static void read_data(struct view_part *p, size_t row, struct tk_val data, struct tk_arena *arena)
{
    bool pairs = data_members[row].kind == VIEW_CALL || data_members[row].kind == VIEW_RESULT;

    p->data = data;
    if (pairs && !tk_is(data, TK_OBJECT))
        return;
    p->kind = data_members[row].kind;
    p->provider = data_members[row].provider;
    if (pairs)
        p->id = id_of(tk_get(data, S("id")), arena);
}

static void read_part(struct view_part *p, struct tk_arena *arena)
{
    struct tk_val signature = view_member(p->value, "thoughtSignature", "thought_signature");

    p->signed_ = is_filled(signature, arena) &&
                 !tk_text_is(signature, S("skip_thought_signature_validator")) &&
                 !tk_text_is(signature, S("context_engineering_is_the_way_to_go"));
    for (size_t i = 0; i < sizeof(data_members) / sizeof(data_members[0]); i++) {
        struct tk_val data = view_member(p->value, data_members[i].name, data_members[i].other);

        if (tk_exists(data)) {
            read_data(p, i, data, arena);
            return;
        }
    }
}

/* ---- both ---- */

static char role_of(const struct view *s, const struct view_message *m)
{
    struct tk_val role = tk_get(m->value, S("role"));

    if (tk_text_is(role, S("model")) || tk_text_is(role, S("assistant")))
        return 'a';
    for (uint32_t i = 0; !is_given(role) && i < m->count; i++)
        if (s->parts[m->first + i].kind == VIEW_CALL && !s->parts[m->first + i].provider)
            return 'a';
    return 'u';
}

static void read_parts(struct view *s, struct view_message *m, struct tk_val list, bool gemini,
                       struct tk_arena *arena)
{
    m->first = s->part_count;
    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v);
         v = tk_after(list, v)) {
        struct view_part *p = &s->parts[s->part_count++];

        *p = (struct view_part){.kind = VIEW_OTHER,
                                .message = (uint32_t)(m - s->messages),
                                .index = m->count++,
                                .value = v,
                                .data = TK_NO_VAL};
        (gemini ? read_part : read_block)(p, arena);
    }
    m->role = role_of(s, m);
    if (!gemini)
        spread_provider(s, m);
}

struct view view_of_blocks(struct tk_val list, bool gemini, struct tk_arena *arena)
{
    struct tk_str name = gemini ? S("parts") : S("content");
    struct view s = {.count = tk_count(list)};
    uint32_t parts = 0, i = 0;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        parts += tk_is(tk_get(v, name), TK_ARRAY) ? tk_count(tk_get(v, name)) : 0;
    s.messages = tk_arena_zalloc(arena, s.count, sizeof(*s.messages));
    s.parts = tk_arena_zalloc(arena, parts, sizeof(*s.parts));
    MUST(s.messages && s.parts);
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v), i++) {
        struct view_message *m = &s.messages[i];

        m->value = v;
        read_parts(&s, m, tk_get(v, name), gemini, arena);
        m->turn = i == 0 ? 0 : m[-1].turn + (m[-1].role != m->role);
    }
    return s;
}
