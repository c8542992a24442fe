/* SPDX-License-Identifier: Apache-2.0 */
/* Reads chunks. */
#include <errno.h>

#include "providers/openai/chat/stream/chat_format.h"
#include "providers/openai/chat/stream/chat_stream.h"

/* ---- texts, for whoever reads along ---- */

void tk_chat_end_run(struct tk_stream_turn *t, struct tk_choice *choice)
{
    tk_run_end(t, &tk_chat_of(choice)->run, NULL);
}

static void tell(struct tk_stream_turn *t, struct tk_choice *choice, enum tk_run_kind kind,
                 struct tk_val text)
{
    struct tk_chat_choice *c = tk_chat_of(choice);

    if (!tk_is(text, TK_STRING) || tk_raw(text).n == 0)
        return;
    if (c->run.begun && !c->run.ended && c->run.kind != kind)
        tk_run_end(t, &c->run, NULL);
    if (!c->run.begun || c->run.ended)
        c->run = (struct tk_text_run){
            .kind = (uint8_t)kind,
            .wire_index = choice->index,
            .choice = choice,
            .id = tk_arena_printf(t->keep, "%lld.%u", (long long)choice->index, c->runs++),
        };
    tk_run_delta(t, &c->run, text, NULL);
}

/* Tells the texts of a content that is a list, as Mistral's servers send it. */
static void tell_entries(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val list,
                         enum tk_run_kind kind)
{
    for (struct tk_val e = tk_first(list); tk_exists(e); e = tk_after(list, e)) {
        struct tk_val thinking = tk_get(e, TK_STR("thinking"));

        if (tk_is(thinking, TK_ARRAY) && kind != TK_RUN_REASONING)
            tell_entries(t, choice, thinking, TK_RUN_REASONING);
        else if (tk_text_is(tk_get(e, TK_STR("type")), TK_STR("text")))
            tell(t, choice, kind, tk_get(e, TK_STR("text")));
    }
}

/* Returns the reasoning of a delta, which servers name differently. */
static struct tk_val reasoning_of(struct tk_val delta)
{
    static const struct tk_str names[] = {TK_STR_INIT("reasoning_content"),
                                          TK_STR_INIT("reasoning"), TK_STR_INIT("reasoning_text")};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct tk_val v = tk_get(delta, names[i]);

        if (tk_is(v, TK_STRING))
            return v;
    }
    return TK_NO_VAL;
}

static void tell_texts(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val delta)
{
    struct tk_val content = tk_get(delta, TK_STR("content"));
    struct tk_val audio = tk_get(delta, TK_STR("audio"));

    tell(t, choice, TK_RUN_REASONING, reasoning_of(delta));
    if (tk_is(content, TK_ARRAY))
        tell_entries(t, choice, content, TK_RUN_TEXT);
    else
        tell(t, choice, TK_RUN_TEXT, content);
    tell(t, choice, TK_RUN_REFUSAL, tk_get(delta, TK_STR("refusal")));
    if (tk_is(audio, TK_OBJECT))
        tk_tell_audio(t, choice, audio);
}

/* ---- members of a delta ---- */

static int take_role(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val m)
{
    (void)m; /* some servers repeat it, or leave it out; it is the assistant's */
    tk_merge_place(t, &tk_chat_of(choice)->members, TK_STR("role"), TK_CHAT_ROLE);
    return 0;
}

static int take_calls(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val m)
{
    if (tk_is(m, TK_NULL))
        return 0;
    tk_merge_place(t, &tk_chat_of(choice)->members, TK_STR("tool_calls"), TK_CHAT_TOOL_CALLS);
    return tk_is(m, TK_ARRAY) ? tk_chat_tool_calls(t, choice, m) : TK_TURN_MALFORMED;
}

static int take_function_call(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val m)
{
    if (tk_is(m, TK_NULL))
        return 0;
    tk_merge_place(t, &tk_chat_of(choice)->members, TK_STR("function_call"), TK_CHAT_FUNCTION_CALL);
    return tk_chat_function_call(t, choice, m);
}

