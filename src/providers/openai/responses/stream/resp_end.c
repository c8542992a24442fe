/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a response: why it ended, and what the turn leaves out (STREAM-PROVIDERS.md 6.4). */
#include "providers/openai/responses/stream/resp_stream.h"
#include "value/unicode.h"

static struct tk_resp_item *item_of(const struct tk_choice *choice, uint32_t i)
{
    return (struct tk_resp_item *)choice->parts[i];
}

void tk_resp_settle(struct tk_stream_turn *t)
{
    struct tk_resp *own = tk_resp_of(t);

    if (!own->has_calls)
        return;
    for (uint32_t i = own->oldest; i < own->waiting_count; i++) {
        struct tk_operation *op = tk_operation_of(t, &own->waiting[i]->part);

        if (op->result == TK_NONE && tk_str_is(own->waiting[i]->kind->type, "program"))
            tk_operation_alone(t, op, true); /* it waits for the client */
    }
}

/* ---- what is held ---- */

/* Returns true if the status of an item in an incomplete response says that it is cut. */
static bool is_cut_by_status(struct tk_stream_turn *t, const struct tk_resp_item *item)
{
    struct tk_val v = tk_turn_read_kept(t, item->listed ? &item->final : &item->part.start);
    struct tk_val status = tk_get(v, TK_STR("status"));

    return tk_is(status, TK_STRING) && !tk_text_is(status, TK_STR("completed")) &&
           !tk_text_is(status, TK_STR("failed"));
}

/* Returns true if texts of a message came that aren't blank. */
static bool has_text(struct tk_stream_turn *t, const struct tk_resp_item *item)
{
    const struct tk_resp *own = tk_resp_of(t);

    for (uint32_t i = item->first_text; i != TK_NONE; i = own->texts[i].next) {
        struct tk_str text = tk_text_plain(t, &own->texts[i].text);

        if (text.p && !tk_is_blank(text))
            return true;
    }
    return false;
}

static void hold_item(struct tk_stream_turn *t, struct tk_resp_item *item, bool done)
{
    const struct tk_resp *own = tk_resp_of(t);
    bool whole = item->part.whole || own->completed;
    bool is_call = item->part.kind == TK_TURN_CALL;

    if (item->part.held != TK_HELD_NOT && item->part.held != TK_HELD_NO_RESULT)
        return;
    if (done && tk_is_kept(&own->output) && own->output.bytes.n > 2 && !item->listed) {
        item->part.held = TK_HELD_CUT;
    } else if (item->kind->class == TK_RESP_MESSAGE) {
        item->gone = !done && !whole && !has_text(t, item);
    } else if (!whole) {
        item->part.held = TK_HELD_CUT;
    } else if (is_call && own->incomplete && (item->part.raw.p || is_cut_by_status(t, item))) {
        item->part.held = TK_HELD_CUT;
    } else if (is_call && item->late && !own->completed) {
        item->part.held = TK_HELD_CUT;
    }
}

/* Holds the rest of each unit of which an item is held. */
static void hold_units(const struct tk_choice *choice)
{
    bool in_unit = false, held = false, after_reasoning = false;

    for (uint32_t i = 0; i < choice->count; i++) {
        struct tk_resp_item *item = item_of(choice, i);
        bool is_reasoning = item->kind->class == TK_RESP_REASONING;

        if (item->gone)
            continue;
        if (is_reasoning ? !after_reasoning : !item->kind->from_model) {
            in_unit = is_reasoning;
            held = false;
        }
        after_reasoning = is_reasoning;
        if (in_unit && held && item->part.held == TK_HELD_NOT)
            item->part.held = TK_HELD_AFTER_HELD;
        held = held || item->part.held != TK_HELD_NOT;
    }
}

/* Holds reasoning of which the next item is missing. */
static void hold_reasoning(const struct tk_choice *choice)
{
    bool has_next = false;

    for (uint32_t i = choice->count; i-- > 0;) {
        struct tk_resp_item *item = item_of(choice, i);

        if (item->gone)
            continue;
        if (item->kind->class == TK_RESP_REASONING && !has_next && item->part.held == TK_HELD_NOT)
            item->part.held = TK_HELD_NO_NEXT;
        has_next = item->part.held == TK_HELD_NOT;
    }
}

/* ---- reasons ---- */

static enum tk_finish_reason reason_of(struct tk_str reason)
{
    static const struct {
        struct tk_str name;
        enum tk_finish_reason reason;
    } rows[] = {
        {TK_STR_INIT("max_output_tokens"), TK_FINISH_LENGTH},
        {TK_STR_INIT("max_tokens"), TK_FINISH_LENGTH},
        {TK_STR_INIT("content_filter"), TK_FINISH_CONTENT_FILTER},
    };

    for (size_t i = 0; reason.p && i < sizeof(rows) / sizeof(rows[0]); i++)
        if (tk_str_eq(reason, rows[i].name))
            return rows[i].reason;
    return TK_FINISH_UNKNOWN;
}

static void set_reason(struct tk_stream_turn *t, struct tk_choice *choice)
{
    const struct tk_resp *own = tk_resp_of(t);

    choice->stop_reason = own->incomplete_reason.p ? own->incomplete_reason : own->status;
    if (own->incomplete)
        choice->reason = (uint8_t)reason_of(own->incomplete_reason);
    else
        choice->reason = own->has_calls ? TK_FINISH_TOOL_CALLS : TK_FINISH_STOP;
}

/* Lets calls leave that could have been cut, but weren't. */
static void leave_late(struct tk_stream_turn *t, const struct tk_choice *choice)
{
    for (uint32_t i = 0; i < choice->count; i++) {
        struct tk_resp_item *item = item_of(choice, i);

        if (!item->late || item->part.held != TK_HELD_NOT)
            continue;
        if (item->part.raw.p)
            tk_turn_warn(t, TK_WARNING_INVALID_CLIENT_INPUT);
        tk_tell_call_end(t, &item->part);
    }
}

void tk_resp_end(struct tk_stream_turn *t, bool done)
{
    struct tk_resp *own = tk_resp_of(t);
    struct tk_choice *choice = tk_turn_choice(t, 0);

    if (!choice)
        return;
    own->over = done;
    tk_turn_sort(t, choice);
    tk_operations_hold(t, choice);
    for (uint32_t i = 0; i < choice->count; i++)
        hold_item(t, item_of(choice, i), done);
    hold_units(choice);
    if (!done || !own->completed)
        hold_reasoning(choice);
    if (!done)
        return;
    leave_late(t, choice);
    set_reason(t, choice);
}
