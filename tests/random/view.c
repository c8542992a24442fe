/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

#include "../fuzz/must.h"

#define S TK_STR

static bool filled(struct tk_val v)
{
    return tk_is(v, TK_STRING) && tk_raw(v).n > 0;
}

static bool ends(struct tk_val type, struct tk_arena *arena, const char *tail)
{
    return tk_is(type, TK_STRING) && tk_str_ends(tk_text(type, arena), tk_str_of(tail));
}

static void tool(struct view_part *p, enum view_kind kind, bool provider, struct tk_val id,
                 struct tk_arena *arena)
{
    p->kind = kind;
    p->provider = provider;
    p->id = tk_is(id, TK_STRING) ? tk_text(id, arena) : TK_STR("");
}

static void read_wire(struct view_part *p, char role, struct tk_arena *arena)
{
    struct tk_val v = p->value, type = tk_get(v, S("type")), id = tk_get(v, S("id"));

    (void)role;
    if (tk_text_is(type, S("text"))) {
        p->kind = VIEW_TEXT;
    } else if (tk_text_is(type, S("thinking"))) {
        p->kind = VIEW_THINKING;
        p->signed_ = filled(tk_get(v, S("signature")));
    } else if (tk_text_is(type, S("redacted_thinking"))) {
        p->kind = VIEW_THINKING;
        p->signed_ = filled(tk_get(v, S("data")));
    } else if (tk_text_is(type, S("tool_use"))) {
        tool(p, VIEW_CALL, false, id, arena);
    } else if (tk_text_is(type, S("tool_result"))) {
        tool(p, VIEW_RESULT, false, tk_get(v, S("tool_use_id")), arena);
    } else if (tk_text_is(type, S("server_tool_use")) || tk_text_is(type, S("mcp_tool_use")) ||
               (ends(type, arena, "_tool_use") && tk_is(id, TK_STRING))) {
        tool(p, VIEW_CALL, true, id, arena);
    } else if (ends(type, arena, "_tool_result")) {
        tool(p, VIEW_RESULT, true, tk_get(v, S("tool_use_id")), arena);
    }
}

static void read_fantasy(struct view_part *p, char role, struct tk_arena *arena)
{
    struct tk_val type = tk_get(p->value, S("type")), data = tk_get(p->value, S("data"));
    struct tk_val options = tk_get(tk_get(data, S("provider_options")), S("anthropic"));
    bool call = tk_text_is(type, S("tool-call"));

    (void)role;
    if (!tk_is(options, TK_OBJECT))
        options = tk_get(tk_get(data, S("provider_metadata")), S("anthropic"));
    if (tk_text_is(type, S("text"))) {
        p->kind = VIEW_TEXT;
    } else if (tk_text_is(type, S("reasoning"))) {
        struct tk_val signing = tk_get(options, S("data"));

        p->kind = VIEW_THINKING;
        p->signed_ = tk_text_is(tk_get(options, S("type")), S("anthropic.reasoning_metadata")) &&
                     (filled(tk_get(signing, S("signature"))) ||
                      filled(tk_get(signing, S("redacted_data"))));
        p->invisible = !p->signed_;
    } else if (call || tk_text_is(type, S("tool-result"))) {
        tool(p, call ? VIEW_CALL : VIEW_RESULT,
             tk_is(tk_get(data, S("provider_executed")), TK_TRUE), tk_get(data, S("tool_call_id")),
             arena);
    } else if (tk_text_is(type, S("source"))) {
        p->invisible = true;
    }
}

