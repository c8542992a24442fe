/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of histories, each by its sign, and what is nearly that sign and isn't. */
#include "../documents.h"
#include "../tap.h"
#include "shapes/format.h"
#include "value/pointer.h"

#define ANTHROPIC TK_ASKED_ANTHROPIC
#define FANTASY   TK_ASKED_FANTASY
#define AI_SDK    TK_ASKED_AI_SDK
#define CHAT      TK_ASKED_OPENAI_CHAT
#define RESPONSES TK_ASKED_OPENAI_RESPONSES
#define BEDROCK   TK_ASKED_BEDROCK
#define GEMINI    TK_ASKED_GEMINI
#define NOBODY    TK_ASKED_NO_DIALECT

typedef bool look_fn(struct tk_val v, unsigned asked, struct tk_arena *arena,
                     struct tk_format *ret);

/* looks_like, sign and pointer in one string, "null" where there is no name; "" without a sign. */
static struct tk_str seen(look_fn *look, const char *json, unsigned asked, struct reading *r)
{
    struct tk_format f;
    struct tk_str sign, pointer;
    const char *name;

    if (reading_json(r, tk_str_of(json)) != 0) {
        printf("# can't read %s\n", json);
        CU_FAIL_FATAL("not JSON");
    }
    if (!look(tk_root(&r->doc), asked, &r->arena, &f))
        return TK_STR("");
    sign = tk_format_sign(&f, &r->arena);
    pointer = tk_pointer_of(f.at, TK_STR(""), &r->arena);
    CU_ASSERT_EQUAL(f.looks_like == NULL, f.title == NULL);
    name = f.looks_like ? f.looks_like : "null";
    return tk_arena_printf(&r->arena, "%s|%.*s|%.*s", name, (int)sign.n, sign.p, (int)pointer.n,
                           pointer.p);
}

static void expect(look_fn *look, const char *json, unsigned asked, const char *want)
{
    struct reading r;
    struct tk_str got, wanted = tk_str_of(want);

    reading_init(&r);
    got = seen(look, json, asked, &r);
    if (!tk_str_eq(got, wanted))
        printf("# %s: %.*s, expected %.*s\n", json, (int)got.n, got.p, (int)wanted.n, wanted.p);
    CU_ASSERT_TRUE(tk_str_eq(got, wanted));
    CU_ASSERT_TRUE(reading_done(&r));
}

struct row {
    const char *json, *want;
};

#define EACH(rows, look, asked)                                                                    \
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)                                    \
    expect(look, rows[i].json, asked, rows[i].want)

/* ---- lists, asked for as anthropic ---- */

static void test_elements(void)
{
    static const struct row rows[] = {
        {"[{\"message\":{\"role\":\"user\"},\"uuid\":\"u\"}]", "claude-code|message|/0"},
        {"[{\"message\":{\"role\":\"user\"},\"sessionId\":\"u\"}]", "claude-code|message|/0"},
        {"[{\"message\":{\"role\":\"user\"},\"session_id\":\"u\"}]", "claude-code|message|/0"},
        {"[{\"lc\":1,\"kwargs\":{}}]", "langchain|lc|/0"},
        {"[{\"type\":\"human\",\"data\":{}}]", "langchain|type: human|/0"},
        {"[{\"type\":\"remove\",\"additional_kwargs\":{}}]", "langchain|type: remove|/0"},
        {"[{\"type\":\"AIMessageChunk\",\"data\":{}}]", "langchain|type: AIMessageChunk|/0"},
        {"[{\"kind\":\"response\",\"parts\":[]}]", "pydantic-ai|kind: response|/0"},
        {"[{\"from\":\"human\",\"value\":\"v\"}]", "sharegpt|from|/0"},
        {"[{\"role\":\"user\",\"blocks\":[3,{\"block_type\":\"text\"}]}]", "llamaindex|blocks|/0"},
        {"[{\"role\":\"user\",\"tool_calls\":[0]}]", "openai-chat|tool_calls|/0"},
        {"[{\"role\":\"user\",\"function_call\":{}}]", "openai-chat|function_call|/0"},
        {"[{\"role\":\"tool\",\"tool_call_id\":\"\"}]", "openai-chat|tool_call_id|/0"},
        {"[{\"role\":\"function\",\"name\":\"f\"}]", "openai-chat|role: function|/0"},
        {"[{\"type\":\"item_reference\"}]", "openai-responses|type: item_reference|/0"},
        {"[{\"type\":\"x_call\"}]", "openai-responses|type: x_call|/0"},
        {"[{\"type\":\"x_call_output\"}]", "openai-responses|type: x_call_output|/0"},
        {"[{\"role\":\"user\",\"content\":\"c\",\"parts\":[1,{\"type\":\"t\"}]}]",
         "ai-sdk-ui|parts|/0"},
        {"[{\"role\":\"user\",\"toolInvocations\":[1]}]", "ai-sdk-ui|toolInvocations|/0"},
        {"[{\"role\":\"user\",\"parts\":\"\"}]", "gemini|parts|/0"},
        {"[{\"role\":\"user\",\"parts\":[{\"type\":1}]}]", "gemini|parts|/0"},
        {"[{\"role\":\"model\",\"content\":\"c\"}]", "gemini|role: model|/0"},
        {"[{\"role\":\"user\",\"content\":\"c\",\"providerOptions\":{}}]",
         "ai-sdk|providerOptions|/0"},
        {"[{\"text\":\"a\",\"b/~\":1,\"\":2},{}]", "null|,b/~,text|/0"},
        {"[{}]", "null||/0"},
        {"[{\"role\":null,\"content\":\"c\"}]", "null|content,role|/0"},
    };

    EACH(rows, tk_format_of_list, ANTHROPIC);
}

