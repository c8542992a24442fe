/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/error.h"

/* ---- the members, and how each is written ---- */

enum {
    M_ID = 1 << 0,
    M_IDS = 1 << 1,
    M_NAME = 1 << 2,
    M_RESULT_TYPE = 1 << 3,
    M_EXPECTED_TYPE = 1 << 4,
    M_GOT = 1 << 5,
    M_WIRE_INDEX = 1 << 6,
    M_FIRST_INDEX = 1 << 7,
    M_EXPECTED_INDEX = 1 << 8,
    M_DELTA_TYPE = 1 << 9,
    M_BLOCK_TYPE = 1 << 10,
    M_EVENT = 1 << 11,
    M_LIMIT = 1 << 12,
    M_ERROR_TYPE = 1 << 13,
    M_MESSAGE = 1 << 14,
    M_REQUEST_ID = 1 << 15,
    M_TRANSPORT = 1 << 16,
};

enum form {
    FORM_TEXT,          /* null if absent */
    FORM_OPTIONAL_TEXT, /* left out */
    FORM_TEXTS,
    FORM_INDEX, /* null if absent */
};

static const struct {
    unsigned member;
    enum form form;
    const char *key;
    size_t offset; /* in struct tk_stream_error */
} members[] = {
#define ROW(member, form, key, field)                                                              \
    {                                                                                              \
        member, form, key, offsetof(struct tk_stream_error, field)                                 \
    }
    ROW(M_ID, FORM_TEXT, "id", id),
    ROW(M_IDS, FORM_TEXTS, "ids", ids),
    ROW(M_NAME, FORM_TEXT, "name", name),
    ROW(M_RESULT_TYPE, FORM_TEXT, "result_type", result_type),
    ROW(M_EXPECTED_TYPE, FORM_TEXT, "expected", expected_type),
    ROW(M_GOT, FORM_TEXT, "got", got),
    ROW(M_WIRE_INDEX, FORM_INDEX, "wire_index", wire_index),
    ROW(M_FIRST_INDEX, FORM_INDEX, "first_index", first_index),
    ROW(M_EXPECTED_INDEX, FORM_INDEX, "expected", expected_index),
    ROW(M_DELTA_TYPE, FORM_TEXT, "delta_type", delta_type),
    ROW(M_BLOCK_TYPE, FORM_TEXT, "block_type", block_type),
    ROW(M_EVENT, FORM_TEXT, "event", event),
    ROW(M_LIMIT, FORM_INDEX, "limit", limit),
    ROW(M_ERROR_TYPE, FORM_TEXT, "error_type", error_type),
    ROW(M_MESSAGE, FORM_TEXT, "message", message),
    ROW(M_REQUEST_ID, FORM_OPTIONAL_TEXT, "request_id", request_id),
    ROW(M_TRANSPORT, FORM_TEXT, "transport", transport),
#undef ROW
};

#define MEMBER_COUNT (sizeof(members) / sizeof(members[0]))

/* ---- the kinds ---- */

enum retry {
    NEVER,
    ALWAYS,
    DEPENDS, /* `retryable` is set where the error is made */
};

