/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads Anthropic's events, by table: their names, the members that each must have (STREAM.md
 * section 4), and the deltas. An event or delta that has no row may have any shape.
 */
#include "providers/anthropic/stream/events.h"

/* ---- the tables ---- */

/* Members of events. `type`, `index` and `delta` come first: deltas are most of a stream. */
enum {
    M_TYPE,
    M_INDEX,
    M_DELTA,
    M_CONTENT_BLOCK,
    M_MESSAGE,
    M_ERROR,
    M_COUNT,
};

static const struct tk_str members[M_COUNT] = {
    [M_TYPE] = TK_STR_INIT("type"),       [M_INDEX] = TK_STR_INIT("index"),
    [M_DELTA] = TK_STR_INIT("delta"),     [M_CONTENT_BLOCK] = TK_STR_INIT("content_block"),
    [M_MESSAGE] = TK_STR_INIT("message"), [M_ERROR] = TK_STR_INIT("error"),
};

static bool message_fits(struct tk_event *e, struct tk_arena *arena);
static bool block_fits(struct tk_event *e, struct tk_arena *arena);
static bool delta_fits(struct tk_event *e, struct tk_arena *arena);
static bool message_delta_fits(struct tk_event *e, struct tk_arena *arena);

/* One row a type of event: its name and the members it must have. */
static const struct event_row {
    struct tk_str name;
    bool indexed;
    uint8_t body; /* the member that is its body; 0: it has none */
    bool (*fits)(struct tk_event *e, struct tk_arena *arena);
} rows[TK_EVENT_TYPES] = {
    [TK_EVENT_UNKNOWN] = {{NULL, 0}, false, 0, NULL},
    [TK_EVENT_MESSAGE_START] = {TK_STR_INIT("message_start"), false, M_MESSAGE, message_fits},
    [TK_EVENT_BLOCK_START] = {TK_STR_INIT("content_block_start"), true, M_CONTENT_BLOCK,
                              block_fits},
    [TK_EVENT_BLOCK_DELTA] = {TK_STR_INIT("content_block_delta"), true, M_DELTA, delta_fits},
    [TK_EVENT_BLOCK_STOP] = {TK_STR_INIT("content_block_stop"), true, 0, NULL},
    [TK_EVENT_MESSAGE_DELTA] = {TK_STR_INIT("message_delta"), false, M_DELTA, message_delta_fits},
    [TK_EVENT_MESSAGE_STOP] = {TK_STR_INIT("message_stop"), false, 0, NULL},
    [TK_EVENT_PING] = {TK_STR_INIT("ping"), false, 0, NULL},
    [TK_EVENT_ERROR] = {TK_STR_INIT("error"), false, M_ERROR, NULL},
};

/* Members of deltas. */
enum {
    D_TYPE,
    D_TEXT,
    D_PARTIAL_JSON,
    D_THINKING,
    D_SIGNATURE,
    D_CITATION,
    D_CONTENT,
    D_ENCRYPTED_CONTENT,
    D_COUNT,
};

static const struct tk_str delta_members[D_COUNT] = {
    [D_TYPE] = TK_STR_INIT("type"),
    [D_TEXT] = TK_STR_INIT("text"),
    [D_PARTIAL_JSON] = TK_STR_INIT("partial_json"),
    [D_THINKING] = TK_STR_INIT("thinking"),
    [D_SIGNATURE] = TK_STR_INIT("signature"),
    [D_CITATION] = TK_STR_INIT("citation"),
    [D_CONTENT] = TK_STR_INIT("content"),
    [D_ENCRYPTED_CONTENT] = TK_STR_INIT("encrypted_content"),
};

