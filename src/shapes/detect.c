/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes/detect.h"

#include "shapes/format_inside.h"
#include "value/cut.h"

#define COUNT_OF(list) (sizeof(list) / sizeof((list)[0]))

static const char anthropic[] = "anthropic", chat[] = "openai-chat",
                  responses[] = "openai-responses", gemini[] = "gemini", bedrock[] = "bedrock";

static void take(struct tk_detected *d, const char *provider, enum tk_because because,
                 struct tk_val at)
{
    d->provider = d->dialect = provider;
    d->sure = true;
    d->because = because;
    d->at = at;
}

static bool is_given(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

/* ---- 1: the name of the list ---- */

/* Returns the body's list of messages; absent: it has none, or its name decides. */
static struct tk_val find_list(struct tk_val body, struct tk_detected *d)
{
    static const struct {
        struct tk_str name;
        const char *provider;
    } lists[] = {{TK_STR_INIT("contents"), gemini}, {TK_STR_INIT("input"), responses}};
    struct tk_val list = tk_get(body, TK_STR("messages"));

    if (is_given(list))
        return list;
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        list = tk_get(body, lists[i].name);
        if (is_given(list)) {
            take(d, lists[i].provider, TK_BECAUSE_MEMBER, list);
            break;
        }
    }
    return TK_NO_VAL;
}

/* ---- 2: signs of formats ---- */

/* Formats that are a provider's: a wire of its own, or one that its adapters have. */
static const char *provider_of_format(const char *format)
{
    static const struct {
        const char *format, *provider;
    } formats[] = {
        {"anthropic", anthropic}, {"fantasy", anthropic},          {"ai-sdk", anthropic},
        {"openai-chat", chat},    {"openai-responses", responses}, {"gemini", gemini},
        {"bedrock", bedrock},
    };

    for (size_t i = 0; i < COUNT_OF(formats); i++)
        if (strcmp(format, formats[i].format) == 0)
            return formats[i].provider;
    return NULL;
}

static bool find_sign(struct tk_val list, struct tk_arena *arena, struct tk_detected *d)
{
    if (!tk_format_of_list(list, TK_ASKED_NO_DIALECT, arena, &d->sign) || !d->sign.looks_like)
        return false;
    take(d, provider_of_format(d->sign.looks_like), TK_BECAUSE_SIGN, d->sign.member);
    d->looks_like = d->sign.looks_like;
    d->title = d->sign.title;
    d->dialect = d->provider ? d->looks_like : NULL;
    return true;
}

/* ---- 3: members of the body, and its first tool ---- */

struct owned_name {
    struct tk_str name;
    const char *provider;
};

/* Names that only one provider's bodies have; the first one that a body has decides. */
static const struct owned_name body_members[] = {
    {TK_STR_INIT("inferenceConfig"), bedrock},
    {TK_STR_INIT("modelId"), bedrock},
    {TK_STR_INIT("additionalModelRequestFields"), bedrock},
    {TK_STR_INIT("guardrailConfig"), bedrock},
    {TK_STR_INIT("toolConfig"), bedrock},
    {TK_STR_INIT("generationConfig"), gemini},
    {TK_STR_INIT("systemInstruction"), gemini},
    {TK_STR_INIT("safetySettings"), gemini},
    {TK_STR_INIT("cachedContent"), gemini},
    {TK_STR_INIT("anthropic_version"), anthropic},
    {TK_STR_INIT("anthropic_beta"), anthropic},
    {TK_STR_INIT("system"), anthropic},
    {TK_STR_INIT("mcp_servers"), anthropic},
    {TK_STR_INIT("container"), anthropic},
    {TK_STR_INIT("context_management"), anthropic},
    {TK_STR_INIT("stop_sequences"), anthropic},
    {TK_STR_INIT("output_config"), anthropic},
    {TK_STR_INIT("previous_response_id"), responses},
    {TK_STR_INIT("max_output_tokens"), responses},
    {TK_STR_INIT("instructions"), responses},
    {TK_STR_INIT("max_completion_tokens"), chat},
    {TK_STR_INIT("stream_options"), chat},
    {TK_STR_INIT("response_format"), chat},
    {TK_STR_INIT("functions"), chat},
    {TK_STR_INIT("function_call"), chat},
    {TK_STR_INIT("reasoning_effort"), chat},
    {TK_STR_INIT("frequency_penalty"), chat},
    {TK_STR_INIT("presence_penalty"), chat},
    {TK_STR_INIT("logit_bias"), chat},
    {TK_STR_INIT("logprobs"), chat},
    {TK_STR_INIT("top_logprobs"), chat},
    {TK_STR_INIT("parallel_tool_calls"), chat},
    {TK_STR_INIT("seed"), chat},
    {TK_STR_INIT("stop"), chat},
    {TK_STR_INIT("n"), chat},
    {TK_STR_INIT("prediction"), chat},
    {TK_STR_INIT("modalities"), chat},
};

