/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of RULES.md section 8 (a): one row for each condition, in its order. A row is tried if
 * one of its members is present; its function then checks the condition and returns the member that
 * serves as the sign.
 */
#include "shapes/format_inside.h"

/* ---- names ---- */

/* Sets of members whose name has n bytes. */
#define IS_ELEMENT_OF(n, id, text) | (sizeof(text) - 1 == (n) ? E(id) : 0)
#define IS_PART_OF(n, id, text)    | (sizeof(text) - 1 == (n) ? P(id) : 0)
#define ELEMENTS_OF(n)             (0 ELEMENT_MEMBERS(IS_ELEMENT_OF, n))
#define PARTS_OF(n)                (0 PART_MEMBERS(IS_PART_OF, n))
#define BY_LENGTH(OF)                                                                              \
    {                                                                                              \
        OF(0), OF(1), OF(2), OF(3), OF(4), OF(5), OF(6), OF(7), OF(8), OF(9), OF(10), OF(11),      \
            OF(12), OF(13), OF(14), OF(15), OF(16), OF(17)                                         \
    }
#define MEMBER_NAME(n, id, text) TK_STR_INIT(text),

const struct tk_format_names tk_element_names = {
    BY_LENGTH(ELEMENTS_OF), (1u << E_COUNT) - 1, {ELEMENT_MEMBERS(MEMBER_NAME, 0)}};
const struct tk_format_names tk_part_names = {
    BY_LENGTH(PARTS_OF), (1u << P_COUNT) - 1, {PART_MEMBERS(MEMBER_NAME, 0)}};

static bool is(const struct tk_format_view *v, int member, enum tk_kind kind)
{
    return (v->present & (1u << member)) && tk_is(v->m[member], kind);
}

static struct tk_str text(const struct tk_format_view *v, int member)
{
    return tk_text(tk_format_get(v, member), v->arena);
}

/* Returns true if s is one of the words, a list that ends with `.p == NULL`. */
static bool is_one_of(struct tk_str s, const struct tk_str *words)
{
    for (; words->p; words++)
        if (tk_str_eq(s, *words))
            return true;
    return false;
}

static bool is_filled(const struct tk_format_view *v, int member)
{
    return is(v, member, TK_ARRAY) && tk_exists(tk_first(v->m[member]));
}

/* Returns true if an object in the list has that member, and it is a string. */
static bool has_string_inside(struct tk_val list, struct tk_str name)
{
    for (struct tk_val e = tk_first(list); tk_exists(e); e = tk_after(list, e))
        if (tk_is(tk_get(e, name), TK_STRING))
            return true;
    return false;
}

static bool lacks_role(const struct tk_format_view *v)
{
    return !(v->present & E(ROLE));
}

/* ---- elements ---- */

static int claude_code(const struct tk_format_view *v)
{
    struct tk_val role = tk_get(tk_format_get(v, E_MESSAGE), TK_STR("role"));
    bool named = is(v, E_UUID, TK_STRING) || is(v, E_SESSION_CAMEL, TK_STRING) ||
                 is(v, E_SESSION, TK_STRING);

    return named && tk_exists(role) && !tk_is(role, TK_NULL) ? E_MESSAGE : TK_NO_SIGN;
}

static int langchain_object(const struct tk_format_view *v)
{
    bool number = is(v, E_LC, TK_INT) || is(v, E_LC, TK_REAL);

    return number && is(v, E_KWARGS, TK_OBJECT) ? E_LC : TK_NO_SIGN;
}

static int langchain_message(const struct tk_format_view *v)
{
    static const struct tk_str types[] = {
        TK_STR_INIT("human"),     TK_STR_INIT("ai"),       TK_STR_INIT("system"),
        TK_STR_INIT("tool"),      TK_STR_INIT("function"), TK_STR_INIT("chat"),
        TK_STR_INIT("developer"), TK_STR_INIT("remove"),   {NULL, 0}};
    struct tk_str type = text(v, E_TYPE);
    bool known = is_one_of(type, types) || tk_str_ends(type, TK_STR("MessageChunk"));

    return known && lacks_role(v) && (is(v, E_DATA, TK_OBJECT) || is(v, E_MORE_KWARGS, TK_OBJECT))
               ? E_TYPE
               : TK_NO_SIGN;
}