/* Members that aren't merged as any other; rule: of the others. */
static const struct {
    struct tk_str name;
    int (*take)(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val m);
    uint8_t rule; /* enum tk_merge_rule */
} members[] = {
    {TK_STR_INIT("content"), NULL, TK_MERGE_CONTENT},
    {TK_STR_INIT("tool_calls"), take_calls, TK_MERGE_INDEXED},
    {TK_STR_INIT("role"), take_role, TK_MERGE_INDEXED},
    {TK_STR_INIT("function_call"), take_function_call, TK_MERGE_INDEXED},
    {TK_STR_INIT("reasoning_details"), NULL, TK_MERGE_DETAILS},
};
#define MEMBERS (sizeof(members) / sizeof(members[0]))

static int take_delta(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val delta)
{
    int r = 0;

    tell_texts(t, choice, delta);
    for (struct tk_val m = tk_first(delta); tk_exists(m) && r == 0; m = tk_after(delta, m)) {
        uint8_t rule = TK_MERGE_INDEXED;
        size_t row = 0;

        while (row < MEMBERS && !tk_key_is(m, members[row].name))
            row++;
        if (row < MEMBERS && members[row].take) {
            r = members[row].take(t, choice, m);
            continue;
        }
        if (row < MEMBERS)
            rule = members[row].rule;
        tk_merge_member(t, &tk_chat_of(choice)->members, m, (enum tk_merge_rule)rule, true);
    }
    return r;
}

/* ---- choices ---- */

static struct tk_choice *choice_of(struct tk_stream_turn *t, int64_t index)
{
    struct tk_choice *choice = tk_turn_choice(t, index);
    struct tk_chat_choice *c;

    if (!choice || choice->own)
        return choice;
    c = tk_arena_zalloc(t->keep, 1, sizeof(*c));
    if (!c)
        return NULL;
    tk_map_init(&c->by_id, t->keep, tk_turn_hash_key(t));
    choice->own = c;
    return choice;
}

static int read_choice(struct tk_stream_turn *t, struct tk_val v, struct tk_val chunk)
{
    struct tk_val at = tk_get(v, TK_STR("index")), delta = tk_get(v, TK_STR("delta"));
    struct tk_val reason = tk_get(v, TK_STR("finish_reason"));
    struct tk_choice *choice;
    int64_t index = 0;
    int r = 0;

    if (!tk_is(v, TK_OBJECT) || (tk_is_given(at) && !tk_int64(at, &index)) ||
        index == TK_NO_INDEX || (tk_is_given(delta) && !tk_is(delta, TK_OBJECT)) ||
        (tk_is_given(reason) && !tk_is(reason, TK_STRING)))
        return TK_TURN_MALFORMED;
    choice = choice_of(t, index);
    if (!choice)
        return -ENOMEM;
    if (tk_is(delta, TK_OBJECT))
        r = take_delta(t, choice, delta);
    if (r != 0 || !tk_is(reason, TK_STRING) || tk_raw(reason).n == 0)
        return r;
    if (tk_text_is(reason, TK_STR("error")))
        return tk_turn_error(
            t, &(struct tk_told_error){.type = TK_STR("error"), .event = chunk, .retryable = true});
    choice->stop_reason = tk_arena_dup(t->keep, tk_text(reason, t->arena));
    return 0;
}

/* ---- chunks ---- */

/* Takes id and model from the first chunk that has them: some servers number every chunk. */
static void take_facts(struct tk_stream_turn *t, struct tk_val chunk)
{
    struct tk_chat_events *own = t->own;
    struct tk_val id, model;

    if (!own->has_id) {
        id = tk_get(chunk, TK_STR("id"));
        own->has_id = tk_is(id, TK_STRING) && tk_raw(id).n > 0;
        if (own->has_id)
            tk_turn_id(t, id);
    }
    if (!own->has_model) {
        model = tk_get(chunk, TK_STR("model"));
        own->has_model = tk_is(model, TK_STRING) && tk_raw(model).n > 0;
        if (own->has_model)
            tk_turn_model(t, model);
    }
}

