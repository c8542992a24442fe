/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of RULES.md section 8 (a): one row for each condition, in its order. A row is tried if
 * one of its members is present; its function then checks the condition and returns the member that
 * serves as the sign.
 */
#include "shapes/format.h"

#include "value/cut.h"
#include "value/out.h"

/* ---- members that can be signs ---- */

/* X(n, name as an identifier, name as written); n is passed on to X. */
#define ELEMENT_MEMBERS(X, n)                                                                      \
    X(n, ROLE, "role")                                                                             \
    X(n, CONTENT, "content")                                                                       \
    X(n, TYPE, "type")                                                                             \
    X(n, MESSAGE, "message")                                                                       \
    X(n, UUID, "uuid")                                                                             \
    X(n, SESSION_CAMEL, "sessionId")                                                               \
    X(n, SESSION, "session_id")                                                                    \
    X(n, LC, "lc")                                                                                 \
    X(n, KWARGS, "kwargs")                                                                         \
    X(n, DATA, "data")                                                                             \
    X(n, MORE_KWARGS, "additional_kwargs")                                                         \
    X(n, KIND, "kind")                                                                             \
    X(n, PARTS, "parts")                                                                           \
    X(n, FROM, "from")                                                                             \
    X(n, VALUE, "value")                                                                           \
    X(n, BLOCKS, "blocks")                                                                         \
    X(n, TOOL_CALLS, "tool_calls")                                                                 \
    X(n, FUNCTION_CALL, "function_call")                                                           \
    X(n, TOOL_CALL_ID, "tool_call_id")                                                             \
    X(n, NAME, "name")                                                                             \
    X(n, TOOL_INVOCATIONS, "toolInvocations")                                                      \
    X(n, OPTIONS, "providerOptions")

#define PART_MEMBERS(X, n)                                                                         \
    X(n, TYPE, "type")                                                                             \
    X(n, TEXT, "text")                                                                             \
    X(n, ID, "id")                                                                                 \
    X(n, TOOL_USE_ID, "tool_use_id")                                                               \
    X(n, TOOL_CALL_ID, "toolCallId")                                                               \
    X(n, IMAGE, "image")                                                                           \
    X(n, DATA, "data")                                                                             \
    X(n, OPTIONS, "providerOptions")                                                               \
    X(n, TOOL_USE, "toolUse")                                                                      \
    X(n, TOOL_RESULT, "toolResult")                                                                \
    X(n, REASONING, "reasoningContent")                                                            \
    X(n, CACHE_POINT, "cachePoint")

enum {
#define ELEMENT_ENUM(n, id, text) E_##id,
    ELEMENT_MEMBERS(ELEMENT_ENUM, 0)
#undef ELEMENT_ENUM
    E_COUNT
};

enum {
#define PART_ENUM(n, id, text) P_##id,
    PART_MEMBERS(PART_ENUM, 0)
#undef PART_ENUM
    P_COUNT
};

#define E(id) (1u << E_##id)
#define P(id) (1u << P_##id)

/* Sets of members whose name has n bytes. Most names are told apart by their length alone. */
#define IS_ELEMENT_OF(n, id, text) | (sizeof(text) - 1 == (n) ? E(id) : 0)
#define IS_PART_OF(n, id, text)    | (sizeof(text) - 1 == (n) ? P(id) : 0)
#define ELEMENTS_OF(n)             (0 ELEMENT_MEMBERS(IS_ELEMENT_OF, n))
#define PARTS_OF(n)                (0 PART_MEMBERS(IS_PART_OF, n))
#define BY_LENGTH(OF)                                                                              \
    {                                                                                              \
        OF(0), OF(1), OF(2), OF(3), OF(4), OF(5), OF(6), OF(7), OF(8), OF(9), OF(10), OF(11),      \
            OF(12), OF(13), OF(14), OF(15), OF(16), OF(17)                                         \
    }
enum {
    LONGEST_NAME = 17
};

#define MEMBER_NAME(n, id, text) TK_STR_INIT(text),
static const struct names {
    uint32_t by_length[LONGEST_NAME + 1], all;
    struct tk_str name[E_COUNT];
} element_names = {BY_LENGTH(ELEMENTS_OF), (1u << E_COUNT) - 1, {ELEMENT_MEMBERS(MEMBER_NAME, 0)}},
  part_names = {BY_LENGTH(PARTS_OF), (1u << P_COUNT) - 1, {PART_MEMBERS(MEMBER_NAME, 0)}};
#undef MEMBER_NAME

/* Return value of a row's function if its condition doesn't hold; otherwise it returns a member. */
enum {
    NO_SIGN = -1
};