static int pydantic_ai(const struct tk_format_view *v)
{
    static const struct tk_str kinds[] = {
        TK_STR_INIT("request"), TK_STR_INIT("response"), {NULL, 0}};

    return lacks_role(v) && is(v, E_PARTS, TK_ARRAY) && is_one_of(text(v, E_KIND), kinds)
               ? E_KIND
               : TK_NO_SIGN;
}

static int sharegpt(const struct tk_format_view *v)
{
    return is(v, E_FROM, TK_STRING) && is(v, E_VALUE, TK_STRING) ? E_FROM : TK_NO_SIGN;
}

static int llamaindex(const struct tk_format_view *v)
{
    return has_string_inside(tk_format_get(v, E_BLOCKS), TK_STR("block_type")) ? E_BLOCKS
                                                                               : TK_NO_SIGN;
}

static int chat_calls(const struct tk_format_view *v)
{
    return is_filled(v, E_TOOL_CALLS) ? E_TOOL_CALLS : TK_NO_SIGN;
}

static int chat_function_call(const struct tk_format_view *v)
{
    return is(v, E_FUNCTION_CALL, TK_OBJECT) ? E_FUNCTION_CALL : TK_NO_SIGN;
}

static int chat_tool_message(const struct tk_format_view *v)
{
    return is(v, E_TOOL_CALL_ID, TK_STRING) && tk_text_is(tk_format_get(v, E_ROLE), TK_STR("tool"))
               ? E_TOOL_CALL_ID
               : TK_NO_SIGN;
}

static int chat_function_message(const struct tk_format_view *v)
{
    return is(v, E_NAME, TK_STRING) && tk_text_is(tk_format_get(v, E_ROLE), TK_STR("function"))
               ? E_ROLE
               : TK_NO_SIGN;
}

static int responses_item(const struct tk_format_view *v)
{
    static const struct tk_str types[] = {TK_STR_INIT("function_call"),
                                          TK_STR_INIT("function_call_output"),
                                          TK_STR_INIT("reasoning"),
                                          TK_STR_INIT("item_reference"),
                                          {NULL, 0}};
    struct tk_str type = text(v, E_TYPE);
    bool known = is_one_of(type, types) || tk_str_ends(type, TK_STR("_call")) ||
                 tk_str_ends(type, TK_STR("_call_output"));

    return known && lacks_role(v) ? E_TYPE : TK_NO_SIGN;
}

static bool has_no_list(const struct tk_format_view *v)
{
    return !(v->present & E(CONTENT)) || is(v, E_CONTENT, TK_STRING);
}

static int ui_parts(const struct tk_format_view *v)
{
    return has_no_list(v) && is(v, E_PARTS, TK_ARRAY) &&
                   has_string_inside(v->m[E_PARTS], TK_STR("type"))
               ? E_PARTS
               : TK_NO_SIGN;
}

static int ui_invocations(const struct tk_format_view *v)
{
    return has_no_list(v) && is_filled(v, E_TOOL_INVOCATIONS) ? E_TOOL_INVOCATIONS : TK_NO_SIGN;
}

static int gemini_parts(const struct tk_format_view *v)
{
    bool untyped = is_filled(v, E_PARTS) && !has_string_inside(v->m[E_PARTS], TK_STR("type"));

    return untyped || is(v, E_PARTS, TK_STRING) ? E_PARTS : TK_NO_SIGN;
}

static int gemini_role(const struct tk_format_view *v)
{
    return tk_text_is(tk_format_get(v, E_ROLE), TK_STR("model")) ? E_ROLE : TK_NO_SIGN;
}

static int message_options(const struct tk_format_view *v)
{
    return is(v, E_OPTIONS, TK_OBJECT) ? E_OPTIONS : TK_NO_SIGN;
}