static void test_elements_that_are_nearly_signs(void)
{
    static const struct row rows[] = {
        {"[]", ""},
        {"{}", ""},
        {"[{\"role\":\"user\",\"message\":{\"role\":null},\"uuid\":\"u\"}]", ""},
        {"[{\"role\":\"user\",\"message\":{\"role\":\"user\"},\"uuid\":1}]", ""},
        {"[{\"role\":\"user\",\"message\":\"m\",\"uuid\":\"u\"}]", ""},
        {"[{\"role\":\"user\",\"lc\":\"1\",\"kwargs\":{}}]", ""},
        {"[{\"role\":\"user\",\"lc\":1,\"kwargs\":[]}]", ""},
        {"[{\"role\":\"user\",\"type\":\"human\",\"data\":{}}]", ""},
        {"[{\"role\":\"user\"},{\"type\":\"human\",\"data\":[]}]", ""},
        {"[{\"role\":\"user\"},{\"type\":\"MessageChunks\",\"data\":{}}]", ""},
        {"[{\"role\":\"user\",\"kind\":\"request\",\"parts\":[]}]", ""},
        {"[{\"role\":\"user\"},{\"kind\":\"request\",\"parts\":{}}]", ""},
        {"[{\"role\":\"user\"},{\"kind\":\"requests\",\"parts\":[]}]", ""},
        {"[{\"role\":\"user\",\"from\":\"f\",\"value\":1}]", ""},
        {"[{\"role\":\"user\",\"from\":[],\"value\":\"v\"}]", ""},
        {"[{\"role\":\"user\",\"blocks\":[{\"block_type\":1},\"block_type\"]}]", ""},
        {"[{\"role\":\"user\",\"tool_calls\":[]}]", ""},
        {"[{\"role\":\"user\",\"tool_calls\":null,\"function_call\":null}]", ""},
        {"[{\"role\":\"user\",\"function_call\":\"f\"}]", ""},
        {"[{\"role\":\"tool\",\"tool_call_id\":null}]", ""},
        {"[{\"role\":\"user\",\"tool_call_id\":\"t\"}]", ""},
        {"[{\"role\":\"function\",\"name\":null}]", ""},
        {"[{\"role\":\"user\",\"name\":\"f\"}]", ""},
        {"[{\"role\":\"user\",\"type\":\"function_call\"}]", ""},
        {"[{\"role\":\"user\"},{\"type\":\"calls\"}]", ""},
        {"[{\"role\":\"user\",\"content\":[],\"parts\":[{\"type\":\"t\"}]}]", ""},
        {"[{\"role\":\"user\",\"content\":[],\"toolInvocations\":[1]}]", ""},
        {"[{\"role\":\"user\",\"toolInvocations\":[]}]", ""},
        {"[{\"role\":\"user\",\"parts\":[]}]", ""},
        {"[{\"role\":\"user\",\"parts\":{}}]", ""},
        {"[{\"role\":\"models\"},{\"role\":\"developer\"},{\"role\":\"tool\"}]", ""},
        {"[{\"role\":\"user\",\"providerOptions\":null}]", ""},
        {"[{\"role\":\"user\",\"providerOptions\":\"o\"}]", ""},
        {"[{\"content\":\"c\"},{\"role\":5}]", ""},
        {"[3,null,{\"role\":\"user\"}]", ""},
    };

    EACH(rows, tk_format_of_list, ANTHROPIC);
}

