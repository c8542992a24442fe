/* SPDX-License-Identifier: Apache-2.0 */
/* Reads responses, of which a stream has many. */
#include <errno.h>

#include "providers/gemini/stream/gem_format.h"
#include "providers/gemini/stream/gem_stream.h"
#include "stream/stream.h"

/* ---- members in two spellings ---- */

struct tk_val tk_gem_get(struct tk_val v, struct tk_gem_name name)
{
    struct tk_val member = tk_get(v, name.camel);

    if (!tk_exists(member) || tk_is(member, TK_NULL))
        member = tk_get(v, name.snake);
    return tk_is(member, TK_NULL) ? TK_NO_VAL : member;
}

bool tk_gem_is(struct tk_val member, struct tk_gem_name name)
{
    return tk_key_is(member, name.camel) || tk_key_is(member, name.snake);
}

/* ---- candidates ---- */

const struct tk_gem_name tk_gem_metadata_names[TK_GEM_METADATA] = {
    [TK_GEM_GROUNDING] = {TK_STR_INIT("groundingMetadata"), TK_STR_INIT("grounding_metadata")},
    [TK_GEM_CITATION] = {TK_STR_INIT("citationMetadata"), TK_STR_INIT("citation_metadata")},
    [TK_GEM_URL_CONTEXT] = {TK_STR_INIT("urlContextMetadata"), TK_STR_INIT("url_context_metadata")},
    [TK_GEM_SAFETY] = {TK_STR_INIT("safetyRatings"), TK_STR_INIT("safety_ratings")},
    [TK_GEM_LOGPROBS] = {TK_STR_INIT("avgLogprobs"), TK_STR_INIT("avg_logprobs")},
};

static struct tk_choice *choice_of(struct tk_stream_turn *t, int64_t index)
{
    struct tk_choice *choice = tk_turn_choice(t, index);
    struct tk_gem_choice *c;

    if (!choice || choice->own)
        return choice;
    c = tk_arena_zalloc(t->keep, 1, sizeof(*c));
    if (!c)
        return NULL;
    tk_map_init(&c->codes, t->keep, tk_turn_hash_key(t));
    tk_map_init(&c->tool_ids, t->keep, tk_turn_hash_key(t));
    choice->own = c;
    return choice;
}

static void take_metadata(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v)
{
    for (size_t i = 0; i < TK_GEM_METADATA; i++) {
        struct tk_val data = tk_gem_get(v, tk_gem_metadata_names[i]);

        if (!tk_exists(data))
            continue;
        tk_gem_of(t)->metadata[i] = tk_keep(t->keep, data);
        if (i == TK_GEM_GROUNDING)
            tk_gem_choice_of(choice)->grounding = tk_gem_of(t)->metadata[i];
    }
    tk_turn_details(t, tk_gem_get(v, TK_GEM_NAME("finishMessage", "finish_message")));
}

static int read_candidate(struct tk_stream_turn *t, struct tk_val v)
{
    struct tk_val at = tk_gem_get(v, TK_GEM_NAME("index", "index"));
    struct tk_val content = tk_gem_get(v, TK_GEM_NAME("content", "content"));
    struct tk_val parts = tk_gem_get(content, TK_GEM_NAME("parts", "parts"));
    struct tk_val reason = tk_gem_get(v, TK_GEM_NAME("finishReason", "finish_reason"));
    struct tk_choice *choice;
    int64_t index = 0;
    int r = 0;

    if (!tk_is(v, TK_OBJECT) || (tk_exists(at) && !tk_int64(at, &index)) || index == TK_NO_INDEX ||
        (tk_exists(content) && !tk_is(content, TK_OBJECT)) ||
        (tk_exists(parts) && !tk_is(parts, TK_ARRAY)) ||
        (tk_exists(reason) && !tk_is(reason, TK_STRING)))
        return TK_TURN_MALFORMED;
    choice = choice_of(t, index);
    if (!choice)
        return -ENOMEM;
    for (struct tk_val p = tk_first(parts); tk_exists(p) && r == 0; p = tk_after(parts, p))
        r = tk_gem_read_part(t, choice, p);
    if (r != 0)
        return r;
    take_metadata(t, choice, v);
    if (tk_is(reason, TK_STRING) && tk_raw(reason).n > 0)
        r = tk_gem_stream_finish(t, choice, tk_text(reason, t->arena));
    return r;
}

/* ---- responses ---- */

static void take_facts(struct tk_stream_turn *t, struct tk_val response)
{
    struct tk_gem *own = tk_gem_of(t);
    struct tk_val id, model;

    if (!own->has_id) {
        id = tk_gem_get(response, TK_GEM_NAME("responseId", "response_id"));
        own->has_id = tk_is(id, TK_STRING) && tk_raw(id).n > 0;
        if (own->has_id)
            tk_turn_id(t, id);
    }
    if (!own->has_model) {
        model = tk_gem_get(response, TK_GEM_NAME("modelVersion", "model_version"));
        own->has_model = tk_is(model, TK_STRING) && tk_raw(model).n > 0;
        if (own->has_model)
            tk_turn_model(t, model);
    }
}

