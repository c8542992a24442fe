/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Streams and memory: whichever allocation fails, nothing is lost but the stream that was at work;
 * what a stream holds stays near what it was fed; what is over gives its memory back.
 */
#include "../calls.h"
#include "../tap.h"
#include "methods/core/host.h"

#include <stdlib.h>

/* ---- the sweep ---- */

#define MESSAGE_START                                                                              \
    "{\"type\":\"message_start\",\"message\":{\"id\":\"m\",\"model\":\"x\",\"content\":[],"        \
    "\"usage\":{\"input_tokens\":1}}}"
#define BLOCK_START(index, block)                                                                  \
    "{\"type\":\"content_block_start\",\"index\":" #index ",\"content_block\":" block "}"
#define BLOCK_DELTA(index, delta)                                                                  \
    "{\"type\":\"content_block_delta\",\"index\":" #index ",\"delta\":" delta "}"
#define BLOCK_STOP(index) "{\"type\":\"content_block_stop\",\"index\":" #index "}"
#define SEARCH            "{\"type\":\"server_tool_use\",\"id\":\"a\",\"name\":\"web_search\",\"input\":{}}"
#define FOUND                                                                                      \
    "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"a\",\"content\":[{\"type\":"           \
    "\"web_search_result\",\"url\":\"u\",\"title\":\"t\",\"encrypted_content\":\"e\"}]}"
#define MESSAGE_END                                                                                \
    "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},\"usage\":"              \
    "{\"output_tokens\":2}},{\"type\":\"message_stop\"}"
