/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sweep over whole requests: each allocation of a call fails once, by itself or with all that
 * follow. The call then says -ENOMEM, answers `internal`, or gives its usual answer; nothing leaks,
 * and the core answers the next request as usual.
 *
 * A request takes few large blocks. So that every piece taken from them is at a block's border in
 * some run, the rich requests are tried with a text of growing length before them, which the reader
 * unescapes into the same memory.
 */
#include "../cases.h"
#include "../memory.h"
#include "../tap.h"
#include "../transcripts.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>

enum {
    STEP = 56,        /* lengths of that text; odd eighths, so that borders fall everywhere */
    PAD_MAX = 4096,   /* as large as the smallest block */
    MOST_CALLS = 1000 /* no request here takes more blocks */
};

/* Fails one call, or that and all later ones. */
struct failing {
    struct memory memory;
    size_t calls, fail_at;
    bool only_that;
};

static void *resize(void *opaque, void *ptr, size_t old_size, size_t new_size)
{
    struct failing *f = opaque;
    tk_allocator inner = memory_allocator(&f->memory);

    if (new_size > 0 && f->fail_at > 0 &&
        (f->only_that ? ++f->calls == f->fail_at : ++f->calls >= f->fail_at))
        return NULL;
    return inner.resize(inner.opaque, ptr, old_size, new_size);
}

static char *joined(const tk_reply *reply)
{
    size_t n, at = 0;
    const struct iovec *iov = tk_reply_iov(reply, &n);
    char *text = calloc(tk_reply_size(reply) + 1, 1);

    for (size_t i = 0; i < n; i++) {
        memcpy(text + at, iov[i].iov_base, iov[i].iov_len);
        at += iov[i].iov_len;
    }
    return text;
}

/* Returns the answer, which the caller frees; `.p == NULL` for -ENOMEM. */
static struct tk_str ask(tk_core *core, struct tk_str request)
{
    tk_reply *reply = NULL;
    int r = tk_call(core, NULL, request.p, request.n, NULL, &reply);
    struct tk_str answer;

    if (r != 0) {
        CU_ASSERT_EQUAL(r, -ENOMEM);
        CU_ASSERT_PTR_NULL(reply);
        return (struct tk_str){NULL, 0};
    }
    answer = (struct tk_str){joined(reply), tk_reply_size(reply)};
    tk_reply_free(reply);
    return answer;
}

static void forget(struct tk_str answer)
{
    free((void *)(uintptr_t)answer.p);
}

static bool same_answer(struct tk_str got, struct tk_str want)
{
    return got.p && tk_str_eq(got, want);
}

/* A whole document that says so. */
static bool is_internal_error(struct tk_str got)
{
    struct tk_arena arena;
    const char *text;
    bool good;

    tk_arena_init(&arena, tk_libc_allocator);
    text = as_json(got, &arena);
    good = text && strstr(text, "\"name\":\"internal\"");
    tk_arena_done(&arena);
    return good;
}

/* True if the call, failing there, ended well; *ret_reached: that allocation was made. */
static bool fail_once(struct tk_str request, struct tk_str want, size_t fail_at, bool only_that,
                      bool *ret_reached)
{
    struct failing f = {.only_that = only_that};
    tk_options options = {.size = sizeof(options), .allocator = {resize, &f}, .hash_key = {1, 2}};
    tk_core *core = tk_core_new(&options);
    struct tk_str answer, again;
    bool good;

    f.fail_at = fail_at;
    answer = ask(core, request);
    *ret_reached = f.calls >= fail_at;
    f.fail_at = 0;
    again = ask(core, request);
    good = same_answer(answer, want) || (*ret_reached && (!answer.p || is_internal_error(answer)));
    good = good && same_answer(again, want);
    forget(answer);
    forget(again);
    tk_core_free(core);
    return good && f.memory.blocks == 0 && !f.memory.confused;
}

static struct tk_str answer_without_trouble(struct tk_str request)
{
    tk_core *core = tk_core_new(&(tk_options){.size = sizeof(tk_options), .hash_key = {1, 2}});
    struct tk_str answer = ask(core, request);

    CU_ASSERT_PTR_NOT_NULL_FATAL(answer.p);
    tk_core_free(core);
    return answer;
}

/* Every allocation of the request fails, in both ways. */
static void sweep(struct tk_str request)
{
    struct tk_str want = answer_without_trouble(request);
    bool good = true;
    size_t fail_at = 1;

    for (int only_that = 0; only_that < 2 && good; only_that++) {
        bool reached = true;

        for (fail_at = 1; reached && good && fail_at < MOST_CALLS; fail_at++)
            good = fail_once(request, want, fail_at, only_that, &reached);
        CU_ASSERT(fail_at < MOST_CALLS);
    }
    if (!good)
        printf("# allocation %zu of %.*s\n", fail_at - 1,
               (uint8_t)request.p[0] < 0x80 ? (int)request.n : 0, request.p);
    CU_ASSERT(good);
    forget(want);
}