/* An element or a part with the members that were found. Members that are null count as absent. */
struct view {
    struct tk_arena *arena;
    struct tk_val at;
    uint32_t present; /* set of E_ or P_ bits; m[] of the others is not set */
    uint32_t others;  /* number of members that can't be signs */
    bool null_type;
    struct tk_val m[E_COUNT];
};

static struct tk_val get(const struct view *v, int member)
{
    return v->present & (1u << member) ? v->m[member] : TK_NO_VAL;
}

static bool is(const struct view *v, int member, enum tk_kind kind)
{
    return (v->present & (1u << member)) && tk_is(v->m[member], kind);
}

static struct tk_str text(const struct view *v, int member)
{
    return tk_text(get(v, member), v->arena);
}

/* Returns true if s is one of the words, a list that ends with `.p == NULL`. */
static bool is_one_of(struct tk_str s, const struct tk_str *words)
{
    for (; words->p; words++)
        if (tk_str_eq(s, *words))
            return true;
    return false;
}

static bool is_filled(const struct view *v, int member)
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

static bool lacks_role(const struct view *v)
{
    return !(v->present & E(ROLE));
}

/* ---- elements ---- */

static int claude_code(const struct view *v)
{
    struct tk_val role = tk_get(get(v, E_MESSAGE), TK_STR("role"));
    bool named = is(v, E_UUID, TK_STRING) || is(v, E_SESSION_CAMEL, TK_STRING) ||
                 is(v, E_SESSION, TK_STRING);

    return named && tk_exists(role) && !tk_is(role, TK_NULL) ? E_MESSAGE : NO_SIGN;
}

static int langchain_object(const struct view *v)
{
    bool number = is(v, E_LC, TK_INT) || is(v, E_LC, TK_REAL);

    return number && is(v, E_KWARGS, TK_OBJECT) ? E_LC : NO_SIGN;
}

static int langchain_message(const struct view *v)
{
    static const struct tk_str types[] = {
        TK_STR_INIT("human"),     TK_STR_INIT("ai"),       TK_STR_INIT("system"),
        TK_STR_INIT("tool"),      TK_STR_INIT("function"), TK_STR_INIT("chat"),
        TK_STR_INIT("developer"), TK_STR_INIT("remove"),   {NULL, 0}};
    struct tk_str type = text(v, E_TYPE);
    bool known = is_one_of(type, types) || tk_str_ends(type, TK_STR("MessageChunk"));

    return known && lacks_role(v) && (is(v, E_DATA, TK_OBJECT) || is(v, E_MORE_KWARGS, TK_OBJECT))
               ? E_TYPE
               : NO_SIGN;
}

static int pydantic_ai(const struct view *v)
{
    static const struct tk_str kinds[] = {
        TK_STR_INIT("request"), TK_STR_INIT("response"), {NULL, 0}};

    return lacks_role(v) && is(v, E_PARTS, TK_ARRAY) && is_one_of(text(v, E_KIND), kinds) ? E_KIND
                                                                                          : NO_SIGN;
}

static int sharegpt(const struct view *v)
{
    return is(v, E_FROM, TK_STRING) && is(v, E_VALUE, TK_STRING) ? E_FROM : NO_SIGN;
}

static int llamaindex(const struct view *v)
{
    return has_string_inside(get(v, E_BLOCKS), TK_STR("block_type")) ? E_BLOCKS : NO_SIGN;
}

static int chat_calls(const struct view *v)
{
    return is_filled(v, E_TOOL_CALLS) ? E_TOOL_CALLS : NO_SIGN;
}

static int chat_function_call(const struct view *v)
{
    return is(v, E_FUNCTION_CALL, TK_OBJECT) ? E_FUNCTION_CALL : NO_SIGN;
}

static int chat_tool_message(const struct view *v)
{
    return is(v, E_TOOL_CALL_ID, TK_STRING) && tk_text_is(get(v, E_ROLE), TK_STR("tool"))
               ? E_TOOL_CALL_ID
               : NO_SIGN;
}

static int chat_function_message(const struct view *v)
{
    return is(v, E_NAME, TK_STRING) && tk_text_is(get(v, E_ROLE), TK_STR("function")) ? E_ROLE
                                                                                      : NO_SIGN;
}

static int responses_item(const struct view *v)
{
    static const struct tk_str types[] = {TK_STR_INIT("function_call"),
                                          TK_STR_INIT("function_call_output"),
                                          TK_STR_INIT("reasoning"),
                                          TK_STR_INIT("item_reference"),
                                          {NULL, 0}};
    struct tk_str type = text(v, E_TYPE);
    bool known = is_one_of(type, types) || tk_str_ends(type, TK_STR("_call")) ||
                 tk_str_ends(type, TK_STR("_call_output"));

    return known && lacks_role(v) ? E_TYPE : NO_SIGN;
}