static const struct owned_name tool_members[] = {
    {TK_STR_INIT("function"), chat},
    {TK_STR_INIT("input_schema"), anthropic},
    {TK_STR_INIT("toolSpec"), bedrock},
    {TK_STR_INIT("functionDeclarations"), gemini},
};

/* Returns the lowest index, below `end`, of the rows that name a member with a value; *ret: that
 * member. Returns `end` if there is none. One pass over the members. */
static size_t first_owned(struct tk_val object, const struct owned_name *rows, size_t end,
                          struct tk_val *ret)
{
    size_t found = end;

    for (struct tk_val m = tk_first(object); tk_exists(m) && found > 0; m = tk_after(object, m)) {
        if (tk_is(m, TK_NULL))
            continue;
        for (size_t i = 0; i < found; i++)
            if (tk_has_key(m.doc, m.node, rows[i].name)) {
                found = i;
                *ret = m;
                break;
            }
    }
    return found;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Returns true for the type of a tool that Anthropic runs or defines: "bash_20250124", "mcp_toolset". */
static bool is_anthropic_tool(struct tk_str type)
{
    size_t digits = 0;

    while (digits < type.n && is_digit(type.p[type.n - 1 - digits]))
        digits++;
    return tk_str_is(type, "mcp_toolset") ||
           (digits == 8 && type.n > 9 && type.p[type.n - 9] == '_');
}

static bool find_in_tool(struct tk_val tool, struct tk_arena *arena, struct tk_detected *d)
{
    struct tk_val type = tk_get(tool, TK_STR("type")), member;
    size_t i = first_owned(tool, tool_members, COUNT_OF(tool_members), &member);

    if (i == 0 && !tk_is(member, TK_OBJECT)) /* `function` is one, with that name inside */
        i = COUNT_OF(tool_members);
    if (i > 1 && is_anthropic_tool(tk_text(type, arena)))
        take(d, anthropic, TK_BECAUSE_TOOL, type);
    else if (i < COUNT_OF(tool_members))
        take(d, tool_members[i].provider, TK_BECAUSE_TOOL, member);
    return d->sure;
}

static bool find_in_body(struct tk_val body, struct tk_arena *arena, struct tk_detected *d)
{
    struct tk_val member;
    size_t i = first_owned(body, body_members, COUNT_OF(body_members), &member);

    if (i == COUNT_OF(body_members))
        return find_in_tool(tk_first(tk_get(body, TK_STR("tools"))), arena, d);
    take(d, body_members[i].provider, TK_BECAUSE_MEMBER, member);
    return true;
}

/* ---- 4: messages ---- */

static bool find_in_message(struct tk_val message, bool first, struct tk_detected *d)
{
    static const struct owned_name members[] = {
        {TK_STR_INIT("reasoning_content"), chat},
        {TK_STR_INIT("reasoning"), chat},
        {TK_STR_INIT("reasoning_details"), chat},
        {TK_STR_INIT("refusal"), chat},
    };
    struct tk_val role = tk_get(message, TK_STR("role")), member;

    if (first_owned(message, members, COUNT_OF(members), &member) < COUNT_OF(members)) {
        take(d, chat, TK_BECAUSE_SIGN, member);
    } else if (tk_text_is(role, TK_STR("tool")) || tk_text_is(role, TK_STR("function")) ||
               tk_text_is(role, TK_STR("developer"))) {
        take(d, chat, TK_BECAUSE_ROLE, role);
    } else if (first && tk_text_is(role, TK_STR("system"))) {
        take(d, chat, TK_BECAUSE_FIRST, role);
    }
    return d->sure;
}

static bool find_in_messages(struct tk_val list, struct tk_detected *d)
{
    bool first = true;

    for (struct tk_val m = tk_first(list); tk_exists(m); m = tk_after(list, m), first = false)
        if (find_in_message(m, first, d))
            return true;
    return false;
}

/* ---- 5: the model's name ---- */

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool begins(struct tk_str name, const char *head)
{
    for (size_t i = 0; head[i]; i++)
        if (i >= name.n || lower(name.p[i]) != head[i])
            return false;
    return true;
}

static bool begins_with_one(struct tk_str name, const char *const *heads, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (begins(name, heads[i]))
            return true;
    return false;
}

/* Returns the name after a region and a dot ("eu.anthropic.claude-..."), or the name itself if it
 * doesn't begin with a word and a dot. */
static struct tk_str after_region(struct tk_str name)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = lower(name.p[i]);