static void read_ai_sdk(struct view_part *p, char role, struct tk_arena *arena)
{
    struct tk_val v = p->value, type = tk_get(v, S("type"));
    struct tk_val options = tk_get(tk_get(v, S("providerOptions")), S("anthropic"));
    struct tk_val by = tk_get(v, S("providerExecuted"));
    bool call = tk_text_is(type, S("tool-call")), flagged = tk_exists(by) && !tk_is(by, TK_NULL);

    if (tk_text_is(type, S("text"))) {
        p->kind = VIEW_TEXT;
    } else if (tk_text_is(type, S("reasoning"))) {
        p->kind = VIEW_THINKING;
        p->signed_ =
            filled(tk_get(options, S("signature"))) || filled(tk_get(options, S("redactedData")));
        p->invisible = !p->signed_;
    } else if (call || tk_text_is(type, S("tool-result"))) {
        tool(p, call ? VIEW_CALL : VIEW_RESULT,
             tk_is(by, TK_TRUE) || (!call && !flagged && role == 'a'), tk_get(v, S("toolCallId")),
             arena);
    } else if (tk_is(type, TK_STRING) && tk_str_starts(tk_text(type, arena), S("tool-approval-"))) {
        p->invisible = true;
    }
}

typedef void read_part(struct view_part *p, char role, struct tk_arena *arena);

static char role_of(struct tk_val role, bool wire)
{
    if (tk_text_is(role, S("user")) || (!wire && tk_text_is(role, S("tool"))))
        return 'u';
    if (tk_text_is(role, S("assistant")))
        return 'a';
    return tk_text_is(role, S("system")) ? 's' : '?';
}

static uint32_t parts_of(struct tk_val content)
{
    return tk_is(content, TK_STRING)  ? tk_raw(content).n > 0
           : tk_is(content, TK_ARRAY) ? tk_count(content)
                                      : 0;
}

static void read_parts(struct view *s, struct view_message *m, read_part *read,
                       struct tk_arena *arena)
{
    struct tk_val content = tk_get(m->value, S("content")), v = tk_first(content);

    m->first = s->part_count;
    m->count = parts_of(content);
    for (uint32_t i = 0; i < m->count; i++) {
        struct view_part *p = &s->parts[s->part_count++];

        *p = (struct view_part){.kind = VIEW_OTHER,
                                .message = (uint32_t)(m - s->messages),
                                .index = i,
                                .value = content};
        if (tk_is(content, TK_STRING)) {
            p->kind = VIEW_TEXT;
            continue;
        }
        p->value = v;
        read(p, m->role, arena);
        v = tk_after(content, v);
    }
}

static uint32_t turn_behind(const struct view_message *before, const struct view_message *m)
{
    bool joins = before && before->role == m->role && (m->role == 'u' || m->role == 'a');

    return !before ? 0 : before->turn + (!joins && !m->transparent);
}

struct view view_of(struct tk_val messages, struct tk_val dialect, struct tk_arena *arena)
{
    bool fantasy = tk_text_is(dialect, S("fantasy")), ai_sdk = tk_text_is(dialect, S("ai-sdk"));
    struct view s = {.count = tk_count(messages)};
    const struct view_message *before = NULL;
    struct tk_val v = tk_first(messages);
    uint32_t parts = 0, i = 0;

    for (struct tk_val m = v; tk_exists(m); m = tk_after(messages, m))
        parts += parts_of(tk_get(m, S("content")));
    s.messages = tk_arena_zalloc(arena, s.count, sizeof(*s.messages));
    s.parts = tk_arena_zalloc(arena, parts, sizeof(*s.parts));
    MUST(s.messages && s.parts);
    for (; tk_exists(v); v = tk_after(messages, v)) {
        struct view_message *m = &s.messages[i++];

        m->value = v;
        m->role = role_of(tk_get(v, S("role")), !fantasy && !ai_sdk);
        m->transparent = m->role == 's' && (fantasy || ai_sdk);
        read_parts(&s, m, fantasy ? read_fantasy : ai_sdk ? read_ai_sdk : read_wire, arena);
        m->turn = turn_behind(before, m);
        before = m->transparent ? before : m;
    }
    return s;
}

const struct view_part *view_part(const struct view *view, int64_t message, int64_t index)
{
    if (message < 0 || message >= view->count || index < 0 ||
        index >= view->messages[message].count)
        return NULL;
    return &view->parts[view->messages[message].first + (uint32_t)index];
}
