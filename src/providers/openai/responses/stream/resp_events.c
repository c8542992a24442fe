/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the events of a response. */
#include <errno.h>

#include "providers/openai/responses/stream/resp_format.h"
#include "providers/openai/responses/stream/resp_stream.h"
#include "shapes/stream_parts.h"
#include "stream/stream.h"

/* ---- facts of the response ---- */

static void take_usage(struct tk_stream_turn *t, struct tk_val usage)
{
    struct tk_val cached =
        tk_get(tk_get(usage, TK_STR("input_tokens_details")), TK_STR("cached_tokens"));
    const int64_t tokens[TK_TOKENS] = {
        [TK_TOKENS_INPUT] = tk_tokens_of(tk_get(usage, TK_STR("input_tokens"))),
        [TK_TOKENS_CACHE_READ] = tk_tokens_of(cached),
        [TK_TOKENS_OUTPUT] = tk_tokens_of(tk_get(usage, TK_STR("output_tokens"))),
    };

    tk_turn_usage(t, usage, tokens, tk_get(usage, TK_STR("total_tokens")));
}

static void take_facts(struct tk_stream_turn *t, struct tk_val response)
{
    tk_turn_id(t, tk_get(response, TK_STR("id")));
    tk_turn_model(t, tk_get(response, TK_STR("model")));
    take_usage(t, tk_get(response, TK_STR("usage")));
}

/* Takes where the response is kept, which the events before its items tell. Of a stream that begins
 * in the middle nobody tells it: then the history is sent whole, which is always right. */
static void take_storage(struct tk_stream_turn *t, struct tk_val response)
{
    struct tk_resp *own = tk_resp_of(t);
    struct tk_val talk = tk_get(response, TK_STR("conversation"));
    struct tk_str id =
        tk_text(tk_is(talk, TK_STRING) ? talk : tk_get(talk, TK_STR("id")), t->arena);

    own->stored = tk_is(tk_get(response, TK_STR("store")), TK_TRUE);
    own->in_background = tk_is(tk_get(response, TK_STR("background")), TK_TRUE);
    if (id.p)
        own->conversation = tk_arena_dup(t->keep, id);
}

/* ---- one function a type of event ---- */

static struct tk_val response_of(struct tk_val event)
{
    return tk_get(event, TK_STR("response"));
}

static int read_begin(struct tk_stream_turn *t, struct tk_val event)
{
    struct tk_resp *own = tk_resp_of(t);
    struct tk_str id = tk_text(tk_get(response_of(event), TK_STR("id")), t->arena);
    struct tk_str known = tk_turn_message_id(t);
    bool again =
        own->begun && tk_text_is(tk_get(event, TK_STR("type")), TK_STR("response.created"));

    if (!tk_is(response_of(event), TK_OBJECT))
        return TK_TURN_MALFORMED;
    if (again && id.p && known.p && !tk_str_eq(id, known))
        return tk_turn_fail(t, &(struct tk_stream_error){
                                   .kind = TK_STREAM_FAULT_DUPLICATE_MESSAGE_START, .id = id});
    if (again) {
        tk_turn_warn(t, TK_WARNING_REPEATED_MESSAGE_START);
        return TK_TURN_DROPPED;
    }
    own->begun = true;
    take_facts(t, response_of(event));
    take_storage(t, response_of(event));
    return 0;
}

/* Reads the index of an event of an item. */
static bool index_of(struct tk_val event, int64_t *ret)
{
    return tk_int64(tk_get(event, TK_STR("output_index")), ret) && *ret >= 0;
}

static int read_added(struct tk_stream_turn *t, struct tk_val event)
{
    int64_t index;

    return index_of(event, &index) ? tk_resp_item_added(t, index, tk_get(event, TK_STR("item")))
                                   : TK_TURN_MALFORMED;
}

static int read_done(struct tk_stream_turn *t, struct tk_val event)
{
    int64_t index;

    return index_of(event, &index) ? tk_resp_item_done(t, index, tk_get(event, TK_STR("item")))
                                   : TK_TURN_MALFORMED;
}

