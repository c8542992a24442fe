/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include "providers/common/legal_names.h"
#include "providers/common/texts.h"
#include "providers/openai/chat/state.h"
#include "value/cut.h"
#include "value/unicode.h"

enum {
    CALLS_MAX = 128, /* calls of a message at OpenAI */
    TOOLS_MAX = 128, /* tools of a request at OpenAI */
};

/* Finds the messages for which is_bad() returns true, if the survey saw any. */
static int find_as(struct tk_judge *j, uint32_t seen, uint16_t code, enum tk_severity severity,
                   bool (*is_bad)(const struct tk_judge *j, const struct tk_message *m))
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (!tk_chat_saw(j, seen))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        if (is_bad(j, &t->messages[m]))
            r = tk_find(&j->findings, t, code, severity, tk_site_of(m, TK_NONE));
    return r;
}

static int find(struct tk_judge *j, uint32_t seen, uint16_t code,
                bool (*is_bad)(const struct tk_judge *j, const struct tk_message *m))
{
    return find_as(j, seen, code, tk_catalogue[code].severity, is_bad);
}

/* Likewise, with a word: the role, or how many calls there are. */
static int find_with_word(struct tk_judge *j, uint32_t seen, uint16_t code,
                          bool (*is_bad)(const struct tk_judge *j, const struct tk_message *m),
                          struct tk_str (*word)(const struct tk_transcript *t,
                                                const struct tk_message *m))
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (!tk_chat_saw(j, seen))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        if (!is_bad(j, &t->messages[m]))
            continue;
        r = tk_find_message(&j->findings, t, code, m);
        if (r == 0)
            r = tk_find_words(&j->findings, t, word(t, &t->messages[m]), (struct tk_str){0});
    }
    return r;
}

/* ---- the request ---- */

int tk_chat_find_no_messages(struct tk_judge *j)
{
    return j->t->first_message != TK_NONE
               ? 0
               : tk_find_request(&j->findings, j->t, TK_CODE_CHAT_MESSAGES_EMPTY, TK_NO_NODE);
}

/* Returns the node of the first name of a tool that is too long; TK_NO_NODE: none is. */
static uint32_t long_tool_name(const struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;

    for (uint32_t i = 0; i < v->tool_count; i++)
        if (tk_characters(tk_text(tk_request_val(v, v->tools[i].name), j->t->arena)) >
            TK_CHAT_NAME_MAX)
            return v->tools[i].name;
    return TK_NO_NODE;
}

/* One finding, however many tools are at fault. */
int tk_chat_find_tool_limits(struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;
    uint32_t name;
    int r;

    if (!tk_chat_is(j, TK_OPENAI_OWN))
        return 0;
    name = long_tool_name(j);
    if (v->tool_count <= TOOLS_MAX)
        return name != TK_NO_NODE
                   ? tk_find_other_form(&j->findings, j->t, TK_CODE_CHAT_TOOL_LIMITS, name)
                   : 0;
    r = tk_find_request(&j->findings, j->t, TK_CODE_CHAT_TOOL_LIMITS, v->tool_list.node);
    return r < 0 ? r
                 : tk_find_words(&j->findings, j->t,
                                 tk_arena_printf(j->t->arena, "%u", v->tool_count),
                                 (struct tk_str){0});
}

/* Adds a finding about the name of a tool. Copies of the API differ. */
static int find_tool_name(struct tk_judge *j, struct tk_val name, uint32_t index)
{
    enum tk_severity severity = tk_chat_is(j, TK_OPENAI_OWN) ? TK_ERROR : TK_WARNING;
    struct tk_str number = tk_arena_printf(j->t->arena, "%u", index);
    int r = tk_find(&j->findings, j->t, TK_CODE_CHAT_TOOL_NAME_PATTERN, severity,
                    tk_site_request(name.node));

    return r < 0 ? r
                 : tk_find_words(&j->findings, j->t,
                                 tk_cut(tk_text(name, j->t->arena), j->t->arena), number);
}

int tk_chat_find_tool_name_pattern(struct tk_judge *j)
{
    const struct tk_request_view *v = j->request;
    int r = 0;

    for (uint32_t i = 0; i < v->tool_count && r == 0; i++) {
        struct tk_val name = tk_request_val(v, v->tools[i].name);

        if (tk_is(name, TK_STRING) && !tk_is_plain_name(tk_text(name, j->t->arena), SIZE_MAX))
            r = find_tool_name(j, name, i);
    }
    return r;
}

/* ---- roles ---- */

