/* SPDX-License-Identifier: Apache-2.0 */
/*
 * splice as a library: on values of several documents, as other operations call it; and that long
 * values leave as spans of what came in.
 */
#include "../documents.h"
#include "../tap.h"
#include "../transcripts.h"
#include "operations/splice/splice.h"
#include "providers/anthropic/provider.h"

#include <errno.h>
#include <stdlib.h>

static const uint64_t key[2] = {5, 6};

/* A history, and the messages that came after it, each a document of its own. */
struct fixture {
    struct reading history, rest;
    struct tk_spliced spliced;
    int result;
};

static struct tk_val member(const struct fixture *f, const char *name)
{
    return tk_get(tk_root(&f->rest.doc), tk_str_of(name));
}

static struct tk_splice_input input_of(struct fixture *f)
{
    return (struct tk_splice_input){
        .arena = &f->rest.arena,
        .hash_key = key,
        .provider = &tk_provider_anthropic,
        .messages = tk_root(&f->history.doc),
        .request = TK_NO_VAL,
        .assistant = member(f, "assistant"),
        .tool_results = member(f, "tool_results"),
        .appended = member(f, "appended"),
        .container = TK_NO_VAL,
    };
}

static void begin(struct fixture *f, enum tk_codec codec, const char *history, const char *rest)
{
    struct tk_str a = tk_str_of(history), b = tk_str_of(rest);

    reading_init(&f->history);
    reading_init(&f->rest);
    if (codec == TK_MSGPACK) {
        a = as_msgpack(history, &f->history.arena);
        b = as_msgpack(rest, &f->rest.arena);
    }
    CU_ASSERT_EQUAL_FATAL(
        codec == TK_JSON ? reading_json(&f->history, a) : reading_msgpack(&f->history, a), 0);
    CU_ASSERT_EQUAL_FATAL(
        codec == TK_JSON ? reading_json(&f->rest, b) : reading_msgpack(&f->rest, b), 0);
}

static void splice(struct fixture *f)
{
    const struct tk_splice_input in = input_of(f);

    f->result = tk_splice(&in, &f->spliced);
}

static void end(struct fixture *f)
{
    CU_ASSERT_TRUE(reading_done(&f->history));
    CU_ASSERT_TRUE(reading_done(&f->rest));
}

/* The whole list as compact JSON. */
static const char *messages(struct fixture *f)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &f->rest.arena);
    tk_writer_init(&w, (enum tk_codec)f->rest.doc.codec, &out);
    tk_splice_write_messages(&w, &f->spliced);
    return as_json(tk_out_join(&out), &f->rest.arena);
}

#define CALL   "{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{}}"
#define RESULT "{\"type\":\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"r\"}"
#define ASKED  "[{\"role\":\"user\",\"content\":\"q\"}]"

static void test_several_documents(void)
{
    for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++) {
        struct fixture f;

        begin(&f, (enum tk_codec)codec, ASKED,
              "{\"assistant\":{\"content\":[" CALL "]},\"tool_results\":[" RESULT "],"
              "\"appended\":[{\"role\":\"user\",\"content\":\"x\"}]}");
        splice(&f);
        CU_ASSERT_EQUAL(f.result, 0);
        CU_ASSERT_EQUAL(f.spliced.action, TK_SPLICE_CONTINUE);
        CU_ASSERT_EQUAL(f.spliced.count, 3);
        CU_ASSERT_EQUAL(f.spliced.notes, 0);
        CU_ASSERT_STRING_EQUAL(messages(&f), "[{\"role\":\"user\",\"content\":\"q\"},"
                                             "{\"role\":\"assistant\",\"content\":[" CALL "]},"
                                             "{\"role\":\"user\",\"content\":[" RESULT "]},"
                                             "{\"role\":\"user\",\"content\":\"x\"}]");
        end(&f);
    }
}