/* Finds the item of an event. Returns 0 with *ret == NULL if the event has nothing to do. */
static int item_of(struct tk_stream_turn *t, struct tk_val event, struct tk_resp_item **ret)
{
    int64_t index;

    *ret = NULL;
    if (!index_of(event, &index))
        return TK_TURN_MALFORMED;
    *ret = tk_resp_item_at(t, index);
    if (!*ret) /* it began before the part of the stream that was asked for */
        return t->starting_after != TK_NO_START
                   ? 0
                   : tk_turn_fault(t, TK_STREAM_FAULT_UNKNOWN_INDEX, index);
    if ((*ret)->part.whole) {
        tk_turn_warn(t, TK_WARNING_DELTA_AFTER_DONE);
        *ret = NULL;
    }
    return 0;
}

static int64_t number_of(struct tk_val event, struct tk_str name)
{
    int64_t n = 0;

    return tk_int64(tk_get(event, name), &n) ? n : 0;
}

/* One row a delta: the class of the items that take it. */
static const struct resp_delta {
    struct tk_str type;
    uint8_t class; /* enum tk_resp_class */
    uint8_t run;   /* enum tk_run_kind, of texts */
    const char *member;
} deltas[] = {
    {TK_STR_INIT("response.output_text.delta"), TK_RESP_MESSAGE, TK_RUN_TEXT, NULL},
    {TK_STR_INIT("response.function_call_arguments.delta"), TK_RESP_LIVE_CALL, 0, NULL},
    {TK_STR_INIT("response.custom_tool_call_input.delta"), TK_RESP_LIVE_CALL, 0, NULL},
    {TK_STR_INIT("response.reasoning_summary_text.delta"), TK_RESP_REASONING, 0,
     TK_PARTS_SUMMARY_INDEX},
    {TK_STR_INIT("response.reasoning_text.delta"), TK_RESP_REASONING, 0, TK_PARTS_CONTENT_INDEX},
    {TK_STR_INIT("response.refusal.delta"), TK_RESP_MESSAGE, TK_RUN_REFUSAL, NULL},
    {TK_STR_INIT("response.mcp_call_arguments.delta"), TK_RESP_ONE_ITEM, 0, NULL},
    {TK_STR_INIT("response.code_interpreter_call_code.delta"), TK_RESP_ONE_ITEM, 0, NULL},
};
#define DELTAS (sizeof(deltas) / sizeof(deltas[0]))

static int read_delta(struct tk_stream_turn *t, struct tk_val event, const struct resp_delta *row)
{
    struct tk_val delta = tk_get(event, TK_STR("delta"));
    struct tk_resp_item *item;
    int r = item_of(t, event, &item);

    if (r != 0 || !item)
        return r;
    if (!tk_is(delta, TK_STRING))
        return TK_TURN_MALFORMED;
    if (item->kind->class != row->class)
        return tk_turn_fail(t,
                            &(struct tk_stream_error){.kind = TK_STREAM_FAULT_DELTA_TYPE_MISMATCH,
                                                      .wire_index = item->part.wire_index,
                                                      .delta_type = row->type,
                                                      .block_type = item->part.type});
    if (row->class == TK_RESP_MESSAGE)
        return tk_resp_text_delta(t, item, number_of(event, TK_STR("content_index")), delta,
                                  (enum tk_run_kind)row->run);
    if (row->class == TK_RESP_LIVE_CALL)
        return tk_resp_input_delta(t, item, delta);
    if (row->class == TK_RESP_REASONING)
        tk_resp_reasoning_delta(t, item, row->member, number_of(event, tk_str_of(row->member)),
                                delta);
    return 0; /* the end of an operation in one item repeats its deltas */
}

static int read_annotation(struct tk_stream_turn *t, struct tk_val event)
{
    struct tk_val annotation = tk_get(event, TK_STR("annotation"));
    struct tk_resp_item *item;
    int r = item_of(t, event, &item);

    if (r != 0 || !item || item->kind->class != TK_RESP_MESSAGE)
        return r;
    if (!tk_is(annotation, TK_OBJECT))
        return TK_TURN_MALFORMED;
    return tk_resp_annotation(t, item, number_of(event, TK_STR("content_index")), annotation);
}

/* ---- the terminal event ---- */

static uint32_t done_items(const struct tk_stream_turn *t)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->part_count; i++) {
        const struct tk_resp_item *item = (const struct tk_resp_item *)t->parts[i];

        n += item->part.whole;
    }
    return n;
}

