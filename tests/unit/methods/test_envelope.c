/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tk_call from the outside: what comes back for which bytes. Requests are written in JSON; most
 * are asked in msgpack, too, and must get the same answer there.
 */
#include "../memory.h"
#include "../tap.h"
#include "methods/core/host.h"
#include "methods/core/table.h"
#include "value/compact.h"

#include <errno.h>
#include <stdlib.h>

/* ---- asking ---- */

/* A reply's bytes in one NUL-terminated piece; the caller frees it. */
static char *joined(const tk_reply *reply)
{
    size_t n, at = 0, size = tk_reply_size(reply);
    const struct iovec *iov = tk_reply_iov(reply, &n);
    char *text = malloc(size + 1);

    for (size_t i = 0; i < n; i++) {
        memcpy(text + at, iov[i].iov_base, iov[i].iov_len);
        at += iov[i].iov_len;
    }
    CU_ASSERT_EQUAL(at, size);
    text[at] = '\0';
    return text;
}

static int serve(tk_core *core, const void *bytes, size_t n, const struct tk_serving *serving,
                 tk_reply **ret_reply)
{
    static const struct tk_serving plain;

    return tk_serve(core, NULL, bytes, n, serving ? serving : &plain, ret_reply);
}

static char *ask_bytes(tk_core *core, const void *bytes, size_t n, const struct tk_serving *serving)
{
    tk_reply *reply = NULL;
    char *answer;

    CU_ASSERT_EQUAL_FATAL(serve(core, bytes, n, serving, &reply), 0);
    answer = joined(reply);
    tk_reply_free(reply);
    return answer;
}

static char *ask(tk_core *core, const char *request, const struct tk_serving *serving)
{
    return ask_bytes(core, request, strlen(request), serving);
}

/* Rewrites a document in the other codec. */
static struct tk_str recode(struct tk_str bytes, enum tk_codec codec, struct tk_arena *arena)
{
    static const struct tk_read_limits limits = {256, 1 << 20, {1, 2}};
    struct tk_doc doc;
    struct tk_out out;
    struct tk_writer w;
    struct tk_read_error error;
    struct tk_str recoded;

    tk_doc_init(&doc, tk_libc_allocator);
    CU_ASSERT_EQUAL_FATAL(tk_doc_read(&doc, bytes.p, bytes.n, &limits, arena, &error), 0);
    tk_out_init(&out, arena);
    tk_writer_init(&w, codec, &out);
    tk_write_any(&w, tk_root(&doc));
    recoded = tk_arena_dup(arena, tk_out_join(&out));
    tk_doc_done(&doc);
    return recoded;
}

/* Asks the request in msgpack; returns the answer as JSON. */
static char *ask_msgpack(tk_core *core, const char *request, const struct tk_serving *serving)
{
    struct tk_arena arena;
    struct tk_str packed, text;
    tk_reply *reply = NULL;
    char *bytes, *answer;

    tk_arena_init(&arena, tk_libc_allocator);
    packed = recode(tk_str_of(request), TK_MSGPACK, &arena);
    CU_ASSERT_EQUAL_FATAL(serve(core, packed.p, packed.n, serving, &reply), 0);
    bytes = joined(reply);
    text = recode((struct tk_str){bytes, tk_reply_size(reply)}, TK_JSON, &arena);
    answer = strndup(text.p, text.n);
    free(bytes);
    tk_reply_free(reply);
    tk_arena_done(&arena);
    return answer;
}

static bool answer_is(const char *question, const char *got, const char *want)
{
    if (strcmp(got, want) != 0)
        printf("# asked  %s\n# got    %s\n# wanted %s\n", question, got, want);
    return strcmp(got, want) == 0;
}

static const struct tk_serving control = {.control = true};
static const struct tk_serving draining = {.draining = true};
static const struct tk_serving json_only = {.options = {.flags = TK_CALL_JSON_ONLY}};

static bool always_cancelled(void *opaque, uint32_t timeout_ms)
{
    *(uint32_t *)opaque = timeout_ms;
    return true;
}

/* ---- tables ---- */

#define OK(id, result) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":" result "}"
#define ERR(id, code, message, data)                                                               \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"error\":{\"code\":" code ",\"message\":\"" message       \
    "\",\"data\":{" data "}}}"
#define FAILED(name) "\"name\":\"" name "\",\"retryable\":false"
#define FAILED_AT(name, pointer)                                                                   \
    "\"name\":\"" name "\",\"pointer\":\"" pointer "\",\"retryable\":false"

#define PONG          "{\"pong\":true}"
#define NO_METHOD(id) ERR(id, "-32601", "there is no such method here", FAILED("method_not_found"))
#define NO_DAEMON                                                                                  \
    ERR("1", "-32601", "this method is a daemon's own, and no daemon is asked here",               \
        FAILED("method_not_found"))
#define BAD(message) ERR("null", "-32600", message, FAILED("invalid_request"))
#define BAD_AT(pointer, message)                                                                   \
    ERR("null", "-32600", message, FAILED_AT("invalid_request", pointer))
#define BAD_PARAM(id, pointer, message)                                                            \
    ERR(id, "-32602", message, FAILED_AT("invalid_params", pointer))
#define DRAINING                                                                                   \
    ERR("1", "-32012", "the daemon is shutting down", "\"name\":\"draining\",\"retryable\":true")

struct row {
    const char *request;
    const char *answer; /* in both codecs; ids apart, see json_rows */
    const struct tk_serving *serving;
};

