/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/bedrock/splice.h"

#include "providers/bedrock/models.h"
#include "providers/bedrock/rules.h"
#include "shapes/bedrock.h"

/* ---- the turn ---- */

static const struct tk_stop_name stops[] = {
    {TK_STR_INIT("max_tokens"), TK_STOP_TRUNCATED},
    {TK_STR_INIT("model_context_window_exceeded"), TK_STOP_TRUNCATED},
    {TK_STR_INIT("guardrail_intervened"), TK_STOP_REFUSAL},
    {TK_STR_INIT("content_filtered"), TK_STOP_REFUSAL},
    {TK_STR_INIT("malformed_model_output"), TK_STOP_FAILED},
    {TK_STR_INIT("malformed_tool_use"), TK_STOP_FAILED},
    {{NULL, 0}, TK_STOP_OTHER},
};

static bool receive(struct tk_val received, uint32_t choice, struct tk_received *ret)
{
    struct tk_val output = tk_get(received, TK_STR("output")), message;

    (void)choice;
    if (!tk_exists(output))
        return tk_receive_message(ret, received, "assistant", false);
    message = tk_get(output, TK_STR("message"));
    if (!tk_exists(message))
        return tk_receive_fault(ret, output, "message", "required, but missing");
    return tk_receive_stop(ret, stops, tk_get(received, TK_STR("stopReason"))) &&
           tk_receive_message(ret, message, "assistant", false);
}

/* A content that isn't a list says something that nobody can read. */
static bool is_empty(const struct tk_transcript *turn)
{
    return !tk_is_said((struct tk_val){turn->messages[0].doc, turn->messages[0].content});
}

/* ---- results ---- */

static struct tk_str text_of(const struct tk_transcript *t, uint32_t message, uint32_t part,
                             struct tk_val *ret_string)
{
    bool media;

    (void)message;
    *ret_string = TK_NO_VAL;
    return tk_brk_payload(t, part, &media);
}

static void write_result(struct tk_writer *w, const struct tk_made_result *result)
{
    bool status = tk_made_failed(result) && !(result->facts & TK_SPLICE_NO_STATUS);
    struct tk_val object = tk_made_object(result);

    tk_write_map(w);
    tk_write_key(w, "toolResult");
    tk_write_map(w);
    tk_write_key(w, "toolUseId");
    tk_write_any(w, tk_part_val(result->call, result->call->id));
    tk_write_key(w, "content");
    tk_write_list(w);
    tk_write_map(w);
    tk_write_key(w, tk_exists(object) ? "json" : "text");
    if (tk_exists(object))
        tk_write_any(w, object);
    else if (tk_made_is_blank(result))
        tk_write_cstr(w, TK_EMPTY_MESSAGE);
    else
        tk_made_write_text(w, result);
    tk_write_end(w);
    tk_write_end(w);
    if (status)
        tk_write_kv_cstr(w, "status", "error");
    tk_write_end(w);
    tk_write_end(w);
}

/* ---- the target ---- */

static uint32_t facts(const struct tk_target *target)
{
    uint32_t model = tk_brk_facts(target->model);

    return ((model & TK_BRK_RESULTS_ALONE) ? (uint32_t)TK_SPLICE_RESULTS_FIRST : 0) |
           ((model & TK_BRK_NO_STATUS) ? (uint32_t)TK_SPLICE_NO_STATUS : 0);
}

static const char *const own_members[] = {"toolResult", NULL};
static const char *const roles[] = {"user", "assistant", NULL};

const struct tk_splice_rules tk_bedrock_splice = {
    .flags = TK_SPLICE_JOINS_USERS | TK_SPLICE_ID_TELLS_EXECUTOR | TK_SPLICE_EMPTY_IS_TRUNCATED |
             TK_SPLICE_FIRST_AFTER_COPIES,
    .facts = facts,
    .receive = receive,
    .is_empty = is_empty,
    .call_id = {{"toolUse", "toolUseId"}},
    .result_id = {{"toolResult", "toolUseId"}},
    .own_members = own_members,
    .write_result = write_result,
    .text_of = text_of,
    .roles = roles,
};