static void test_parts(void)
{
    static const struct row rows[] = {
        {"[0,{\"type\":\"image_url\"}]", "openai-chat|type: image_url|/1"},
        {"[{\"type\":\"input_audio\"}]", "openai-chat|type: input_audio|/0"},
        {"[{\"type\":\"input_file\"}]", "openai-responses|type: input_file|/0"},
        {"[{\"type\":\"text\",\"text\":{\"value\":\"v\"}}]", "openai-assistants|text|/0"},
        {"[{\"toolUse\":{}}]", "bedrock|toolUse|/0"},
        {"[{\"toolResult\":1,\"x\":2}]", "bedrock|toolResult|/0"},
        {"[{\"reasoningContent\":[]}]", "bedrock|reasoningContent|/0"},
        {"[{\"cachePoint\":\"c\"}]", "bedrock|cachePoint|/0"},
        {"[{\"text\":\"t\",\"x\":null}]", "bedrock|text|/0"},
        {"[{\"type\":\"tool-call\",\"toolCallId\":\"\"}]", "ai-sdk|type: tool-call|/0"},
        {"[{\"type\":\"tool-result\",\"toolCallId\":\"c\"}]", "ai-sdk|type: tool-result|/0"},
        {"[{\"type\":\"image\",\"image\":1}]", "ai-sdk|image|/0"},
        {"[{\"type\":\"text\",\"text\":\"t\",\"providerOptions\":{}}]",
         "ai-sdk|providerOptions|/0"},
        {"[{\"type\":\"text\",\"data\":{},\"x\":null}]", "fantasy|data|/0"},
        /* The row decides, not the place; in a row the place. */
        {"[{\"type\":\"text\",\"data\":{}},{\"cachePoint\":1},{\"type\":\"image_url\"}]",
         "openai-chat|type: image_url|/2"},
        {"[{\"type\":\"image\",\"image\":1},{\"type\":\"tool-call\",\"toolCallId\":\"\"}]",
         "ai-sdk|type: tool-call|/1"},
        {"[{\"text\":\"t\"},{\"toolUse\":{}}]", "bedrock|text|/0"},
        /* Escapes are no hiding place. */
        {"[{\"\\u0074ype\":\"image\\u005furl\"}]", "openai-chat|type: image_url|/0"},
    };

    EACH(rows, tk_format_of_parts, ANTHROPIC);
}

static void test_parts_that_are_nearly_signs(void)
{
    static const struct row rows[] = {
        {"\"[{\\\"type\\\":\\\"image_url\\\"}]\"", ""},
        {"{\"type\":\"image_url\"}", ""},
        {"[{\"type\":\"image_urls\"}]", ""},
        {"[{\"type\":[\"input_text\"]}]", ""},
        {"[{\"type\":\"text\",\"text\":{\"value\":1}}]", ""},
        {"[{\"type\":\"texts\",\"text\":{\"value\":\"v\"}}]", ""},
        {"[{\"type\":\"text\",\"text\":\"t\"}]", ""},
        {"[{\"type\":null,\"text\":\"t\"}]", ""},
        {"[{\"type\":\"x\",\"toolUse\":{}}]", ""},
        {"[{\"toolUse\":null}]", ""},
        {"[{\"text\":\"t\",\"x\":1}]", ""},
        {"[{\"text\":null}]", ""},
        {"[{}]", ""},
        {"[{\"type\":\"tool-call\",\"toolCallId\":null}]", ""},
        {"[{\"type\":\"tool-calls\",\"toolCallId\":\"c\"}]", ""},
        {"[{\"type\":\"image\",\"image\":null}]", ""},
        {"[{\"type\":\"images\",\"image\":\"i\"}]", ""},
        {"[{\"type\":\"text\",\"text\":\"t\",\"providerOptions\":[]}]", ""},
        {"[{\"type\":\"text\",\"data\":{},\"x\":1}]", ""},
        {"[{\"type\":\"redacted_thinking\",\"data\":\"d\"}]", ""},
        {"[{\"type\":null,\"data\":{}}]", ""},
        {"[{\"type\":\"tool_use\",\"id\":\"i\"}]", ""},
        {"[{\"type\":\"tool_result\",\"tool_use_id\":\"i\","
         "\"content\":[{\"type\":\"image_url\"},{\"text\":\"t\"}]}]",
         ""},
        {"[{\"type\":\"tool_use\",\"id\":\"i\",\"input\":{\"toolUse\":{},\"role\":\"model\"}}]",
         ""},
    };

    EACH(rows, tk_format_of_parts, ANTHROPIC);
}