        if (c == '.' && i > 0)
            return (struct tk_str){name.p + i + 1, name.n - i - 1};
        if (!((c >= 'a' && c <= 'z') || c == '-'))
            break;
    }
    return name;
}

enum vendor {
    VENDOR_UNKNOWN,
    VENDOR_CLAUDE_ON_BEDROCK,
    VENDOR_OTHER, /* its API speaks as OpenAI's does */
    VENDOR_OPENAI,
    VENDOR_CLAUDE,
    VENDOR_ON_BEDROCK,
};

static bool is_on_bedrock(struct tk_str name)
{
    static const char *const heads[] = {"amazon.",  "meta.",     "cohere.", "ai21.",
                                        "mistral.", "deepseek.", "writer.", "qwen."};
    bool region = name.n > 3 && name.p[2] == '.';
    struct tk_str rest = {name.p + (region ? 3 : 0), name.n - (region ? 3 : 0)};

    return begins_with_one(name, heads, COUNT_OF(heads)) ||
           begins_with_one(rest, heads, COUNT_OF(heads));
}

static bool is_openai(struct tk_str name)
{
    static const char *const heads[] = {"gpt-", "chatgpt-", "codex-", "ft:gpt-"};
    bool numbered = name.n >= 2 && lower(name.p[0]) == 'o' && is_digit(name.p[1]);

    return begins_with_one(name, heads, COUNT_OF(heads)) ||
           (numbered && (name.n == 2 || name.p[2] == '-'));
}

static bool is_of_others(struct tk_str name)
{
    static const char *const heads[] = {
        "deepseek", "mistral", "mixtral", "ministral", "codestral", "devstral", "magistral",
        "pixtral",  "voxtral", "open-mi", "kimi-",     "moonshot",  "gemini-",  "gemma",
        "qwen",     "qwq",     "llama",   "grok-",     "glm-",      "minimax",  "command",
        "sonar",    "mimo",    "phi-",    "nova-",     "granite",   "hermes",   "yi-",
        "ernie",    "doubao",  "hunyuan", "step-"};

    return begins_with_one(name, heads, COUNT_OF(heads));
}

static enum vendor vendor_of(struct tk_str name)
{
    const char *slash = NULL;
    struct tk_str last = name;

    for (size_t i = name.n; i > 0 && !slash; i--)
        slash = name.p[i - 1] == '/' ? name.p + i : NULL;
    if (slash)
        last = (struct tk_str){slash, (size_t)(name.p + name.n - slash)};
    if (begins(last, "anthropic.claude") || begins(after_region(last), "anthropic.claude"))
        return VENDOR_CLAUDE_ON_BEDROCK;
    if (slash)
        return VENDOR_OTHER;
    if (is_openai(name))
        return VENDOR_OPENAI;
    if (begins(name, "claude-"))
        return VENDOR_CLAUDE;
    if (is_on_bedrock(name))
        return VENDOR_ON_BEDROCK;
    return is_of_others(name) ? VENDOR_OTHER : VENDOR_UNKNOWN;
}

