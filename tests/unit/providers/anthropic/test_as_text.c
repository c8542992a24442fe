/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the text in place of a result (RULES.md section 4), payload by payload, in three dialects
 * and both codecs, bare and marked.
 */
#include "../../tap.h"
#include "../../transcripts.h"
#include "providers/anthropic/text/as_text.h"

static struct tk_str textify(struct history *h, const char *dialect, bool mark, enum tk_codec codec,
                             const char *parts, uint32_t index)
{
    static struct tk_policy policies[2];
    char messages[8192];

    policies[0] = policies[1] = tk_policy_conservative;
    policies[1].mark_text = true;
    snprintf(messages, sizeof(messages), "[{\"role\":\"assistant\",\"content\":[%s]}]", parts);
    history_open(h, dialect, &policies[mark], codec, messages);
    CU_ASSERT_EQUAL(tk_judge(&h->judge), 0);
    return tk_textify(&h->judge, history_part(h, 0, index));
}

/* text "": nothing is left. */
static void expect(const char *dialect, bool mark, const char *parts, uint32_t index,
                   const char *text)
{
    for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++) {
        struct history h;
        struct tk_str got = textify(&h, dialect, mark, (enum tk_codec)codec, parts, index);
        bool same = tk_str_eq(got, tk_str_of(text));

        if (!same)
            printf("# %s %s\n# gave   %.*s\n# wanted %s\n", dialect, parts, (int)got.n, got.p,
                   text);
        CU_ASSERT(same);
        CU_ASSERT(history_close(&h));
    }
}

static void expect_wire(const char *type, const char *content, const char *text)
{
    char part[4096];

    snprintf(part, sizeof(part), "{\"type\":\"%s\",\"tool_use_id\":\"ID\"%s%s}", type,
             content ? ",\"content\":" : "", content ? content : "");
    expect("anthropic", false, part, 0, text);
}

#define SOURCE(type, member) "{\"type\":\"" type "\",\"media_type\":\"m\"," member "}"
#define FETCHED(url, document)                                                                     \
    "{\"type\":\"web_fetch_result\",\"url\":" url ",\"content\":" document                         \
    ",\"retrieved_at\":\"r\"}"