/* One row a type of delta: the member that it brings, and the kind of that value. */
static const struct {
    struct tk_str name;
    uint8_t member, kind;
} deltas[TK_DELTA_TYPES] = {
    [TK_DELTA_UNKNOWN] = {{NULL, 0}, D_TYPE, TK_STRING},
    [TK_DELTA_TEXT] = {TK_STR_INIT("text_delta"), D_TEXT, TK_STRING},
    [TK_DELTA_CITATION] = {TK_STR_INIT("citations_delta"), D_CITATION, TK_OBJECT},
    [TK_DELTA_REASONING] = {TK_STR_INIT("thinking_delta"), D_THINKING, TK_STRING},
    [TK_DELTA_SIGNATURE] = {TK_STR_INIT("signature_delta"), D_SIGNATURE, TK_STRING},
    [TK_DELTA_INPUT] = {TK_STR_INIT("input_json_delta"), D_PARTIAL_JSON, TK_STRING},
    [TK_DELTA_SUMMARY] = {TK_STR_INIT("compaction_delta"), D_CONTENT, TK_STRING},
};

/* Members of blocks that must be of a kind if they are present. */
static const struct {
    struct tk_str block, member;
    uint8_t kind;
    bool null; /* null is allowed, too */
} block_members[] = {
    {TK_STR_INIT("text"), TK_STR_INIT("text"), TK_STRING, false},
    {TK_STR_INIT("text"), TK_STR_INIT("citations"), TK_ARRAY, true},
    {TK_STR_INIT("thinking"), TK_STR_INIT("thinking"), TK_STRING, false},
    {TK_STR_INIT("thinking"), TK_STR_INIT("signature"), TK_STRING, false},
};

enum tk_event_type tk_anthropic_event_type(struct tk_str name)
{
    enum tk_event_type type = TK_EVENT_TYPES;

    while (--type > TK_EVENT_UNKNOWN && !tk_str_eq(rows[type].name, name))
        ;
    return type;
}

/* ---- bodies ---- */

static bool is_string_or_null(struct tk_val v)
{
    return !tk_exists(v) || tk_is(v, TK_STRING) || tk_is(v, TK_NULL);
}

/* Returns true if an id isn't too long. Ids are repeated with every delta and in every error, so
 * their length is limited. */
static bool is_short(struct tk_val id, struct tk_arena *arena)
{
    return !tk_is(id, TK_STRING) || tk_raw(id).n <= TK_ID_MAX || tk_text(id, arena).n <= TK_ID_MAX;
}

static bool ids_are_short(struct tk_val v, struct tk_arena *arena)
{
    static const struct tk_str names[] = {TK_STR_INIT("id"), TK_STR_INIT("tool_use_id"),
                                          TK_STR_INIT("caller")};
    struct tk_val m[3];

    tk_pick(v, names, 3, m);
    return is_short(m[0], arena) && is_short(m[1], arena) &&
           is_short(tk_get(m[2], TK_STR("tool_id")), arena);
}

static bool is_block(struct tk_val v, struct tk_arena *arena)
{
    struct tk_val type = tk_get(v, TK_STR("type"));

    if (!tk_is(type, TK_STRING) || !ids_are_short(v, arena))
        return false;
    for (size_t i = 0; i < sizeof(block_members) / sizeof(block_members[0]); i++) {
        struct tk_val member;

        if (!tk_text_is(type, block_members[i].block))
            continue;
        member = tk_get(v, block_members[i].member);
        if (tk_exists(member) && !tk_is(member, (enum tk_kind)block_members[i].kind) &&
            !(block_members[i].null && tk_is(member, TK_NULL)))
            return false;
    }
    return true;
}

static bool block_fits(struct tk_event *e, struct tk_arena *arena)
{
    return is_block(e->body, arena);
}

static bool message_fits(struct tk_event *e, struct tk_arena *arena)
{
    struct tk_val content = tk_get(e->body, TK_STR("content"));

    if (!is_string_or_null(tk_get(e->body, TK_STR("stop_reason"))) ||
        !is_short(tk_get(e->body, TK_STR("id")), arena))
        return false;
    if (tk_exists(content) && !tk_is(content, TK_ARRAY) && !tk_is(content, TK_NULL))
        return false;
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
        if (!is_block(v, arena))
            return false;
    return true;
}

static bool message_delta_fits(struct tk_event *e, struct tk_arena *arena)
{
    (void)arena;
    return is_string_or_null(tk_get(e->body, TK_STR("stop_reason")));
}

/* Returns true if a compaction's delta has its members: each of content and encrypted_content may
 * be absent or null, but not both may be absent. */
