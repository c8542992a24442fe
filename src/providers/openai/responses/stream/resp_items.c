/* SPDX-License-Identifier: Apache-2.0 */
/* Starts and ends of items. */
#include <errno.h>

#include "providers/openai/responses/stream/resp_stream.h"
#include "shapes/stream_parts.h"
#include "value/unicode.h"

/* Reads a string of an item into memory of the stream; `.p == NULL` if it is absent or blank. */
static struct tk_str keep_text(struct tk_stream_turn *t, struct tk_val item, struct tk_str name)
{
    struct tk_str text = tk_text(tk_get(item, name), t->arena);

    return tk_is_said(text) ? tk_arena_dup(t->keep, text) : (struct tk_str){NULL, 0};
}

struct tk_resp_item *tk_resp_item_at(struct tk_stream_turn *t, int64_t index)
{
    struct tk_choice *choice = tk_turn_choice(t, 0);

    return choice ? tk_turn_find(t, choice, index) : NULL;
}

/* ---- starts ---- */

static const uint8_t turn_kinds[] = {
    [TK_RESP_MESSAGE] = TK_TURN_TEXT,         [TK_RESP_REASONING] = TK_TURN_REASONING,
    [TK_RESP_LIVE_CALL] = TK_TURN_CALL,       [TK_RESP_WHOLE_CALL] = TK_TURN_CALL,
    [TK_RESP_ONE_ITEM] = TK_TURN_OPERATION,   [TK_RESP_SERVER_CALL] = TK_TURN_OPERATION,
    [TK_RESP_SERVER_OUTPUT] = TK_TURN_RESULT, [TK_RESP_OTHER] = TK_TURN_OTHER,
};

static bool is_call_like(const struct tk_resp_kind *kind)
{
    return kind->class != TK_RESP_MESSAGE && kind->class != TK_RESP_REASONING &&
           kind->class != TK_RESP_ONE_ITEM && kind->class != TK_RESP_OTHER;
}

/* Takes id and name of a client's call, and writes its start once both are known. */
static int begin_call(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    struct tk_turn_part *part = &item->part;

    if (!part->name.p)
        part->name = item->kind->name.p ? item->kind->name : keep_text(t, v, TK_STR("name"));
    if (part->run.begun || !part->id.p || !part->name.p)
        return 0;
    tk_turn_note_id(t, part);
    tk_tell_call_start(t, part);
    return 0;
}

static struct tk_str tool_name(struct tk_stream_turn *t, const struct tk_resp_item *item,
                               struct tk_val v)
{
    struct tk_str name = keep_text(t, v, TK_STR("name"));

    return name.p ? name : item->kind->name;
}

/* Starts an operation, of one item or of two. */
static int begin_operation(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    struct tk_resp *own = tk_resp_of(t);
    uint32_t *at;
    bool is_new;
    int r;

    item->part.shown = item->part.id.p ? item->part.id : tk_turn_made_id(t, 0, item->part.at);
    if (!item->part.shown.p)
        return -ENOMEM;
    r = tk_operation_start(t, &item->part, item->part.shown, tool_name(t, item, v),
                           item->kind->type);
    if (r != 0 || item->kind->class == TK_RESP_ONE_ITEM)
        return r;
    if (!TK_GROW(t->keep, own->waiting, own->waiting_count, own->waiting_capacity))
        return -ENOMEM;
    at = tk_map_put(&own->calls, item->part.shown, &is_new);
    if (!at)
        return -ENOMEM;
    *at = own->waiting_count;
    own->waiting[own->waiting_count++] = item;
    return 0;
}

static bool is_answered(const struct tk_stream_turn *t, const struct tk_resp_item *call)
{
    return tk_operation_of(t, &call->part)->result != TK_NONE;
}

/* Starts a result: of the call that it names, or of the oldest that waits. */
static int begin_output(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    struct tk_resp *own = tk_resp_of(t);
    struct tk_str id = item->part.id, type = item->kind->type;
    const uint32_t *at = id.p ? tk_map_get(&own->calls, id) : NULL;

    (void)v;
    while (own->oldest < own->waiting_count && is_answered(t, own->waiting[own->oldest]))
        own->oldest++;
    if (!id.p && own->oldest < own->waiting_count)
        return tk_operation_result(t, &item->part,
                                   tk_operation_of(t, &own->waiting[own->oldest]->part), id, type);
    if (at || !id.p || !tk_str_is(type, "program_output"))
        return tk_operation_result(t, &item->part, NULL, id, type);
    /* of a program of an earlier response */
    return tk_operation_carried(t, &item->part, id, item->kind->name, type);
}