/* Takes the output of the terminal response. Items of a completed one are whole, done or not. */
static int take_output(struct tk_stream_turn *t, struct tk_val output)
{
    struct tk_resp *own = tk_resp_of(t);
    int64_t index = 0;
    int r = 0;

    own->output = tk_keep(t->keep, output);
    for (struct tk_val e = tk_first(output); tk_exists(e) && r == 0; e = tk_after(output, e)) {
        struct tk_resp_item *item = tk_resp_item_at(t, index);

        if (own->completed && !(item && item->part.whole))
            r = tk_resp_item_done(t, index, e);
        else if (!item)
            r = tk_resp_item_added(t, index, e);
        if (r != 0)
            return r;
        item = tk_resp_item_at(t, index++);
        if (!item)
            return -ENOMEM;
        item->final = tk_kept_part(&own->output, output, e);
        item->listed = true;
    }
    if (index > 0 && (uint64_t)index != done_items(t))
        tk_turn_warn(t, TK_WARNING_OUTPUT_MISMATCH);
    return 0;
}

static int read_end(struct tk_stream_turn *t, struct tk_val event)
{
    struct tk_resp *own = tk_resp_of(t);
    struct tk_val response = response_of(event), output = tk_get(response, TK_STR("output"));
    struct tk_val details = tk_get(response, TK_STR("incomplete_details"));
    struct tk_str reason = tk_text(tk_get(details, TK_STR("reason")), t->arena);
    struct tk_str status = tk_text(tk_get(response, TK_STR("status")), t->arena);
    int r;

    if (!tk_is(response, TK_OBJECT) || (tk_is_given(output) && !tk_is(output, TK_ARRAY)))
        return TK_TURN_MALFORMED;
    take_facts(t, response);
    own->completed = tk_text_is(tk_get(event, TK_STR("type")), TK_STR("response.completed"));
    own->incomplete = !own->completed;
    own->status = status.p ? tk_arena_dup(t->keep, status)
                           : (own->completed ? TK_STR("completed") : TK_STR("incomplete"));
    tk_turn_details(t, details);
    if (reason.p)
        own->incomplete_reason = tk_arena_dup(t->keep, reason);
    r = tk_is(output, TK_ARRAY) ? take_output(t, output) : 0;
    return r == 0 ? TK_TURN_OVER : r;
}

/* ---- errors ---- */

/* Returns the error of an event: that of its response, an object in it, or the event itself. */
static struct tk_val error_of(struct tk_val event)
{
    struct tk_val error = tk_get(response_of(event), TK_STR("error"));

    if (tk_is_given(error))
        return error;
    error = tk_get(event, TK_STR("error"));
    return tk_is(error, TK_OBJECT) ? error : event;
}

static int read_error(struct tk_stream_turn *t, struct tk_val event)
{
    struct tk_val error = error_of(event), code = tk_get(error, TK_STR("code"));
    struct tk_str type = tk_turn_code(t, code);

    if (!type.p)
        type = tk_text_is(tk_get(event, TK_STR("type")), TK_STR("response.cancelled"))
                   ? TK_STR("cancelled")
                   : tk_text(tk_get(error, TK_STR("type")), t->arena);
    return tk_turn_error(
        t, &(struct tk_told_error){.type = type,
                                   .message = tk_text(tk_get(error, TK_STR("message")), t->arena),
                                   .event = event,
                                   .codes = {code, tk_get(error, TK_STR("status"))}});
}

/* ---- events ---- */

/* `begins`: it may be the first event. */
static const struct resp_event {
    struct tk_str type;
    int (*read)(struct tk_stream_turn *t, struct tk_val event);
    bool begins;
} events[] = {
    {TK_STR_INIT("response.output_item.added"), read_added, false},
    {TK_STR_INIT("response.output_item.done"), read_done, false},
    {TK_STR_INIT("response.output_text.annotation.added"), read_annotation, false},
    {TK_STR_INIT("response.created"), read_begin, true},
    {TK_STR_INIT("response.queued"), read_begin, true},
    {TK_STR_INIT("response.in_progress"), read_begin, true},
    {TK_STR_INIT("response.completed"), read_end, false},
    {TK_STR_INIT("response.incomplete"), read_end, false},
    {TK_STR_INIT("response.failed"), read_error, true},
    {TK_STR_INIT("response.cancelled"), read_error, true},
    {TK_STR_INIT("error"), read_error, true},
};
#define EVENTS (sizeof(events) / sizeof(events[0]))