static const struct row rows[] = {
    /* ids */
    {"{\"id\":1,\"method\":\"ping\"}", OK("1", PONG), NULL},
    {"{\"id\":\"a b\",\"method\":\"ping\"}", OK("\"a b\"", PONG), NULL},
    {"{\"id\":\"\",\"method\":\"ping\"}", OK("\"\"", PONG), NULL},
    {"{\"id\":null,\"method\":\"ping\"}", OK("null", PONG), NULL},
    {"{\"id\":-9223372036854775808,\"method\":\"ping\"}", OK("-9223372036854775808", PONG), NULL},
    {"{\"id\":18446744073709551615,\"method\":\"ping\"}", OK("18446744073709551615", PONG), NULL},
    /* members in any order, unknown ones ignored */
    {"{\"params\":{},\"method\":\"ping\",\"jsonrpc\":\"2.0\",\"id\":1}", OK("1", PONG), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"meta\":{\"id\":2}}", OK("1", PONG), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"result\":[1,{}]}", OK("1", PONG), NULL},
    /* parameters */
    {"{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":[1,{\"a\":null}]}}",
     OK("1", "{\"pong\":true,\"echo\":[1,{\"a\":null}]}"), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":null}}",
     OK("1", "{\"pong\":true,\"echo\":null}"), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"params\":{\"timeout_ms\":1}}", OK("1", PONG), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"params\":{\"timeout_ms\":0}}",
     BAD_PARAM("1", "/params/timeout_ms", "expected an integer from 1 to 4294967295"), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"params\":{\"ech\":1}}",
     BAD_PARAM("1", "/params/ech", "unknown member; did you mean `echo`?"), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"params\":{\"a/b~\":1}}",
     BAD_PARAM("1", "/params/a~1b~0", "unknown member"), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"params\":[]}",
     BAD_PARAM("1", "/params", "expected an object"), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"params\":null}",
     BAD_PARAM("1", "/params", "expected an object"), NULL},
    {"{\"id\":1,\"method\":\"validate\"}",
     BAD_PARAM("1", "/params/messages", "required, but missing"), NULL},
    {"{\"id\":1,\"method\":\"repair_turn\",\"params\":{}}",
     BAD_PARAM("1", "/params/content", "required, but missing"), NULL},
    /* methods */
    {"{\"id\":\"x\",\"method\":\"\"}", NO_METHOD("\"x\""), NULL},
    {"{\"id\":1,\"method\":\"Ping\"}", NO_METHOD("1"), NULL},
    {"{\"id\":1,\"method\":\"ping \"}", NO_METHOD("1"), NULL},
    {"{\"id\":1,\"method\":\"stream.open\",\"params\":{\"what\":1}}", NO_METHOD("1"), NULL},
    {"{\"id\":1,\"method\":\"health\"}", NO_DAEMON, NULL}, /* there is no host */
    {"{\"id\":1,\"method\":\"stats\"}", NO_DAEMON, NULL},
    /* no envelope */
    {"{}", BAD_AT("/method", "method must be a string"), NULL},
    {"{\"id\":1}", BAD_AT("/method", "method must be a string"), NULL},
    {"{\"id\":1,\"method\":7}", BAD_AT("/method", "method must be a string"), NULL},
    {"{\"id\":1,\"method\":null}", BAD_AT("/method", "method must be a string"), NULL},
    {"{\"method\":[\"ping\"]}", BAD_AT("/method", "method must be a string"), NULL},
    {"{\"id\":true,\"method\":\"ping\"}", BAD_AT("/id", "id must be a string, a number or null"),
     NULL},
    {"{\"id\":{},\"method\":\"ping\"}", BAD_AT("/id", "id must be a string, a number or null"),
     NULL},
    {"{\"id\":[1],\"method\":\"ping\"}", BAD_AT("/id", "id must be a string, a number or null"),
     NULL},
    {"{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}",
     BAD_AT("/jsonrpc", "jsonrpc must be \\\"2.0\\\", or left out"), NULL},
    {"{\"jsonrpc\":2.0,\"method\":\"ping\"}",
     BAD_AT("/jsonrpc", "jsonrpc must be \\\"2.0\\\", or left out"), NULL},
    {"{\"jsonrpc\":null,\"method\":\"ping\"}",
     BAD_AT("/jsonrpc", "jsonrpc must be \\\"2.0\\\", or left out"), NULL},
    {"[]", BAD("batches are refused; send requests one after the other"), NULL},
    {"[{\"id\":1,\"method\":\"ping\"}]",
     BAD("batches are refused; send requests one after the other"), NULL},
    /* options of the call */
    {"{\"id\":1,\"method\":\"ping\"}", OK("1", PONG), &control},
    {"{\"id\":1,\"method\":\"validate\"}", NO_METHOD("1"), &control},
    {"{\"id\":1,\"method\":\"repair\",\"params\":3}", NO_METHOD("1"), &control},
    {"{\"id\":1,\"method\":\"repair_turn\"}", NO_METHOD("1"), &control},
    {"{\"id\":1,\"method\":\"ping\"}", DRAINING, &draining},
    {"{\"id\":1,\"method\":\"ping\",\"params\":7}", DRAINING, &draining},
    {"{\"id\":1,\"method\":\"no_such\"}", DRAINING, &draining},
    {"{\"id\":1}", BAD_AT("/method", "method must be a string"), &draining},
};

/* Cases that exist only in JSON: spellings, and bytes that aren't a document. */
#define NO_DOCUMENT(name, message, offset)                                                         \
    ERR("null", "-32700", message, FAILED(name) ",\"offset\":" offset)
#define NO_DOCUMENT_AT(name, pointer, message, offset)                                             \
    ERR("null", "-32700", message, FAILED_AT(name, pointer) ",\"offset\":" offset)

static const struct row json_rows[] = {
    /* byte for byte */
    {"{\"id\":1.0,\"method\":\"ping\"}", OK("1.0", PONG), NULL},
    {"{\"id\":1e2,\"method\":\"ping\"}", OK("1e2", PONG), NULL},
    {"{\"id\":-0,\"method\":\"ping\"}", OK("-0", PONG), NULL},
    {"{\"id\":123456789012345678901234567890,\"method\":\"ping\"}",
     OK("123456789012345678901234567890", PONG), NULL},
    {"{\"id\":\"\\u00e9\\/\",\"method\":\"ping\"}", OK("\"\\u00e9\\/\"", PONG), NULL},
    {"{\"id\":\"\\ud800\",\"method\":\"ping\"}", OK("\"\\ud800\"", PONG), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":{\"a\" : 1.50, \"\\u0062\":[ ]}}}",
     OK("1", "{\"pong\":true,\"echo\":{\"a\" : 1.50, \"\\u0062\":[ ]}}"), NULL},
    {"{\"id\":1e2,\"method\":\"no\"}", NO_METHOD("1e2"), NULL},
    /* escapes in what we read ourselves */
    {"{\"\\u0069d\":1,\"meth\\u006fd\":\"p\\u0069ng\",\"params\":{\"\\u0065cho\":2}}",
     OK("1", "{\"pong\":true,\"echo\":2}"), NULL},
    {"{\"jsonrpc\":\"2\\u002e0\",\"id\":1,\"method\":\"ping\"}", OK("1", PONG), NULL},
    {" \t\r\n{\"id\":1,\"method\":\"ping\"} \n", OK("1", PONG), &json_only},
    /* no document */
    {"", NO_DOCUMENT("parse_error", "the payload isn't a document", "0"), NULL},
    {"nonsense", NO_DOCUMENT("codec_unknown", "neither JSON nor msgpack", "0"), NULL},
    {"\xc1", NO_DOCUMENT("codec_unknown", "neither JSON nor msgpack", "0"), NULL},
    {"{\"id\":1,\"method\":\"ping\"}x",
     NO_DOCUMENT("trailing_bytes", "bytes after the document", "24"), NULL},
    {"{\"id\":1,\"id\":1,\"method\":\"ping\"}",
     NO_DOCUMENT_AT("duplicate_key", "/id", "duplicate key", "8"), NULL},
    {"{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":[{\"a\":1,\"\\u0061\":2}]}}",
     NO_DOCUMENT_AT("duplicate_key", "/params/echo/0/a", "duplicate key", "49"), NULL},
    {"\x81\xa2id",
     NO_DOCUMENT("codec_unknown", "the payload begins like neither JSON nor msgpack", "0"),
     &json_only},
};

static void check_rows(const struct row *table, size_t n,
                       char *(*how)(tk_core *core, const char *request,
                                    const struct tk_serving *serving))
{
    tk_core *core = tk_core_new(NULL);

    for (size_t i = 0; i < n; i++) {
        char *answer = how(core, table[i].request, table[i].serving);

        CU_ASSERT(answer_is(table[i].request, answer, table[i].answer));
        free(answer);
    }
    tk_core_free(core);
}

static void test_json(void)
{
    check_rows(rows, sizeof(rows) / sizeof(rows[0]), ask);
    check_rows(json_rows, sizeof(json_rows) / sizeof(json_rows[0]), ask);
}

static void test_msgpack(void)
{
    check_rows(rows, sizeof(rows) / sizeof(rows[0]), ask_msgpack);
}

/* ---- what only msgpack can say ---- */

static void test_msgpack_only(void)
{
    static const struct {
        const char *bytes;
        size_t n;
        const char *answer; /* as JSON */
    } table[] = {
#define PING(id_and_more)  "\x82\xa6method\xa4ping\xa2id" id_and_more
#define ROW(bytes, answer) {bytes, sizeof(bytes) - 1, answer}
        ROW(PING("\xcd\x00\x07"), OK("7", PONG)),
        ROW(PING("\xcb\x3f\xf8\x00\x00\x00\x00\x00\x00"), OK("1.5", PONG)),
        /* NaN and bin are no ids, ext neither */
        ROW(PING("\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"),
            BAD_AT("/id", "id must be a string, a number or null")),
        ROW(PING("\xc4\x01x"), BAD_AT("/id", "id must be a string, a number or null")),
        ROW(PING("\xd4\x01x"), BAD_AT("/id", "id must be a string, a number or null")),
        /* what JSON can't hold, anywhere */
        ROW("\x83\xa6method\xa4ping\xa2id\x01\xa6params\x81\xa4"
            "echo\xc4\x01x",
            BAD_PARAM("1", "/params/echo", "a value that JSON can't hold")),
        ROW("\x83\xa6method\xa4ping\xa2id\x01\xa6params\x81\xa4"
            "echo\x92\x01\x81\xa1"
            "a"
            "\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00",
            BAD_PARAM("1", "/params/echo/1/a", "a value that JSON can't hold")),
        ROW("\x83\xa6method\xa4ping\xa2id\x01\xa3"
            "foo\xc4\x01x",
            BAD_PARAM("1", "/foo", "a value that JSON can't hold")),
        /* no document: the answer is msgpack all the same */
        ROW("\x81\x01\x02", NULL),
        ROW("\x82\xa2id", NULL),
#undef ROW
    };
    struct tk_arena arena;
    tk_core *core = tk_core_new(NULL);

    tk_arena_init(&arena, tk_libc_allocator);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        tk_reply *reply;
        char *bytes;
        struct tk_str json;

        CU_ASSERT_EQUAL_FATAL(tk_call(core, NULL, table[i].bytes, table[i].n, NULL, &reply), 0);
        bytes = joined(reply);
        CU_ASSERT_EQUAL((uint8_t)bytes[0], 0xdf);
        json = recode((struct tk_str){bytes, tk_reply_size(reply)}, TK_JSON, &arena);
        bytes = realloc(bytes, json.n + 1);
        memcpy(bytes, json.p, json.n);
        bytes[json.n] = '\0';
        CU_ASSERT(table[i].answer ? answer_is("msgpack", bytes, table[i].answer)
                                  : strstr(bytes, "\"name\":\"parse_error\"") != NULL);
        free(bytes);
        tk_reply_free(reply);
    }
    tk_core_free(core);
    tk_arena_done(&arena);
}

/* ---- notifications ---- */

static void test_notifications(void)
{
    static const struct {
        const char *request;
        const char *method, *error;
        const struct tk_serving *serving;
    } table[] = {
        {"{\"method\":\"ping\"}", "ping", NULL, NULL},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"ping\",\"params\":{\"echo\":1}}", "ping", NULL, NULL},
        {"{\"method\":\"no_such\"}", NULL, "method_not_found", NULL},
        {"{\"method\":\"ping\",\"params\":{\"x\":1}}", "ping", "invalid_params", NULL},
        {"{\"method\":\"ping\",\"params\":1}", "ping", "invalid_params", NULL},
        {"{\"method\":\"ping\"}", "ping", "draining", &draining},
    };
    tk_core *core = tk_core_new(NULL);

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        tk_reply *reply;
        const tk_reply_info *info;
        size_t n;

        CU_ASSERT_EQUAL_FATAL(
            serve(core, table[i].request, strlen(table[i].request), table[i].serving, &reply), 0);
        info = tk_reply_get_info(reply);
        CU_ASSERT(info->notification);
        tk_reply_iov(reply, &n);
        CU_ASSERT_EQUAL(n, 0);
        CU_ASSERT_EQUAL(tk_reply_size(reply), 0);
        CU_ASSERT(table[i].method ? info->method && !strcmp(info->method, table[i].method)
                                  : !info->method);
        CU_ASSERT(table[i].error ? info->error && !strcmp(info->error, table[i].error)
                                 : !info->error);
        tk_reply_free(reply);
    }
    tk_core_free(core);
}

/* ---- limits, deadlines, refusals without a request ---- */

static void test_limits(void)
{
    static const tk_options options = {.size = sizeof(options), .max_depth = 4, .max_values = 6};
    tk_core *core = tk_core_new(&options);
    const char *fits = "{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":[[]]}}";
    const char *deep = "{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":[[[]]]}}";
    const char *many = "{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":[1,[]]}}";
    char *answer = ask(core, fits, NULL);

    CU_ASSERT(answer_is(fits, answer, OK("1", "{\"pong\":true,\"echo\":[[]]}")));
    free(answer);
    answer = ask(core, deep, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(answer, "\"name\":\"too_deep\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(answer, "\"offset\":"));
    free(answer);
    answer = ask(core, many, NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(answer, "\"name\":\"too_many_values\""));
    free(answer);

    tk_core_set_limits(core, 5, 7);
    answer = ask(core, deep, NULL);
    CU_ASSERT(answer_is(deep, answer, OK("1", "{\"pong\":true,\"echo\":[[[]]]}")));
    free(answer);
    answer = ask(core, many, NULL);
    CU_ASSERT(answer_is(many, answer, OK("1", "{\"pong\":true,\"echo\":[1,[]]}")));
    free(answer);
    tk_core_free(core);
}

