/* SPDX-License-Identifier: Apache-2.0 */
/* The shared library through its public header alone, as a program that links it meets it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "turnkeeper/turnkeeper.h"

#include "../memory.h"
#include "../tap.h"

#define ORPHAN                                                                                     \
    "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\",\"input\":{}}"
#define USER "{\"role\":\"user\",\"content\":\"q\"}"

static const char sound[] = " {\"model\" : \"m\",\"max_tokens\":1.50, \"messages\":[" USER "]}\n";
static const char broken[] =
    "{\"model\":\"\\u006d\",  \"max_tokens\":1,\"messages\":[" USER
    ",{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"t\"}," ORPHAN "]}," USER
    "]}";
static const char repaired[] =
    "{\"model\":\"\\u006d\",  \"max_tokens\":1,\"messages\":[" USER
    ",{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"t\"}]}," USER "]}";
/* The last turn is a call that waits, in a turn with signed thinking: no edit is allowed. */
static const char unsafe[] =
    "{\"model\":\"m\",\"max_tokens\":1,\"messages\":[" USER
    ",{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\",\"thinking\":\"t\","
    "\"signature\":\"c2ln\"},{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_1\","
    "\"content\":[]}]}]}";

static bool body_is(const tk_reply *reply, const char *want)
{
    size_t size;
    const char *body = tk_reply_body(reply, &size);

    return body && size == strlen(want) && !memcmp(body, want, size);
}

static tk_reply *repair(tk_core *core, const char *body, const char *params)
{
    char *copy = strdup(body);
    tk_reply *reply = NULL;
    int r = tk_repair_body(core, copy, strlen(body), params, NULL, &reply);

    memset(copy, 'x', strlen(body)); /* the reply has a copy of its own */
    free(copy);
    CU_ASSERT_EQUAL_FATAL(r, 0);
    return reply;
}

static void test_repairs_bodies(void)
{
    static const struct {
        const char *body, *params, *want, *outcome;
    } table[] = {
        {sound, NULL, sound, "clean"},
        {sound, " {} ", sound, "clean"},
        {broken, NULL, repaired, "repaired"},
        {broken, "{\"provider\":\"anthropic\",\"guard\":false}\n", repaired, "repaired"},
    };
    tk_core *core = tk_core_new(NULL);
    tk_reply *replies[sizeof(table) / sizeof(table[0])];

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        replies[i] = repair(core, table[i].body, table[i].params);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]);
         i++) { /* all live until they are freed */
        CU_ASSERT_PTR_NULL(tk_reply_error(replies[i]));
        CU_ASSERT(body_is(replies[i], table[i].want));
        CU_ASSERT_STRING_EQUAL(tk_reply_get_info(replies[i])->outcome, table[i].outcome);
        tk_reply_free(replies[i]);
    }
    tk_core_free(core);
}

static void test_tells_errors(void)
{
    static const struct {
        const char *body, *params, *name, *pointer;
        int32_t code;
    } table[] = {
        {"", NULL, "parse_error", NULL, -32700},
        {"{\"messages\":[]", NULL, "parse_error", NULL, -32700},
        {"{\"messages\":[]},\"guard\":false", NULL, "parse_error", NULL, -32700},
        {"{}},\"x\":{", NULL, "parse_error", NULL, -32700},
        {"{\"messages\":[]},\"x\":1", NULL, "parse_error", NULL, -32700},
        {"{\"messages\":5}", NULL, "invalid_params", "/params/request/messages", -32602},
        {sound, "{\"provider\":\"nobody\"}", "invalid_params", "/params/provider", -32602},
        {sound, "{\"return\":\"patch\"}", "duplicate_key", "/params/return", -32700},
        {sound, "{,}", "parse_error", NULL, -32700},
        {unsafe, NULL, "unsafe_history", NULL, -32001},
    };
    tk_core *core = tk_core_new(NULL);

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        tk_reply *reply = repair(core, table[i].body, table[i].params);
        const tk_error *error = tk_reply_error(reply);
        size_t size = 1;

        CU_ASSERT_PTR_NOT_NULL_FATAL(error);
        CU_ASSERT_STRING_EQUAL(error->name, table[i].name);
        CU_ASSERT_EQUAL(error->code, table[i].code);
        CU_ASSERT(strlen(error->message) > 0 && !error->retryable);
        if (table[i].pointer) {
            CU_ASSERT_PTR_NOT_NULL_FATAL(error->pointer);
            CU_ASSERT_STRING_EQUAL(error->pointer, table[i].pointer);
        }
        CU_ASSERT_PTR_NULL(tk_reply_body(reply, &size));
        CU_ASSERT_EQUAL(size, 0);
        CU_ASSERT_STRING_EQUAL(tk_reply_get_info(reply)->error, error->name);
        tk_reply_free(reply);
    }
    tk_core_free(core);
}