/* A refusal says who is to blame by value, so a caller can tell the place in its own terms. */
static void test_refusal_blames_a_value(void)
{
    struct fixture f;

    begin(&f, TK_JSON, ASKED,
          "{\"assistant\":{\"content\":[" CALL "]},\"appended\":["
          "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\",\"id\":\"u\"}]}]}");
    splice(&f);
    CU_ASSERT_EQUAL(f.result, TK_REFUSED);
    CU_ASSERT_EQUAL(f.spliced.refusal.name, TK_REFUSAL_ASSISTANT_CONFLICT);
    CU_ASSERT(tk_str_is(tk_refusal_pointer(&f.spliced.refusal, &f.rest.arena), "/appended/0"));
    CU_ASSERT_EQUAL(f.spliced.refusal.list_count, 1);
    CU_ASSERT(tk_str_is(f.spliced.refusal.list[0], "u"));
    end(&f);
}

/* Bytes of the outcome that are pieces of a document. */
static size_t referred(const struct tk_out *out, const struct tk_doc *doc)
{
    const char *from = (const char *)doc->base, *to = from + doc->size;
    size_t n = 0;

    for (size_t i = 0; i < out->count; i++) {
        const char *p = out->pieces[i].iov_base;

        n += p >= from && p < to ? out->pieces[i].iov_len : 0;
    }
    return n;
}

/* History, turn and results of 100,000 bytes each, one of the results with a member put in. */
static void test_long_values_are_referred_to(void)
{
    enum {
        LONG = 100000
    };
    char *text = malloc(LONG + 1), *history = NULL, *rest = NULL;

    memset(text, 'x', LONG);
    text[LONG] = '\0';
    CU_ASSERT_FATAL(asprintf(&history, "[{\"role\":\"user\",\"content\":\"%s\"}]", text) > 0);
    CU_ASSERT_FATAL(
        asprintf(&rest,
                 "{\"assistant\":{\"content\":[{\"type\":\"text\",\"text\":\"%s\"},"
                 "{\"type\":\"tool_use\",\"id\":\"t\",\"toolset_name\":\"s\",\"input\":{}}]},"
                 "\"tool_results\":[{\"type\":\"tool_result\",\"tool_use_id\":\"t\","
                 "\"content\":\"%s\"}]}",
                 text, text) > 0);
    for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++) {
        struct fixture f;
        struct tk_writer w;
        struct tk_out out;

        begin(&f, (enum tk_codec)codec, history, rest);
        splice(&f);
        tk_out_init(&out, &f.rest.arena);
        tk_writer_init(&w, (enum tk_codec)codec, &out);
        tk_splice_write_messages(&w, &f.spliced);
        CU_ASSERT(referred(&out, &f.history.doc) > LONG);
        CU_ASSERT(referred(&out, &f.rest.doc) > (size_t)2 * LONG);
        CU_ASSERT(out.size - referred(&out, &f.history.doc) - referred(&out, &f.rest.doc) < 500);
        CU_ASSERT_PTR_NOT_NULL(strstr(messages(&f), "\"toolset_name\":\"s\"}]}]"));
        end(&f);
    }
    free(text);
    free(history);
    free(rest);
}

/* Each allocation fails once: the result is -ENOMEM or a failed arena, and no memory is left. */
static void test_malloc_sweep(void)
{
    struct fixture f;
    bool failed = true;

    begin(&f, TK_JSON, ASKED,
          "{\"assistant\":{\"content\":[" CALL "]},\"appended\":["
          "{\"role\":\"assistant\",\"content\":\"z\"},"
          "{\"role\":\"user\",\"content\":[" RESULT "," RESULT "]}]}");
    for (size_t k = 1; failed; k++) {
        struct tk_splice_input in = input_of(&f);
        struct memory memory = {.fail_at = k};
        struct tk_arena arena;

        tk_arena_init(&arena, memory_allocator(&memory));
        in.arena = &arena;
        f.result = tk_splice(&in, &f.spliced);
        failed = memory.calls >= k;
        CU_ASSERT(!failed || f.result == -ENOMEM || tk_arena_failed(&arena));
        tk_arena_done(&arena);
        CU_ASSERT_EQUAL(memory.bytes, 0);
    }
    CU_ASSERT_EQUAL(f.result, TK_REFUSED);
    end(&f);
}

TAP_MAIN("splicing", TAP_TEST(test_several_documents), TAP_TEST(test_refusal_blames_a_value),
         TAP_TEST(test_long_values_are_referred_to), TAP_TEST(test_malloc_sweep))