static void take_usage(struct tk_stream_turn *t, struct tk_val usage)
{
    static const struct tk_gem_name prompt = {TK_STR_INIT("promptTokenCount"),
                                              TK_STR_INIT("prompt_token_count")},
                                    cached = {TK_STR_INIT("cachedContentTokenCount"),
                                              TK_STR_INIT("cached_content_token_count")},
                                    candidates = {TK_STR_INIT("candidatesTokenCount"),
                                                  TK_STR_INIT("candidates_token_count")},
                                    thoughts = {TK_STR_INIT("thoughtsTokenCount"),
                                                TK_STR_INIT("thoughts_token_count")},
                                    total = {TK_STR_INIT("totalTokenCount"),
                                             TK_STR_INIT("total_token_count")};
    const int64_t tokens[TK_TOKENS] = {
        [TK_TOKENS_INPUT] = tk_tokens_of(tk_gem_get(usage, prompt)),
        [TK_TOKENS_CACHE_READ] = tk_tokens_of(tk_gem_get(usage, cached)),
        [TK_TOKENS_OUTPUT] =
            tk_tokens_of(tk_gem_get(usage, candidates)) + tk_tokens_of(tk_gem_get(usage, thoughts)),
    };

    tk_turn_usage(t, usage, tokens, tk_gem_get(usage, total));
}

static void take_feedback(struct tk_stream_turn *t, struct tk_val feedback)
{
    struct tk_val reason = tk_gem_get(feedback, TK_GEM_NAME("blockReason", "block_reason"));

    if (!tk_is(reason, TK_STRING))
        return;
    tk_gem_of(t)->blocked = tk_keep(t->keep, feedback);
    tk_gem_of(t)->block_reason = tk_arena_dup(t->keep, tk_text(reason, t->arena));
}

static int read_error(struct tk_stream_turn *t, struct tk_val error, struct tk_val response)
{
    struct tk_val status = tk_get(error, TK_STR("status")), code = tk_get(error, TK_STR("code"));

    return tk_turn_error(
        t, &(struct tk_told_error){
               .type = tk_turn_code(t, tk_is(status, TK_STRING) ? status : code),
               .message = tk_text(
                   tk_is(error, TK_STRING) ? error : tk_get(error, TK_STR("message")), t->arena),
               .event = response,
               .codes = {code, status}});
}

static int read(struct tk_stream_turn *t, struct tk_val response)
{
    struct tk_val error = tk_gem_get(response, TK_GEM_NAME("error", "error"));
    struct tk_val candidates = tk_gem_get(response, TK_GEM_NAME("candidates", "candidates"));
    struct tk_val usage = tk_gem_get(response, TK_GEM_NAME("usageMetadata", "usage_metadata"));
    struct tk_val feedback = tk_gem_get(response, TK_GEM_NAME("promptFeedback", "prompt_feedback"));
    int r = 0;

    if (tk_exists(error))
        return read_error(t, error, response);
    if (tk_exists(candidates) && !tk_is(candidates, TK_ARRAY))
        return TK_TURN_MALFORMED;
    if (!tk_exists(candidates) && !tk_exists(usage) && !tk_exists(feedback)) {
        tk_turn_warn(t, TK_WARNING_UNKNOWN_EVENT);
        return 0;
    }
    take_facts(t, response);
    take_usage(t, usage);
    take_feedback(t, feedback);
    for (struct tk_val v = tk_first(candidates); tk_exists(v) && r == 0;
         v = tk_after(candidates, v))
        r = read_candidate(t, v);
    return r;
}

/* A whole response is one event. */
static int read_response(struct tk_stream_turn *t, struct tk_val response)
{
    static const struct tk_gem_name known[] = {
        {TK_STR_INIT("candidates"), TK_STR_INIT("candidates")},
        {TK_STR_INIT("promptFeedback"), TK_STR_INIT("prompt_feedback")},
        {TK_STR_INIT("error"), TK_STR_INIT("error")}};
    bool any = false;
    struct tk_encoding e;

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        any = any || tk_exists(tk_gem_get(response, known[i]));
    if (!any)
        return TK_STREAM_NO_RESPONSE;
    tk_encode_begin(&e, TK_JSON, t->arena);
    tk_write_any(&e.w, response);
    return tk_turn_feed(t, tk_encode_end(&e));
}

/* ---- the rest of the format ---- */

static void write_error(struct tk_stream_turn *t, struct tk_writer *w,
                        const struct tk_found_error *error)
{
    (void)t;
    tk_write_map(w);
    tk_write_key(w, "error");
    tk_write_map(w);
    tk_write_kv_int(w, "code", error->retryable ? 503 : 400);
    tk_write_kv_str(w, "message", error->text);
    tk_write_kv_cstr(w, "status", error->retryable ? "UNAVAILABLE" : "INVALID_ARGUMENT");
    tk_write_end(w);
    tk_write_end(w);
}

static const struct tk_turn_format turn = {
    .own_size = sizeof(struct tk_gem),
    .has_choices = true,
    .event_name = TK_STR_INIT("response"),
    .read = read,
    .read_response = read_response,
    .is_complete = tk_gem_stream_is_complete,
    .settle = tk_gem_stream_settle,
    .end = tk_gem_stream_end,
    .write_entries = tk_gem_stream_write_entries,
    .write_finish = tk_gem_stream_write_finish,
    .write_error = write_error,
};

static const uint8_t wires[] = {TK_WIRE_SSE, TK_WIRE_JSON, TK_WIRES};

const struct tk_stream_format tk_gemini_stream = {.wires = wires, .turn = &turn};