static bool has_no_list(const struct view *v)
{
    return !(v->present & E(CONTENT)) || is(v, E_CONTENT, TK_STRING);
}

static int ui_parts(const struct view *v)
{
    return has_no_list(v) && is(v, E_PARTS, TK_ARRAY) &&
                   has_string_inside(v->m[E_PARTS], TK_STR("type"))
               ? E_PARTS
               : NO_SIGN;
}

static int ui_invocations(const struct view *v)
{
    return has_no_list(v) && is_filled(v, E_TOOL_INVOCATIONS) ? E_TOOL_INVOCATIONS : NO_SIGN;
}

static int gemini_parts(const struct view *v)
{
    bool untyped = is_filled(v, E_PARTS) && !has_string_inside(v->m[E_PARTS], TK_STR("type"));

    return untyped || is(v, E_PARTS, TK_STRING) ? E_PARTS : NO_SIGN;
}

static int gemini_role(const struct view *v)
{
    return tk_text_is(get(v, E_ROLE), TK_STR("model")) ? E_ROLE : NO_SIGN;
}

static int message_options(const struct view *v)
{
    return is(v, E_OPTIONS, TK_OBJECT) ? E_OPTIONS : NO_SIGN;
}

static int content_alone(const struct view *v)
{
    bool content = is(v, E_CONTENT, TK_STRING) || is(v, E_CONTENT, TK_ARRAY);

    return content && !(v->present & E(PARTS)) ? E_CONTENT : NO_SIGN;
}

/* ---- parts ---- */

static int chat_part(const struct view *v)
{
    static const struct tk_str types[] = {
        TK_STR_INIT("image_url"), TK_STR_INIT("input_audio"), {NULL, 0}};

    return is_one_of(text(v, P_TYPE), types) ? P_TYPE : NO_SIGN;
}

static int responses_part(const struct view *v)
{
    static const struct tk_str types[] = {TK_STR_INIT("input_text"),
                                          TK_STR_INIT("output_text"),
                                          TK_STR_INIT("input_image"),
                                          TK_STR_INIT("input_file"),
                                          {NULL, 0}};

    return is_one_of(text(v, P_TYPE), types) ? P_TYPE : NO_SIGN;
}

static bool is_text(const struct view *v)
{
    return tk_text_is(get(v, P_TYPE), TK_STR("text"));
}

static int assistants_text(const struct view *v)
{
    return is(v, P_TEXT, TK_OBJECT) && is_text(v) &&
                   tk_is(tk_get(v->m[P_TEXT], TK_STR("value")), TK_STRING)
               ? P_TEXT
               : NO_SIGN;
}

static int bedrock_part(const struct view *v)
{
    static const int members[] = {P_TOOL_USE, P_TOOL_RESULT, P_REASONING, P_CACHE_POINT};

    if ((v->present & P(TYPE)) || v->null_type)
        return NO_SIGN;
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (v->present & (1u << members[i]))
            return members[i];
    return v->present == P(TEXT) && v->others == 0 ? P_TEXT : NO_SIGN;
}

static int ai_sdk_pair(const struct view *v)
{
    static const struct tk_str types[] = {
        TK_STR_INIT("tool-call"), TK_STR_INIT("tool-result"), {NULL, 0}};

    return is(v, P_TOOL_CALL_ID, TK_STRING) && is_one_of(text(v, P_TYPE), types) ? P_TYPE : NO_SIGN;
}

static int ai_sdk_image(const struct view *v)
{
    return tk_text_is(get(v, P_TYPE), TK_STR("image")) ? P_IMAGE : NO_SIGN;
}

static int part_options(const struct view *v)
{
    return is(v, P_OPTIONS, TK_OBJECT) ? P_OPTIONS : NO_SIGN;
}

static int fantasy_part(const struct view *v)
{
    return is(v, P_DATA, TK_OBJECT) && v->present == (P(TYPE) | P(DATA)) && v->others == 0
               ? P_DATA
               : NO_SIGN;
}

static int anthropic_pair(const struct view *v)
{
    struct tk_str type = text(v, P_TYPE);
    bool call = is(v, P_ID, TK_STRING) && tk_str_ends(type, TK_STR("tool_use"));
    bool result = is(v, P_TOOL_USE_ID, TK_STRING) && tk_str_ends(type, TK_STR("tool_result"));

    return call || result ? P_TYPE : NO_SIGN;
}