/* ---- who asks ---- */

static const char calls[] = "[{\"role\":\"assistant\",\"tool_calls\":[0]}]",
                  image_url[] = "[{\"role\":\"user\",\"content\":[{\"type\":\"image_url\"}]}]",
                  output_text[] = "[{\"role\":\"user\",\"content\":[{\"type\":\"output_text\"}]}]",
                  item[] = "[{\"type\":\"reasoning\"},{\"role\":\"user\"}]",
                  parts[] = "[{\"role\":\"user\",\"parts\":[{\"text\":\"t\"}]}]",
                  model[] = "[{\"role\":\"model\",\"content\":[]}]",
                  converse[] = "[{\"role\":\"user\",\"content\":[{\"cachePoint\":{}}]}]",
                  options[] = "[{\"role\":\"user\",\"content\":[],\"providerOptions\":{}}]",
                  call[] = "[{\"role\":\"user\",\"content\":[{\"type\":\"tool-call\","
                           "\"toolCallId\":\"c\"}]}]",
                  data[] = "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"data\":{}}]}]",
                  pair[] = "[{\"role\":\"user\",\"content\":[{\"type\":\"mcp_tool_use\","
                           "\"id\":\"i\"}]}]",
                  result[] = "[{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\","
                             "\"tool_use_id\":\"i\"}]}]",
                  plain[] = "[{\"role\":\"user\",\"content\":[{\"type\":\"text\","
                            "\"text\":\"t\"}]}]",
                  string[] = "[{\"role\":\"user\",\"content\":\"t\"}]",
                  nothing[] = "[{\"text\":\"t\"}]", content_only[] = "[{\"content\":5}]",
                  parts_only[] = "[{\"parts\":[]}]";

static void test_who_asks(void)
{
    static const struct {
        const char *json;
        unsigned asked; /* each of them */
        const char *want;
    } rows[] = {
        {calls, CHAT | RESPONSES, ""},
        {calls, FANTASY | AI_SDK | BEDROCK | GEMINI | NOBODY, "openai-chat|tool_calls|/0"},
        {image_url, CHAT | RESPONSES, ""},
        {image_url, BEDROCK | NOBODY, "openai-chat|type: image_url|/0/content/0"},
        {output_text, CHAT | RESPONSES, ""},
        {output_text, FANTASY | NOBODY, "openai-responses|type: output_text|/0/content/0"},
        {item, RESPONSES, ""},
        {item, CHAT | NOBODY, "openai-responses|type: reasoning|/0"},
        {parts, GEMINI, ""},
        {parts, CHAT | RESPONSES | BEDROCK | AI_SDK | FANTASY | NOBODY, "gemini|parts|/0"},
        {model, BEDROCK | CHAT | RESPONSES, ""},
        {model, FANTASY | AI_SDK | NOBODY, "gemini|role: model|/0"},
        {converse, BEDROCK | ANTHROPIC | TK_ASKED_RESPONSE, ""},
        {converse, CHAT | AI_SDK | NOBODY, "bedrock|cachePoint|/0/content/0"},
        {options, AI_SDK, ""},
        {options, FANTASY | CHAT | NOBODY, "ai-sdk|providerOptions|/0"},
        {call, AI_SDK, ""},
        {call, FANTASY | BEDROCK | NOBODY, "ai-sdk|type: tool-call|/0/content/0"},
        {data, FANTASY, ""},
        {data, AI_SDK | CHAT | NOBODY, "fantasy|data|/0/content/0"},
        {pair, ANTHROPIC | CHAT | RESPONSES, ""},
        {pair, FANTASY | AI_SDK | BEDROCK | NOBODY, "anthropic|type: mcp_tool_use|/0/content/0"},
        {result, ANTHROPIC | CHAT | RESPONSES, ""},
        {result, FANTASY | AI_SDK | BEDROCK | GEMINI | NOBODY,
         "anthropic|type: tool_result|/0/content/0"},
        {plain, ANTHROPIC | AI_SDK | CHAT | RESPONSES | BEDROCK | NOBODY, ""},
        {plain, FANTASY, "null|text|/0/content/0"},
        {plain, GEMINI, "null|content|/0"},
        {string, ANTHROPIC | FANTASY | AI_SDK | CHAT | RESPONSES | BEDROCK | NOBODY, ""},
        {string, GEMINI, "null|content|/0"},
        {nothing, RESPONSES | NOBODY, ""},
        {nothing, ANTHROPIC | FANTASY | AI_SDK | CHAT | BEDROCK | GEMINI, "null|text|/0"},
        {content_only, BEDROCK | CHAT | RESPONSES | NOBODY, ""},
        {content_only, ANTHROPIC | FANTASY | AI_SDK | GEMINI, "null|content|/0"},
        {parts_only, GEMINI | RESPONSES | NOBODY, ""},
        {parts_only, ANTHROPIC | BEDROCK | CHAT, "null|parts|/0"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        unsigned with = rows[i].asked & TK_ASKED_RESPONSE;

        for (unsigned left = rows[i].asked & ~with; left != 0; left &= left - 1)
            expect(tk_format_of_list, rows[i].json, (left & -left) | with, rows[i].want);
    }
}

static void test_turns_and_responses(void)
{
    static const char part[] = "[{\"toolUse\":{}}]";

    expect(tk_format_of_parts, part, GEMINI, "bedrock|toolUse|/0");
    expect(tk_format_of_parts, part, GEMINI | TK_ASKED_GEMINI_TURN, "");
    expect(tk_format_of_parts, part, ANTHROPIC, "bedrock|toolUse|/0");
    expect(tk_format_of_parts, part, ANTHROPIC | TK_ASKED_RESPONSE, "");
}

static void test_a_message_needs_no_role(void)
{
    expect(tk_format_of_message, "{\"content\":\"c\"}", ANTHROPIC, "");
    expect(tk_format_of_message, "{\"content\":[{\"type\":\"input_text\"}]}", ANTHROPIC,
           "openai-responses|type: input_text|/content/0");
    expect(tk_format_of_message, "3", ANTHROPIC, "");
}

/* ---- signs of any length ---- */

static void expect_sign(const char *before, char fill, size_t n, const char *after,
                        const char *want_end, size_t want_size)
{
    char json[8192], *p = json;
    struct reading r;
    struct tk_format f;
    struct tk_str sign;

    p += sprintf(p, "%s", before);
    memset(p, fill, n);
    strcpy(p + n, after);
    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(json)), 0);
    CU_ASSERT_TRUE_FATAL(tk_format_of_list(tk_root(&r.doc), ANTHROPIC, &r.arena, &f));
    sign = tk_format_sign(&f, &r.arena);
    CU_ASSERT_EQUAL(sign.n, want_size);
    CU_ASSERT_TRUE(tk_str_ends(sign, tk_str_of(want_end)));
    CU_ASSERT_TRUE(reading_done(&r));
}

