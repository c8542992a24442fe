/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/splice.h"

#include "providers/openai/responses/item.h"
#include "providers/openai/responses/pairs/output.h"
#include "providers/openai/responses/text/payload.h"
#include "providers/openai/responses/text/textify.h"

/* ---- the turn ---- */

static const struct tk_stop_name stops[] = {
    {TK_STR_INIT("incomplete"), TK_STOP_TRUNCATED},
    {TK_STR_INIT("failed"), TK_STOP_FAILED},
    {TK_STR_INIT("cancelled"), TK_STOP_FAILED},
    {TK_STR_INIT("in_progress"), TK_STOP_UNFINISHED},
    {TK_STR_INIT("queued"), TK_STOP_UNFINISHED},
    {{NULL, 0}, TK_STOP_OTHER},
};
static const struct tk_stop_name incomplete[] = {
    {TK_STR_INIT("content_filter"), TK_STOP_REFUSAL},
    {{NULL, 0}, TK_STOP_TRUNCATED},
};

static bool receive(struct tk_val received, uint32_t choice, struct tk_received *ret)
{
    struct tk_val details = tk_get(received, TK_STR("incomplete_details"));
    struct tk_val output = tk_get(received, TK_STR("output"));

    (void)choice;
    if (tk_is(received, TK_ARRAY)) {
        ret->turn = received;
        return true;
    }
    ret->stop_at = tk_get(received, TK_STR("status"));
    if (!tk_receive_stop(ret, stops, ret->stop_at))
        return false;
    if (ret->stop == TK_STOP_TRUNCATED &&
        !tk_receive_stop(ret, incomplete, tk_get(details, TK_STR("reason"))))
        return false;
    ret->id = tk_get(received, TK_STR("id"));
    ret->stored = tk_get(received, TK_STR("store"));
    ret->turn = output;
    if (tk_is(output, TK_ARRAY) || ret->stop == TK_STOP_UNFINISHED)
        return true;
    if (tk_exists(output))
        return tk_receive_fault(ret, output, NULL, "expected a list");
    return ret->stop == TK_STOP_FAILED ||
           tk_receive_fault(ret, received, "output", "required, but missing");
}

static bool is_empty(const struct tk_transcript *turn)
{
    for (uint32_t m = 0; m < turn->message_count; m++)
        if (!tk_item_is(turn, m, TK_ITEM_REASONING))
            return false;
    return true;
}

/* ---- what only an answer has ---- */

static const struct tk_output_only in_part[] = {{.name = TK_STR_INIT("parsed")},
                                                {.name = {NULL, 0}}};
static const struct tk_output_only output_only[] = {
    {.name = TK_STR_INIT("status"), .when = TK_OUTPUT_ONLY_STATUS},
    {.name = TK_STR_INIT("id"), .when = TK_OUTPUT_ONLY_ID},
    {.name = TK_STR_INIT("created_by")},
    {.name = TK_STR_INIT("parsed_arguments")},
    {.name = TK_STR_INIT("content"), .goes = TK_GOES_NEVER, .inside = in_part},
    {.name = {NULL, 0}}};

/* The items whose status is the answer's; that of others says how far the server is with them. */
static unsigned which_output_only(const struct tk_transcript *turn, uint32_t item)
{
    const uint32_t rows = 1u << TK_ITEM_REASONING | 1u << TK_ITEM_MESSAGE |
                          1u << TK_ITEM_FUNCTION_CALL | 1u << TK_ITEM_CUSTOM_CALL;
    uint8_t row = turn->messages[item].item;

    return row < 32 && (rows >> row & 1) ? TK_OUTPUT_ONLY_STATUS : 0;
}

/* Reasoning without ciphertext is looked up by its id, and so are the items that the model made after it
 * (PROVIDERS.md 4.3). */