static int content_alone(const struct tk_format_view *v)
{
    bool content = is(v, E_CONTENT, TK_STRING) || is(v, E_CONTENT, TK_ARRAY);

    return content && !(v->present & E(PARTS)) ? E_CONTENT : TK_NO_SIGN;
}

/* ---- parts ---- */

static int chat_part(const struct tk_format_view *v)
{
    static const struct tk_str types[] = {
        TK_STR_INIT("image_url"), TK_STR_INIT("input_audio"), {NULL, 0}};

    return is_one_of(text(v, P_TYPE), types) ? P_TYPE : TK_NO_SIGN;
}

static int responses_part(const struct tk_format_view *v)
{
    static const struct tk_str types[] = {TK_STR_INIT("input_text"),
                                          TK_STR_INIT("output_text"),
                                          TK_STR_INIT("input_image"),
                                          TK_STR_INIT("input_file"),
                                          {NULL, 0}};

    return is_one_of(text(v, P_TYPE), types) ? P_TYPE : TK_NO_SIGN;
}

static bool is_text(const struct tk_format_view *v)
{
    return tk_text_is(tk_format_get(v, P_TYPE), TK_STR("text"));
}

static int assistants_text(const struct tk_format_view *v)
{
    return is(v, P_TEXT, TK_OBJECT) && is_text(v) &&
                   tk_is(tk_get(v->m[P_TEXT], TK_STR("value")), TK_STRING)
               ? P_TEXT
               : TK_NO_SIGN;
}

static int bedrock_part(const struct tk_format_view *v)
{
    static const int members[] = {P_TOOL_USE, P_TOOL_RESULT, P_REASONING, P_CACHE_POINT};

    if ((v->present & P(TYPE)) || v->null_type)
        return TK_NO_SIGN;
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (v->present & (1u << members[i]))
            return members[i];
    return v->present == P(TEXT) && v->others == 0 ? P_TEXT : TK_NO_SIGN;
}

static int ai_sdk_pair(const struct tk_format_view *v)
{
    static const struct tk_str types[] = {
        TK_STR_INIT("tool-call"), TK_STR_INIT("tool-result"), {NULL, 0}};

    return is(v, P_TOOL_CALL_ID, TK_STRING) && is_one_of(text(v, P_TYPE), types) ? P_TYPE
                                                                                 : TK_NO_SIGN;
}

static int ai_sdk_image(const struct tk_format_view *v)
{
    return tk_text_is(tk_format_get(v, P_TYPE), TK_STR("image")) ? P_IMAGE : TK_NO_SIGN;
}

static int part_options(const struct tk_format_view *v)
{
    return is(v, P_OPTIONS, TK_OBJECT) ? P_OPTIONS : TK_NO_SIGN;
}

static int fantasy_part(const struct tk_format_view *v)
{
    return is(v, P_DATA, TK_OBJECT) && v->present == (P(TYPE) | P(DATA)) && v->others == 0
               ? P_DATA
               : TK_NO_SIGN;
}

static int anthropic_pair(const struct tk_format_view *v)
{
    struct tk_str type = text(v, P_TYPE);
    bool call = is(v, P_ID, TK_STRING) && tk_str_ends(type, TK_STR("tool_use"));
    bool result = is(v, P_TOOL_USE_ID, TK_STRING) && tk_str_ends(type, TK_STR("tool_result"));

    return call || result ? P_TYPE : TK_NO_SIGN;
}

static int plain_text(const struct tk_format_view *v)
{
    return is(v, P_TEXT, TK_STRING) && is_text(v) ? P_TEXT : TK_NO_SIGN;
}

/* ---- the table ---- */

#define ALL_DIALECTS                                                                               \
    (TK_ASKED_ANTHROPIC | TK_ASKED_FANTASY | TK_ASKED_AI_SDK | TK_ASKED_OPENAI_CHAT |              \
     TK_ASKED_OPENAI_RESPONSES | TK_ASKED_BEDROCK | TK_ASKED_GEMINI | TK_ASKED_NO_DIALECT)
#define ALL_BUT(dialect) (ALL_DIALECTS & ~(unsigned)TK_ASKED_##dialect)
#define OPENAI           (TK_ASKED_OPENAI_CHAT | TK_ASKED_OPENAI_RESPONSES)