static void test_deadline(void)
{
    uint32_t timeout_ms = 7;
    const struct tk_serving serving = {
        .options = {.cancelled = always_cancelled, .opaque = &timeout_ms}};
    tk_core *core = tk_core_new(NULL);
    const char *late = ERR("1", "-32013", "the request's time is over",
                           "\"name\":\"deadline_exceeded\",\"retryable\":true");
    const char *request = "{\"id\":1,\"method\":\"ping\"}";
    char *answer = ask(core, request, &serving);

    CU_ASSERT(answer_is(request, answer, late));
    CU_ASSERT_EQUAL(timeout_ms, 0);
    free(answer);
    request = "{\"id\":1,\"method\":\"ping\",\"params\":{\"timeout_ms\":4294967295}}";
    answer = ask(core, request, &serving);
    CU_ASSERT(answer_is(request, answer, late));
    CU_ASSERT_EQUAL(timeout_ms, 4294967295);
    free(answer);
    tk_core_free(core);
}

static void test_refuse(void)
{
    static const struct {
        enum tk_error_id error;
        uint64_t limit;
        uint32_t retry_after_ms;
        const char *answer;
    } table[] = {
        {TK_ERR_FRAME_TOO_LARGE, 67108864, 0,
         ERR("null", "-32010", "the request is larger than max_frame",
             FAILED("frame_too_large") ",\"limit\":67108864")},
        {TK_ERR_BUSY, 0, 50,
         ERR("null", "-32011", "too much work at once; nothing was consumed",
             "\"name\":\"busy\",\"retryable\":true,\"retry_after_ms\":50")},
        {TK_ERR_DRAINING, 0, 0,
         ERR("null", "-32012", "the daemon is shutting down",
             "\"name\":\"draining\",\"retryable\":true")},
        {TK_ERR_PARSE_ERROR, 0, 0, /* a frame of length 0 has its offset: ask with no bytes */
         ERR("null", "-32700", "the payload isn't a document", FAILED("parse_error"))},
    };
    tk_core *core = tk_core_new(NULL);

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        tk_reply *reply;
        char *answer;

        CU_ASSERT_EQUAL_FATAL(
            tk_refuse(core, table[i].error, table[i].limit, table[i].retry_after_ms, &reply), 0);
        answer = joined(reply);
        CU_ASSERT(answer_is("refuse", answer, table[i].answer));
        CU_ASSERT_STRING_EQUAL(tk_reply_get_info(reply)->error, tk_errors[table[i].error].name);
        CU_ASSERT_FALSE(tk_reply_get_info(reply)->notification);
        free(answer);
        tk_reply_free(reply);
    }
    tk_core_free(core);
}

