/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a stream of chunks: why it ended, which calls leave and which are held. */
#include "providers/openai/chat/stream/chat_stream.h"
#include "value/unicode.h"

/* ---- reasons ---- */

/* `ended`: the model ended its calls. The last row is any other reason, or none. */
static const struct chat_reason {
    struct tk_str name;
    uint8_t reason; /* enum tk_finish_reason */
    bool ended;
} reasons[] = {
    {TK_STR_INIT("stop"), TK_FINISH_STOP, true},
    {TK_STR_INIT("tool_calls"), TK_FINISH_TOOL_CALLS, true},
    {TK_STR_INIT("length"), TK_FINISH_LENGTH, false},
    {TK_STR_INIT("content_filter"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("function_call"), TK_FINISH_TOOL_CALLS, true},
    /* of other servers */
    {TK_STR_INIT("eos"), TK_FINISH_STOP, true},
    {TK_STR_INIT("eos_token"), TK_FINISH_STOP, true},
    {TK_STR_INIT("end_turn"), TK_FINISH_STOP, true},
    {TK_STR_INIT("stop_sequence"), TK_FINISH_STOP, true},
    {TK_STR_INIT("tool_use"), TK_FINISH_TOOL_CALLS, true},
    {TK_STR_INIT("model_length"), TK_FINISH_LENGTH, false},
    {TK_STR_INIT("max_tokens"), TK_FINISH_LENGTH, false},
    {{NULL, 0}, TK_FINISH_UNKNOWN, false},
};

static const struct chat_reason *row_of(struct tk_str reason)
{
    const struct chat_reason *row = reasons;

    while (row->name.p && !(reason.p && tk_str_eq(reason, row->name)))
        row++;
    return row;
}

bool tk_chat_is_complete(struct tk_stream_turn *t)
{
    if (t->choice_count == 0 || t->marked)
        return t->choice_count > 0;
    for (uint32_t i = 0; i < t->choice_count; i++)
        if (!t->choices[i]->stop_reason.p)
            return false;
    return true;
}

/* ---- calls ---- */

/* Reads the input of a call. Returns true if it is a JSON object that isn't blank: nothing is missing. */
static bool read_input(struct tk_stream_turn *t, struct tk_chat_call *call)
{
    struct tk_str text = tk_text_plain(t, &call->part.text);
    struct tk_encoding e;

    if (call->form != TK_CHAT_CUSTOM)
        return tk_turn_input(t, &call->part, text) == 0 && text.p && !tk_is_blank(text);
    tk_encode_begin(&e, TK_JSON, t->keep);
    if (text.p)
        tk_write_str(&e.w, text);
    call->part.input = (struct tk_kept){tk_encode_end(&e), TK_JSON};
    return false;
}

static enum tk_held held_by(struct tk_stream_turn *t, struct tk_chat_call *call, bool ended)
{
    bool is_whole = read_input(t, call);

    if (!call->part.name.p)
        return TK_HELD_NO_NAME;
    return is_whole || ended ? TK_HELD_NOT : TK_HELD_CUT;
}

/* Holds calls that are cut. n: how many calls of the choice are before it. */
static void end_call(struct tk_stream_turn *t, struct tk_chat_call *call, bool ended, uint32_t n)
{
    struct tk_turn_part *part = &call->part;

    part->held = (uint8_t)held_by(t, call, ended);
    if (part->id.p)
        return;
    if (part->held == TK_HELD_NOT)
        tk_turn_warn(t, TK_WARNING_MISSING_CALL_ID);
    part->id = tk_turn_made_id(t, part->choice->index, n);
}

static bool end_calls(struct tk_stream_turn *t, struct tk_choice *choice, bool ended, bool done)
{
    bool any = false;

    tk_turn_sort(t, choice);
    for (uint32_t i = 0; i < choice->count; i++) {
        struct tk_chat_call *call = (struct tk_chat_call *)choice->parts[i];

        end_call(t, call, ended, i);
        if (call->part.held != TK_HELD_NOT)
            continue;
        any = true;
        if (!done)
            continue;
        if (call->part.raw.p)
            tk_turn_warn(t, TK_WARNING_INVALID_CLIENT_INPUT);
        tk_chat_leave_call(t, call);
    }
    return any;
}

/* ---- choices ---- */

static void end_choice(struct tk_stream_turn *t, struct tk_choice *choice, bool done)
{
    const struct chat_reason *row = row_of(choice->stop_reason);
    bool any;

    if (done)
        tk_chat_end_run(t, choice);
    any = end_calls(t, choice, row->ended, done);
    choice->reason = row->reason;
    if (done && !choice->stop_reason.p)
        tk_turn_warn(t, TK_WARNING_MISSING_FINISH_REASON);
    if (any && row->reason == TK_FINISH_STOP) {
        choice->reason = TK_FINISH_TOOL_CALLS;
        if (done && tk_str_is(row->name, "stop"))
            tk_turn_warn(t, TK_WARNING_STOP_WITH_CALLS);
    } else if (!any && row->reason == TK_FINISH_TOOL_CALLS) {
        choice->reason = TK_FINISH_STOP;
    }
}

void tk_chat_end(struct tk_stream_turn *t, bool done)
{
    ((struct tk_chat_events *)t->own)->done = done;
    for (uint32_t i = 0; i < t->choice_count; i++)
        if (t->choices[i]->own)
            end_choice(t, t->choices[i], done);
}
