/* SPDX-License-Identifier: Apache-2.0 */
/* Seals through the methods: what they tell of a turn, and which of them are refused. */
#include "../../calls.h"
#include "../../tap.h"

#define ONE "{\"type\":\"thinking\",\"thinking\":\"one\",\"signature\":\"s1\"}"
#define CALL                                                                                       \
    "{\"type\":\"tool_use\",\"id\":\"toolu_1\",\"name\":\"get_weather\",\"input\":{\"city\":\"SF\"}}"
#define SEALED_ONE                                                                                 \
    "{\"type\":\"thinking\","                                                                      \
    "\"digest\":\"aee26b40d1cb9857df6933772bdaa163190f8f297e136e70405e2a0e25a5e84f\","             \
    "\"opaque\":\"0f80fa9ec41ac3329536ea3148477626606b829ff7cc2d6726ffdd62b76ed47d\","             \
    "\"text\":\"76f1d5ee77789008f208b259ee9efa5f5ca8eb8bf201718b280b00e78d62f4c8\"}"
#define SEALED_CALL                                                                                \
    "{\"type\":\"tool_use\","                                                                      \
    "\"digest\":\"2bfe8d031922a56904e96d744b38748f965258eb54419b7de4c947b6f523d86d\","             \
    "\"id\":\"toolu_1\"}"
#define TURN_TEXT "b2bc558d3cb5d4d4357fd53b443df6fd5976f6435a1fe9750c7e66b615b481cf"

static const struct {
    const char *why, *v, *alg, *turn, *blocks, *error;
} refused[] = {
    {"another version", "2", "sha256", "00", "[]", "seal_unsupported"},
    {"another algorithm", "1", "sha512", "00", "[]", "seal_unsupported"},
    {"a turn that is no digest", "1", "sha256", "00", "[]", "seal_invalid"},
    {"a turn of other blocks", "1", "sha256", TURN_TEXT, "[" SEALED_ONE "]", "seal_invalid"},
    {"a block without a digest", "1", "sha256", TURN_TEXT, "[{\"type\":\"text\"}]",
     "invalid_params"},
};

static struct tk_val call(struct caller *c, struct tk_str request, bool *ret_failed)
{
    caller_forget(c);
    return caller_call(c, request, ret_failed);
}

static void test_refused(void)
{
    struct caller c;

    CU_ASSERT_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
        char request[1024];
        bool failed = false;
        struct tk_val error;

        snprintf(
            request, sizeof(request),
            "{\"id\":1,\"method\":\"validate\",\"params\":{\"messages\":[],\"seals\":[{\"seal\":"
            "{\"v\":%s,\"alg\":\"%s\",\"turn\":\"%s\",\"blocks\":%s}}]}}",
            refused[i].v, refused[i].alg, refused[i].turn, refused[i].blocks);
        error = call(&c, tk_str_of(request), &failed);
        if (!tk_text_is(tk_get(tk_get(error, TK_STR("data")), TK_STR("name")),
                        tk_str_of(refused[i].error)))
            printf("# %s\n", refused[i].why);
        CU_ASSERT(failed && tk_text_is(tk_get(tk_get(error, TK_STR("data")), TK_STR("name")),
                                       tk_str_of(refused[i].error)));
    }
    caller_done(&c);
}

/* The edits of [thinking, call], and the code of the finding; NULL: none. */
static const struct {
    const char *content, *code;
} histories[] = {
    {ONE "," CALL, NULL},
    {CALL "," ONE, "sealed_turn_reordered"},
    {CALL, "sealed_turn_missing_thinking"},
    {ONE, "sealed_turn_missing_tool_use"},
    {ONE "," CALL ",{\"type\":\"text\",\"text\":\"x\"}", "sealed_turn_foreign_block"},
    {"{\"type\":\"thinking\",\"thinking\":\"ONE\",\"signature\":\"s1\"}," CALL,
     "sealed_turn_altered"},
};

static bool finds(struct tk_val result, const char *code)
{
    struct tk_val list = tk_get(result, TK_STR("violations"));

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (tk_text_is(tk_get(v, TK_STR("code")), tk_str_of(code)))
            return true;
    return false;
}

static void test_verdicts(void)
{
    struct caller c;

    CU_ASSERT_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < sizeof(histories) / sizeof(histories[0]); i++) {
        char request[2048];
        bool failed = true;
        struct tk_val result;

        snprintf(
            request, sizeof(request),
            "{\"id\":1,\"method\":\"validate\",\"params\":{\"messages\":[{\"role\":\"assistant\","
            "\"content\":[%s]}],\"seals\":[{\"seal\":{\"v\":1,\"alg\":\"sha256\",\"turn\":"
            "\"3da32e283a0c29f72f41f666c3927a778b757ffa94f56e51200d7dd846feef93\","
            "\"blocks\":[" SEALED_ONE "," SEALED_CALL "]}}]}}",
            histories[i].content);
        result = call(&c, tk_str_of(request), &failed);
        CU_ASSERT_FALSE(failed);
        for (size_t k = 1; k < sizeof(histories) / sizeof(histories[0]); k++)
            CU_ASSERT_EQUAL(finds(result, histories[k].code), k == i);
    }
    caller_done(&c);
}

/* A block in the middle is asked about first, then the whole turn from its start. */
static void test_turn_from_its_start(void)
{
    static const char request[] =
        "{\"id\":1,\"method\":\"repair\",\"params\":{\"policy\":{\"signature_form\":\"base64\"},"
        "\"messages\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":["
        "{\"type\":\"thinking\",\"thinking\":\"a\",\"signature\":\"QUJD\"},"
        "{\"type\":\"thinking\",\"thinking\":\"b\"},"
        "{\"type\":\"thinking\",\"thinking\":\"c\",\"signature\":\"!\"},"
        "{\"type\":\"text\",\"text\":\"t\"}]},{\"role\":\"user\",\"content\":\"n\"}]}}";
    struct caller c;
    struct tk_val result;
    bool failed = true;
    int64_t demoted = 0;

    CU_ASSERT_FATAL(caller_init(&c, tk_libc_allocator));
    result = call(&c, TK_STR(request), &failed);
    CU_ASSERT_FALSE(failed);
    CU_ASSERT(
        tk_int64(tk_get(tk_get(result, TK_STR("stats")), TK_STR("demoted_thinking")), &demoted));
    CU_ASSERT_EQUAL(demoted, 3);
    caller_done(&c);
}

TAP_MAIN("seals", TAP_TEST(test_refused), TAP_TEST(test_verdicts),
         TAP_TEST(test_turn_from_its_start))