/* Returns true for an event that tells how an item is doing: another event tells all that it says. */
static bool is_status(struct tk_str type)
{
    static const struct tk_str begins[] = {
        TK_STR_INIT("response.content_part."),
        TK_STR_INIT("response.output_text."),
        TK_STR_INIT("response.refusal."),
        TK_STR_INIT("response.function_call_arguments."),
        TK_STR_INIT("response.custom_tool_call_input."),
        TK_STR_INIT("response.reasoning_"),
        TK_STR_INIT("response.reasoning."),
        TK_STR_INIT("response.web_search_call."),
        TK_STR_INIT("response.file_search_call."),
        TK_STR_INIT("response.code_interpreter_call"),
        TK_STR_INIT("response.image_generation_call."),
        TK_STR_INIT("response.mcp_"),
        TK_STR_INIT("response.audio."),
        TK_STR_INIT("response.computer_call."),
        TK_STR_INIT("response.shell_call"),
        TK_STR_INIT("response.apply_patch_call"),
        TK_STR_INIT("response.local_shell_call"),
    };

    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (tk_str_starts(type, begins[i]))
            return true;
    return false;
}

static const struct resp_delta *delta_of(struct tk_str type)
{
    for (size_t i = 0; i < DELTAS; i++)
        if (tk_str_eq(type, deltas[i].type))
            return &deltas[i];
    return NULL;
}

static const struct resp_event *event_of(struct tk_str type)
{
    for (size_t i = 0; i < EVENTS; i++)
        if (tk_str_eq(type, events[i].type))
            return &events[i];
    return NULL;
}

static bool knows(struct tk_str type)
{
    return delta_of(type) || event_of(type) || is_status(type);
}

/* Reads the number of an event. Returns false for one that came before: connections may overlap. */
static bool take_number(struct tk_stream_turn *t, struct tk_val event)
{
    struct tk_resp *own = tk_resp_of(t);
    int64_t n;

    if (!tk_int64(tk_get(event, TK_STR("sequence_number")), &n))
        return true;
    if (!own->numbered && t->starting_after != TK_NO_START) {
        own->numbered = true;
        own->number = t->starting_after;
    }
    if (own->numbered && n <= own->number) {
        tk_turn_warn(t, TK_WARNING_REPEATED_EVENT);
        return false;
    }
    if (own->numbered && n > own->number + 1)
        tk_turn_warn(t, TK_WARNING_SEQUENCE_GAP);
    own->numbered = true;
    own->number = n;
    return true;
}

/* Makes the state ready, which depends on the stream's key. */
static void begin_tables(struct tk_stream_turn *t)
{
    struct tk_resp *own = tk_resp_of(t);

    if (own->has_map)
        return;
    own->has_map = true;
    tk_map_init(&own->by_content, t->keep, tk_turn_hash_key(t));
    tk_map_init(&own->calls, t->keep, tk_turn_hash_key(t));
}

static int read(struct tk_stream_turn *t, struct tk_val event)
{
    struct tk_val v = tk_get(event, TK_STR("type"));
    struct tk_str type = tk_text(v, t->arena);
    const struct resp_delta *delta = type.p ? delta_of(type) : NULL;
    const struct resp_event *row = type.p && !delta ? event_of(type) : NULL;

    begin_tables(t);
    if (!type.p)
        return TK_TURN_MALFORMED;
    if (!take_number(t, event))
        return TK_TURN_DROPPED;
    if (!tk_resp_of(t)->begun && !(row && row->begins) && (delta || row || is_status(type)) &&
        t->starting_after == TK_NO_START)
        return tk_turn_fail(
            t, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_EVENT_BEFORE_MESSAGE_START,
                                         .event = type});
    if (delta)
        return read_delta(t, event, delta);
    if (row)
        return row->read(t, event);
    if (!is_status(type))
        tk_turn_warn(t, TK_WARNING_UNKNOWN_EVENT);
    return 0;
}

/* ---- a whole response ---- */

static int feed(struct tk_stream_turn *t, const char *type, struct tk_val response,
                bool with_output)
{
    static const struct tk_str output = TK_STR_INIT("output");
    struct tk_encoding e;

    tk_encode_begin(&e, TK_JSON, t->arena);
    tk_write_map(&e.w);
    tk_write_kv_cstr(&e.w, "type", type);
    tk_write_key(&e.w, "response");
    tk_write_map(&e.w);
    tk_turn_write_others(t, response, &output, !with_output, &e.w);
    tk_write_end(&e.w);
    tk_write_end(&e.w);
    return tk_turn_feed(t, tk_encode_end(&e));
}

/* The items of a whole response are whole, so its end tells all of them; of an incomplete one each is
 * done first. */