static void take_usage(struct tk_stream_turn *t, struct tk_val usage)
{
    struct tk_val prompt = tk_get(usage, TK_STR("prompt_tokens_details"));
    const int64_t tokens[TK_TOKENS] = {
        [TK_TOKENS_INPUT] = tk_tokens_of(tk_get(usage, TK_STR("prompt_tokens"))),
        [TK_TOKENS_CACHE_READ] = tk_tokens_of(tk_get(prompt, TK_STR("cached_tokens"))),
        [TK_TOKENS_OUTPUT] = tk_tokens_of(tk_get(usage, TK_STR("completion_tokens"))),
    };

    if (tk_is(usage, TK_OBJECT))
        tk_turn_usage(t, usage, tokens, tk_get(usage, TK_STR("total_tokens")));
}

static int read_error(struct tk_stream_turn *t, struct tk_val error, struct tk_val chunk)
{
    struct tk_val code = tk_get(error, TK_STR("code"));
    struct tk_str type = tk_text(tk_get(error, TK_STR("type")), t->arena);
    struct tk_val message = tk_is(error, TK_STRING) ? error : tk_get(error, TK_STR("message"));

    return tk_turn_error(
        t, &(struct tk_told_error){.type = type.p && type.n > 0 ? type : tk_turn_code(t, code),
                                   .message = tk_text(message, t->arena),
                                   .event = chunk,
                                   .codes = {code, tk_get(error, TK_STR("status"))}});
}

static int read(struct tk_stream_turn *t, struct tk_val chunk)
{
    struct tk_val error = tk_get(chunk, TK_STR("error"));
    struct tk_val choices = tk_get(chunk, TK_STR("choices"));
    struct tk_val usage = tk_get(chunk, TK_STR("usage"));
    struct tk_val groq = tk_get(tk_get(chunk, TK_STR("x_groq")), TK_STR("usage"));
    int r = 0;

    if (tk_is_given(error))
        return read_error(t, error, chunk);
    if (tk_is_given(choices) && !tk_is(choices, TK_ARRAY))
        return TK_TURN_MALFORMED;
    if (!tk_exists(choices) && !tk_is(usage, TK_OBJECT) && !tk_is(groq, TK_OBJECT)) {
        tk_turn_warn(t, TK_WARNING_UNKNOWN_EVENT);
        return 0;
    }
    take_facts(t, chunk);
    take_usage(t, tk_is(usage, TK_OBJECT) ? usage : groq);
    for (struct tk_val v = tk_first(choices); tk_exists(v) && r == 0; v = tk_after(choices, v))
        r = read_choice(t, v, chunk);
    return r;
}

/* ---- the rest of the format ---- */

static void write_error(struct tk_stream_turn *t, struct tk_writer *w,
                        const struct tk_found_error *error)
{
    (void)t;
    tk_write_map(w);
    tk_write_key(w, "error");
    tk_write_map(w);
    tk_write_kv_str(w, "message", error->text);
    tk_write_kv_cstr(w, "type", error->retryable ? "server_error" : "invalid_request_error");
    tk_write_key(w, "param");
    tk_write_null(w);
    tk_write_kv_cstr(w, "code", error->kind);
    tk_write_end(w);
    tk_write_end(w);
}

static const struct tk_turn_format turn = {
    .own_size = sizeof(struct tk_chat_events),
    .has_choices = true,
    .event_name = TK_STR_INIT("chunk"),
    .read = read,
    .read_response = tk_chat_read_response,
    .is_complete = tk_chat_is_complete,
    .end = tk_chat_end,
    .write_entries = tk_chat_write_entries,
    .write_error = write_error,
};

static const uint8_t wires[] = {TK_WIRE_SSE, TK_WIRES};

const struct tk_stream_format tk_chat_stream = {.wires = wires, .turn = &turn};