#define HISTORY                                                                                    \
    "[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":[{\"type\":"       \
    "\"server_tool_use\",\"id\":\"old\",\"name\":\"web_fetch\",\"input\":{}}]}]"

/* A life with a bit of everything, in pieces that each need memory of another kind. */
static const struct {
    const char *method, *params;
} life[] = {
    {"stream.open", "{\"stream\":\"p\",\"history\":" HISTORY ",\"carry_in\":[{\"id\":\"c\"}]}"},
    {"stream.open", "{\"stream\":\"e\",\"emit\":\"events\"}"},
    {"stream.open", "{\"stream\":\"s\",\"emit\":\"sse\"}"},
    {"stream.feed",
     "{\"stream\":\"p\",\"events\":[" MESSAGE_START "," BLOCK_START(
         0, "{\"type\":\"web_fetch_tool_result\",\"tool_use_id\":\"old\"}") "," BLOCK_STOP(0) "]}"},
    {"stream.feed",
     "{\"stream\":\"p\",\"events\":[" BLOCK_START(1, SEARCH) "," BLOCK_DELTA(1, "{\"type\":\"input_json_delta\",\"partial_json\":\"{ \\\"q\\\":1}\"}") "," BLOCK_STOP(
         1) "," BLOCK_START(2, FOUND) "," BLOCK_STOP(2) "]}"},
    {"stream.feed",
     "{\"stream\":\"p\",\"events\":[" BLOCK_START(3, "{\"type\":\"text\",\"text\":\"\"}") "," BLOCK_DELTA(
         3,
         "{\"type\":\"text_delta\",\"text\":\"\\u00e9\"}") "," BLOCK_DELTA(3,
                                                                           "{\"type\":"
                                                                           "\"citations_delta\","
                                                                           "\"citation\":{}}") "]}"},
    {"stream.feed",
     "{\"stream\":\"e\",\"events\":[" MESSAGE_START "," BLOCK_START(0, SEARCH) "," BLOCK_STOP(
         0) "," BLOCK_START(1, "{\"type\":\"text\",\"text\":\"x\"}") "," BLOCK_STOP(1) "]}"},
    {"stream.feed", "{\"stream\":\"e\",\"events\":[" BLOCK_START(2, FOUND) "," BLOCK_STOP(
                        2) "," BLOCK_START(3, "{\"type\":\"fallback\"}") "," MESSAGE_END "]}"},
    {"stream.feed", "{\"stream\":\"s\",\"data\":\"data: {\\\"type\\\":\\\"message_start\\\",\"}"},
    {"stream.feed", "{\"stream\":\"s\",\"data\":\"\\ndata: \\\"message\\\":{}}\\n\\nevent: "
                    "ping\\ndata: x\\n\\nevent: content_block_start\\n\"}"},
    {"stream.feed", "{\"stream\":\"s\",\"data_base64\":\"ZGF0YTogeyJpbmRleCI6MCwiY29udGVudF9ibG9jay"
                    "I6eyJ0eXBlIjoidGV4dCJ9fQoK\"}"},
    {"stream.feed",
     "{\"stream\":\"s\",\"data\":\"event: error\\ndata: {\\\"error\\\":{\\\"type\\\":"
     "\\\"api_error\\\"}}\\n\\n\"}"},
    {"pair", "{\"response\":{\"content\":[" SEARCH "," FOUND "],\"stop_reason\":\"end_turn\"}}"},
    {"stream.end", "{\"stream\":\"p\",\"transport_error\":\"reset\"}"},
    {"stream.end", "{\"stream\":\"e\"}"},
    {"stream.end", "{\"stream\":\"s\"}"},
};

#define LIFE (sizeof(life) / sizeof(life[0]))

/* True for an error that is allowed if memory was short, now or earlier. */
static bool is_fair(struct tk_val error)
{
    struct tk_val name = tk_get(tk_get(error, TK_STR("data")), TK_STR("name"));

    return !tk_exists(error) || tk_text_is(name, TK_STR("internal")) ||
           tk_text_is(name, TK_STR("stream_not_found"));
}

/* One life, memory coming back right after the call that found none. False: nothing failed. */
static bool live(size_t fail_at, enum tk_codec codec)
{
    struct memory memory = {.fail_at = fail_at};
    struct reading params;
    struct caller c;
    bool failed, any = false;

    if (!caller_init(&c, memory_allocator(&memory))) {
        CU_ASSERT(memory.blocks == 0 && !memory.confused);
        return true;
    }
    for (size_t i = 0; i < LIFE; i++) {
        struct tk_val answer;

        reading_init(&params);
        CU_ASSERT_EQUAL(reading_json(&params, tk_str_of(life[i].params)), 0);
        answer = caller_call(&c, caller_request(&c, codec, life[i].method, tk_root(&params.doc)),
                             &failed);
        CU_ASSERT(!failed || is_fair(answer));
        if (memory.fail_at != 0 && memory.calls >= memory.fail_at) {
            memory.fail_at = 0;
            any = true;
        }
        if (!any)
            CU_ASSERT_FALSE(failed);
        CU_ASSERT_TRUE(reading_done(&params));
    }
    CU_ASSERT_EQUAL(tk_session_streams(c.session), 0);
    CU_ASSERT_EQUAL(tk_session_held(c.session), 0);
    caller_done(&c);
    CU_ASSERT(memory.blocks == 0 && !memory.confused);
    return any;
}

static void test_no_memory(void)
{
    for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++) {
        size_t fail_at = 1;

        while (live(fail_at, (enum tk_codec)codec))
            fail_at++;
        CU_ASSERT(fail_at > 20);
    }
}

/* ---- what a stream holds ---- */

#define TEXT_DELTA                                                                                 \
    "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\","      \
    "\"text\":\"some words \"}}\n\n"

static bool open_stream(struct caller *c, const char *params)
{
    struct reading r;
    bool failed;

    reading_init(&r);
    CU_ASSERT_EQUAL(reading_json(&r, tk_str_of(params)), 0);
    caller_call(c, caller_request(c, TK_JSON, "stream.open", tk_root(&r.doc)), &failed);
    CU_ASSERT_TRUE(reading_done(&r));
    return !failed;
}

static void feed(struct caller *c, struct tk_str bytes)
{
    bool failed;

    caller_call(c, caller_feed(c, bytes), &failed);
    CU_ASSERT_FALSE(failed);
    caller_forget(c);
}

static struct tk_str ending(struct caller *c)
{
    static const char params[] = "{\"stream\":\"s\"}";
    struct reading r;
    struct tk_str request;

    reading_init(&r);
    CU_ASSERT_EQUAL(reading_json(&r, tk_str_of(params)), 0);
    request = caller_request(c, TK_JSON, "stream.end", tk_root(&r.doc));
    CU_ASSERT_TRUE(reading_done(&r));
    return request;
}

/* Outputs aren't kept, text is kept once: 10^5 deltas hold less than they were fed. */
static void test_held_by_deltas(void)
{
    static const char *const forms[] = {"parts", "events", "sse"};

    for (size_t i = 0; i < 3; i++) {
        struct memory memory = {0};
        struct caller c;
        char open[64];
        size_t fed = 0;
        bool failed;

        snprintf(open, sizeof(open), "{\"stream\":\"s\",\"emit\":\"%s\"}", forms[i]);
        CU_ASSERT_TRUE_FATAL(caller_init(&c, memory_allocator(&memory)));
        CU_ASSERT_TRUE(open_stream(&c, open));
        feed(&c, TK_STR("data: {\"type\":\"message_start\",\"message\":{}}\n\ndata: {\"type\":"
                        "\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\","
                        "\"text\":\"\"}}\n\n"));
        for (int n = 0; n < 100000; n++) {
            feed(&c, TK_STR(TEXT_DELTA));
            fed += sizeof(TEXT_DELTA) - 1;
            if (n % 10000 == 9999)
                CU_ASSERT(tk_session_held(c.session) < fed / 2 + 16384);
        }
        caller_call(&c, ending(&c), &failed);
        CU_ASSERT_FALSE(failed);
        CU_ASSERT_EQUAL(tk_session_held(c.session), 0);
        caller_done(&c);
        CU_ASSERT(memory.blocks == 0 && !memory.confused);
    }
}

/* Blocks that wait for an open call are held, and little else. */
static void test_held_by_what_waits(void)
{
    struct memory memory = {0};
    struct caller c;
    size_t fed = 0;

    CU_ASSERT_TRUE_FATAL(caller_init(&c, memory_allocator(&memory)));
    CU_ASSERT_TRUE(open_stream(&c, "{\"stream\":\"s\",\"emit\":\"events\"}"));
    feed(&c, TK_STR("data: {\"type\":\"message_start\",\"message\":{}}\n\n"
                    "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":"
                    "{\"type\":\"server_tool_use\",\"id\":\"a\",\"name\":\"web_search\"}}\n\n"
                    "data: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":"
                    "{\"type\":\"text\",\"text\":\"\"}}\n\n"));
    for (int n = 0; n < 20000; n++) {
        static const char delta[] = "data: {\"type\":\"content_block_delta\",\"index\":1,\"delta\":"
                                    "{\"type\":\"text_delta\",\"text\":\"some words \"}}\n\n";

        feed(&c, TK_STR(delta));
        fed += sizeof(delta) - 1;
    }
    CU_ASSERT(tk_session_held(c.session) > fed / 2);
    CU_ASSERT(tk_session_held(c.session) < 3 * fed);
    caller_done(&c);
    CU_ASSERT(memory.blocks == 0 && !memory.confused);
}

/* Blocks with nothing in them are the most there can be for their bytes. */
static void test_held_by_empty_blocks(void)
{
    static const char *const forms[] = {"parts", "events", "sse"};
    static const char start[] = "data: {\"type\":\"message_start\",\"message\":{\"content\":[";
    static const char block[] = "{\"type\":\"\"},";
    enum {
        BLOCKS = 20000
    };
    char *text = malloc(sizeof(start) + BLOCKS * sizeof(block)), *at = text;

    at += sprintf(at, "%s", start);
    for (int i = 0; i < BLOCKS; i++)
        at += sprintf(at, "%s", block);
    at += sprintf(at - 1, "]}}\n\n") - 1;
    for (size_t i = 0; i < 3; i++) {
        size_t fed = (size_t)(at - text);
        struct caller c;
        char open[64];

        snprintf(open, sizeof(open), "{\"stream\":\"s\",\"emit\":\"%s\"}", forms[i]);
        CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
        CU_ASSERT_TRUE(open_stream(&c, open));
        feed(&c, (struct tk_str){text, fed});
        CU_ASSERT(tk_session_held(c.session) > fed);
        CU_ASSERT(tk_session_held(c.session) < 12 * fed + 16384);
        caller_done(&c);
    }
    free(text);
}

/* A stream that failed keeps its error only; one that ended nothing. */
static void test_failed_streams_hold_little(void)
{
    struct memory memory = {0};
    char *text = malloc(1 << 20);
    struct caller c;
    size_t held;
    bool failed;

    CU_ASSERT_TRUE_FATAL(caller_init(&c, memory_allocator(&memory)));
    CU_ASSERT_TRUE(open_stream(&c, "{\"stream\":\"s\"}"));
    memset(text, 'x', 1 << 20);
    feed(&c, TK_STR("data: {\"type\":\"message_start\",\"message\":{}}\n\ndata: {\"type\":"
                    "\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"text\","
                    "\"text\":\""));
    feed(&c, (struct tk_str){text, 1 << 20});
    held = tk_session_held(c.session);
    CU_ASSERT(held > 1 << 20 && held < 3 << 20);
    feed(&c, TK_STR("\"}}\n\n"));
    held = tk_session_held(c.session);
    CU_ASSERT(held > 1 << 20 && held < 3 << 20);
    feed(&c, TK_STR("data: {\"type\":\"content_block_stop\",\"index\":7}\n\n"));
    CU_ASSERT(tk_session_held(c.session) < 16384);
    caller_call(&c, ending(&c), &failed);
    CU_ASSERT_FALSE(failed);
    CU_ASSERT_EQUAL(tk_session_held(c.session), 0);
    caller_done(&c);
    CU_ASSERT(memory.blocks == 0 && !memory.confused);
    free(text);
}

/* Streams that nobody ended go with their session. */
static void test_session_takes_streams_along(void)
{
    struct memory memory = {0};
    struct caller c;

    CU_ASSERT_TRUE_FATAL(caller_init(&c, memory_allocator(&memory)));
    for (int i = 0; i < 60; i++) {
        char open[64];

        snprintf(open, sizeof(open), "{\"stream\":\"key %d\"}", i);
        CU_ASSERT_TRUE(open_stream(&c, open));
    }
    CU_ASSERT_FALSE(open_stream(&c, "{\"stream\":\"key 7\"}"));
    CU_ASSERT_EQUAL(tk_session_streams(c.session), 60);
    caller_done(&c);
    CU_ASSERT(memory.blocks == 0 && !memory.confused);
}

TAP_MAIN("stream_life", TAP_TEST(test_no_memory), TAP_TEST(test_held_by_deltas),
         TAP_TEST(test_held_by_what_waits), TAP_TEST(test_held_by_empty_blocks),
         TAP_TEST(test_failed_streams_hold_little), TAP_TEST(test_session_takes_streams_along))
