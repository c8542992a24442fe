/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the message that the deltas of a choice add up to. */
#include "providers/openai/chat/stream/chat_stream.h"

/* ---- a call ---- */

/* Writes a place in the members of a call. */
static void put_of_call(struct tk_stream_turn *t, const struct tk_chat_value *place,
                        const void *arg, struct tk_writer *w)
{
    const struct tk_chat_call *call = arg;

    tk_write_key_str(w, place->name);
    if (place->place == TK_CHAT_ID) {
        tk_write_str(w, call->part.id);
    } else if (place->place == TK_CHAT_NAME) {
        if (call->part.name.p)
            tk_write_str(w, call->part.name);
        else
            tk_write_null(w);
    } else if (place->place == TK_CHAT_ARGUMENTS) {
        tk_text_write(t, &call->part.text, w);
    } else {
        tk_write_map(w);
        tk_chat_value_write(t, &call->payload, w, put_of_call, call);
        tk_write_end(w);
    }
}

/* Writes an entry of `tool_calls`. What servers leave out is added. */
static void write_call(struct tk_stream_turn *t, struct tk_chat_call *call, struct tk_writer *w)
{
    tk_write_map(w);
    if (!tk_chat_value_find(&call->members, TK_STR("id")))
        tk_write_kv_str(w, "id", call->part.id);
    if (!tk_chat_value_find(&call->members, TK_STR("type")))
        tk_write_kv_cstr(w, "type", call->form == TK_CHAT_CUSTOM ? "custom" : "function");
    tk_chat_value_write(t, &call->members, w, put_of_call, call);
    tk_write_end(w);
}

/* ---- the message ---- */

static bool stays(const struct tk_turn_part *part)
{
    return part->held == TK_HELD_NOT;
}

/* Returns true if calls of `tool_calls` stay. */
static bool has_calls(const struct tk_choice *choice)
{
    for (uint32_t i = 0; i < choice->count; i++)
        if (stays(choice->parts[i]) &&
            ((const struct tk_chat_call *)choice->parts[i])->form != TK_CHAT_LEGACY)
            return true;
    return false;
}

static void write_calls(struct tk_stream_turn *t, const struct tk_choice *choice,
                        struct tk_writer *w)
{
    tk_write_list(w);
    for (uint32_t i = 0; i < choice->count; i++) {
        struct tk_chat_call *call = (struct tk_chat_call *)choice->parts[i];

        if (stays(&call->part) && call->form != TK_CHAT_LEGACY)
            write_call(t, call, w);
    }
    tk_write_end(w);
}

/* Writes a place in the members of the message. */
static void put_of_message(struct tk_stream_turn *t, const struct tk_chat_value *place,
                           const void *arg, struct tk_writer *w)
{
    const struct tk_choice *choice = arg;
    const struct tk_chat_call *legacy = tk_chat_of(choice)->legacy;

    if (place->place == TK_CHAT_ROLE) {
        tk_write_kv_cstr(w, "role", "assistant");
    } else if (place->place == TK_CHAT_TOOL_CALLS && has_calls(choice)) {
        tk_write_key_str(w, place->name);
        write_calls(t, choice, w);
    } else if (place->place == TK_CHAT_FUNCTION_CALL && legacy && stays(&legacy->part)) {
        tk_write_key_str(w, place->name);
        tk_write_map(w);
        tk_chat_value_write(t, &legacy->payload, w, put_of_call, legacy);
        tk_write_end(w);
    }
}

/* Returns true if the message is more than nothing (`chat_assistant_empty`): the history gets it. In a
 * failed stream a blank text is nothing. */
static bool says(struct tk_stream_turn *t, const struct tk_choice *choice, bool done)
{
    struct tk_chat_choice *c = tk_chat_of(choice);

    for (uint32_t i = 0; i < choice->count; i++)
        if (stays(choice->parts[i]))
            return true;
    return tk_chat_value_says(t, tk_chat_value_find(&c->members, TK_STR("content")), !done) ||
           tk_chat_value_says(t, tk_chat_value_find(&c->members, TK_STR("refusal")), !done) ||
           tk_chat_value_says(t, tk_chat_value_find(&c->members, TK_STR("audio")), !done);
}

void tk_chat_write_entries(struct tk_stream_turn *t, const struct tk_choice *choice,
                           struct tk_writer *w)
{
    struct tk_chat_choice *c = tk_chat_of(choice);

    if (!c || !says(t, choice, ((const struct tk_chat_events *)t->own)->done))
        return;
    tk_write_map(w);
    if (!tk_chat_value_find(&c->members, TK_STR("role")))
        tk_write_kv_cstr(w, "role", "assistant");
    tk_chat_value_write(t, &c->members, w, put_of_message, choice);
    tk_write_end(w);
}