/* The answer where the core has no memory left is the one that it gives otherwise. */
static void test_refuse_internal(void)
{
    char text[TK_INTERNAL_MAX], *answer;
    size_t n = tk_refuse_internal(0x7b, text);

    CU_ASSERT_FATAL(n > 0);
    answer = strndup(text, n);
    CU_ASSERT(answer_is("internal", answer,
                        ERR("null", "-32603", "a defect of turnkeeper, please report it",
                            FAILED("internal") ",\"correlation_id\":\"000000000000007b\"")));
    free(answer);
}

static void test_error_table(void)
{
    for (size_t i = 0; i < TK_ERR_COUNT; i++) {
        CU_ASSERT_PTR_NOT_NULL(tk_errors[i].name);
        CU_ASSERT_PTR_NOT_NULL(tk_errors[i].message);
        CU_ASSERT(tk_errors[i].code < 0);
        for (size_t k = 0; k < i; k++)
            CU_ASSERT_STRING_NOT_EQUAL(tk_errors[i].name, tk_errors[k].name);
    }
}

/* ---- a host ---- */

struct fake_host {
    bool broken;
};

static void fake_health(void *arg, struct tk_writer *w)
{
    struct fake_host *host = arg;

    tk_write_map(w);
    tk_write_kv_cstr(w, "status", "ok");
    if (!host->broken)
        tk_write_end(w);
}

