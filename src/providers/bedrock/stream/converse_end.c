/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a message: stop reasons, the client's calls, and what the turn leaves out. */
#include <errno.h>

#include "providers/bedrock/stream/converse.h"
#include "value/unicode.h"

/* ---- stop reasons ---- */

/* Stop reasons. `cuts`: a call stays only if its input is whole. The last row is any other. */
static const struct reason_row {
    struct tk_str name;
    uint8_t reason; /* enum tk_finish_reason */
    bool cuts;
} reasons[] = {
    {TK_STR_INIT("end_turn"), TK_FINISH_STOP, false},
    {TK_STR_INIT("stop_sequence"), TK_FINISH_STOP, false},
    {TK_STR_INIT("tool_use"), TK_FINISH_TOOL_CALLS, false},
    {TK_STR_INIT("max_tokens"), TK_FINISH_LENGTH, true},
    {TK_STR_INIT("model_context_window_exceeded"), TK_FINISH_LENGTH, true},
    {TK_STR_INIT("guardrail_intervened"), TK_FINISH_CONTENT_FILTER, true},
    {TK_STR_INIT("content_filtered"), TK_FINISH_CONTENT_FILTER, true},
    {TK_STR_INIT("malformed_model_output"), TK_FINISH_UNKNOWN, true},
    {TK_STR_INIT("malformed_tool_use"), TK_FINISH_UNKNOWN, true},
    {{NULL, 0}, TK_FINISH_UNKNOWN, false},
};

static const struct reason_row *row_of(struct tk_str reason)
{
    const struct reason_row *row = reasons;

    while (row->name.p && !tk_str_eq(reason, row->name))
        row++;
    return row;
}

/* ---- the client's calls ---- */

/* Returns true if deltas brought an input that is no white space: a blank one is {}, too. */
static bool has_input(const struct tk_converse_block *b)
{
    return b->bytes.n > 0;
}

/* Returns why a call is left out, now that its stop reason is known. */
static enum tk_held held_by(const struct tk_converse_block *b, bool cuts)
{
    if (!tk_is_said(b->part.name))
        return TK_HELD_NO_NAME;
    if (!b->part.whole || (cuts && (b->part.raw.p || !has_input(b))))
        return TK_HELD_CUT;
    return TK_HELD_NOT;
}

/* Lets all calls of the client leave, in the order of their indices. Returns true if there is one. */
static bool leave_calls(struct tk_stream_turn *t, const struct tk_choice *choice, bool cuts)
{
    bool any = false;

    for (uint32_t i = 0; i < choice->count; i++) {
        struct tk_turn_part *part = choice->parts[i];

        if (part->kind != TK_TURN_CALL)
            continue;
        part->held = (uint8_t)held_by((const struct tk_converse_block *)part, cuts);
        if (part->held != TK_HELD_NOT)
            continue;
        any = true;
        if (part->raw.p)
            tk_turn_warn(t, TK_WARNING_INVALID_CLIENT_INPUT);
        tk_tell_call_end(t, part);
    }
    return any;
}

/* Blocks that the message's end cuts off. A call's input is taken as it came. */
static int stop_open_blocks(struct tk_stream_turn *t, const struct tk_choice *choice)
{
    int r = 0;

    for (uint32_t i = 0; i < choice->count && r == 0; i++) {
        struct tk_turn_part *part = choice->parts[i];

        if (part->whole)
            continue;
        tk_turn_warn(t, TK_WARNING_UNSTOPPED_BLOCK);
        if (part->kind == TK_TURN_CALL)
            r = tk_converse_stop(t, part->wire_index);
    }
    return r;
}

int tk_converse_message_stop(struct tk_stream_turn *t, struct tk_str reason)
{
    const struct reason_row *row = row_of(reason);
    struct tk_choice *choice = tk_turn_choice(t, 0);
    int r;

    if (!choice)
        return -ENOMEM;
    tk_turn_sort(t, choice);
    r = stop_open_blocks(t, choice);
    if (r != 0)
        return r;
    tk_converse_of(t)->stopped = true;
    choice->stop_reason = tk_arena_dup(t->keep, reason);
    choice->reason = row->reason;
    if (leave_calls(t, choice, row->cuts) && tk_str_is(reason, "end_turn")) {
        choice->reason = TK_FINISH_TOOL_CALLS;
        tk_turn_warn(t, TK_WARNING_STOP_WITH_CALLS);
    }
    return 0;
}

/* ---- what the turn leaves out ---- */

static bool is_held(const struct tk_turn_part *part)
{
    return part->held != TK_HELD_NOT;
}

/* Returns true for a block that has nothing: it isn't in the turn. */
static bool is_nothing(const struct tk_turn_part *part)
{
    return part->kind == TK_TURN_TEXT && tk_text_is_empty(&part->text) &&
           ((const struct tk_converse_block *)part)->listed == 0;
}

static bool is_signed(const struct tk_turn_part *part)
{
    const struct tk_converse_block *b = (const struct tk_converse_block *)part;

    return b->bytes.n > 0 || !tk_text_is_empty(&b->signature);
}

/* Reasoning belongs to what follows it; the API refuses it at the end of a message. */
static void hold_reasoning(const struct tk_choice *choice)
{
    for (uint32_t i = 0; i < choice->count; i++) {
        struct tk_turn_part *part = choice->parts[i];

        if (part->kind == TK_TURN_REASONING && !part->whole && !is_signed(part))
            part->held = TK_HELD_CUT;
    }
    for (uint32_t i = choice->count; i-- > 0;) {
        struct tk_turn_part *part = choice->parts[i];

        if (is_held(part) || is_nothing(part))
            continue;
        if (part->kind != TK_TURN_REASONING)
            break;
        part->held = TK_HELD_NO_NEXT;
    }
}

/* Reads the inputs of calls that a broken stream left: those that are no object are cut. */
static void hold_cut_calls(const struct tk_choice *choice)
{
    for (uint32_t i = 0; i < choice->count; i++) {
        struct tk_turn_part *part = choice->parts[i];

        if (part->kind == TK_TURN_CALL && !is_held(part))
            part->held = (uint8_t)held_by((const struct tk_converse_block *)part, true);
    }
}

void tk_converse_end(struct tk_stream_turn *t, bool done)
{
    struct tk_choice *choice = tk_turn_choice(t, 0);
    bool any = !done;

    if (!choice)
        return;
    tk_turn_sort(t, choice);
    if (!tk_converse_of(t)->stopped)
        hold_cut_calls(choice);
    tk_operations_hold(t, choice);
    for (uint32_t i = 0; i < choice->count; i++)
        any = any || is_held(choice->parts[i]);
    if (any)
        hold_reasoning(choice);
}