static struct tk_str role_of(const struct tk_transcript *t, const struct tk_message *m)
{
    struct tk_str role =
        tk_text(tk_get((struct tk_val){m->doc, m->node}, TK_STR("role")), t->arena);

    return role.p ? role : TK_STR("");
}

static bool has_other_role(const struct tk_judge *j, const struct tk_message *m)
{
    (void)j;
    return m->role == TK_ROLE_OTHER;
}

int tk_chat_find_role_invalid(struct tk_judge *j)
{
    return find_with_word(j, TK_SEEN_OTHER_ROLE, TK_CODE_CHAT_ROLE_INVALID, has_other_role,
                          role_of);
}

static bool is_system(const struct tk_judge *j, const struct tk_message *m)
{
    (void)j;
    return m->role == TK_ROLE_SYSTEM;
}

int tk_chat_find_role_unsupported(struct tk_judge *j)
{
    if (!tk_chat_is(j, TK_OPENAI_NO_SYSTEM))
        return 0;
    return find_with_word(j, TK_SEEN_SYSTEM, TK_CODE_CHAT_ROLE_UNSUPPORTED, is_system, role_of);
}

static bool is_developer(const struct tk_judge *j, const struct tk_message *m)
{
    return is_system(j, m) && (m->flags & TK_MESSAGE_VARIANT);
}

int tk_chat_find_developer(struct tk_judge *j)
{
    if (!tk_chat_is(j, TK_OPENAI_COPY) || tk_chat_is(j, TK_OPENAI_TAKES_DEVELOPER))
        return 0;
    return find_as(j, TK_SEEN_SYSTEM, TK_CODE_CHAT_DEVELOPER_ROLE,
                   tk_chat_is(j, TK_OPENAI_DEEPSEEK) ? TK_ERROR : TK_WARNING, is_developer);
}

/* ---- content ---- */

static bool lacks_content(const struct tk_judge *j, const struct tk_message *m)
{
    struct tk_val content = tk_chat_content(m);

    (void)j;
    return !tk_is_assistant(m) && (!tk_exists(content) || tk_is(content, TK_NULL));
}

int tk_chat_find_content_null(struct tk_judge *j)
{
    return find(j, TK_SEEN_NO_CONTENT, TK_CODE_CHAT_CONTENT_NULL, lacks_content);
}

static bool has_odd_content(const struct tk_judge *j, const struct tk_message *m)
{
    struct tk_val content = tk_chat_content(m);

    (void)j;
    return tk_exists(content) && !tk_is(content, TK_NULL) && !tk_is(content, TK_STRING) &&
           !tk_is(content, TK_ARRAY);
}

int tk_chat_find_content_type(struct tk_judge *j)
{
    return find(j, TK_SEEN_ODD_CONTENT, TK_CODE_CHAT_CONTENT_TYPE_INVALID, has_odd_content);
}

static bool has_list(const struct tk_message *m)
{
    return tk_is(tk_chat_content(m), TK_ARRAY);
}

/* Returns an error for a list that holds something else than texts. */
static enum tk_severity severity_of_list(const struct tk_transcript *t, const struct tk_message *m)
{
    for (uint32_t i = m->first; i != TK_NONE && !(t->parts[i].flags & TK_PART_IN_CALLS);
         i = t->parts[i].next)
        if (t->parts[i].block != TK_CHAT_TEXT)
            return TK_ERROR;
    return TK_WARNING;
}

int tk_chat_find_list_content(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (!tk_chat_is(j, TK_OPENAI_DEEPSEEK) || !tk_chat_saw(j, TK_SEEN_LIST))
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        if (has_list(&t->messages[m]))
            r = tk_find(&j->findings, t, TK_CODE_CHAT_CONTENT_NOT_STRING,
                        severity_of_list(t, &t->messages[m]), tk_site_of(m, TK_NONE));
    return r;
}

/* ---- lists of calls ---- */

static bool has_empty_calls(const struct tk_judge *j, const struct tk_message *m)
{
    struct tk_val calls = {m->doc, m->calls};

    return tk_is_assistant(m) && tk_is(calls, TK_ARRAY) && !tk_has_calls_or_holes(j->t, m);
}

int tk_chat_find_empty_calls(struct tk_judge *j)
{
    /* Mistral's own SDK writes it. */
    return find_as(j, TK_SEEN_EMPTY_CALLS, TK_CODE_CHAT_TOOL_CALLS_EMPTY_ARRAY,
                   tk_chat_is(j, TK_OPENAI_COPY) ? TK_WARNING : TK_ERROR, has_empty_calls);
}

