/* SPDX-License-Identifier: Apache-2.0 */
/* Calls and results of OpenAI's two APIs after a repair that calls its outcome safe: as their servers ask
 * for them, counted here once more and plainly (PROVIDERS.md 3 and 4.2). */
#include "repair_properties.h"

static bool has_text(struct tk_val v)
{
    return tk_is(v, TK_STRING) && tk_raw(v).n > 0;
}

static bool same_id(struct trial *t, struct tk_val a, struct tk_val b)
{
    return has_text(a) && has_text(b) && tk_str_eq(tk_text(a, &t->arena), tk_text(b, &t->arena));
}

/* ---- Chat Completions ---- */

/* Returns how many of the tool messages from `first` to before `end` answer a call. */
static uint32_t answers_in(struct trial *t, uint32_t first, uint32_t end, struct tk_val id)
{
    uint32_t n = 0;

    for (uint32_t i = first; i < end; i++)
        n += same_id(t, in(t->left.messages[i].value, "tool_call_id"), id);
    return n;
}

static uint32_t calls_with(struct trial *t, struct tk_val calls, struct tk_val id)
{
    uint32_t n = 0;

    for (struct tk_val c = tk_first(calls); tk_exists(c); c = tk_after(calls, c))
        n += same_id(t, in(c, "id"), id);
    return n;
}

/* The tool messages directly after a message are one for each of its calls. */
static struct tk_str runs_answer_their_calls(struct trial *t)
{
    if (!is_safe(t) || trial_is_of_items(t))
        return HOLDS;
    for (uint32_t i = 0; i < t->left.count;) {
        const struct view_message *m = &t->left.messages[i];
        struct tk_val calls = m->role == 'a' ? in(m->value, "tool_calls") : TK_NO_VAL;
        uint32_t end = i + 1;

        while (end < t->left.count && t->left.messages[end].role == 't')
            end++;
        if (m->role == 't' || end - i - 1 != tk_count(calls))
            return broken(t, "%u tool messages after %.*s", end - i - 1, SHOW(shown(m->value)));
        for (struct tk_val c = tk_first(calls); tk_exists(c); c = tk_after(calls, c))
            if (answers_in(t, i + 1, end, in(c, "id")) != 1 ||
                calls_with(t, calls, in(c, "id")) != 1)
                return broken(t, "%.*s has not one answer", SHOW(shown(c)));
        i = end;
    }
    return HOLDS;
}

/* ---- Responses ---- */

static const struct {
    const char *call, *output;
} fitting[] = {
    {"function_call", "function_call_output"},
    {"custom_tool_call", "custom_tool_call_output"},
    {"local_shell_call", "local_shell_call_output"},
    {"local_shell_call", "function_call_output"},
    {"shell_call", "shell_call_output"},
    {"apply_patch_call", "apply_patch_call_output"},
    {"computer_call", "computer_call_output"},
    {"tool_search_call", "tool_search_output"},
    {"tool_search_call", "function_call_output"},
};

enum {
    FITTING = sizeof(fitting) / sizeof(fitting[0]),
};

static bool is_type(struct tk_val item, const char *type)
{
    return tk_text_is(in(item, "type"), tk_str_of(type));
}

/* Returns the id by which an item pairs; absent: it doesn't, or is a search that the server ran. */
static struct tk_val key_of(struct tk_val item)
{
    struct tk_val id = in(item, "call_id");
    bool local = is_type(item, "local_shell_call") || is_type(item, "local_shell_call_output");

    return has_text(id) || !local ? id : in(item, "id");
}

static bool fits(struct tk_val call, struct tk_val output)
{
    for (size_t i = 0; i < FITTING; i++)
        if (is_type(call, fitting[i].call) && is_type(output, fitting[i].output))
            return true;
    return false;
}

static bool is_call(struct tk_val item)
{
    for (size_t i = 0; i < FITTING; i++)
        if (is_type(item, fitting[i].call))
            return has_text(key_of(item));
    return false;
}

static bool is_output(struct tk_val item)
{
    for (size_t i = 0; i < FITTING; i++)
        if (is_type(item, fitting[i].output))
            return has_text(key_of(item));
    return false;
}

static bool is_pair(struct trial *t, struct tk_val call, struct tk_val output)
{
    return fits(call, output) && same_id(t, key_of(call), key_of(output));
}

/* Returns how many outputs after a call answer it. */
static uint32_t answers_after(struct trial *t, uint32_t call)
{
    uint32_t n = 0;

    for (uint32_t i = call + 1; i < t->left.count; i++)
        n += is_pair(t, t->left.messages[call].value, t->left.messages[i].value);
    return n;
}

static uint32_t calls_before(struct trial *t, uint32_t output)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < output; i++)
        n += is_pair(t, t->left.messages[i].value, t->left.messages[output].value);
    return n;
}

/* Returns true if the server may have the call of an output: the list doesn't say. */
static bool server_may_have_calls(struct trial *t)
{
    struct tk_val body = in(t->params, "request"), conversation = in(body, "conversation");

    for (uint32_t i = 0; i < t->left.count; i++)
        if (is_type(t->left.messages[i].value, "item_reference") ||
            (!tk_exists(in(t->left.messages[i].value, "type")) &&
             !tk_exists(in(t->left.messages[i].value, "role"))))
            return true;
    return has_text(in(body, "previous_response_id")) ||
           (tk_exists(conversation) && !tk_is(conversation, TK_NULL));
}

static struct tk_str items_answer_their_calls(struct trial *t)
{
    if (!is_safe(t) || !trial_is_of_items(t) || server_may_have_calls(t))
        return HOLDS;
    for (uint32_t i = 0; i < t->left.count; i++) {
        struct tk_val item = t->left.messages[i].value;

        if (is_call(item) && answers_after(t, i) != 1)
            return broken(t, "%u outputs of %.*s", answers_after(t, i), SHOW(shown(item)));
        if (is_output(item) && calls_before(t, i) != 1)
            return broken(t, "%u calls of %.*s", calls_before(t, i), SHOW(shown(item)));
    }
    return HOLDS;
}

const struct property properties_of_pairs[] = {
    {"runs_answer_their_calls", OPENAI, runs_answer_their_calls},
    {"items_answer_their_calls", OPENAI, items_answer_their_calls},
    {NULL, EVERYONE, NULL},
};
