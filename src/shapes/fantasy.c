/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shape `fantasy`: the JSON of the Go library charm.land/fantasy, as coder stores it (seed 001;
 * DIALECTS.md section 2).
 *
 *     {"role": "assistant", "content": [
 *         {"type": "reasoning", "data": {"text": "...", "provider_options": {"anthropic":
 *             {"type": "anthropic.reasoning_metadata", "data": {"signature": "...",
 *                                                               "redacted_data": ""}}}}},
 *         {"type": "tool-call", "data": {"tool_call_id": "srvtoolu_1", "tool_name": "web_search",
 *             "input": "{\"query\":\"x\"}", "provider_executed": true}},
 *         {"type": "tool-result", "data": {"tool_call_id": "srvtoolu_1", "output": {...},
 *             "provider_executed": true, "provider_options": {"anthropic":
 *             {"type": "anthropic.web_search_result_metadata", "data": {"results": [...]}}}}}]}
 *
 * A call's input is a string that contains JSON. The provider's answer is kept in typed metadata:
 * without it the library can't send the result. A stored step (its `content`) says `result`
 * and `provider_metadata` where a prompt says `output` and `provider_options`.
 */
#include "shapes/format.h"
#include "shapes/shape.h"

/* Returns a result's output, which a stored step calls `result`. */
static struct tk_val output_of(struct tk_val data)
{
    struct tk_val output = tk_get(data, TK_STR("output"));

    return tk_exists(output) && !tk_is(output, TK_NULL) ? output : tk_get(data, TK_STR("result"));
}

static struct tk_val data_of(const struct tk_part *p)
{
    return tk_get(tk_part_val(p, p->node), TK_STR("data"));
}

/* Returns the Anthropic entry of a part's provider options: {"type": ..., "data": {...}}. */
static struct tk_val options_of(const struct tk_part *p)
{
    struct tk_val data = data_of(p);
    struct tk_val options = tk_get(tk_get(data, TK_STR("provider_options")), TK_STR("anthropic"));

    if (tk_is(options, TK_OBJECT))
        return options;
    options = tk_get(tk_get(data, TK_STR("provider_metadata")), TK_STR("anthropic"));
    return tk_is(options, TK_OBJECT) ? options : TK_NO_VAL;
}

static void read_reasoning(struct tk_part *p)
{
    struct tk_val options = options_of(p), signing = TK_NO_VAL;
    bool signature, redacted;

    if (tk_text_is(tk_get(options, TK_STR("type")), TK_STR("anthropic.reasoning_metadata")))
        signing = tk_get(options, TK_STR("data"));
    signature = tk_has_text(tk_get(signing, TK_STR("signature")));
    redacted = !signature && tk_has_text(tk_get(signing, TK_STR("redacted_data")));
    p->kind = redacted ? TK_PART_REDACTED : TK_PART_THINKING;
    p->flags |= signature || redacted ? TK_PART_SIGNED : TK_PART_INVISIBLE;
    p->payload = tk_get(data_of(p), TK_STR("text")).node;
}

/* Reads a call or a result. */
static void read_tool_part(struct tk_part *p, bool call)
{
    struct tk_val data = data_of(p);

    p->kind = call ? TK_PART_CALL : TK_PART_RESULT;
    p->payload = call ? tk_get(data, TK_STR("input")).node : output_of(data).node;
    p->id = tk_get(data, TK_STR("tool_call_id")).node;
    p->name = tk_get(data, TK_STR("tool_name")).node;
    /* The adapter ignores cache markers on provider-executed parts. */
    p->flags |= tk_is(tk_get(data, TK_STR("provider_executed")), TK_TRUE) ? TK_PART_PROVIDER
                                                                          : TK_PART_MARKABLE;
}

static void read_part(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena)
{
    struct tk_val type_member = tk_get(tk_part_val(p, p->node), TK_STR("type"));
    struct tk_str type = tk_text(type_member, arena);

    (void)m;
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
        p->payload = tk_get(data_of(p), TK_STR("text")).node;
    } else if (tk_str_is(type, "tool-call") || tk_str_is(type, "tool-result")) {
        read_tool_part(p, tk_str_is(type, "tool-call"));
    } else if (tk_str_is(type, "file")) {
        p->kind = TK_PART_MEDIA;
        p->flags |= TK_PART_MARKABLE;
    } else if (tk_str_is(type, "source")) {
        p->flags |= TK_PART_INVISIBLE;
    }
}

/* Returns the wire's name of a result type: "anthropic.web_search_result_metadata" is
 * "web_search_tool_result" on the wire. */