static void sweep_both(const char *request)
{
    struct tk_arena arena;

    tk_arena_init(&arena, tk_libc_allocator);
    sweep(tk_str_of(request));
    sweep(as_msgpack(request, &arena));
    tk_arena_done(&arena);
}

/* ---- small requests, and errors ---- */

static void test_other_methods(void)
{
    static const char *const requests[] = {
        "{\"id\":1,\"method\":\"ping\",\"params\":{\"echo\":[1,\"a\",{\"b\":null}]}}",
        "{\"id\":\"a long id that is echoed\",\"method\":\"info\"}",
        "{\"id\":1,\"method\":\"health\"}",
        "{\"id\":1,\"method\":\"stats\"}",
        "{\"id\":1,\"method\":\"explain\",\"params\":{\"text\":\"messages.3: `tool_use` ids were found "
        "without `tool_result` blocks immediately after: toolu_1, toolu_2\"}}",
        "{\"id\":1,\"method\":\"report_miss\",\"params\":{\"status\":400,\"provider\":\"anthropic\","
        "\"text\":\"Could not process image\",\"caller\":\"agent\"}}",
        "{\"id\":1,\"method\":\"detect\",\"params\":{\"request\":{\"model\":\"g\\u0070t-4o\","
        "\"messages\":[{\"role\":\"user\",\"content\":\"q\"}]}}}",
        "{\"id\":1,\"method\":\"nothing\"}",
        "{\"id\":1,\"method\":\"validate\",\"params\":{\"messages\":[{\"content\":[5]}]}}",
        "{\"id\":1,\"method\":\"repair\",\"params\":{\"messages\":[],\"policy\":{\"a/b\":1}}}",
        "{\"id\":1,\"method\":\"repair_turn\",\"params\":{\"content\":\"s\"}}",
        "{\"id\":[],\"method\":\"ping\"}",
        "[]",
    };
    static const char *const unreadable[] = {
        "{\"id\":1,\"method\":\"validate\",\"params\":{\"messages\":[{\"content\":[tru]}]}}",
        "{\"id\":1,\"id\":2}",
        "hello",
        "",
    };

    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
        sweep_both(requests[i]);
    for (size_t i = 0; i < sizeof(unreadable) / sizeof(unreadable[0]); i++)
        sweep(tk_str_of(unreadable[i]));
}

/* A history whose second message has an open call, and what is done about it in each method. */
#define OPEN_CALL                                                                                  \
    "{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_1\","      \
    "\"name\":\"web_search\",\"input\":{}}"
#define HISTORY                                                                                           \
    "\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":[" OPEN_CALL \
    "]},{\"role\":\"user\",\"content\":\"n\"}]"

static void test_changes_of_bytes(void)
{
    static const char *const requests[] = {
        "{\"id\":1,\"method\":\"repair\",\"params\":{\"return\":\"splices\"," HISTORY "}}",
        "{\"id\":1,\"method\":\"repair\",\"params\":{\"return\":\"splices\",\"request\":{" HISTORY
        "}}}",
        "{\"id\":1,\"method\":\"repair_turn\",\"params\":{\"return\":\"splices\",\"content\":[" OPEN_CALL
        "]}}",
        "{\"id\":1,\"method\":\"tools\",\"params\":{\"return\":\"splices\",\"add\":[\"web_search\"],"
        "\"request\":{\"tools\":[]}}}",
        "{\"id\":1,\"method\":\"splice\",\"params\":{\"return\":\"splices\",\"request\":{" HISTORY
        "},\"assistant\":{\"content\":\"t\"}}}",
        "{\"id\":1,\"method\":\"prepare\",\"params\":{\"return\":\"splices\",\"request\":{" HISTORY
        "},\"tools\":{\"add\":[\"web_search\"]},\"splice\":{\"assistant\":{\"content\":\"t\"}}}}",
    };

    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++)
        sweep_both(requests[i]);
}

/* ---- the conformance cases ---- */

static json_t *load_cases(const char *folder)
{
    struct tk_str text = read_cases_of(folder);
    json_t *cases = json_loadb(text.p, text.n, JSON_ALLOW_NUL, NULL);

    free((void *)(uintptr_t)text.p);
    return cases;
}