static const struct {
    const char *kind;
    enum retry retry;
    unsigned members;
    const char *text;
} faults[TK_FAULTS] = {
    [TK_STREAM_FAULT_NONE] = {"", NEVER, 0, ""},
    [TK_STREAM_FAULT_ORPHAN_RESULT] = {"orphan_result", NEVER, M_ID | M_RESULT_TYPE | M_WIRE_INDEX,
                                       "a provider-executed result names no open call"},
    [TK_STREAM_FAULT_DUPLICATE_OPERATION] = {"duplicate_operation", NEVER,
                                             M_ID | M_WIRE_INDEX | M_FIRST_INDEX,
                                             "a call id is used a second time"},
    [TK_STREAM_FAULT_DUPLICATE_RESULT] = {"duplicate_result", NEVER,
                                          M_ID | M_WIRE_INDEX | M_FIRST_INDEX,
                                          "a second result came for a call"},
    [TK_STREAM_FAULT_RESULT_TYPE_MISMATCH] = {"result_type_mismatch", NEVER,
                                              M_ID | M_EXPECTED_TYPE | M_GOT | M_WIRE_INDEX,
                                              "a result came whose type isn't that of its call"},
    [TK_STREAM_FAULT_INCOMPLETE_OPERATION] =
        {"incomplete_operation", NEVER, M_IDS,
         "the stream ended while provider-executed calls had no result"},
    [TK_STREAM_FAULT_UNKNOWN_TOOL] =
        {"unknown_tool", NEVER, M_ID | M_NAME | M_WIRE_INDEX,
         "a call came of a tool that isn't known, and the policy refuses it"},
    [TK_STREAM_FAULT_INVALID_INPUT_JSON] = {"invalid_input_json", NEVER, M_ID | M_WIRE_INDEX,
                                            "the input of a provider's call is no JSON object"},
    [TK_STREAM_FAULT_MISSING_ID] = {"missing_id", NEVER, M_WIRE_INDEX, "a call came without an id"},
    [TK_STREAM_FAULT_MISSING_NAME] = {"missing_name", NEVER, M_ID | M_WIRE_INDEX,
                                      "a call came without a name"},
    [TK_STREAM_FAULT_INDEX_GAP] = {"index_gap", NEVER, M_WIRE_INDEX | M_EXPECTED_INDEX,
                                   "a block started out of order"},
    [TK_STREAM_FAULT_UNKNOWN_INDEX] = {"unknown_index", NEVER, M_WIRE_INDEX,
                                       "an event names a block that never started"},
    [TK_STREAM_FAULT_BLOCK_ALREADY_STOPPED] = {"block_already_stopped", NEVER, M_WIRE_INDEX,
                                               "an event names a block that had stopped"},
    [TK_STREAM_FAULT_DELTA_TYPE_MISMATCH] = {"delta_type_mismatch", NEVER,
                                             M_WIRE_INDEX | M_DELTA_TYPE | M_BLOCK_TYPE,
                                             "a delta came that its block doesn't take"},
    [TK_STREAM_FAULT_EVENT_BEFORE_MESSAGE_START] = {"event_before_message_start", NEVER, M_EVENT,
                                                    "an event came before message_start"},
    [TK_STREAM_FAULT_DUPLICATE_MESSAGE_START] = {"duplicate_message_start", ALWAYS, M_ID,
                                                 "a second message began: a gateway spliced it in"},
    [TK_STREAM_FAULT_MALFORMED_EVENT] = {"malformed_event", NEVER, M_EVENT,
                                         "an event lacks a member or a member has the wrong type"},
    [TK_STREAM_FAULT_STREAM_TOO_LARGE] = {"stream_too_large", NEVER, M_LIMIT,
                                          "the stream is larger than its limit"},
    [TK_STREAM_FAULT_PROVIDER_ERROR] = {"provider_error", DEPENDS,
                                        M_ERROR_TYPE | M_MESSAGE | M_REQUEST_ID,
                                        "the provider sent an error"},
    [TK_STREAM_FAULT_TRANSPORT_ERROR] = {"transport_error", DEPENDS, M_TRANSPORT,
                                         "the stream broke"},
    [TK_STREAM_FAULT_TRUNCATED_STREAM] = {"truncated_stream", ALWAYS, 0,
                                          "the stream ended before the message was complete"},
};

/* ---- keeping ---- */

static struct tk_str *text_at(struct tk_stream_error *error, size_t i)
{
    return (struct tk_str *)(void *)((char *)error + members[i].offset);
}

static struct tk_str copy(struct tk_arena *arena, struct tk_str s)
{
    return s.p ? tk_arena_dup(arena, s) : s;
}

static void copy_ids(struct tk_arena *arena, struct tk_stream_error *error)
{
    struct tk_str *ids = tk_arena_alloc(arena, error->id_count * sizeof(*ids));

    for (size_t i = 0; ids && i < error->id_count; i++)
        ids[i] = copy(arena, error->ids[i]);
    error->ids = ids;
    if (!ids)
        error->id_count = 0;
}

void tk_stream_error_keep(struct tk_arena *arena, const struct tk_stream_error *error,
                          struct tk_stream_error *ret)
{
    enum retry retry = faults[error->cause ? error->cause : error->kind].retry;

    *ret = *error;
    if (retry != DEPENDS)
        ret->retryable = retry == ALWAYS;
    for (size_t i = 0; i < MEMBER_COUNT; i++)
        if (members[i].form == FORM_TEXT || members[i].form == FORM_OPTIONAL_TEXT)
            *text_at(ret, i) = copy(arena, *text_at(ret, i));
    copy_ids(arena, ret);
    ret->error_object.bytes = copy(arena, ret->error_object.bytes);
    ret->error_event.bytes = copy(arena, ret->error_event.bytes);
}

/* ---- writing ---- */

static void write_text(struct tk_writer *w, struct tk_str s)
{
    if (s.p)
        tk_write_str(w, s);
    else
        tk_write_null(w);
}

static void write_index(struct tk_writer *w, int64_t index)
{
    if (index == TK_NO_INDEX)
        tk_write_null(w);
    else
        tk_write_int(w, index);
}

static void write_ids(struct tk_writer *w, const struct tk_stream_error *error)
{
    tk_write_list(w);
    for (size_t i = 0; i < error->id_count; i++)
        tk_write_str(w, error->ids[i]);
    tk_write_end(w);
}