static void fake_stats(void *arg, struct tk_writer *w)
{
    struct fake_host *host = arg;

    if (host->broken)
        return;
    tk_write_map(w);
    tk_write_end(w);
}

static char *fake_metrics(void *arg, enum tk_exposition_format format, size_t *ret_size)
{
    const struct fake_host *host = arg;
    char *text = host->broken ? NULL : strdup(format == TK_EXPOSITION_OPENMETRICS ? "o" : "p\n");

    *ret_size = text ? strlen(text) : 0;
    return text;
}

static void fake_limits(void *arg, struct tk_writer *w)
{
    (void)arg;
    tk_write_map(w);
    tk_write_kv_int(w, "max_frame", 1);
    tk_write_end(w);
}

static void test_host(void)
{
    struct fake_host state = {false};
    const struct tk_host host = {&state, fake_health, fake_stats, fake_metrics, fake_limits};
    tk_core *core = tk_core_new(NULL);
    char *answer;

    tk_core_set_host(core, &host);
    answer = ask(core, "{\"id\":1,\"method\":\"health\"}", &control);
    CU_ASSERT(answer_is("health", answer, OK("1", "{\"status\":\"ok\"}")));
    free(answer);
    answer =
        ask(core, "{\"id\":1,\"method\":\"stats\",\"params\":{\"format\":\"prometheus\"}}", NULL);
    CU_ASSERT(answer_is("stats as text", answer, OK("1", "{\"text\":\"p\\n\"}")));
    free(answer);
    answer =
        ask(core, "{\"id\":1,\"method\":\"stats\",\"params\":{\"format\":\"openmetrics\"}}", NULL);
    CU_ASSERT(answer_is("stats as other text", answer, OK("1", "{\"text\":\"o\"}")));
    free(answer);
    answer = ask_msgpack(core, "{\"id\":1,\"method\":\"stats\"}", NULL);
    CU_ASSERT(answer_is("stats", answer, OK("1", "{}")));
    free(answer);
    answer = ask(core, "{\"id\":1,\"method\":\"health\",\"params\":{\"x\":1}}", NULL);
    CU_ASSERT(answer_is("health", answer, BAD_PARAM("1", "/params/x", "unknown member")));
    free(answer);
    answer = ask(core, "{\"id\":1,\"method\":\"info\"}", NULL);
    CU_ASSERT_PTR_NOT_NULL(strstr(answer, "\"limits\":{\"max_frame\":1}"));
    free(answer);
    tk_core_free(core);
}