/* A step as a request; NULL where the case says it in another way. */
static char *request_of(json_t *step)
{
    json_t *params = json_object_get(step, "params"), *request;
    char *text = NULL;

    if (!params || json_object_get(params, "__raw_messages__"))
        return NULL;
    request = json_pack("{s:i, s:O, s:O}", "id", 1, "method", json_object_get(step, "method"),
                        "params", params);
    text = json_dumps(request, JSON_COMPACT);
    json_decref(request);
    if (text && strstr(text, "__repeat__")) {
        free(text);
        text = NULL;
    }
    return text;
}

/* Sweeps every `every`th request of a folder of cases. */
static void sweep_folder(const char *name, size_t every)
{
    json_t *cases = load_cases(name), *row, *step;
    size_t i, k, n = 0, done = 0;

    CU_ASSERT_PTR_NOT_NULL_FATAL(cases);
    json_array_foreach(cases, i, row)
    {
        json_t *steps = json_object_get(row, "steps");

        if (!steps)
            steps = json_pack("[O]", row);
        else
            json_incref(steps);
        json_array_foreach(steps, k, step)
        {
            char *request = n++ % every == 0 ? request_of(step) : NULL;

            if (request)
                sweep_both(request);
            done += request != NULL;
            free(request);
        }
        json_decref(steps);
    }
    CU_ASSERT(done > 0);
    json_decref(cases);
}

/* Names and texts with escapes, deep values, JSON in strings. */
static void test_redact(void)
{
    sweep_both(
        "{\"id\":1,\"method\":\"redact\",\"params\":{\"at\":\"/a~1b/1\",\"document\":{\"a/b\":["
        "\"x\",[{\"ro\\u006ce\":\"user\",\"\\u0078\":[[[[[[[[[[[[[[[[[[1.5]]]]]]]]]]]]]]]]]],"
        "\"arguments\":\"{\\\"a\\\":\\\"b\\\"}\"}]]}}}");
}

static void test_validate_cases(void)
{
    sweep_folder("validate", 1);
}

static void test_repair_cases(void)
{
    sweep_folder("repair", 2);
}

static void test_formats_cases(void)
{
    sweep_folder("formats", 1);
}

static void test_thinking_cases(void)
{
    sweep_folder("thinking", 2);
}

static void test_prepare_cases(void)
{
    sweep_folder("prepare", 1);
}

static void test_turn_cases(void)
{
    sweep_folder("repair_turn", 1);
    sweep_folder("protected_turn", 1);
}

static void test_texts_cases(void)
{
    sweep_folder("texts", 1);
}

static void test_chat_cases(void)
{
    sweep_folder("openai_chat", 1);
}

static void test_responses_cases(void)
{
    sweep_folder("openai_responses", 1);
}

static void test_splice_cases(void)
{
    sweep_folder("splice", 1);
}

static void test_tools_cases(void)
{
    sweep_folder("tools", 2);
}

/* ---- every piece of memory ---- */

/* A good pair whose id is n characters and has to be unescaped, and a question. */
static json_t *padding(const char *dialect, size_t n)
{
    char *id = malloc(n + 2);
    json_t *call, *result, *messages;

    memset(id, '\n', n + 1);
    id[0] = 'i';
    id[n + 1] = '\0';
    if (strcmp(dialect, "anthropic") == 0) {
        call = json_pack("{s:s, s:s, s:s, s:{}}", "type", "server_tool_use", "id", id, "name",
                         "web_search", "input");
        result = json_pack("{s:s, s:s, s:[]}", "type", "web_search_tool_result", "tool_use_id", id,
                           "content");
    } else if (strcmp(dialect, "ai-sdk") == 0) {
        call = json_pack("{s:s, s:s, s:s, s:{}, s:b}", "type", "tool-call", "toolCallId", id,
                         "toolName", "web_search", "input", "providerExecuted", 1);
        result = json_pack("{s:s, s:s, s:s, s:{s:s, s:[]}}", "type", "tool-result", "toolCallId",
                           id, "toolName", "web_search", "output", "type", "json", "value");
    } else {
        call =
            json_pack("{s:s, s:{s:s, s:s, s:s, s:b}}", "type", "tool-call", "data", "tool_call_id",
                      id, "tool_name", "web_search", "input", "{}", "provider_executed", 1);
        result = json_pack("{s:s, s:{s:s, s:b, s:{s:{s:s, s:{}}}}}", "type", "tool-result", "data",
                           "tool_call_id", id, "provider_executed", 1, "provider_options",
                           "anthropic", "type", "anthropic.web_search_result_metadata", "data");
    }
    messages = json_pack("[{s:s, s:[o, o]}, {s:s, s:s}]", "role", "assistant", "content", call,
                         result, "role", "user", "content", "q");
    free(id);
    return messages;
}

