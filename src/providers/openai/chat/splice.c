/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/splice.h"

#include "providers/openai/chat/rules.h"
#include "providers/openai/chat/state.h"

/* ---- the turn ---- */

static const struct tk_stop_name stops[] = {
    {TK_STR_INIT("length"), TK_STOP_TRUNCATED},
    {TK_STR_INIT("content_filter"), TK_STOP_REFUSAL},
    {{NULL, 0}, TK_STOP_OTHER},
};

/* Takes the message of one of the choices. */
static bool receive_choice(struct tk_val choice, struct tk_received *ret)
{
    struct tk_val message = tk_get(choice, TK_STR("message"));

    if (!tk_exists(message))
        return tk_receive_fault(ret, choice, "message", "required, but missing");
    return tk_receive_stop(ret, stops, tk_get(choice, TK_STR("finish_reason"))) &&
           tk_receive_message(ret, message, "assistant", false);
}

static bool receive(struct tk_val received, uint32_t choice, struct tk_received *ret)
{
    struct tk_val choices = tk_get(received, TK_STR("choices")), chosen;

    if (!tk_exists(choices))
        return tk_exists(tk_get(received, TK_STR("message")))
                   ? receive_choice(received, ret)
                   : tk_receive_message(ret, received, "assistant", false);
    chosen = tk_received_choice(choices, choice);
    return tk_exists(chosen)
               ? receive_choice(chosen, ret)
               : tk_receive_fault(ret, choices, NULL, "expected a list that has this choice");
}

/* Members that say something without any content. */
static const struct tk_str speaking[] = {TK_STR_INIT("refusal"), TK_STR_INIT("audio"),
                                         TK_STR_INIT("function_call")};

static bool has_call(const struct tk_transcript *turn)
{
    for (uint32_t i = 0; i < turn->part_count; i++)
        if (turn->parts[i].kind == TK_PART_CALL)
            return true;
    return false;
}

static bool speaks(struct tk_val message)
{
    for (size_t i = 0; i < sizeof(speaking) / sizeof(speaking[0]); i++)
        if (tk_is_said(tk_get(message, speaking[i])))
            return true;
    return false;
}

static bool is_empty(const struct tk_transcript *turn)
{
    struct tk_val message = {turn->messages[0].doc, turn->messages[0].node};

    return !has_call(turn) && !tk_is_said(tk_get(message, TK_STR("content"))) && !speaks(message);
}

static const struct tk_output_only in_function[] = {{.name = TK_STR_INIT("parsed_arguments")},
                                                    {.name = {NULL, 0}}};
static const struct tk_output_only in_call[] = {
    {.name = TK_STR_INIT("index")},
    {.name = TK_STR_INIT("function"), .goes = TK_GOES_NEVER, .inside = in_function},
    {.name = {NULL, 0}}};
static const struct tk_output_only in_audio[] = {
    {.name = TK_STR_INIT("id"), .goes = TK_GOES_NOT_ALONE}, {.name = {NULL, 0}}};
static const struct tk_output_only output_only[] = {
    {.name = TK_STR_INIT("annotations")},
    {.name = TK_STR_INIT("parsed")},
    {.name = TK_STR_INIT("function_call"), .goes = TK_GOES_IF_NULL},
    {.name = TK_STR_INIT("audio"), .goes = TK_GOES_IF_NULL, .inside = in_audio},
    {.name = TK_STR_INIT("tool_calls"), .goes = TK_GOES_IF_EMPTY, .inside = in_call},
    {.name = {NULL, 0}}};

/* ---- the caller's messages ---- */

static bool has_meaning(const struct tk_message *m)
{
    struct tk_val v = {m->doc, m->node};

    return tk_is_said(tk_get(v, TK_STR("tool_calls"))) || speaks(v) || tk_chat_has_reasoning(m);
}

static struct tk_str text_of(const struct tk_transcript *t, uint32_t message, uint32_t part,
                             struct tk_val *ret_string)
{
    struct tk_val content = {t->messages[message].doc, t->messages[message].content};

    (void)part;
    *ret_string = tk_is(content, TK_STRING) ? content : TK_NO_VAL;
    return tk_chat_payload(t, message);
}

/* ---- results ---- */

static void write_result(struct tk_writer *w, const struct tk_made_result *result)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "role", "tool");
    tk_write_key(w, "tool_call_id");
    tk_write_any(w, tk_part_val(result->call, result->call->id));
    tk_write_key(w, "content");
    tk_made_write_text(w, result);
    tk_write_end(w);
}

static void write_text(struct tk_writer *w, const struct tk_shape *shape, struct tk_str text)
{
    (void)shape;
    tk_write_map(w);
    tk_write_kv_cstr(w, "role", "user");
    tk_write_key(w, "content");
    tk_write_raw(w, text);
    tk_write_end(w);
}

/* ---- the target ---- */

/* Mistral's chat templates take no user's message after a tool's. */
static uint32_t facts(const struct tk_target *target)
{
    uint32_t openai = tk_openai_facts(target);

    return (openai & TK_OPENAI_MISTRAL) && !(openai & TK_OPENAI_TAKES_USER_AFTER_TOOL)
               ? TK_SPLICE_RESULTS_FIRST
               : 0;
}

static const char *const own_members[] = {"role", NULL};
static const char *const own_values[] = {"tool", NULL};
static const char *const roles[] = {"user", "assistant", "system", "developer", "tool", NULL};

const struct tk_splice_rules tk_chat_splice = {
    .flags = TK_SPLICE_RESULTS_ARE_MESSAGES | TK_SPLICE_CHOICES | TK_SPLICE_EMPTY_IS_TRUNCATED |
             TK_SPLICE_FIRST_AFTER_COPIES,
    .facts = facts,
    .receive = receive,
    .is_empty = is_empty,
    .output_only = output_only,
    .call_id = {{"id"}},
    .result_id = {{"tool_call_id"}},
    .own_members = own_members,
    .own_values = own_values,
    .write_result = write_result,
    .text_of = text_of,
    .write_text = write_text,
    .roles = roles,
    .has_meaning = has_meaning,
};