static void write_member(struct tk_writer *w, const struct tk_stream_error *error, size_t i)
{
    const void *field = (const char *)error + members[i].offset;
    struct tk_str text = {NULL, 0};
    int64_t index = 0;

    if (members[i].form == FORM_INDEX)
        memcpy(&index, field, sizeof(index));
    else if (members[i].form != FORM_TEXTS)
        memcpy(&text, field, sizeof(text));
    if (members[i].form == FORM_OPTIONAL_TEXT && !text.p)
        return;
    tk_write_key(w, members[i].key);
    if (members[i].form == FORM_INDEX)
        write_index(w, index);
    else if (members[i].form == FORM_TEXTS)
        write_ids(w, error);
    else
        write_text(w, text);
}

void tk_stream_error_begin(struct tk_writer *w, const struct tk_stream_error *error)
{
    unsigned wanted = faults[error->kind].members | faults[error->cause].members;

    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "error");
    tk_write_kv_cstr(w, "kind", faults[error->kind].kind);
    tk_write_key(w, "kinds");
    tk_write_list(w);
    tk_write_cstr(w, faults[error->kind].kind);
    if (error->cause != TK_STREAM_FAULT_NONE)
        tk_write_cstr(w, faults[error->cause].kind);
    tk_write_end(w);
    tk_write_kv_bool(w, "retryable", error->retryable);
    tk_write_key(w, "text");
    if (error->cause == TK_STREAM_FAULT_NONE)
        tk_write_cstr(w, faults[error->kind].text);
    else
        tk_write_strf(w, "%s; %s", faults[error->kind].text, faults[error->cause].text);
    for (size_t i = 0; i < MEMBER_COUNT; i++)
        if (members[i].member & wanted)
            write_member(w, error, i);
}

struct tk_str tk_stream_error_text(const struct tk_stream_error *error, struct tk_arena *arena)
{
    const struct tk_str pieces[] = {tk_str_of(faults[error->kind].text), TK_STR("; "),
                                    tk_str_of(faults[error->cause].text)};

    return tk_arena_concat(arena, pieces, error->cause == TK_STREAM_FAULT_NONE ? 1 : 3);
}

const char *tk_stream_error_kind(const struct tk_stream_error *error)
{
    return faults[error->kind].kind;
}

/* ---- errors of providers ---- */

/* Types, codes and states of errors that may go away by themselves (STREAM-PROVIDERS.md 10). */
static const struct tk_str passing[] = {
    TK_STR_INIT("server_error"),
    TK_STR_INIT("internal_error"),
    TK_STR_INIT("internal_server_error"),
    TK_STR_INIT("api_error"),
    TK_STR_INIT("overloaded_error"),
    TK_STR_INIT("overloaded"),
    TK_STR_INIT("engine_overloaded"),
    TK_STR_INIT("service_unavailable"),
    TK_STR_INIT("timeout"),
    TK_STR_INIT("timeout_error"),
    TK_STR_INIT("rate_limit_error"),
    TK_STR_INIT("rate_limit_exceeded"),
    TK_STR_INIT("too_many_requests"),
    TK_STR_INIT("RESOURCE_EXHAUSTED"),
    TK_STR_INIT("INTERNAL"),
    TK_STR_INIT("UNAVAILABLE"),
    TK_STR_INIT("DEADLINE_EXCEEDED"),
    TK_STR_INIT("ABORTED"),
    TK_STR_INIT("throttlingException"),
    TK_STR_INIT("internalServerException"),
    TK_STR_INIT("serviceUnavailableException"),
    TK_STR_INIT("modelStreamErrorException"),
    TK_STR_INIT("modelTimeoutException"),
    TK_STR_INIT("modelNotReadyException"),
};

static bool status_may_pass(int64_t status)
{
    return status == 408 || status == 409 || status == 429 || (status >= 500 && status <= 599);
}

/* Returns the number that three digits are; 0 for another text. */
static int64_t status_of(struct tk_str text)
{
    int64_t n = 0;

    for (size_t i = 0; i < text.n && text.n == 3; i++) {
        if (text.p[i] < '0' || text.p[i] > '9')
            return 0;
        n = 10 * n + (text.p[i] - '0');
    }
    return n;
}

bool tk_error_type_may_pass(struct tk_str type)
{
    for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
        if (tk_str_eq(type, passing[i]))
            return true;
    return status_may_pass(status_of(type));
}

bool tk_error_may_pass(struct tk_val code)
{
    int64_t n;

    if (tk_is(code, TK_STRING))
        return tk_error_type_may_pass(tk_raw(code));
    return tk_int64(code, &n) && status_may_pass(n);
}
