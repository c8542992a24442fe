/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shape `ai-sdk`: ModelMessage of the Vercel AI SDK (DIALECTS.md section 3).
 *
 *     {"role": "assistant", "content": [
 *         {"type": "reasoning", "text": "...",
 *          "providerOptions": {"anthropic": {"signature": "..."}}},
 *         {"type": "tool-call", "toolCallId": "srvtoolu_1", "toolName": "web_search",
 *          "input": {...}, "providerExecuted": true},
 *         {"type": "tool-result", "toolCallId": "srvtoolu_1", "toolName": "web_search",
 *          "output": {"type": "json", "value": [...]}}]}
 *
 * Results have no flag that tells who ran the tool: in an assistant message it was the provider, in
 * a tool message the client, unless providerExecuted says otherwise. A call that waits for the
 * user's approval doesn't count as unanswered; approvals are never sent to the provider. A call is
 * of an MCP tool if its Anthropic options have the type `mcp-tool-use`; nothing in its result says
 * so.
 */
#include "shapes/format.h"
#include "shapes/shape.h"

static struct tk_val anthropic_options(const struct tk_part *p)
{
    return tk_get(tk_get(tk_part_val(p, p->node), TK_STR("providerOptions")), TK_STR("anthropic"));
}

static void read_reasoning(struct tk_part *p)
{
    struct tk_val signing = anthropic_options(p);
    bool signature = tk_has_text(tk_get(signing, TK_STR("signature")));
    bool redacted = !signature && tk_has_text(tk_get(signing, TK_STR("redactedData")));

    p->kind = redacted ? TK_PART_REDACTED : TK_PART_THINKING;
    p->flags |= signature || redacted ? TK_PART_SIGNED : TK_PART_INVISIBLE;
    p->payload = tk_get(tk_part_val(p, p->node), TK_STR("text")).node;
}

static void read_tool_part(struct tk_part *p, const struct tk_message *m, bool call)
{
    struct tk_val v = tk_part_val(p, p->node), by = tk_get(v, TK_STR("providerExecuted"));
    bool provider = tk_is(by, TK_TRUE);

    if (!call && (!tk_exists(by) || tk_is(by, TK_NULL)))
        provider = m->role == TK_ROLE_ASSISTANT;
    p->kind = call ? TK_PART_CALL : TK_PART_RESULT;
    p->flags |= TK_PART_MARKABLE;
    if (provider)
        p->flags |= TK_PART_PROVIDER;
    p->id = tk_get(v, TK_STR("toolCallId")).node;
    p->name = tk_get(v, TK_STR("toolName")).node;
    p->payload = tk_get(v, call ? TK_STR("input") : TK_STR("output")).node;
    p->caller = tk_get(anthropic_options(p), TK_STR("caller")).node;
}

static void read_part(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena)
{
    struct tk_val v = tk_part_val(p, p->node);
    struct tk_val type_member = tk_get(v, TK_STR("type"));
    struct tk_str type = tk_text(type_member, arena);

    p->type = type_member.node;
    p->kind = TK_PART_OTHER;
    if (p->flags & TK_PART_STRING) {
        p->kind = TK_PART_TEXT;
        p->payload = p->node;
    } else if (tk_str_is(type, "reasoning")) {
        read_reasoning(p);
    } else if (tk_str_is(type, "text")) {
        p->kind = TK_PART_TEXT;
        p->flags |= TK_PART_MARKABLE;
        p->payload = tk_get(v, TK_STR("text")).node;
    } else if (tk_str_is(type, "tool-call") || tk_str_is(type, "tool-result")) {
        read_tool_part(p, m, tk_str_is(type, "tool-call"));
    } else if (tk_str_is(type, "file") || tk_str_is(type, "image")) {
        p->kind = TK_PART_MEDIA;
        p->flags |= TK_PART_MARKABLE;
    } else if (tk_str_is(type, "tool-approval-request") ||
               tk_str_is(type, "tool-approval-response")) {
        p->flags |= TK_PART_INVISIBLE;
        p->id = tk_get(v, TK_STR("toolCallId")).node;
    }
}

static struct tk_result_view result(const struct tk_part *p, struct tk_arena *arena)
{
    struct tk_str name = tk_text(tk_part_val(p, p->name), arena);

    return (struct tk_result_view){
        .content = tk_part_val(p, p->payload),
        .type = name.p ? tk_arena_concat(arena, (struct tk_str[]){name, TK_STR("_tool_result")}, 2)
                       : (struct tk_str){0},
        .metadata = TK_NO_VAL,
    };
}

static bool asks_approval(const struct tk_part *p)
{
    return tk_text_is(tk_part_val(p, p->type), TK_STR("tool-approval-request"));
}