static void test_params_are_an_object(void)
{
    static const char *const table[] = {"", "[]", "{", "}", "1"};
    tk_core *core = tk_core_new(NULL);
    tk_reply *reply;

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        CU_ASSERT_EQUAL(tk_repair_body(core, sound, strlen(sound), table[i], NULL, &reply),
                        -EINVAL);
    tk_core_free(core);
}

/* A body without memory is -ENOMEM or the error `internal`, and nothing stays allocated. */
static void test_little_memory(void)
{
    bool done = false;

    for (size_t n = 1; !done && n < 1000; n++) {
        struct memory memory = {.fail_at = n};
        tk_options options = TK_OPTIONS_INIT;
        tk_core *core;
        tk_reply *reply;

        options.allocator = memory_allocator(&memory);
        core = tk_core_new(&options);
        if (core && tk_repair_body(core, broken, strlen(broken), NULL, NULL, &reply) == 0) {
            done = tk_reply_error(reply) == NULL;
            CU_ASSERT(done ? body_is(reply, repaired)
                           : !strcmp(tk_reply_error(reply)->name, "internal"));
            tk_reply_free(reply);
        }
        tk_core_free(core);
        CU_ASSERT(memory.blocks == 0 && memory.bytes == 0 && !memory.confused);
    }
    CU_ASSERT(done);
}

/* ---- sizes ---- */

static tk_reply *call(tk_core *core, tk_session *session, const char *request,
                      const tk_call_options *options)
{
    tk_reply *reply = NULL;

    CU_ASSERT_EQUAL_FATAL(tk_call(core, session, request, strlen(request), options, &reply), 0);
    return reply;
}

static bool fails_with(tk_core *core, const char *request, const tk_call_options *options,
                       const char *name)
{
    tk_reply *reply = call(core, NULL, request, options);
    const tk_error *error = tk_reply_error(reply);
    bool does = name ? error && !strcmp(error->name, name) : !error;

    tk_reply_free(reply);
    return does;
}

/* Options of a later release: as today's, and a member. */
struct later {
    tk_options today;
    uint64_t later;
};

static void test_sizes_of_options(void)
{
    static const char deep[] = "{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":[[]]}}";
    tk_options options = TK_OPTIONS_INIT;
    struct later later = {TK_OPTIONS_INIT, 0};
    tk_core *core;

    later.today.size = sizeof(later);
    later.today.max_depth = options.max_depth = 3;
    core = tk_core_new(&later.today); /* it sets nothing that this library doesn't know */
    CU_ASSERT_PTR_NOT_NULL_FATAL(core);
    CU_ASSERT(fails_with(core, deep, NULL, "too_deep"));
    tk_core_free(core);
    later.later = 1;
    CU_ASSERT_PTR_NULL(tk_core_new(&later.today));
    options.size = 0; /* forgotten */
    CU_ASSERT_PTR_NULL(tk_core_new(&options));
    options.size = sizeof(options) - 1;
    CU_ASSERT_PTR_NULL(tk_core_new(&options));
}

static void test_options_of_a_call(void)
{
    static const char ping[] = "{\"id\":1,\"method\":\"ping\"}";
    static const char packed[] = "\x82\xa2id\x01\xa6method\xa4ping";
    tk_call_options options = TK_CALL_OPTIONS_INIT;
    tk_core *core = tk_core_new(NULL);
    tk_reply *reply;

    CU_ASSERT(fails_with(core, ping, &options, NULL));
    CU_ASSERT(fails_with(core, packed, &options, NULL));
    options.flags = TK_CALL_JSON_ONLY;
    CU_ASSERT(fails_with(core, ping, &options, NULL));
    CU_ASSERT(fails_with(core, packed, &options, "codec_unknown"));
    options.flags = UINT64_C(1) << 63;
    CU_ASSERT_EQUAL(tk_call(core, NULL, ping, strlen(ping), &options, &reply), -EINVAL);
    options.flags = 0;
    options.size = sizeof(void *);
    CU_ASSERT_EQUAL(tk_call(core, NULL, ping, strlen(ping), &options, &reply), -EINVAL);
    CU_ASSERT_EQUAL(tk_repair_body(core, "{}", 2, NULL, &options, &reply), -EINVAL);
    tk_core_free(core);
}