static bool compaction_fits(const struct tk_event *e)
{
    return is_string_or_null(e->payload) && is_string_or_null(e->latest) &&
           (tk_exists(e->payload) || tk_exists(e->latest));
}

static bool delta_fits(struct tk_event *e, struct tk_arena *arena)
{
    enum tk_delta_type delta = TK_DELTA_TEXT;
    struct tk_val m[D_COUNT];

    tk_pick(e->body, delta_members, D_COUNT, m);
    if (!tk_is(m[D_TYPE], TK_STRING))
        return false;
    e->delta_text = tk_text(m[D_TYPE], arena);
    while (delta < TK_DELTA_TYPES && !tk_str_eq(deltas[delta].name, e->delta_text))
        delta++;
    if (delta == TK_DELTA_TYPES)
        return true;
    e->delta = delta;
    e->payload = m[deltas[delta].member];
    e->latest = m[D_ENCRYPTED_CONTENT];
    if (delta == TK_DELTA_SUMMARY)
        return compaction_fits(e);
    return tk_is(e->payload, (enum tk_kind)deltas[delta].kind);
}

/* ---- events ---- */

/* Returns true if the event contains its body, or may come without. */
static bool has_body(const struct tk_event *e)
{
    if (tk_is(e->body, TK_OBJECT))
        return true;
    /* An error may tell nothing, and a message_delta may contain nothing but usage. */
    return e->type == TK_EVENT_ERROR || (e->type == TK_EVENT_MESSAGE_DELTA && !tk_exists(e->body));
}

int tk_anthropic_read_event(struct tk_val root, struct tk_arena *arena, struct tk_event *ret)
{
    struct tk_val m[M_COUNT];
    const struct event_row *row;

    *ret = (struct tk_event){
        .root = root, .body = TK_NO_VAL, .payload = TK_NO_VAL, .latest = TK_NO_VAL};
    tk_pick(root, members, M_COUNT, m);
    if (tk_is(m[M_TYPE], TK_STRING) && !(tk_node(m[M_TYPE])->flags & TK_NODE_SURROGATE))
        ret->type_text = tk_text(m[M_TYPE], arena);
    if (!ret->type_text.p || !tk_event_is_clean(root))
        return TK_EVENT_MALFORMED;
    ret->type = tk_anthropic_event_type(ret->type_text);
    row = &rows[ret->type];
    if (row->indexed && !tk_int64(m[M_INDEX], &ret->at))
        return TK_EVENT_MALFORMED;
    if (row->body != 0) {
        ret->body = m[row->body];
        if (!has_body(ret))
            return TK_EVENT_MALFORMED;
    }
    return row->fits && !row->fits(ret, arena) ? TK_EVENT_MALFORMED : 0;
}

/* ---- facts and errors ---- */

/* A message_start has its facts in the message, a message_delta has them in `delta`, next to
 * `usage`. */
void tk_anthropic_read_facts(const struct tk_event *e, struct tk_stream_facts_view *ret)
{
    bool is_start = e->type == TK_EVENT_MESSAGE_START;

    *ret = (struct tk_stream_facts_view){
        .id = is_start ? tk_get(e->body, TK_STR("id")) : TK_NO_VAL,
        .model = is_start ? tk_get(e->body, TK_STR("model")) : TK_NO_VAL,
        .stop_reason = tk_get(e->body, TK_STR("stop_reason")),
        .stop_sequence = tk_get(e->body, TK_STR("stop_sequence")),
        .stop_details = tk_get(e->body, TK_STR("stop_details")),
        .container = tk_get(e->body, TK_STR("container")),
        .usage = tk_get(is_start ? e->body : e->root, TK_STR("usage")),
    };
}

void tk_anthropic_read_error(const struct tk_event *e, struct tk_stream_error_view *ret)
{
    *ret = (struct tk_stream_error_view){
        .type = tk_get(e->body, TK_STR("type")),
        .message = tk_get(e->body, TK_STR("message")),
        .request_id = tk_get(e->root, TK_STR("request_id")),
    };
}

bool tk_anthropic_is_error(struct tk_val response)
{
    return tk_text_is(tk_get(response, TK_STR("type")), TK_STR("error"));
}