static void sweep_padded(json_t *history, const char *dialect, const char *policy, const char *form,
                         size_t n)
{
    json_t *messages = padding(dialect, n), *request;
    char *text;

    json_array_extend(messages, history);
    request = json_pack("{s:i, s:s, s:{s:s, s:s, s:b, s:s, s:o}}", "id", 1, "method", "repair",
                        "params", "dialect", dialect, "policy", policy, "guard", 0, "return", form,
                        "messages", messages);
    text = json_dumps(request, JSON_COMPACT);
    sweep(tk_str_of(text));
    free(text);
    json_decref(request);
}

/* Only with many faults in one request is every way through the rules taken. */
static void sweep_together(const char *dialect, const char *policy, const char *form)
{
    json_t *cases = load_cases("repair"), *history = json_array(), *row;
    size_t i, found = 0;

    json_array_foreach(cases, i, row)
    {
        json_t *steps = json_object_get(row, "steps");
        json_t *params = json_object_get(steps ? json_array_get(steps, 0) : row, "params");
        const char *theirs = json_string_value(json_object_get(params, "dialect"));

        if (strcmp(theirs ? theirs : "anthropic", dialect) == 0 && json_array_size(history) < 60 &&
            found++ % 3 == 0)
            json_array_extend(history, json_object_get(params, "messages"));
    }
    CU_ASSERT(json_array_size(history) > 10);
    for (size_t n = 0; n < PAD_MAX; n += STEP)
        sweep_padded(history, dialect, policy, form, n);
    json_decref(history);
    json_decref(cases);
}

static void test_every_piece_of_anthropic(void)
{
    sweep_together("anthropic", "conservative", "patch");
    sweep_together("anthropic", "preserve", "messages");
}

static void test_every_piece_of_fantasy(void)
{
    sweep_together("fantasy", "conservative", "messages");
}

static void test_every_piece_of_ai_sdk(void)
{
    sweep_together("ai-sdk", "preserve", "patch");
}

/* n characters that have to be unescaped. */
static char *escaped(size_t n)
{
    char *text = malloc(2 * n + 1);

    for (size_t i = 0; i < n; i++)
        memcpy(text + 2 * i, "\\n", 2);
    text[2 * n] = '\0';
    return text;
}

/* The request with a text of growing length in it. */
static void sweep_with_text(const char *before, const char *behind)
{
    for (size_t n = 0; n < PAD_MAX; n += STEP) {
        char *text = escaped(n), *request = NULL;

        CU_ASSERT_FATAL(asprintf(&request, "%s%s%s", before, text, behind) > 0);
        sweep(tk_str_of(request));
        free(request);
        free(text);
    }
}

/* Copies of both kinds, an authored pair, results of all sources, text in a result's place. */
static void test_every_piece_of_splice(void)
{
    sweep_with_text(
        "{\"id\":1,\"method\":\"splice\",\"params\":{\"options\":{\"merge\":\"single\"},"
        "\"messages\":[{\"role\":\"user\",\"content\":\"q\"}],\"assistant\":{\"content\":["
        "{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"fallback\"},"
        "{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"f\",\"input\":{\"b\":1,\"a\":[]},"
        "\"toolset_name\":\"x\"},{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"f\","
        "\"input\":{}}]},\"tool_results\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t1\"}],"
        "\"appended\":[{\"role\":\"assistant\",\"content\":\"a\"},{\"role\":\"assistant\","
        "\"content\":[{\"type\":\"text\",\"text\":\"b\"}]},{\"role\":\"user\",\"content\":["
        "{\"type\":\"tool_result\",\"tool_use_id\":\"",
        "\",\"content\":["
        "{\"type\":\"text\",\"text\":\"c\"},{\"type\":\"text\",\"text\":\"d\"}]}]},"
        "{\"role\":\"user\",\"content\":\"e\"}]}}");
}

/* Wishes, servers, replaced and equal entries, values of all sources. */
static void test_every_piece_of_tools(void)
{
    sweep_with_text(
        "{\"id\":1,\"method\":\"tools\",\"params\":{\"betas\":[\"",
        "\",\"a,B\"],"
        "\"request\":{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"fallback\"}]}],"
        "\"mcp_servers\":[{\"type\":\"url\",\"url\":\"u\",\"name\":\"s\"}],\"tools\":["
        "{\"name\":\"f\"},{\"name\":\"f\"},{\"type\":\"web_search_20250305\","
        "\"name\":\"web_search\"},{\"type\":\"odd\"}]},\"add\":[\"web_search\","
        "{\"want\":\"mcp\",\"options\":{\"name\":\"s\",\"url\":\"v\"}},"
        "{\"want\":\"mcp\",\"options\":{\"name\":\"t\",\"url\":\"v\"}},{\"type\":\"odd\"}]}}");
}