static int begin_reasoning(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    struct tk_extra extra[] = {{.key = NULL}, {.key = NULL}};

    (void)v;
    if (item->item_id.p)
        extra[0] = (struct tk_extra){.key = TK_PARTS_ITEM_ID, .text = item->item_id};
    item->part.run.id = tk_arena_printf(t->keep, "%lld", (long long)item->part.wire_index);
    tk_run_begin(t, &item->part.run, extra);
    return 0;
}

/* By class; NULL: nothing leaves yet. */
static int (*const begins[])(struct tk_stream_turn *t, struct tk_resp_item *item,
                             struct tk_val v) = {
    [TK_RESP_MESSAGE] = NULL,
    [TK_RESP_REASONING] = begin_reasoning,
    [TK_RESP_LIVE_CALL] = begin_call,
    [TK_RESP_WHOLE_CALL] = NULL,
    [TK_RESP_ONE_ITEM] = begin_operation,
    [TK_RESP_SERVER_CALL] = begin_operation,
    [TK_RESP_SERVER_OUTPUT] = begin_output,
    [TK_RESP_OTHER] = NULL,
};

int tk_resp_item_added(struct tk_stream_turn *t, int64_t index, struct tk_val v)
{
    const struct tk_resp_kind *kind = tk_resp_kind_of(v);
    struct tk_choice *choice = tk_turn_choice(t, 0);
    struct tk_resp_item *item;

    if (!tk_is(v, TK_OBJECT) || !tk_is(tk_get(v, TK_STR("type")), TK_STRING) ||
        tk_text(tk_get(v, TK_STR("call_id")), t->arena).n > TK_ID_MAX ||
        tk_text(tk_get(v, TK_STR("id")), t->arena).n > TK_ID_MAX)
        return TK_TURN_MALFORMED;
    if (tk_resp_item_at(t, index))
        tk_turn_warn(t, TK_WARNING_INDEX_REUSED);
    item = choice ? tk_turn_add(t, choice, (enum tk_turn_kind)turn_kinds[kind->class], index,
                                sizeof(*item))
                  : NULL;
    if (!item)
        return -ENOMEM;
    item->kind = kind;
    item->summary = TK_NO_INDEX;
    item->first_text = item->last_text = TK_NONE;
    item->item_id = keep_text(t, v, TK_STR("id"));
    item->part.start = tk_keep(t->keep, v);
    item->part.type = keep_text(t, v, TK_STR("type"));
    item->part.id = is_call_like(kind) ? keep_text(t, v, TK_STR("call_id")) : item->item_id;
    if (!item->part.id.p && kind->class != TK_RESP_SERVER_OUTPUT)
        item->part.id = item->item_id;
    return begins[kind->class] ? begins[kind->class](t, item, v) : 0;
}

int tk_resp_input_delta(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val delta)
{
    tk_text_put(t, &item->part.text, delta);
    if (item->part.run.begun)
        tk_run_delta(t, &item->part.run, delta, NULL);
    return 0;
}

/* ---- inputs ---- */

/* Keeps an object with one member. */
static struct tk_kept wrap(struct tk_stream_turn *t, struct tk_str key, struct tk_val v)
{
    struct tk_encoding e;

    tk_encode_begin(&e, TK_JSON, t->keep);
    tk_write_map(&e.w);
    if (tk_exists(v) && !tk_is(v, TK_NULL)) {
        tk_write_key_str(&e.w, key);
        tk_write_any(&e.w, v);
    }
    tk_write_end(&e.w);
    return (struct tk_kept){tk_encode_end(&e), TK_JSON};
}

/* Reads the input of a call that comes whole. Returns 0 or -ENOMEM. */
static int read_input(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    struct tk_val input = tk_get(v, item->kind->input);
    int r = 0;

    if (tk_is(input, TK_OBJECT))
        item->part.input = tk_keep(t->keep, input);
    else if (tk_is(input, TK_STRING) && tk_str_is(item->kind->input, "arguments"))
        r = tk_turn_input(t, &item->part, tk_text(input, t->arena));
    else
        item->part.input = wrap(t, item->kind->input, input);
    return r < 0 ? r : 0;
}

/* ---- ends, one function a class ---- */

/* Takes the id of a client's call that its start didn't tell, or makes one for the outputs. */
static void take_late_id(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    if (item->part.id.p)
        return;
    item->part.id = keep_text(t, v, TK_STR("call_id"));
    if (item->part.id.p)
        return;
    tk_turn_warn(t, TK_WARNING_MISSING_CALL_ID);
    item->part.shown = tk_turn_made_id(t, 0, item->part.at);
}