static void find_lost_ids(const struct tk_transcript *turn, uint8_t *which)
{
    bool lost = false, reasons = false;

    for (uint32_t m = 0; m < turn->message_count; m++) {
        bool has_id = tk_exists(tk_item_id(turn, m));

        if (tk_item_is(turn, m, TK_ITEM_REASONING)) {
            bool loses = has_id && !tk_has_text(tk_item_get(turn, m, TK_STR("encrypted_content")));

            lost = loses || (lost && reasons);
            reasons = true;
            which[m] = loses ? TK_OUTPUT_ONLY_ID : 0;
            continue;
        }
        reasons = false;
        lost = lost && tk_item_is_models(turn, m);
        if (lost && has_id && (tk_item_at(turn, m)->flags & TK_ITEM_FREE))
            which[m] = TK_OUTPUT_ONLY_ID;
    }
}

static const struct tk_str unlike[] = {TK_STR_INIT("id"), {NULL, 0}};

/* ---- calls ---- */

static bool is_approval(const struct tk_part *p, struct tk_val *ret_id)
{
    if (p->block == TK_ITEM_APPROVAL_REQUEST)
        *ret_id = tk_part_val(p, p->own_id);
    else if (p->block == TK_ITEM_APPROVAL_RESPONSE)
        *ret_id = tk_get(tk_part_val(p, p->node), TK_STR("approval_request_id"));
    else
        return false;
    return true;
}

static bool needs_own_form(const struct tk_part *call)
{
    return call->block == TK_ITEM_SHELL_CALL || call->block == TK_ITEM_COMPUTER_CALL ||
           call->block == TK_ITEM_SEARCH_CALL;
}

/* Nobody can make a screenshot up. */
static bool needs_result(const struct tk_part *call)
{
    return tk_items[call->block].output == TK_ITEM_NONE;
}

/* ---- results ---- */

static struct tk_str text_of(const struct tk_transcript *t, uint32_t message, uint32_t part,
                             struct tk_val *ret_string)
{
    (void)part;
    *ret_string = TK_NO_VAL;
    return tk_item_payload(t, message);
}

static void write_output_text(struct tk_writer *w, const void *result)
{
    tk_made_write_text(w, result);
}

static void write_result(struct tk_writer *w, const struct tk_made_result *result)
{
    const struct tk_item_output output = {
        .call = tk_part_val(result->call, result->call->node),
        .row = tk_items[result->call->block].output,
        .failed = tk_made_failed(result),
        .is_blank = tk_made_is_blank(result),
        .write_text = write_output_text,
        .arg = result,
    };

    tk_write_item_output(w, &output);
}

static void write_text(struct tk_writer *w, const struct tk_shape *shape, struct tk_str text)
{
    tk_write_message_begin(w, TK_ROLE_USER);
    shape->write_text(w, text, (struct tk_str){NULL, 0});
    tk_write_end(w);
    tk_write_end(w);
}

/* ---- the target ---- */

static uint32_t facts(const struct tk_target *target)
{
    return target->endpoint == TK_ENDPOINT_AZURE ? TK_SPLICE_KEEPS_IDS : 0;
}

static const char *const own_members[] = {"type", NULL};
static const char *const own_values[] = {
    "function_call_output", "custom_tool_call_output", "local_shell_call_output",
    "shell_call_output",    "apply_patch_call_output", "computer_call_output",
    "tool_search_output",   "mcp_approval_response",   NULL};

const struct tk_splice_rules tk_responses_splice = {
    .flags = TK_SPLICE_RESULTS_ARE_MESSAGES | TK_SPLICE_ITEMS | TK_SPLICE_EMPTY_IS_TRUNCATED |
             TK_SPLICE_FIRST_AFTER_COPIES,
    .previous = "previous_response_id",
    .conversation = "conversation",
    .facts = facts,
    .receive = receive,
    .is_empty = is_empty,
    .output_only = output_only,
    .which_output_only = which_output_only,
    .find_lost_ids = find_lost_ids,
    .call_id = {{"call_id"}},
    .is_approval = is_approval,
    .unlike = unlike,
    .result_id = {{"call_id"}},
    .own_members = own_members,
    .own_values = own_values,
    .needs_own_form = needs_own_form,
    .needs_result = needs_result,
    .write_result = write_result,
    .text_of = text_of,
    .write_text = write_text,
};