static void test_wire(void)
{
    static const struct {
        const char *type, *content, *text;
    } rows[] = {
        /* web search: a line each, fields left out where they are empty */
        {"web_search_tool_result",
         "[{\"type\":\"web_search_result\",\"title\":\"T\",\"url\":\"U\",\"page_age\":\"A\","
         "\"encrypted_content\":\"E\"},{\"title\":\"\",\"url\":\"V\",\"page_age\":null}]",
         "T, U, A\nV"},
        {"web_search_tool_result", "[{\"type\":\"web_search_result\",\"title\":\"T\"}]", "T"},
        {"web_search_tool_result", "[{\"url\":7,\"title\":\"T\"},{\"x\":1}]", "T"},
        {"web_search_tool_result", "[]", ""},
        /* the content decides, whatever the block */
        {"mcp_tool_result", "[{\"url\":\"U\",\"title\":\"T\"}]", "T, U"},
        {"web_search_tool_result",
         "[\"a\",{\"type\":\"text\",\"text\":\"b\"},{\"type\":\"image\"}]", "a\nb"},
        {"web_search_tool_result", "\"as it is \"", "as it is "},
        {"web_search_tool_result", "{\"type\":\"text\",\"text\":\"t\"}", "t"},
        {"browse_tool_result", "\"words\"", "words"},
        {"browse_tool_result", "{\"k\":1}", ""},
        {"browse_tool_result", "5", ""},
        {"browse_tool_result", "null", ""},
        {"browse_tool_result", NULL, ""},
        /* errors: the code, whatever else is there */
        {"web_search_tool_result",
         "{\"type\":\"web_search_tool_result_error\",\"error_code\":\"unavailable\","
         "\"error_message\":\"m\"}",
         "unavailable"},
        {"x_tool_result",
         "{\"type\":\"code_execution_result\",\"stdout\":\"o\",\"error_code\":\"c\"}", "c"},
        {"web_search_tool_result",
         "{\"type\":\"web_search_tool_result_error\",\"error_code\":\"\"}", ""},
        /* web fetch */
        {"web_fetch_tool_result",
         FETCHED("\"U\"", "{\"title\":\"T\",\"source\":" SOURCE("text", "\"data\":\"body\"") "}"),
         "T, U\nbody"},
        {"web_fetch_tool_result",
         FETCHED("\"U\"", "{\"source\":" SOURCE("base64", "\"data\":\"QUJD\"") "}"), "U"},
        {"web_fetch_tool_result",
         FETCHED("\"U\"", "{\"title\":null,\"source\":{\"type\":\"content\",\"content\":\"c\"}}"),
         "U\nc"},
        {"web_fetch_tool_result",
         FETCHED("\"U\"", "{\"source\":{\"type\":\"content\",\"content\":[{\"type\":\"text\","
                          "\"text\":\"b\"},{\"type\":\"image\"}]}}"),
         "U\nb"},
        {"web_fetch_tool_result", "{\"type\":\"web_fetch_result\"}", ""},
        /* code execution and its shell */
        {"code_execution_tool_result",
         "{\"type\":\"code_execution_result\",\"stdout\":\"o\",\"stderr\":\"e\",\"return_code\":-1,"
         "\"content\":[]}",
         "o\ne\nreturn code -1"},
        {"bash_code_execution_tool_result",
         "{\"type\":\"bash_code_execution_result\",\"stdout\":\"\",\"stderr\":\"\","
         "\"return_code\":0}",
         "return code 0"},
        {"code_execution_tool_result",
         "{\"type\":\"encrypted_code_execution_result\",\"encrypted_stdout\":\"SECRET\","
         "\"stderr\":\"e\",\"return_code\":\"x\"}",
         "e"},
        {"code_execution_tool_result", "{\"type\":\"code_execution_result\"}", ""},
        /* text editor */
        {"text_editor_code_execution_tool_result",
         "{\"type\":\"text_editor_code_execution_view_result\",\"content\":\"a\\nb\","
         "\"file_type\":\"text\"}",
         "a\nb"},
        {"text_editor_code_execution_tool_result",
         "{\"type\":\"text_editor_code_execution_create_result\",\"is_file_update\":true}", ""},
        {"text_editor_code_execution_tool_result",
         "{\"type\":\"text_editor_code_execution_str_replace_result\",\"lines\":[\"a\"]}", ""},
        /* tool search */
        {"tool_search_tool_result",
         "{\"type\":\"tool_search_tool_search_result\",\"tool_references\":[{\"type\":"
         "\"tool_reference\",\"tool_name\":\"a\"},{},{\"tool_name\":\"b\"}]}",
         "a, b"},
        /* advisor */
        {"advisor_tool_result", "{\"type\":\"advisor_result\",\"text\":\"do it\"}", "do it"},
        {"advisor_tool_result",
         "{\"type\":\"advisor_redacted_result\",\"encrypted_content\":\"SECRET\"}", ""},
        /* MCP */
        {"mcp_tool_result",
         "[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"text\",\"text\":\"\"}]", "a"},
        {"mcp_tool_result", "\"r\"", "r"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        expect_wire(rows[i].type, rows[i].content, rows[i].text);
}

#define CALL(name)   "{\"type\":\"server_tool_use\",\"id\":\"ID\"," name "\"input\":1},"
#define RESULT(type) "{\"type\":\"" type "\",\"tool_use_id\":\"ID\",\"content\":\"r\"}"

/* The first line names the tool: the call's name where there is one, else the result type's. */
static void test_marks(void)
{
    expect("anthropic", true, RESULT("web_search_tool_result"), 0, "[web_search result]\nr");
    expect("anthropic", true, CALL("\"name\":\"look\",") RESULT("web_search_tool_result"), 1,
           "[look result]\nr");
    expect("anthropic", true, CALL("") RESULT("web_fetch_tool_result"), 1, "[web_fetch result]\nr");
    expect("anthropic", true, RESULT("web_search_tool_result") "," CALL("\"name\":\"look\",") "{}",
           0, "[look result]\nr");
    expect("anthropic", true, RESULT("browse_tool_result"), 0, "[browse result]\nr");
    expect("anthropic", true, RESULT("_tool_result"), 0, "[tool result]\nr");
    expect("anthropic", true, "{\"type\":\"web_search_tool_result\",\"content\":[]}", 0, "");
    expect("anthropic", true, "{\"type\":\"web_search_tool_result\",\"content\":\" \\u2003\"}", 0,
           " \xe2\x80\x83");
}

#define SDK(output)                                                                                  \
    "{\"type\":\"tool-result\",\"toolCallId\":\"ID\",\"toolName\":\"web_search\",\"output\":" output \
    "}"

static void test_ai_sdk(void)
{
    static const struct {
        const char *output, *text;
    } rows[] = {
        {"{\"type\":\"text\",\"value\":\"t\"}", "t"},
        {"{\"type\":\"error-text\",\"value\":\"e\"}", "e"},
        {"{\"type\":\"json\",\"value\":[{\"type\":\"web_search_result\",\"title\":\"T\",\"url\":\"U\","
         "\"pageAge\":\"A\",\"encryptedContent\":\"SECRET\"}]}",
         "T, U, A"},
        {"{\"type\":\"json\",\"value\":{\"type\":\"code_execution_result\",\"stdout\":\"o\","
         "\"returnCode\":1}}",
         "o\nreturn code 1"},
        {"{\"type\":\"json\",\"value\":{\"type\":\"tool_search_tool_search_result\","
         "\"toolReferences\":[{\"toolName\":\"a\"}]}}",
         "a"},
        {"{\"type\":\"error-json\",\"value\":{\"type\":\"x\",\"errorCode\":\"c\"}}", "c"},
        {"{\"type\":\"json\",\"value\":{\"encryptedX\":1,\"ENCRYPTED\":2,\"Encrypted_y\":3,"
         "\"signature\":4,\"Signature\":5,\"encrypt\":6,\"in\":{\"signature\":7}}}",
         "{\"Signature\":5,\"encrypt\":6,\"in\":{}}"},
        {"{\"type\":\"json\",\"value\":7}", "7"},
        {"{\"type\":\"json\",\"value\":null}", ""},
        {"{\"type\":\"json\"}", ""},
        {"{\"type\":\"content\",\"value\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"media\"},"
         "{\"type\":\"text\",\"text\":\"b\"}]}",
         "a\nb"},
        {"{\"type\":\"execution-denied\",\"reason\":\"no\"}", "no"},
        {"{\"type\":\"execution-denied\"}", ""},
        {"null", ""},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char part[1024];

        snprintf(part, sizeof(part), SDK("%s"), rows[i].output);
        expect("ai-sdk", false, part, 0, rows[i].text);
    }
    expect("ai-sdk", true, SDK("{\"type\":\"text\",\"value\":\"t\"}"), 0, "[web_search result]\nt");
}

static void test_tokens_as_spelled(void)
{
    struct history h;
    struct tk_str got = textify(
        &h, "ai-sdk", false, TK_JSON,
        SDK("{\"type\":\"json\",\"value\":{ \"a\" : [ 1.50 , 1e5 , \"\\u00e9 \\/ x\" ] }}"), 0);

    CU_ASSERT(tk_str_is(got, "{\"a\":[1.50,1e5,\"\\u00e9 \\/ x\"]}"));
    CU_ASSERT(history_close(&h));
}

#define FANTASY(output, metadata)                                                                  \
    "{\"type\":\"tool-result\",\"data\":{\"tool_call_id\":\"ID\",\"provider_executed\":true,"      \
    "\"output\":" output ",\"provider_options\":{\"anthropic\":{\"type\":"                         \
    "\"anthropic.web_search_result_metadata\",\"data\":" metadata "}}}}"
#define HITS "{\"results\":[{\"url\":\"U\",\"title\":\"T\",\"encrypted_content\":\"SECRET\"}]}"

static void test_fantasy(void)
{
    static const struct {
        const char *part, *text;
    } rows[] = {
        {FANTASY("{\"type\":\"text\",\"data\":{\"text\":\"t\"}}", HITS), "t"},
        {FANTASY("{\"type\":\"error\",\"data\":{\"error\":\"e\"}}", HITS), "e"},
        {FANTASY("{\"type\":\"media\",\"data\":{\"data\":\"QUJD\",\"text\":\"cap\"}}", "{}"),
         "cap"},
        {FANTASY("{\"type\":\"json\",\"data\":{\"a\": 1}}", "{}"), "{\"a\":1}"},
        {FANTASY("{\"type\":\"text\",\"data\":{\"text\":\"{}\"}}", HITS), "T, U"},
        {FANTASY("{\"type\":\"text\",\"data\":{\"text\":\" \"}}", HITS), "T, U"},
        {FANTASY("null", HITS), "T, U"},
        {FANTASY("null", "{\"error_code\":\"unavailable\"}"), "unavailable"},
        {FANTASY("null", "{\"results\":[],\"error_code\":\"c\"}"), "c"},
        {FANTASY("null", "null"), ""},
        {FANTASY("{\"type\":\"media\",\"data\":{\"data\":\"QUJD\"}}", "{}"), ""},
        {"{\"type\":\"tool-result\",\"data\":{\"tool_call_id\":\"ID\",\"provider_executed\":true,"
         "\"result\":{\"type\":\"text\",\"data\":{\"text\":\"old\"}},\"provider_metadata\":{}}}",
         "old"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        expect("fantasy", false, rows[i].part, 0, rows[i].text);
    expect("fantasy", true, FANTASY("{\"type\":\"text\",\"data\":{\"text\":\"t\"}}", "{}"), 0,
           "[web_search result]\nt");
}

TAP_MAIN("rules_textify", TAP_TEST(test_wire), TAP_TEST(test_marks), TAP_TEST(test_ai_sdk),
         TAP_TEST(test_tokens_as_spelled), TAP_TEST(test_fantasy))