/* A case's request around its first question, "q"; false where it has none. */
static bool split_request(json_t *row, char **ret_before, const char **ret_behind)
{
    static const char question[] = "\"content\":\"q\"";
    char *request = request_of(row), *at = request ? strstr(request, question) : NULL;

    if (!at) {
        free(request);
        return false;
    }
    at[sizeof(question) - 3] = '\0';
    *ret_before = request;
    *ret_behind = at + sizeof(question) - 2;
    return true;
}

/* The cases of a file take turns: each has its question grown to some of the sizes. */
static void sweep_questions(const char *name)
{
    json_t *cases = load_cases(name);
    size_t count = json_array_size(cases), done = 0;

    for (size_t n = 0; n < PAD_MAX && count > 0; n += STEP) {
        char *before, *text, *request = NULL;
        const char *behind;

        if (!split_request(json_array_get(cases, n / STEP % count), &before, &behind))
            continue;
        text = escaped(n);
        CU_ASSERT_FATAL(asprintf(&request, "%s%s%s", before, text, behind) > 0);
        sweep_both(request);
        free(request);
        free(text);
        free(before);
        done++;
    }
    CU_ASSERT(done > 0);
    json_decref(cases);
}

static void test_every_piece_of_seals(void)
{
    sweep_questions("thinking");
}

static void test_every_piece_of_prepare(void)
{
    sweep_questions("prepare");
}

/* The prefix: system blocks, deferred tools, thinking, neighbours and other members. */
static void test_every_piece_of_prefix(void)
{
    sweep_with_text(
        "{\"id\":1,\"method\":\"seal\",\"params\":{\"blocks\":true,\"content\":[{\"type\":"
        "\"thinking\",\"thinking\":\"t\",\"signature\":\"s\"},{\"type\":\"text\",\"text\":\"",
        "\"}],\"request\":{\"system\":\"\\n\",\"tools\":[{\"name\":\"\\nf\","
        "\"defer_loading\":true},{\"name\":\"g\",\"defer_loading\":true}],\"messages\":["
        "{\"role\":\"user\",\"content\":\"\\nq\"},{\"role\":\"user\",\"content\":[],\"x\":1},"
        "{\"role\":\"assistant\",\"content\":[{\"type\":\"redacted_thinking\",\"data\":\"\\n\"},"
        "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"\\nf\",\"input\":{\"b\":1.5,\"a\":["
        "\"\\n\"]}},{\"type\":\"tool_reference\",\"tool_name\":\"g\"}]}]}}}");
}

/* Blocks, results and images that are wrong in many ways: an input of the fuzzer's corpus. */
static void test_every_piece_of_shapes(void)
{
    const char *top = getenv("top_srcdir");
    json_t *request, *history;
    char path[4096];

    snprintf(path, sizeof(path), "%s/tests/corpus/request/shapes.json", top ? top : ".");
    request = json_load_file(path, 0, NULL);
    CU_ASSERT_PTR_NOT_NULL_FATAL(request);
    history = json_object_get(json_object_get(request, "params"), "messages");
    for (size_t n = 0; n < PAD_MAX; n += STEP)
        sweep_padded(history, "anthropic", n % 2 ? "preserve" : "conservative", "patch", n);
    json_decref(request);
}

TAP_MAIN("malloc_methods", TAP_TEST(test_other_methods), TAP_TEST(test_changes_of_bytes),
         TAP_TEST(test_redact), TAP_TEST(test_validate_cases), TAP_TEST(test_repair_cases),
         TAP_TEST(test_formats_cases), TAP_TEST(test_thinking_cases), TAP_TEST(test_prepare_cases),
         TAP_TEST(test_turn_cases), TAP_TEST(test_texts_cases), TAP_TEST(test_chat_cases),
         TAP_TEST(test_responses_cases), TAP_TEST(test_splice_cases), TAP_TEST(test_tools_cases),
         TAP_TEST(test_every_piece_of_splice), TAP_TEST(test_every_piece_of_tools),
         TAP_TEST(test_every_piece_of_seals), TAP_TEST(test_every_piece_of_prefix),
         TAP_TEST(test_every_piece_of_prepare), TAP_TEST(test_every_piece_of_anthropic),
         TAP_TEST(test_every_piece_of_fantasy), TAP_TEST(test_every_piece_of_ai_sdk),
         TAP_TEST(test_every_piece_of_shapes))