static bool find_in_model(struct tk_val model, enum vendor vendor, struct tk_detected *d)
{
    static const char *const providers[] = {
        [VENDOR_CLAUDE_ON_BEDROCK] = anthropic,
        [VENDOR_OTHER] = chat,
        [VENDOR_OPENAI] = chat,
        [VENDOR_CLAUDE] = anthropic,
        [VENDOR_ON_BEDROCK] = bedrock,
    };

    if (vendor != VENDOR_UNKNOWN)
        take(d, providers[vendor], TK_BECAUSE_MODEL, model);
    return d->sure;
}

/* ---- where it goes ---- */

static const char *endpoint_of(const struct tk_detected *d, struct tk_val body, enum vendor vendor,
                               struct tk_arena *arena)
{
    struct tk_str version = tk_text(tk_get(body, TK_STR("anthropic_version")), arena);

    if (d->provider == chat || d->provider == responses)
        return vendor == VENDOR_UNKNOWN || vendor == VENDOR_OPENAI ? "openai" : "compatible";
    if (d->provider != anthropic)
        return d->provider;
    if (tk_str_starts(version, TK_STR("bedrock")))
        return "bedrock";
    if (tk_str_starts(version, TK_STR("vertex")))
        return "vertex";
    return vendor == VENDOR_CLAUDE_ON_BEDROCK ? "bedrock" : "anthropic";
}

/* ---- all of it ---- */

static const char *title_of(const char *format)
{
    for (size_t i = 0; i < tk_format_row_count; i++)
        if (tk_format_rows[i].looks_like && strcmp(tk_format_rows[i].looks_like, format) == 0)
            return tk_format_rows[i].title;
    return NULL;
}

void tk_detect(struct tk_val v, bool is_list, struct tk_arena *arena, struct tk_detected *ret)
{
    struct tk_val body = is_list ? TK_NO_VAL : v, model = tk_get(body, TK_STR("model")), list = v;
    enum vendor vendor = vendor_of(tk_text(model, arena));

    *ret = (struct tk_detected){.provider = anthropic, .dialect = anthropic, .at = TK_NO_VAL};
    if (!is_list)
        list = find_list(body, ret);
    if (!ret->sure && !find_sign(list, arena, ret) && !find_in_body(body, arena, ret) &&
        !find_in_messages(list, ret))
        (void)find_in_model(model, vendor, ret);
    if (!ret->title)
        ret->title = title_of(ret->dialect);
    ret->endpoint = endpoint_of(ret, body, vendor, arena);
}

struct tk_str tk_detected_because(const struct tk_detected *d, struct tk_arena *arena)
{
    struct tk_str name, text;

    switch (d->because) {
    case TK_BECAUSE_NOTHING:
        return TK_STR("nothing tells whose it is");
    case TK_BECAUSE_SIGN:
        if (d->looks_like)
            return tk_format_sign(&d->sign, arena);
        return tk_cut(tk_key(d->at, arena), arena);
    case TK_BECAUSE_MEMBER:
    case TK_BECAUSE_TOOL:
        name = tk_cut(tk_key(d->at, arena), arena);
        return tk_arena_printf(arena, "member %s%.*s",
                               d->because == TK_BECAUSE_TOOL ? "tools[0]." : "", (int)name.n,
                               name.p);
    case TK_BECAUSE_ROLE:
    case TK_BECAUSE_FIRST:
    case TK_BECAUSE_MODEL:
        text = tk_cut(tk_text(d->at, arena), arena);
        return tk_arena_printf(arena, "%s %.*s%s",
                               d->because == TK_BECAUSE_MODEL ? "model" : "role", (int)text.n,
                               text.p, d->because == TK_BECAUSE_FIRST ? " first" : "");
    }
    return (struct tk_str){0};
}