/* Reads the whole input of a call, whose deltas aren't needed any more. Returns 0 or -ENOMEM. */
static int end_input(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    struct tk_val input = tk_get(v, item->kind->input);
    bool is_given = tk_is(input, TK_STRING);
    int r = 0;

    tk_resp_tell_rest(t, &item->part.run, &item->part.text, input, NULL);
    item->part.text = (struct tk_text){{NULL, NULL, 0}, TK_JSON, false};
    if (!item->kind->is_text)
        r = tk_turn_input(t, &item->part, is_given ? tk_text(input, t->arena) : TK_STR(""));
    else if (is_given)
        item->part.input = tk_keep(t->keep, input);
    else
        item->part.input = (struct tk_kept){TK_STR("\"\""), TK_JSON};
    return r < 0 ? r : 0;
}

static int end_live_call(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    int r;

    take_late_id(t, item, v);
    (void)begin_call(t, item, v);
    r = end_input(t, item, v);
    if (r != 0)
        return r;
    if (!item->part.name.p) {
        item->part.held = TK_HELD_NO_NAME;
        return 0;
    }
    tk_resp_of(t)->has_calls = true;
    item->late = tk_text_is(tk_get(v, TK_STR("status")), TK_STR("incomplete"));
    if (item->late)
        return 0;
    if (item->part.raw.p)
        tk_turn_warn(t, TK_WARNING_INVALID_CLIENT_INPUT);
    tk_tell_call_end(t, &item->part);
    return 0;
}

static int end_whole_call(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    int r = read_input(t, item, v);

    if (r != 0)
        return r;
    take_late_id(t, item, v);
    item->part.name = item->kind->name;
    tk_resp_of(t)->has_calls = true;
    tk_turn_note_id(t, &item->part);
    tk_tell_call_start(t, &item->part);
    tk_tell_call_end(t, &item->part);
    return 0;
}

static bool is_failed(struct tk_val v)
{
    struct tk_val error = tk_get(v, TK_STR("error"));

    return tk_text_is(tk_get(v, TK_STR("status")), TK_STR("failed")) ||
           (tk_exists(error) && !tk_is(error, TK_NULL));
}

/* Ends an operation in one item, which is its own result. */
static int end_one_item(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    int r = read_input(t, item, v);

    if (r == 0)
        r = tk_operation_result(t, &item->part, tk_operation_of(t, &item->part), item->part.shown,
                                item->kind->type);
    if (r != 0)
        return r;
    item->part.is_error = is_failed(v);
    item->part.content = item->part.start;
    tk_operation_called(t, &item->part);
    tk_operation_answered(t, &item->part);
    return 0;
}

static int end_server_call(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    int r = read_input(t, item, v);

    if (r == 0)
        tk_operation_called(t, &item->part);
    return r;
}

static int end_output(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    item->part.is_error = is_failed(v);
    item->part.content = item->part.start;
    tk_operation_answered(t, &item->part);
    return 0;
}

static int end_other(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v)
{
    tk_tell_opaque(t, &item->part, v);
    return 0;
}

static int (*const ends[])(struct tk_stream_turn *t, struct tk_resp_item *item, struct tk_val v) = {
    [TK_RESP_MESSAGE] = tk_resp_message_done, [TK_RESP_REASONING] = tk_resp_reasoning_done,
    [TK_RESP_LIVE_CALL] = end_live_call,      [TK_RESP_WHOLE_CALL] = end_whole_call,
    [TK_RESP_ONE_ITEM] = end_one_item,        [TK_RESP_SERVER_CALL] = end_server_call,
    [TK_RESP_SERVER_OUTPUT] = end_output,     [TK_RESP_OTHER] = end_other,
};

int tk_resp_item_done(struct tk_stream_turn *t, int64_t index, struct tk_val v)
{
    struct tk_resp_item *item = tk_resp_item_at(t, index);
    int r = 0;

    if (!tk_is(v, TK_OBJECT))
        return TK_TURN_MALFORMED;
    if (item && item->part.whole) {
        tk_turn_warn(t, TK_WARNING_DELTA_AFTER_DONE);
        return 0;
    }
    if (!item) {
        r = tk_resp_item_added(t, index, v);
        item = r == 0 ? tk_resp_item_at(t, index) : NULL;
    }
    if (!item)
        return r != 0 ? r : -ENOMEM;
    item->part.start = tk_keep(t->keep, v);
    item->part.whole = true;
    return ends[item->kind->class](t, item, v);
}