/* A handler that leaves its answer unfinished, or gives none, can't leave a client hanging. */
static void test_internal(void)
{
    static const char *const requests[] = {
        "{\"id\":\"me\",\"method\":\"health\"}",
        "{\"id\":\"me\",\"method\":\"stats\"}",
    };
    struct fake_host state = {true};
    const struct tk_host host = {&state, fake_health, fake_stats, fake_metrics, fake_limits};
    tk_core *core = tk_core_new(NULL);
    uint64_t seen = 0;

    tk_core_set_host(core, &host);
    for (size_t i = 0; i < 2; i++) {
        char want[256], *answer;
        tk_reply *reply;

        CU_ASSERT_EQUAL_FATAL(tk_call(core, NULL, requests[i], strlen(requests[i]), NULL, &reply),
                              0);
        CU_ASSERT_STRING_EQUAL(tk_reply_get_info(reply)->error, "internal");
        CU_ASSERT_NOT_EQUAL(tk_reply_get_correlation(reply), seen);
        seen = tk_reply_get_correlation(reply);
        snprintf(want, sizeof(want),
                 ERR("\"me\"", "-32603", "a defect of turnkeeper, please report it",
                     FAILED("internal") ",\"correlation_id\":\"%016llx\""),
                 (unsigned long long)seen);
        answer = joined(reply);
        CU_ASSERT(answer_is(requests[i], answer, want));
        free(answer);
        tk_reply_free(reply);
    }
    tk_core_free(core);
}

/* ---- info ---- */

static void test_info(void)
{
    static const char *const says[] = {
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"version\":\"",
        "\"protocol\":1,\"methods\":[{\"name\":\"validate\",\"help\":\"",
        "{\"name\":\"ping\",\"help\":\"Answers and echoes a value\",\"params\":{\"type\":"
        "\"object\",\"properties\":{\"echo\":{\"description\":\"Any value; it is returned unchanged\"},"
        "\"timeout_ms\":{\"description\":\"Milliseconds that the request may take; "
        "the server's own limit holds too\",\"type\":"
        "\"integer\",\"minimum\":1,\"maximum\":4294967295},\"caller\":{\"description\":\"",
        "\"type\":\"string\",\"minLength\":0,\"maxLength\":64,\"pattern\":\"^[A-Za-z0-9._:-]*$\"}},"
        "\"additionalProperties\":false}}",
        "\"oneOf\":[{\"required\":[\"messages\"]},{\"required\":[\"request\"]}]",
        "\"required\":[\"content\"]",
        "\"endpoint\":{\"description\":\"Where the request goes\",\"type\":\"string\","
        "\"enum\":[\"anthropic\",\"bedrock\",\"vertex\",\"compatible\",\"openai\",\"azure\","
        "\"gemini\"],\"default\":\"anthropic\"}",
        "\"server\":{\"description\":\"The server of endpoint compatible, if it is a known one\","
        "\"type\":\"string\",\"enum\":[\"deepseek\",\"groq\",\"mistral\",\"moonshot\","
        "\"openrouter\",\"vllm\",\"xai\"]}",
        "\"guard\":{\"description\":\"Fail closed if an error remains; false: repair what can be "
        "repaired and list the rest\",\"type\":\"boolean\",\"default\":true}",
        "\"type\":[\"null\",\"array\"],\"items\":{\"type\":\"string\"}",
        "\"anyOf\":[{\"type\":\"string\",\"enum\":[\"conservative\",\"preserve\"]},"
        "{\"type\":\"object\",\"properties\":{\"base\":",
        "\"pattern\":\"[^\\\\s]\"",
        "\"providers\":[\"anthropic\",\"openai-chat\",\"openai-responses\",\"bedrock\",\"gemini\"],"
        "\"dialects\":[\"anthropic\",\"fantasy\",\"ai-sdk\",\"openai-chat\",\"openai-responses\","
        "\"bedrock\",\"gemini\"]",
        "\"policies\":{\"conservative\":{\"orphan_call\":\"drop\","
        "\"orphan_result\":\"textify\",\"result_before_call\":\"textify\","
        "\"duplicate_id\":\"textify\",\"invalid_pair\":\"textify\","
        "\"unanswered_call\":\"insert_result\",\"unmatched_result\":\"textify\","
        "\"blank_text\":\"drop\",\"prefill\":\"continue\",\"mark_text\":false,\"merge_adjacent\":\"never\","
        "\"item_ids\":\"keep\",\"unknown_tools\":\"report\","
        "\"extra_members\":\"report\",\"serializable_tools\":null,"
        "\"thinking\":\"demote\",\"unsigned_thinking\":\"demote\","
        "\"signature_form\":\"any\",\"rebuilt_rule\":null,\"emptied_turn\":null,\"prior_thinking\":null,"
        "\"dead_thinking\":\"demote\",\"prefix_mismatch\":\"report\",\"route\":\"native\"},"
        "\"preserve\":{\"orphan_call\":\"drop\",\"orphan_result\":\"textify\","
        "\"result_before_call\":\"move\",\"duplicate_id\":\"keep_first\","
        "\"invalid_pair\":\"repair\",\"unanswered_call\":\"insert_result\","
        "\"unmatched_result\":\"textify\",\"blank_text\":\"drop\",\"prefill\":\"continue\",\"mark_text\":true,"
        "\"merge_adjacent\":\"never\",\"item_ids\":\"keep\",\"unknown_tools\":\"report\","
        "\"extra_members\":\"report\","
        "\"serializable_tools\":null,\"thinking\":\"restore\","
        "\"unsigned_thinking\":\"demote\",\"signature_form\":\"any\","
        "\"rebuilt_rule\":null,\"emptied_turn\":null,\"prior_thinking\":null,"
        "\"dead_thinking\":\"demote\",\"prefix_mismatch\":\"report\",\"route\":\"native\"}}",
        "\"limits\":{\"max_depth\":256,\"max_values\":1048576,\"max_answer\":268435456,\"max_memory\":536870912}",
        "\"catalogue\":[{\"code\":\"provider_executed_block_outside_assistant\",\"severity\":"
        "\"error\",\"wave\":1,\"provider\":\"anthropic\",\"trigger\":\"A provider",
    };
    static const char *const is_silent_about[] = {"\"health\"", "\"stats\""};
    tk_core *core = tk_core_new(NULL);
    char *answer = ask(core, "{\"id\":1,\"method\":\"info\"}", NULL);
    char *packed = ask_msgpack(core, "{\"id\":1,\"method\":\"info\"}", NULL);
    char *on_control = ask(core, "{\"id\":1,\"method\":\"info\"}", &control);

    for (size_t i = 0; i < sizeof(says) / sizeof(says[0]); i++) {
        if (!strstr(answer, says[i]))
            printf("# info doesn't say %s\n", says[i]);
        CU_ASSERT_PTR_NOT_NULL(strstr(answer, says[i]));
    }
    for (size_t i = 0; i < sizeof(is_silent_about) / sizeof(is_silent_about[0]); i++)
        CU_ASSERT_PTR_NULL(strstr(answer, is_silent_about[i]));
    CU_ASSERT_STRING_EQUAL(answer, packed);
    CU_ASSERT_STRING_EQUAL(answer, on_control);
    free(answer);
    free(packed);
    free(on_control);
    tk_core_free(core);
}