static void test_signs_are_cut(void)
{
    expect_sign("[{\"type\":\"", 'z', 245, "_call\"}]", "zz_call", 256);
    expect_sign("[{\"type\":\"", 'z', 246, "_call\"}]", "_cal\xe2\x80\xa6", 259);
    expect_sign("[{\"", 'n', 256, "\":1}]", "nn", 256);
    expect_sign("[{\"", 'n', 257, "\":1}]", "n\xe2\x80\xa6", 259);
    /* Not inside a character. */
    expect_sign("[{\"", 'n', 255, "\xc3\xa4\":1}]", "n\xe2\x80\xa6", 258);
}

/* More members than a sign can tell: the least of them, in order. */
static void test_many_names(void)
{
    char json[8192], *p = json;
    struct reading r;
    struct tk_format f;
    struct tk_str sign;

    *p++ = '[';
    for (int i = 999; i >= 300; i--)
        p += sprintf(p, "%c\"%d\":0", i == 999 ? '{' : ',', i);
    strcpy(p, "}]");
    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(json)), 0);
    CU_ASSERT_TRUE_FATAL(tk_format_of_list(tk_root(&r.doc), ANTHROPIC, &r.arena, &f));
    sign = tk_format_sign(&f, &r.arena);
    CU_ASSERT_EQUAL(sign.n, 259);
    CU_ASSERT_TRUE(tk_str_starts(sign, TK_STR("300,301,302,303,")));
    CU_ASSERT_TRUE(tk_str_ends(sign, TK_STR(",362,363,\xe2\x80\xa6")) ||
                   tk_str_ends(sign, TK_STR(",363\xe2\x80\xa6")));
    CU_ASSERT_TRUE(reading_done(&r));
}

TAP_MAIN("format", TAP_TEST(test_elements), TAP_TEST(test_elements_that_are_nearly_signs),
         TAP_TEST(test_parts), TAP_TEST(test_parts_that_are_nearly_signs), TAP_TEST(test_who_asks),
         TAP_TEST(test_turns_and_responses), TAP_TEST(test_a_message_needs_no_role),
         TAP_TEST(test_signs_are_cut), TAP_TEST(test_many_names))