static uint32_t count_calls(const struct tk_transcript *t, const struct tk_message *m)
{
    uint32_t n = 0;

    for (uint32_t c = tk_first_call(t, m); c != TK_NONE; c = tk_next_call(t, c))
        n++;
    return n;
}

static bool has_many_calls(const struct tk_judge *j, const struct tk_message *m)
{
    return tk_is_assistant(m) && count_calls(j->t, m) > CALLS_MAX;
}

static struct tk_str number_of_calls(const struct tk_transcript *t, const struct tk_message *m)
{
    return tk_arena_printf(t->arena, "%u", count_calls(t, m));
}

int tk_chat_find_many_calls(struct tk_judge *j)
{
    if (!tk_chat_is(j, TK_OPENAI_OWN))
        return 0;
    return find_with_word(j, TK_SEEN_CALL, TK_CODE_CHAT_TOOL_CALLS_TOO_MANY, has_many_calls,
                          number_of_calls);
}

/* ---- names ---- */

size_t tk_chat_foreign_in_name(struct tk_str text)
{
    size_t space = tk_white_space_at(text);

    return space > 0 ? space : text.n > 0 && memchr("<|\\/>", text.p[0], 5) ? 1 : 0;
}

static bool has_foreign_name(const struct tk_judge *j, const struct tk_message *m)
{
    struct tk_val v = tk_chat_member(m, TK_CHAT_M_NAME);
    struct tk_str name = tk_text(v, j->t->arena);

    if (!tk_is(v, TK_STRING))
        return false;
    for (size_t i = 0; i < name.n; i++)
        if (tk_chat_foreign_in_name((struct tk_str){name.p + i, name.n - i}) > 0)
            return true;
    return name.n == 0;
}

int tk_chat_find_message_name(struct tk_judge *j)
{
    if (!tk_chat_is(j, TK_OPENAI_OWN))
        return 0;
    return find(j, TK_SEEN_NAME, TK_CODE_CHAT_MESSAGE_NAME, has_foreign_name);
}

/* ---- messages that say nothing, and reasoning ---- */

/* Returns true for a member with a value that isn't empty. */
static bool has_value(const struct tk_message *m, int member)
{
    struct tk_val v = tk_chat_member(m, member);

    return tk_exists(v) && !(tk_is(v, TK_STRING) && tk_raw(v).n == 0);
}

static bool has_words(const struct tk_transcript *t, const struct tk_message *m)
{
    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next) {
        struct tk_val text = tk_part_val(&t->parts[i], t->parts[i].payload);

        if (t->parts[i].block == TK_CHAT_HOLE)
            continue;
        if (t->parts[i].kind != TK_PART_TEXT || !tk_is(text, TK_STRING) || tk_raw(text).n > 0)
            return true;
    }
    return has_value(m, TK_CHAT_M_REFUSAL) || has_value(m, TK_CHAT_M_AUDIO) ||
           has_value(m, TK_CHAT_M_FUNCTION_CALL);
}

static bool is_empty(const struct tk_judge *j, const struct tk_message *m)
{
    return tk_is_assistant(m) && !has_odd_content(j, m) && !has_words(j->t, m);
}

int tk_chat_find_empty_message(struct tk_judge *j)
{
    return find_as(j, TK_SEEN_EMPTY, TK_CODE_CHAT_ASSISTANT_EMPTY,
                   tk_chat_is(j, TK_OPENAI_COPY) ? TK_ERROR : TK_WARNING, is_empty);
}

static bool is_reasoning(struct tk_val v)
{
    return tk_is(v, TK_STRING) || (tk_is(v, TK_ARRAY) && tk_exists(tk_first(v)));
}

static bool lacks_reasoning(const struct tk_judge *j, const struct tk_message *m)
{
    return tk_is_assistant(m) && tk_has_calls(j->t, m) &&
           !is_reasoning(tk_chat_member(m, TK_CHAT_M_REASONING_CONTENT)) &&
           !is_reasoning(tk_chat_member(m, TK_CHAT_M_REASONING)) &&
           !is_reasoning(tk_chat_member(m, TK_CHAT_M_REASONING_DETAILS));
}

int tk_chat_find_no_reasoning(struct tk_judge *j)
{
    struct tk_val thinking = tk_get(j->request->body, TK_STR("thinking"));

    if (!tk_chat_is(j, TK_OPENAI_REASONS) ||
        tk_text_is(tk_get(thinking, TK_STR("type")), TK_STR("disabled")))
        return 0;
    return find(j, TK_SEEN_CALL, TK_CODE_CHAT_REASONING_CONTENT_REQUIRED, lacks_reasoning);
}