static void test_numbers(void)
{
    tk_core *core = tk_core_new(&(tk_options){.size = sizeof(tk_options),
                                              .hash_key = {1, 2}}); /* as some methods need it */
    tk_session *session = tk_session_new(core); /* methods of streams are only there with one */

    for (size_t i = 0; i < tk_method_count(); i++) {
        char request[128];
        tk_reply *reply;

        snprintf(request, sizeof(request), "{\"id\":1,\"method\":\"%s\"}", tk_method_name(i));
        CU_ASSERT_EQUAL(tk_method_index(tk_method_name(i)), i);
        CU_ASSERT_EQUAL_FATAL(tk_call(core, session, request, strlen(request), NULL, &reply), 0);
        if (!(tk_methods[i].flags & TK_METHOD_HOST))
            CU_ASSERT_EQUAL(tk_method_index(tk_reply_get_info(reply)->method), i);
        CU_ASSERT_PTR_NULL(tk_reply_get_tally(reply).violations);
        tk_reply_free(reply);
    }
    CU_ASSERT_EQUAL(tk_method_index(NULL), tk_method_count());
    CU_ASSERT(tk_code_count() > 0);
    for (size_t i = 0; i < tk_code_count(); i++)
        CU_ASSERT_PTR_NOT_NULL(tk_code_name(i));
    for (size_t i = 0; i < tk_action_count(); i++)
        CU_ASSERT_PTR_NOT_NULL(tk_action_name(i));
    CU_ASSERT(strlen(tk_version()) >= 5);
    tk_session_free(session);
    tk_core_free(core);
}

/* ---- memory ---- */

/* Many replies at once, given back in another order, each with its own content. */
static void test_many_replies(void)
{
    struct memory memory = {0};
    const tk_options options = {.size = sizeof(options), .allocator = memory_allocator(&memory)};
    tk_core *core = tk_core_new(&options);
    tk_session *session = tk_session_new(core);
    tk_reply *replies[50];
    char requests[50][64];

    for (size_t i = 0; i < 50; i++) {
        int n = snprintf(requests[i], sizeof(requests[i]), "{\"id\":%zu,\"method\":\"ping\"}", i);

        CU_ASSERT_EQUAL_FATAL(tk_call(core, session, requests[i], (size_t)n, NULL, &replies[i]), 0);
    }
    for (size_t k = 0; k < 50; k++) {
        size_t i = k * 7 % 50;
        char want[64], *answer = joined(replies[i]);

        snprintf(want, sizeof(want), "{\"jsonrpc\":\"2.0\",\"id\":%zu,", i);
        CU_ASSERT(strncmp(answer, want, strlen(want)) == 0);
        free(answer);
        tk_reply_free(replies[i]);
    }
    tk_session_free(session);
    tk_core_free(core);
    CU_ASSERT_EQUAL(memory.bytes, 0);
    CU_ASSERT_FALSE(memory.confused);
    tk_core_free(NULL);
    tk_session_free(NULL);
    tk_reply_free(NULL);
}