static int plain_text(const struct view *v)
{
    return is(v, P_TEXT, TK_STRING) && is_text(v) ? P_TEXT : NO_SIGN;
}

/* ---- the table ---- */

#define ALL_DIALECTS                                                                               \
    (TK_ASKED_ANTHROPIC | TK_ASKED_FANTASY | TK_ASKED_AI_SDK | TK_ASKED_OPENAI_CHAT |              \
     TK_ASKED_OPENAI_RESPONSES | TK_ASKED_BEDROCK | TK_ASKED_GEMINI | TK_ASKED_NO_DIALECT)
#define ALL_BUT(dialect) (ALL_DIALECTS & ~(unsigned)TK_ASKED_##dialect)
#define OPENAI           (TK_ASKED_OPENAI_CHAT | TK_ASKED_OPENAI_RESPONSES)

static const struct row {
    const char *looks_like, *title;
    /* at least one of these must be present; 0: the row isn't about elements, or isn't about
     * parts */
    uint32_t element, part;
    int (*sign)(const struct view *v);
    unsigned not_asked; /* TK_ASKED_*: dialects for which it is no sign */
} rows[] = {
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

enum {
    ROWS = sizeof(rows) / sizeof(rows[0])
};

/* ---- the search ---- */

static int name_of(struct tk_val member, const struct names *names)
{
    const struct tk_node *n = tk_node(member);
    uint32_t left = n->key_len <= LONGEST_NAME ? names->by_length[n->key_len] : 0;

    if (n->flags & TK_NODE_KEY_ESCAPED)
        left = names->all;
    for (; left != 0; left &= left - 1) {
        int i = __builtin_ctz(left);

        if (tk_has_key(member.doc, member.node, names->name[i]))
            return i;
    }
    return NO_SIGN;
}

static void look(struct view *v, struct tk_val at, const struct names *names)
{
    v->at = at;
    v->present = 0;
    v->others = 0;
    v->null_type = false;
    for (struct tk_val m = tk_first(at); tk_exists(m); m = tk_after(at, m)) {
        int i = name_of(m, names);

        if (tk_is(m, TK_NULL))
            v->null_type |= i != NO_SIGN && tk_str_is(names->name[i], "type");
        else if (i == NO_SIGN)
            v->others++;
        else {
            v->present |= 1u << i;
            v->m[i] = m;
        }
    }
}

/* The state of a search: the topmost row that was found. */
struct search {
    size_t row; /* ROWS: none yet */
    struct tk_format *ret;
    /* By member: the rows to try if an element, or a part, has it. */
    uint32_t of_element[E_COUNT], of_part[P_COUNT];
};

_Static_assert(ROWS <= 32, "a row is a bit");

static void note_row(uint32_t *rows_of, uint32_t members, size_t row)
{
    for (; members != 0; members &= members - 1)
        rows_of[__builtin_ctz(members)] |= 1u << row;
}

static void begin(struct search *s, unsigned asked, struct tk_format *ret)
{
    *s = (struct search){.row = ROWS, .ret = ret};
    for (size_t i = 0; i < ROWS; i++) {
        if (rows[i].not_asked & asked)
            continue;
        note_row(s->of_element, rows[i].element, i);
        note_row(s->of_part, rows[i].part, i);
    }
}

static void note_sign(struct search *s, const struct view *v, size_t row, int sign)
{
    bool part = rows[row].part != 0;

    s->row = row;
    *s->ret = (struct tk_format){
        .looks_like = rows[row].looks_like,
        .title = rows[row].title,
        .at = v->at,
        .member = v->m[sign],
        .name = (part ? &part_names : &element_names)->name[sign].p,
        .with_value = part ? sign == P_TYPE : sign == E_TYPE || sign == E_ROLE || sign == E_KIND,
    };
}

/* Tries the rows above the topmost that was found. */
static void try_rows(struct search *s, const struct view *v, const uint32_t *rows_of)
{
    uint32_t left = 0;

    for (uint32_t present = v->present; present != 0; present &= present - 1)
        left |= rows_of[__builtin_ctz(present)];
    for (; left != 0; left &= left - 1) {
        size_t row = (size_t)__builtin_ctz(left);
        int sign = row < s->row ? rows[row].sign(v) : NO_SIGN;

        if (sign == NO_SIGN)
            continue;
        note_sign(s, v, row, sign);
        return;
    }
}

static void try_parts(struct search *s, struct tk_val content, struct view *v)
{
    if (!tk_is(content, TK_ARRAY))
        return;
    for (struct tk_val part = tk_first(content); tk_exists(part) && s->row > 0;
         part = tk_after(content, part)) {
        look(v, part, &part_names);
        try_rows(s, v, s->of_part);
    }
}

/* Returns the set of E_ bits of the members that the element has. */
static uint32_t try_element(struct search *s, struct tk_val element, struct view *v)
{
    struct tk_val content;
    uint32_t present;

    look(v, element, &element_names);
    try_rows(s, v, s->of_element);
    content = get(v, E_CONTENT);
    present = v->present;
    try_parts(s, content, v);
    return present;
}

/* ---- no role at all ---- */

/* Returns the members of which a history of this dialect has at least one, in at least one element;
 * 0: it needs none. */
static uint32_t needed_members(unsigned asked)
{
    static const struct {
        unsigned asked;
        uint32_t members;
    } needs[] = {
        {TK_ASKED_NO_DIALECT | TK_ASKED_OPENAI_RESPONSES, 0},
        {TK_ASKED_BEDROCK | TK_ASKED_OPENAI_CHAT, E(ROLE) | E(CONTENT)},
        {TK_ASKED_GEMINI, E(ROLE) | E(PARTS)},
    };

    for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
        if (asked & needs[i].asked)
            return needs[i].members;
    return E(ROLE);
}

/* ---- the interface ---- */

bool tk_format_of_list(struct tk_val list, unsigned asked, struct tk_arena *arena,
                       struct tk_format *ret)
{
    uint32_t needed = needed_members(asked), present = 0;
    struct search s;
    struct view v = {.arena = arena};

    if (!tk_is(list, TK_ARRAY) || !tk_exists(tk_first(list)))
        return false;
    begin(&s, asked, ret);
    for (struct tk_val e = tk_first(list); tk_exists(e); e = tk_after(list, e)) {
        present |= try_element(&s, e, &v);
        if (s.row != ROWS)
            return true;
    }
    if (needed == 0 || (present & needed))
        return false;
    *ret = (struct tk_format){.at = tk_first(list), .member = TK_NO_VAL};
    return true;
}

bool tk_format_of_message(struct tk_val message, unsigned asked, struct tk_arena *arena,
                          struct tk_format *ret)
{
    struct search s;
    struct view v = {.arena = arena};

    begin(&s, asked, ret);
    (void)try_element(&s, message, &v);
    return s.row != ROWS;
}

bool tk_format_of_parts(struct tk_val content, unsigned asked, struct tk_arena *arena,
                        struct tk_format *ret)
{
    struct search s;
    struct view v = {.arena = arena};

    begin(&s, asked, ret);
    try_parts(&s, content, &v);
    return s.row != ROWS;
}

/* ---- the sign in words ---- */

static bool is_less(struct tk_str a, struct tk_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n > 0 ? memcmp(a.p, b.p, n) : 0;

    return order < 0 || (order == 0 && a.n < b.n);
}

/* No more names fit into a sign: each takes a byte, one of them may be empty, and a comma. */
enum {
    NAMES_MAX = TK_CUT_AT / 2 + 2
};

struct least {
    size_t count;
    struct tk_str names[NAMES_MAX]; /* sorted */
};

static void keep_least(struct least *l, struct tk_str name)
{
    size_t i = l->count;

    if (i == NAMES_MAX && !is_less(name, l->names[--i]))
        return;
    for (; i > 0 && is_less(name, l->names[i - 1]); i--)
        l->names[i] = l->names[i - 1];
    l->names[i] = name;
    l->count += l->count < NAMES_MAX;
}

static struct tk_str all_names(struct tk_val element, struct tk_arena *arena)
{
    struct least least = {.count = 0};
    struct tk_out out;

    for (struct tk_val m = tk_first(element); tk_exists(m); m = tk_after(element, m))
        keep_least(&least, tk_key(m, arena));
    tk_out_init(&out, arena);
    for (size_t i = 0; i < least.count; i++) {
        tk_out_put(&out, ",", i > 0);
        tk_out_put(&out, least.names[i].p, least.names[i].n);
    }
    return tk_out_join(&out);
}

struct tk_str tk_format_sign(const struct tk_format *f, struct tk_arena *arena)
{
    struct tk_str value;
    struct tk_out out;

    if (!tk_exists(f->member))
        return tk_cut(all_names(f->at, arena), arena);
    value = f->with_value ? tk_text(f->member, arena) : (struct tk_str){0};
    if (!value.p)
        return tk_str_of(f->name);
    tk_out_init(&out, arena);
    tk_out_put(&out, f->name, strlen(f->name));
    tk_out_put(&out, ": ", 2);
    tk_out_put(&out, value.p, value.n);
    return tk_cut(tk_out_join(&out), arena);
}