static struct tk_str wire_type(struct tk_str metadata_type, struct tk_arena *arena)
{
    struct tk_str head = TK_STR("anthropic."), tail = TK_STR("_result_metadata"), middle;

    if (!tk_str_starts(metadata_type, head) || !tk_str_ends(metadata_type, tail) ||
        metadata_type.n <= head.n + tail.n)
        return (struct tk_str){0};
    middle.p = metadata_type.p + head.n;
    middle.n = metadata_type.n - head.n - tail.n;
    return tk_arena_concat(arena, (struct tk_str[]){middle, TK_STR("_tool_result")}, 2);
}

static struct tk_result_view result(const struct tk_part *p, struct tk_arena *arena)
{
    struct tk_val options = options_of(p), type = tk_get(options, TK_STR("type"));
    struct tk_result_view view = {
        .content = tk_part_val(p, p->payload),
        .type = wire_type(tk_text(type, arena), arena),
        .metadata = tk_get(options, TK_STR("data")),
    };

    view.unserializable = !view.type.p || !tk_is(view.metadata, TK_OBJECT);
    return view;
}

static void write_text(struct tk_writer *w, struct tk_str text, struct tk_str marker)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "text");
    tk_write_key(w, "data");
    tk_write_map(w);
    tk_write_key(w, "text");
    tk_write_raw(w, text);
    if (marker.p) {
        tk_write_key(w, "provider_options");
        tk_write_map(w);
        tk_write_key(w, "anthropic");
        tk_write_raw(w, marker);
        tk_write_end(w);
    }
    tk_write_end(w);
    tk_write_end(w);
}

/* Result types whose metadata the library can read. It would discard the whole message for any
 * other. */
static const struct tk_str error_results[] = {
    TK_STR_INIT("web_search_tool_result"),
    {NULL, 0},
};

/* Writes an error result up to its last common member; its `data` stays open. */
static void begin_error_result(struct tk_writer *w, struct tk_str id, const char *error,
                               bool by_provider)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "tool-result");
    tk_write_key(w, "data");
    tk_write_map(w);
    tk_write_kv_str(w, "tool_call_id", id);
    tk_write_key(w, "output");
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "error");
    tk_write_key(w, "data");
    tk_write_map(w);
    tk_write_kv_cstr(w, "error", error);
    tk_write_end(w);
    tk_write_end(w);
    tk_write_kv_bool(w, "provider_executed", by_provider);
}

/* Writes search metadata with an error code, which the library turns into the API's error. */
static void write_error_result(struct tk_writer *w, const struct tk_part *call, struct tk_str id,
                               struct tk_str result_type)
{
    (void)call;
    (void)result_type;
    begin_error_result(w, id, "unavailable", true);
    tk_write_key(w, "provider_options");
    tk_write_map(w);
    tk_write_key(w, "anthropic");
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "anthropic.web_search_result_metadata");
    tk_write_key(w, "data");
    tk_write_map(w);
    tk_write_kv_cstr(w, "error_code", "unavailable");
    tk_write_end(w);
    tk_write_end(w);
    tk_write_end(w);
    tk_write_end(w);
    tk_write_end(w);
}

static void write_unexecuted(struct tk_writer *w, const struct tk_part *call, struct tk_str id)
{
    (void)call;
    begin_error_result(w, id, TK_NOT_EXECUTED, false);
    tk_write_end(w);
    tk_write_end(w);
}

static const struct tk_adapter adapter = {
    .string_input = true,
    .tool_messages = true,
    .empty_left_out = true,
    .no_blank_marked = true,
    .error_results = error_results,
    .marker_type = TK_STR_INIT("anthropic.cache_control_options"),
    .stored_options = {{"data", "provider_metadata"}},
};

const struct tk_shape tk_shape_fantasy = {
    .name = "fantasy",
    .root = TK_STR_INIT("/messages"),
    .parts = TK_STR_INIT("/content"),
    .adapter = &adapter,
    .roles = tk_adapter_roles,
    .read_part = read_part,
    .result = result,
    .write_text = write_text,
    .write_error_result = write_error_result,
    .write_unexecuted = write_unexecuted,
    .call_id = {{"data", "tool_call_id"}},
    .result_id = {{"data", "tool_call_id"}},
    .input = {{"data", "input"}},
    .cache_marker = {{"data", "provider_options", "anthropic"}},
    .text = {{"data", "text"}},
    .thinking = {{"data", "text"}},
    .options = {{"data", "provider_options"}},
    .message_options = "provider_options",
    .asked = TK_ASKED_FANTASY,
};