/* The second ping allocates nothing, and a large request leaves no large memory. */
static void test_reuse(void)
{
    struct memory memory = {0};
    const tk_options options = {.size = sizeof(options), .allocator = memory_allocator(&memory)};
    tk_core *core = tk_core_new(&options);
    size_t n = 200000, size = 0, calls, small;
    char *large = malloc(2 * n + 64);

    free(ask(core, "{\"id\":1,\"method\":\"ping\"}", NULL));
    calls = memory.calls;
    small = memory.bytes;
    free(ask(core, "{\"id\":2,\"method\":\"ping\",\"params\":{\"echo\":[1]}}", NULL));
    CU_ASSERT_EQUAL(memory.calls, calls);

    size = (size_t)sprintf(large, "{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":[0");
    for (size_t i = 0; i < n; i++) {
        large[size++] = ',';
        large[size++] = '1';
    }
    memcpy(large + size, "]}}", 3);
    free(ask_bytes(core, large, size + 3, NULL));
    CU_ASSERT(memory.bytes <= small + 1024 * 1024);
    free(large);
    tk_core_free(core);
    CU_ASSERT_EQUAL(memory.bytes, 0);
    CU_ASSERT_FALSE(memory.confused);
}

/* From the i-th allocation on all fail: an error at worst; later the next request is served. */
static void sweep(const char *request)
{
    char *want;
    bool failed = true;
    tk_core *core = tk_core_new(NULL);

    want = ask(core, request, NULL);
    tk_core_free(core);
    for (size_t i = 1; failed; i++) {
        struct memory memory = {.fail_at = i};
        const tk_options options = {.size = sizeof(options),
                                    .allocator = memory_allocator(&memory)};
        tk_reply *reply = NULL;
        char *answer;

        core = tk_core_new(&options);
        if (!core)
            continue;
        if (tk_call(core, NULL, request, strlen(request), NULL, &reply) == 0) {
            answer = joined(reply);
            if (strcmp(answer, want) != 0)
                CU_ASSERT_PTR_NOT_NULL(strstr(answer, "\"name\":\"internal\""));
            free(answer);
            tk_reply_free(reply);
        }
        failed = memory.calls >= i;
        memory.fail_at = 0;
        answer = ask(core, request, NULL);
        CU_ASSERT(answer_is(request, answer, want));
        free(answer);
        tk_core_free(core);
        CU_ASSERT_EQUAL(memory.bytes, 0);
    }
    free(want);
}

#define CARRIED_TWICE                                                                              \
    "{\"id\":1,\"method\":\"repair_turn\",\"params\":{\"content\":[],\"carry_in\":"                \
    "[{\"id\":\"a\"},{\"id\":\"a\"}]}}"

static void test_malloc_sweep(void)
{
    static const char *const requests[] = {
        "{\"id\":1,\"method\":\"ping\"}",
        "{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":[1,2,3]}}",
        "{\"id\":1,\"method\":\"info\"}",
        "{\"id\":1,\"method\":\"no_such\"}",
        "{\"id\":1,\"method\":\"validate\"}",
        CARRIED_TWICE,
        "{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":{\"a\":1,\"a\":2}}}",
        "{\"id\":1,\"method\":\"ping\",\"params\":{\"\\u0061\\u007e\":1}}",
        "[]",
        "{",
        "",
        "?",
    };

    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
        sweep(requests[i]);
}

static void test_malloc_sweep_refuse(void)
{
    bool failed = true;

    for (size_t i = 1; failed; i++) {
        struct memory memory = {.fail_at = i};
        const tk_options options = {.size = sizeof(options),
                                    .allocator = memory_allocator(&memory)};
        tk_core *core = tk_core_new(&options);
        tk_reply *reply = NULL;

        if (!core)
            continue;
        if (tk_refuse(core, TK_ERR_BUSY, 0, 100, &reply) == 0) {
            CU_ASSERT(tk_reply_size(reply) > 0);
            tk_reply_free(reply);
        } else {
            CU_ASSERT_PTR_NULL(reply);
        }
        failed = memory.calls >= i;
        tk_core_free(core);
        CU_ASSERT_EQUAL(memory.bytes, 0);
    }
}

/* Whatever a core is given as its secret, its answers are the same. */
static void test_hash_key(void)
{
    static const tk_options options = {.size = sizeof(options),
                                       .hash_key = {0x0123456789abcdef, 42}};
    const char *request = "{\"id\":1,\"method\":\"repair_turn\",\"params\":{\"content\":[],"
                          "\"carry_in\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"a\"}]}}";
    tk_core *core = tk_core_new(&options);
    char *answer = ask(core, request, NULL);

    CU_ASSERT(answer_is(request, answer, BAD_PARAM("1", "/params/carry_in/2/id", "named twice")));
    free(answer);
    tk_core_free(core);
}

/* A key that others know would let them undo it: without a secret one the method doesn't exist. */
static void test_redact_needs_a_key(void)
{
    static const tk_options keyed = {.size = sizeof(keyed), .hash_key = {0, 42}};
    const char *request = "{\"id\":1,\"method\":\"redact\",\"params\":{\"messages\":[]}}";

    for (int i = 0; i < 2; i++) {
        tk_core *core = tk_core_new(i ? &keyed : NULL);
        char *answer = ask(core, request, NULL),
             *info = ask(core, "{\"id\":1,\"method\":\"info\"}", NULL);

        CU_ASSERT_EQUAL(strstr(answer, "method_not_found") != NULL, i == 0);
        CU_ASSERT_EQUAL(strstr(answer, "\"messages\":[]") != NULL, i == 1);
        CU_ASSERT_EQUAL(strstr(info, "\"redact\"") != NULL, i == 1);
        free(info);
        free(answer);
        tk_core_free(core);
    }
}

TAP_MAIN("envelope", TAP_TEST(test_json), TAP_TEST(test_msgpack), TAP_TEST(test_msgpack_only),
         TAP_TEST(test_notifications), TAP_TEST(test_limits), TAP_TEST(test_deadline),
         TAP_TEST(test_refuse), TAP_TEST(test_refuse_internal), TAP_TEST(test_error_table),
         TAP_TEST(test_host), TAP_TEST(test_internal), TAP_TEST(test_info), TAP_TEST(test_numbers),
         TAP_TEST(test_many_replies), TAP_TEST(test_reuse), TAP_TEST(test_malloc_sweep),
         TAP_TEST(test_malloc_sweep_refuse), TAP_TEST(test_hash_key),
         TAP_TEST(test_redact_needs_a_key))