static int feed_items(struct tk_stream_turn *t, struct tk_val output)
{
    int64_t index = 0;
    int r = 0;

    for (struct tk_val e = tk_first(output); tk_exists(e) && r == 0; e = tk_after(output, e)) {
        struct tk_encoding event;

        tk_encode_begin(&event, TK_JSON, t->arena);
        tk_write_map(&event.w);
        tk_write_kv_cstr(&event.w, "type", "response.output_item.done");
        tk_write_kv_int(&event.w, "output_index", index++);
        tk_write_key(&event.w, "item");
        tk_write_any(&event.w, e);
        tk_write_end(&event.w);
        r = tk_turn_feed(t, tk_encode_end(&event));
    }
    return r;
}

static int read_response(struct tk_stream_turn *t, struct tk_val response)
{
    static const struct {
        struct tk_str status;
        const char *event;
    } ends[] = {
        {TK_STR_INIT("incomplete"), "response.incomplete"},
        {TK_STR_INIT("failed"), "response.failed"},
        {TK_STR_INIT("cancelled"), "response.cancelled"},
    };
    struct tk_val output = tk_get(response, TK_STR("output"));
    const char *end = "response.completed";
    int r;

    if (!tk_is(output, TK_ARRAY))
        return TK_STREAM_NO_RESPONSE;
    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
        if (tk_text_is(tk_get(response, TK_STR("status")), ends[i].status))
            end = ends[i].event;
    r = feed(t, "response.created", response, false);
    if (r == 0)
        r = feed_items(t, output);
    return r == 0 ? feed(t, end, response, true) : r;
}

/* ---- the rest of the format ---- */

static struct tk_str name_of(struct tk_val event, struct tk_arena *arena)
{
    return tk_text(tk_get(event, TK_STR("type")), arena);
}

static bool is_complete(struct tk_stream_turn *t)
{
    return tk_resp_of(t)->completed || tk_resp_of(t)->incomplete;
}

static void write_finish(struct tk_stream_turn *t, struct tk_writer *w)
{
    const struct tk_resp *own = tk_resp_of(t);
    struct tk_str id = tk_turn_message_id(t);

    tk_write_key(w, "response_id");
    if (id.p)
        tk_write_str(w, id);
    else
        tk_write_null(w);
    tk_write_key(w, "sequence_number");
    if (own->numbered)
        tk_write_int(w, own->number);
    else
        tk_write_null(w);
}

static void write_error(struct tk_stream_turn *t, struct tk_writer *w,
                        const struct tk_found_error *error)
{
    const struct tk_resp *own = tk_resp_of(t);

    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "error");
    tk_write_kv_cstr(w, "code", error->retryable ? "server_error" : "invalid_request_error");
    tk_write_kv_str(w, "message", error->text);
    tk_write_key(w, "param");
    tk_write_null(w);
    tk_write_kv_int(w, "sequence_number", own->numbered ? own->number + 1 : 0);
    tk_write_end(w);
}

/* The pages that a web search names. */
static struct tk_val sources(struct tk_val content)
{
    return tk_get(tk_get(content, TK_STR("action")), TK_STR("sources"));
}

static bool read_source(struct tk_val v, struct tk_stream_source_view *ret)
{
    *ret = (struct tk_stream_source_view){.url = tk_get(v, TK_STR("url")),
                                          .title = tk_get(v, TK_STR("title"))};
    return tk_is(ret->url, TK_STRING);
}

static const struct tk_copied_member copied_of_call[] = {
    {TK_STR_INIT("caller"), TK_OBJECT},
    {.name = {NULL, 0}},
};

static const struct tk_turn_format turn = {
    .own_size = sizeof(struct tk_resp),
    .entries_are_items = true,
    .knows = knows,
    .name_of = name_of,
    .read = read,
    .read_response = read_response,
    .is_complete = is_complete,
    .settle = tk_resp_settle,
    .end = tk_resp_end,
    .write_entries = tk_resp_write_entries,
    .output_type = tk_resp_output_type,
    .write_finish = write_finish,
    .write_turn = tk_resp_write_turn,
    .sources = sources,
    .read_source = read_source,
    .copied_of_call = copied_of_call,
    .write_error = write_error,
    .error_of = error_of,
};

static const uint8_t wires[] = {TK_WIRE_SSE, TK_WIRES};

const struct tk_stream_format tk_responses_stream = {
    .wires = wires,
    .numbered = true,
    .type = TK_STR_INIT("type"),
    .turn = &turn,
};