/* ---- streams, lifetime, time ---- */

#define OPEN(key) "{\"id\":1,\"method\":\"stream.open\",\"params\":{\"stream\":\"" key "\"}}"

static void test_limits_of_streams(void)
{
    static const char feed[] = "{\"id\":1,\"method\":\"stream.feed\",\"params\":{\"stream\":\"b\","
                               "\"data\":\"data: 0123456789012345678901234567890123456789\"}}";
    tk_options options = TK_OPTIONS_INIT;
    tk_session *session;
    tk_core *core;
    tk_reply *replies[4];

    options.max_streams = 2;
    options.max_stream_buffer = 16;
    core = tk_core_new(&options);
    session = tk_session_new(core);
    replies[0] = call(core, session, OPEN("a"), NULL);
    replies[1] = call(core, session, OPEN("b"), NULL);
    replies[2] = call(core, session, OPEN("c"), NULL);
    replies[3] = call(core, session, feed, NULL);
    tk_session_free(session); /* replies outlive it */
    CU_ASSERT_PTR_NULL(tk_reply_error(replies[0]));
    CU_ASSERT_PTR_NULL(tk_reply_error(replies[1]));
    CU_ASSERT_PTR_NOT_NULL_FATAL(tk_reply_error(replies[2]));
    CU_ASSERT_STRING_EQUAL(tk_reply_error(replies[2])->name, "busy");
    CU_ASSERT(tk_reply_error(replies[2])->retryable);
    for (size_t i = 0; i < 4; i++) {
        size_t n, total = 0;
        const struct iovec *pieces = tk_reply_iov(replies[i], &n);

        for (size_t k = 0; k < n; k++)
            total += pieces[k].iov_len;
        CU_ASSERT_EQUAL(total, tk_reply_size(replies[i]));
        if (i == 3)
            CU_ASSERT_PTR_NOT_NULL(memmem(pieces[0].iov_base, pieces[0].iov_len, "too_large", 9));
        tk_reply_free(replies[i]);
    }
    tk_core_free(core);
}

static void test_deadline(void)
{
    static const char ping[] = "{\"id\":1,\"method\":\"ping\"}";
    tk_deadline deadline = TK_DEADLINE_INIT;
    tk_call_options options = TK_CALL_OPTIONS_INIT;
    tk_core *core = tk_core_new(NULL);

    options.cancelled = tk_deadline_passed;
    options.opaque = &deadline;
    tk_deadline_start(&deadline, 0);
    CU_ASSERT(fails_with(core, ping, &options, NULL));
    CU_ASSERT_FALSE(tk_deadline_passed(&deadline, 0));
    tk_deadline_start(&deadline, 1000000);
    CU_ASSERT(fails_with(core, ping, &options, NULL));
    tk_deadline_start(&deadline, 1);
    while (!tk_deadline_passed(&deadline, 0))
        continue;
    CU_ASSERT(fails_with(core, ping, &options, "deadline_exceeded"));
    tk_deadline_start(&deadline, 1000000);
    CU_ASSERT_FALSE(tk_deadline_passed(&deadline, 0));
    tk_deadline_stop(&deadline);
    CU_ASSERT(fails_with(core, ping, &options, "deadline_exceeded"));
    tk_deadline_start(&deadline, 0); /* what was stopped stays so */
    CU_ASSERT(fails_with(core, ping, &options, "deadline_exceeded"));
    tk_core_free(core);
}

static void test_versions(void)
{
    int number = 0, part = 0;

    for (const char *p = TURNKEEPER_VERSION; *p && *p != '~'; p++) {
        if (*p == '.') {
            number = number << 8 | part;
            part = 0;
        } else {
            part = part * 10 + (*p - '0');
        }
    }
    CU_ASSERT_EQUAL(number << 8 | part, TURNKEEPER_VERSION_NUMBER);
    CU_ASSERT_STRING_EQUAL(tk_version(), TURNKEEPER_VERSION);
}

TAP_MAIN("library", TAP_TEST(test_repairs_bodies), TAP_TEST(test_tells_errors),
         TAP_TEST(test_params_are_an_object), TAP_TEST(test_little_memory),
         TAP_TEST(test_sizes_of_options), TAP_TEST(test_options_of_a_call),
         TAP_TEST(test_limits_of_streams), TAP_TEST(test_deadline), TAP_TEST(test_versions))
