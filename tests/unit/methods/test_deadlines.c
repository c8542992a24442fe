/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often a repair asks whether it is out of time. A round of edits is the longest stretch of it:
 * it must ask every few tasks, however many findings there are, and every answer of the host
 * counts.
 */
#include <limits.h>
#include <string.h>

#include "methods/core/host.h"
#include "value/out.h"

#include "../tap.h"

enum {
    MESSAGES = 960,
    TASKS_A_POLL = 32, /* at most so many decisions, or edits, between two questions */
};

struct host {
    unsigned asked, patience; /* after so many questions the time is over */
};

static bool out_of_time(void *opaque, uint32_t timeout_ms)
{
    struct host *host = opaque;

    (void)timeout_ms;
    return ++host->asked > host->patience;
}

static void put(struct tk_out *out, const char *z)
{
    tk_out_put(out, z, strlen(z));
}

/* MESSAGES messages with that content, each of which has a fault. */
static struct tk_str request_of(struct tk_arena *arena, const char *role, const char *part)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    put(&out, "{\"id\":1,\"method\":\"repair\",\"params\":{\"guard\":false,\"messages\":["
              "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"q\"}]}");
    for (int i = 0; i < MESSAGES; i++) {
        put(&out, ",{\"role\":\"");
        put(&out, role);
        put(&out, "\",\"content\":[");
        put(&out, part);
        put(&out, "]}");
    }
    put(&out, "]}}");
    return tk_out_join(&out);
}

static const char *error_of(tk_core *core, tk_session *session, struct tk_str request,
                            struct host *host)
{
    const tk_call_options options = {
        .size = sizeof(options), .cancelled = out_of_time, .opaque = host};
    const char *error = "no memory";
    tk_reply *reply;

    if (tk_call(core, session, request.p, request.n, &options, &reply) == 0) {
        error = tk_reply_get_info(reply)->error;
        tk_reply_free(reply);
    }
    return error;
}

static void check(const char *role, const char *part)
{
    tk_core *core = tk_core_new(NULL);
    struct host patient = {0, UINT_MAX};
    struct tk_arena arena;
    struct tk_str request;

    tk_arena_init(&arena, tk_libc_allocator);
    request = request_of(&arena, role, part);
    /* The deadline is looked at after so many bytes made: the first request of a core finds no
     * memory that another one left, so only the later ones are alike. */
    CU_ASSERT_PTR_NULL(error_of(core, NULL, request, &patient));
    patient.asked = 0;
    CU_ASSERT_PTR_NULL(error_of(core, NULL, request, &patient));
    /* Once for the decisions, once for what is done. */
    CU_ASSERT(patient.asked >= 2 * MESSAGES / TASKS_A_POLL);
    for (unsigned n = 0; n < patient.asked; n++) {
        struct host host = {0, n};
        const char *error = error_of(core, NULL, request, &host);

        CU_ASSERT(error && !strcmp(error, "deadline_exceeded"));
        CU_ASSERT_EQUAL(host.asked, n + 1);
    }
    tk_arena_done(&arena);
    tk_core_free(core);
}

static void test_blank_texts(void)
{
    check("assistant",
          "{\"type\":\"text\",\"text\":\" \",\"cache_control\":{\"type\":\"ephemeral\"}}");
}

static void test_images_in_system_messages(void)
{
    check("system", "{\"type\":\"text\",\"text\":\"s\"},"
                    "{\"type\":\"image\",\"source\":{\"type\":\"url\",\"url\":\"u\"}}");
}

static void test_calls_without_results(void)
{
    check(
        "assistant",
        "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\",\"name\":\"web_search\",\"input\":{}}");
}

/* ---- streams ---- */

static struct tk_str feed_of(struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    put(&out, "{\"id\":1,\"method\":\"stream.feed\",\"params\":{\"stream\":\"s\",\"events\":["
              "{\"type\":\"ping\"}");
    for (int i = 1; i < MESSAGES; i++)
        put(&out, ",{\"type\":\"ping\"}");
    put(&out, "]}}");
    return tk_out_join(&out);
}

static bool is_error(const char *error, const char *name)
{
    return error && !strcmp(error, name);
}

/* The stream ends between two events; what waited too long to be read is fed all the same. */
static void test_feeds(void)
{
    struct tk_str open =
        TK_STR("{\"id\":1,\"method\":\"stream.open\",\"params\":{\"stream\":\"s\"}}");
    tk_core *core = tk_core_new(NULL);
    tk_session *session = tk_session_new(core);
    struct host patient = {0, UINT_MAX};
    struct tk_arena arena;
    struct tk_str feed;

    tk_arena_init(&arena, tk_libc_allocator);
    feed = feed_of(&arena);
    CU_ASSERT_PTR_NULL(error_of(core, session, open, &patient));
    patient.asked = 0;
    CU_ASSERT_PTR_NULL(error_of(core, session, feed, &patient));
    CU_ASSERT(patient.asked >= MESSAGES / TASKS_A_POLL);
    CU_ASSERT_PTR_NULL(error_of(core, session, feed, &(struct host){0, 0}));
    for (unsigned n = 1; n < patient.asked; n++) {
        CU_ASSERT(
            is_error(error_of(core, session, feed, &(struct host){0, n}), "deadline_exceeded"));
        CU_ASSERT(is_error(error_of(core, session, feed, &patient), "stream_not_found"));
        CU_ASSERT_PTR_NULL(error_of(core, session, open, &patient));
        patient.asked = 0;
        CU_ASSERT_PTR_NULL(error_of(core, session, feed, &patient));
    }
    tk_arena_done(&arena);
    tk_session_free(session);
    tk_core_free(core);
}

TAP_MAIN("deadlines", TAP_TEST(test_blank_texts), TAP_TEST(test_images_in_system_messages),
         TAP_TEST(test_calls_without_results), TAP_TEST(test_feeds))
