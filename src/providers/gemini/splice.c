/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/gemini/splice.h"

#include "providers/gemini/rules.h"
#include "shapes/gemini.h"

/* ---- the turn ---- */

static const struct tk_stop_name stops[] = {
    {TK_STR_INIT("MAX_TOKENS"), TK_STOP_TRUNCATED},
    {TK_STR_INIT("SAFETY"), TK_STOP_REFUSAL},
    {TK_STR_INIT("RECITATION"), TK_STOP_REFUSAL},
    {TK_STR_INIT("LANGUAGE"), TK_STOP_REFUSAL},
    {TK_STR_INIT("BLOCKLIST"), TK_STOP_REFUSAL},
    {TK_STR_INIT("PROHIBITED_CONTENT"), TK_STOP_REFUSAL},
    {TK_STR_INIT("SPII"), TK_STOP_REFUSAL},
    {TK_STR_INIT("IMAGE_SAFETY"), TK_STOP_REFUSAL},
    {TK_STR_INIT("IMAGE_PROHIBITED_CONTENT"), TK_STOP_REFUSAL},
    {TK_STR_INIT("IMAGE_RECITATION"), TK_STOP_REFUSAL},
    {TK_STR_INIT("MALFORMED_FUNCTION_CALL"), TK_STOP_FAILED},
    {TK_STR_INIT("UNEXPECTED_TOOL_CALL"), TK_STOP_FAILED},
    {TK_STR_INIT("TOO_MANY_TOOL_CALLS"), TK_STOP_FAILED},
    {TK_STR_INIT("MISSING_THOUGHT_SIGNATURE"), TK_STOP_FAILED},
    {TK_STR_INIT("MALFORMED_RESPONSE"), TK_STOP_FAILED},
    {{NULL, 0}, TK_STOP_OTHER},
};

static bool is_given(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

static bool receive_candidate(struct tk_val candidate, struct tk_received *ret)
{
    struct tk_val content = tk_get(candidate, TK_STR("content"));

    ret->stop = tk_stop_named(
        stops, tk_get_spelled(candidate, TK_STR("finishReason"), TK_STR("finish_reason")));
    return !is_given(content) || tk_receive_message(ret, content, "model", true);
}

static bool has_any(struct tk_val v, const struct tk_str *names)
{
    for (; names->p; names++)
        if (tk_exists(tk_get(v, *names)))
            return true;
    return false;
}

/* A prompt that was blocked is answered without a candidate. */
static bool receive(struct tk_val received, uint32_t choice, struct tk_received *ret)
{
    static const struct tk_str of_response[] = {
        TK_STR_INIT("candidates"),      TK_STR_INIT("promptFeedback"), TK_STR_INIT("usageMetadata"),
        TK_STR_INIT("prompt_feedback"), TK_STR_INIT("usage_metadata"), {NULL, 0}};
    static const struct tk_str of_candidate[] = {TK_STR_INIT("content"),
                                                 TK_STR_INIT("finishReason"),
                                                 TK_STR_INIT("finish_reason"),
                                                 {NULL, 0}};
    struct tk_val candidates = tk_get(received, TK_STR("candidates")), chosen;

    if (!has_any(received, of_response)) {
        if (has_any(received, of_candidate))
            return receive_candidate(received, ret);
        return tk_exists(tk_get(received, TK_STR("parts")))
                   ? tk_receive_message(ret, received, "model", true)
                   : tk_receive_fault(ret, received, "parts", "required, but missing");
    }
    chosen = tk_received_choice(candidates, choice);
    if (tk_exists(chosen))
        return receive_candidate(chosen, ret);
    if (is_given(candidates) && (!tk_is(candidates, TK_ARRAY) || tk_exists(tk_first(candidates))))
        return tk_receive_fault(ret, candidates, NULL, "expected a list that has this choice");
    ret->stop = TK_STOP_REFUSAL;
    return true;
}

/* Returns true for an empty text, and for a part without members. */
static bool says_nothing(const struct tk_part *p)
{
    struct tk_val part = tk_part_val(p, p->node);

    if (p->block == TK_GEMINI_TEXT)
        return !tk_is_said(tk_part_val(p, p->payload));
    for (struct tk_val v = tk_first(part); tk_exists(v); v = tk_after(part, v))
        if (is_given(v))
            return false;
    return true;
}

static bool is_empty(const struct tk_transcript *turn)
{
    for (uint32_t i = 0; i < turn->part_count; i++)
        if (!says_nothing(&turn->parts[i]))
            return false;
    return true;
}

/* ---- results ---- */

static struct tk_str text_of(const struct tk_transcript *t, uint32_t message, uint32_t part,
                             struct tk_val *ret_string)
{
    (void)message;
    *ret_string = TK_NO_VAL;
    return tk_gem_payload(t, part);
}

/* Writes the response's value: an object as it is, a text as the member that says how the call ended. */
static void write_response(struct tk_writer *w, const void *arg)
{
    const struct tk_made_result *result = arg;
    struct tk_val object = tk_made_object(result);
    bool failed = tk_made_failed(result);

    if (tk_exists(object) && !failed) {
        tk_write_any(w, object);
        return;
    }
    tk_write_map(w);
    tk_write_key(w, failed ? "error" : "output");
    if (tk_exists(object))
        tk_write_any(w, object);
    else
        tk_made_write_text(w, result);
    tk_write_end(w);
}

static void write_result(struct tk_writer *w, const struct tk_made_result *result)
{
    tk_gemini_write_response(w, result->call, write_response, result);
}

static const char *const own_members[] = {"functionResponse", "function_response", NULL};
static const char *const roles[] = {"user", "model", NULL};

const struct tk_splice_rules tk_gemini_splice = {
    .flags = TK_SPLICE_RESULTS_APART | TK_SPLICE_PAIRS_BY_NAME | TK_SPLICE_CHOICES |
             TK_SPLICE_EMPTY_IS_TRUNCATED | TK_SPLICE_FIRST_AFTER_COPIES,
    .receive = receive,
    .is_empty = is_empty,
    .added_role = "model",
    .call_id = {{"functionCall", "id", [TK_OTHER(0)] = "function_call"}},
    .result_id = {{"functionResponse", "id", [TK_OTHER(0)] = "function_response"}},
    .own_members = own_members,
    .write_result = write_result,
    .text_of = text_of,
    .roles = roles,
};