const struct tk_format_row tk_format_rows[] = {
    {"claude-code", "a Claude Code transcript", E(MESSAGE), 0, claude_code, 0},
    {"langchain", "LangChain messages", E(LC), 0, langchain_object, 0},
    {"langchain", "LangChain messages", E(TYPE), 0, langchain_message, 0},
    {"pydantic-ai", "Pydantic AI messages", E(KIND), 0, pydantic_ai, 0},
    {"sharegpt", "a ShareGPT conversation", E(FROM), 0, sharegpt, 0},
    {"llamaindex", "LlamaIndex messages", E(BLOCKS), 0, llamaindex, 0},
    {"openai-chat", "OpenAI Chat Completions", E(TOOL_CALLS), 0, chat_calls, OPENAI},
    {"openai-chat", "OpenAI Chat Completions", E(FUNCTION_CALL), 0, chat_function_call, OPENAI},
    {"openai-chat", "OpenAI Chat Completions", E(TOOL_CALL_ID), 0, chat_tool_message, OPENAI},
    {"openai-chat", "OpenAI Chat Completions", E(NAME), 0, chat_function_message, OPENAI},
    {"openai-chat", "OpenAI Chat Completions", 0, P(TYPE), chat_part, OPENAI},
    {"openai-responses", "OpenAI Responses items", E(TYPE), 0, responses_item,
     TK_ASKED_OPENAI_RESPONSES},
    {"openai-responses", "OpenAI Responses items", 0, P(TYPE), responses_part, OPENAI},
    {"openai-assistants", "messages of an OpenAI Assistants thread", 0, P(TEXT), assistants_text,
     0},
    {"ai-sdk-ui", "UI messages of the Vercel AI SDK", E(PARTS), 0, ui_parts, 0},
    {"ai-sdk-ui", "UI messages of the Vercel AI SDK", E(TOOL_INVOCATIONS), 0, ui_invocations, 0},
    {"gemini", "Gemini contents", E(PARTS), 0, gemini_parts, TK_ASKED_GEMINI},
    {"gemini", "Gemini contents", E(ROLE), 0, gemini_role,
     TK_ASKED_GEMINI | TK_ASKED_BEDROCK | OPENAI},
    {"bedrock", "Bedrock Converse messages", 0,
     P(TOOL_USE) | P(TOOL_RESULT) | P(REASONING) | P(CACHE_POINT) | P(TEXT), bedrock_part,
     TK_ASKED_BEDROCK | TK_ASKED_RESPONSE | TK_ASKED_GEMINI_TURN},
    {"ai-sdk", "model messages of the Vercel AI SDK", E(OPTIONS), 0, message_options,
     TK_ASKED_AI_SDK},
    {"ai-sdk", "model messages of the Vercel AI SDK", 0, P(TOOL_CALL_ID), ai_sdk_pair,
     TK_ASKED_AI_SDK},
    {"ai-sdk", "model messages of the Vercel AI SDK", 0, P(IMAGE), ai_sdk_image, TK_ASKED_AI_SDK},
    {"ai-sdk", "model messages of the Vercel AI SDK", 0, P(OPTIONS), part_options, TK_ASKED_AI_SDK},
    {"fantasy", "messages of Go's fantasy", 0, P(DATA), fantasy_part, TK_ASKED_FANTASY},
    {"anthropic", "Anthropic's Messages API", 0, P(ID) | P(TOOL_USE_ID), anthropic_pair,
     TK_ASKED_ANTHROPIC | OPENAI},
    {NULL, NULL, 0, P(TEXT), plain_text, ALL_BUT(FANTASY)},
    {NULL, NULL, E(CONTENT), 0, content_alone, ALL_BUT(GEMINI)},
};

const size_t tk_format_row_count = sizeof(tk_format_rows) / sizeof(tk_format_rows[0]);

_Static_assert(sizeof(tk_format_rows) / sizeof(tk_format_rows[0]) <= 32, "a row is a bit");