/* A result goes by its call, so nothing that it says itself counts. */
static bool is_mcp(const struct tk_part *call)
{
    return call->kind == TK_PART_CALL && (call->flags & TK_PART_PROVIDER) &&
           tk_text_is(tk_get(anthropic_options(call), TK_STR("type")), TK_STR("mcp-tool-use"));
}

static void write_text(struct tk_writer *w, struct tk_str text, struct tk_str marker)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "text");
    tk_write_key(w, "text");
    tk_write_raw(w, text);
    if (marker.p) {
        tk_write_key(w, "providerOptions");
        tk_write_map(w);
        tk_write_key(w, "anthropic");
        tk_write_map(w);
        tk_write_key(w, "cacheControl");
        tk_write_raw(w, marker);
        tk_write_end(w);
        tk_write_end(w);
    }
    tk_write_end(w);
}

/* Writes the member with the tool's name of the result that answers `call`. */
static void write_name(struct tk_writer *w, const struct tk_part *call)
{
    struct tk_val name = tk_part_val(call, call->name);

    tk_write_key(w, "toolName");
    if (tk_is(name, TK_STRING))
        tk_write_any(w, name);
    else
        tk_write_cstr(w, "");
}

static const struct tk_str error_results[] = {
    TK_STR_INIT("web_search_tool_result"),
    TK_STR_INIT("web_fetch_tool_result"),
    TK_STR_INIT("code_execution_tool_result"),
    TK_STR_INIT("advisor_tool_result"),
    TK_STR_INIT("mcp_tool_result"),
    {NULL, 0},
};

/* Writes an error. The adapter recognises errors of searches and fetches by their place, and those
 * of other tools by their type. */
static void write_error(struct tk_writer *w, struct tk_str result_type)
{
    bool typed = !tk_str_starts(result_type, TK_STR("web_"));

    tk_write_map(w);
    if (typed) {
        tk_write_key(w, "type");
        tk_write_strf(w, "%.*s_error", (int)result_type.n, result_type.p);
    }
    tk_write_kv_cstr(w, "errorCode", "unavailable");
    tk_write_end(w);
}

static void write_mcp_error(struct tk_writer *w)
{
    tk_write_list(w);
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "text");
    tk_write_kv_cstr(w, "text", "unavailable");
    tk_write_end(w);
    tk_write_end(w);
}

/* Writes a result up to the value of its output. */
static void begin_result(struct tk_writer *w, const struct tk_part *call, struct tk_str id,
                         const char *output_type)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "tool-result");
    tk_write_kv_str(w, "toolCallId", id);
    write_name(w, call);
    tk_write_key(w, "output");
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", output_type);
    tk_write_key(w, "value");
}

/* Writes an error result in the form that the adapter turns into the API's error. */
static void write_error_result(struct tk_writer *w, const struct tk_part *call, struct tk_str id,
                               struct tk_str result_type)
{
    begin_result(w, call, id, "error-json");
    if (is_mcp(call))
        write_mcp_error(w);
    else
        write_error(w, result_type);
    tk_write_end(w);
    tk_write_end(w);
}

static void write_unexecuted(struct tk_writer *w, const struct tk_part *call, struct tk_str id)
{
    begin_result(w, call, id, "error-text");
    tk_write_cstr(w, TK_NOT_EXECUTED);
    tk_write_end(w);
    tk_write_end(w);
}

static const struct tk_adapter adapter = {
    .bare_tool_messages = true,
    .tool_messages = true,
    .named_results = true,
    .trims_end = true,
    .no_blank_marked = true,
    .system_is_string = true,
    .asks_approval = asks_approval,
    .is_mcp = is_mcp,
    .error_results = error_results,
};

const struct tk_shape tk_shape_ai_sdk = {
    .name = "ai-sdk",
    .root = TK_STR_INIT("/messages"),
    .parts = TK_STR_INIT("/content"),
    .adapter = &adapter,
    .roles = tk_adapter_roles,
    .read_part = read_part,
    .result = result,
    .write_text = write_text,
    .write_error_result = write_error_result,
    .write_unexecuted = write_unexecuted,
    .call_id = {{"toolCallId"}},
    .input = {{"input"}},
    .result_id = {{"toolCallId"}},
    .cache_marker = {{"providerOptions", "anthropic", "cacheControl"}},
    .text = {{"text"}},
    .thinking = {{"text"}},
    .citations = {{"providerOptions", "anthropic", "citations"}},
    .hits = {{"output", "value"}},
    .caller = {{"providerOptions", "anthropic", "caller"}},
    .options = {{"providerOptions"}},
    .caller_id = {{"toolId"}},
    .message_options = "providerOptions",
    .asked = TK_ASKED_AI_SDK,
};
