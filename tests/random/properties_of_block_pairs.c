/* SPDX-License-Identifier: Apache-2.0 */
/* Bedrock's and Gemini's messages after a repair that calls its outcome safe: what their servers ask of parts
 * and of pairs, looked at here once more and plainly (CATALOGUE 4.3, 4.4; PROVIDERS.md 6, 7). */
#include "repair_properties.h"

#include "value/unicode.h"

static bool is_given(struct tk_val v)
{
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

static bool is_filled(struct trial *t, struct tk_val v)
{
    return tk_is(v, TK_STRING) && !tk_is_blank(tk_text(v, &t->arena));
}

static const struct view_part *part_at(const struct trial *t, const struct view_message *m,
                                       uint32_t index)
{
    return &t->left.parts[m->first + index];
}

/* Returns how many of these members the value has; of each in one of two spellings. Names are ended by NULL. */
static uint32_t count_members(struct tk_val v, const char *const (*names)[2])
{
    uint32_t n = 0;

    for (; **names; names++)
        n += tk_exists(view_member(v, (*names)[0], (*names)[1]));
    return n;
}

static uint32_t count_given(struct tk_val v)
{
    uint32_t n = 0;

    for (struct tk_val m = tk_first(v); tk_exists(m); m = tk_after(v, m))
        n += is_given(m);
    return n;
}

/* Returns true for up to `most` of these characters, letters and digits. */
static bool is_name(struct trial *t, struct tk_val v, const char *others, size_t most)
{
    struct tk_str s = tk_is(v, TK_STRING) ? tk_text(v, &t->arena) : TK_STR("");

    for (size_t i = 0; i < s.n; i++)
        if (!(s.p[i] >= '0' && s.p[i] <= '9') && !((s.p[i] | 32) >= 'a' && (s.p[i] | 32) <= 'z') &&
            !strchr(others, s.p[i]))
            return false;
    return s.n > 0 && s.n <= most;
}

static struct tk_str model_of(struct trial *t)
{
    struct tk_val named = in(in(t->params, "target"), "model");

    if (!is_given(named))
        named = in(in(t->params, "request"), t->whose == BEDROCK ? "modelId" : "model");
    return tk_is(named, TK_STRING) ? tk_text(named, &t->arena) : TK_STR("");
}

/* ---- blocks of Converse ---- */

/* A member that has one spelling. */
#define ONE(name)                                                                                  \
    {                                                                                              \
        name, name                                                                                 \
    }

static const char *const of_union[][2] = {
    ONE("text"),         ONE("image"),      ONE("document"),         ONE("video"),
    ONE("audio"),        ONE("toolUse"),    ONE("toolResult"),       ONE("reasoningContent"),
    ONE("guardContent"), ONE("cachePoint"), ONE("citationsContent"), ONE("searchResult"),
    {NULL, NULL},
};

static bool is_sound_result(struct trial *t, const struct view_part *p)
{
    struct tk_val content = in(p->data, "content");

    if (!tk_is(content, TK_ARRAY) ||
        (tk_count(content) == 0 && tk_text_is(in(p->data, "status"), TK_STR("error"))))
        return false;
    for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
        if ((is_given(in(v, "text")) && !is_filled(t, in(v, "text"))) ||
            (is_given(in(v, "json")) && !tk_is(in(v, "json"), TK_OBJECT)))
            return false;
    return true;
}

static bool is_sound_block(struct trial *t, const struct view_part *p)
{
    uint32_t members = count_members(p->value, of_union);

    if (members > 1 || count_given(p->value) == 0 ||
        (members == 1 && is_given(in(p->value, "type"))))
        return false;
    if (p->kind == VIEW_CALL && !p->provider)
        return is_name(t, in(p->data, "toolUseId"), "_-.:", 64) &&
               is_name(t, in(p->data, "name"), "_-", 64) && tk_is(in(p->data, "input"), TK_OBJECT);
    if (p->kind == VIEW_RESULT)
        return is_name(t, in(p->data, "toolUseId"), "_-.:", 64) && is_sound_result(t, p);
    return true;
}

static bool is_block(const struct view_part *p, const char *name)
{
    return is_given(in(p->value, name));
}

/* Returns true if a text isn't blank, or the message has a call or a result: then blank texts may be in it. */
static bool says_something(struct trial *t, const struct view_message *m)
{
    for (uint32_t i = 0; i < m->count; i++)
        if (part_at(t, m, i)->kind == VIEW_CALL || part_at(t, m, i)->kind == VIEW_RESULT ||
            (part_at(t, m, i)->kind == VIEW_TEXT && is_filled(t, part_at(t, m, i)->data)))
            return true;
    return false;
}

static bool is_between_signed(const struct trial *t, const struct view_message *m, uint32_t i)
{
    return i > 0 && i + 1 < m->count && part_at(t, m, i - 1)->signed_ &&
           part_at(t, m, i + 1)->signed_;
}

/* accompanied: the message has something that may be next to a blank text, which an empty one may not. */
static bool is_wrong_text(struct trial *t, const struct view_part *p, bool accompanied)
{
    bool empty = tk_is(p->data, TK_STRING) && tk_raw(p->data).n == 0;

    return p->kind == VIEW_TEXT && (empty || (!is_filled(t, p->data) && !accompanied));
}

static struct tk_str fault_of_blocks(struct trial *t, const struct view_message *m)
{
    bool document = false, text = false;

    for (uint32_t i = 0; i < m->count; i++) {
        const struct view_part *p = part_at(t, m, i);
        bool server = p->provider && (p->kind == VIEW_CALL || p->kind == VIEW_RESULT);

        if (!is_sound_block(t, p))
            return broken(t, "safe with %.*s", SHOW(shown(p->value)));
        if (is_wrong_text(t, p, says_something(t, m)) && !is_between_signed(t, m, i))
            return broken(t, "safe with a blank text: %.*s", SHOW(shown(m->value)));
        if (m->role == 'u' && (p->kind == VIEW_CALL || p->kind == VIEW_THINKING || server))
            return broken(t, "safe with %.*s of the user", SHOW(shown(p->value)));
        if (m->role == 'a' && p->kind == VIEW_RESULT && !p->provider)
            return broken(t, "safe with %.*s of the model", SHOW(shown(p->value)));
        document = document || is_block(p, "document");
        text = text || p->kind == VIEW_TEXT;
    }
    return m->role == 'u' && document && !text
               ? broken(t, "safe with a document without a text: %.*s", SHOW(shown(m->value)))
               : HOLDS;
}

/* ---- parts of Gemini ---- */

static const char *const of_data[][2] = {
    {"functionCall", "function_call"},
    {"functionResponse", "function_response"},
    {"toolCall", "tool_call"},
    {"toolResponse", "tool_response"},
    {"executableCode", "executable_code"},
    {"codeExecutionResult", "code_execution_result"},
    {"inlineData", "inline_data"},
    {"fileData", "file_data"},
    ONE("text"),
    {NULL, NULL},
};
static const char *const of_others[][2] = {
    ONE("thought"),
    {"mediaResolution", "media_resolution"},
    {"partMetadata", "part_metadata"},
    {NULL, NULL},
};

static bool is_absent_or_object(struct tk_val v)
{
    return !is_given(v) || tk_is(v, TK_OBJECT);
}

static struct tk_str fault_of_parts(struct trial *t, const struct view_message *m)
{
    for (uint32_t i = 0; i < m->count; i++) {
        const struct view_part *p = part_at(t, m, i);
        uint32_t members = count_members(p->value, of_data);
        bool client = !p->provider;

        if (members > 1 ||
            (members == 0 && count_given(p->value) == count_members(p->value, of_others)))
            return broken(t, "safe with %.*s", SHOW(shown(p->value)));
        if (p->kind == VIEW_CALL && client &&
            (m->role == 'u' || !is_filled(t, in(p->data, "name")) ||
             !is_absent_or_object(in(p->data, "args"))))
            return broken(t, "safe with the call %.*s", SHOW(shown(m->value)));
        if (p->kind == VIEW_RESULT && client &&
            (m->role == 'a' || !is_absent_or_object(in(p->data, "response"))))
            return broken(t, "safe with the response %.*s", SHOW(shown(m->value)));
    }
    return HOLDS;
}

/* ---- both ---- */

static bool has_sound_role(const struct trial *t, const struct view_message *m)
{
    struct tk_val role = in(m->value, "role");

    if (!is_given(role))
        return t->whose == GEMINI && m->role == 'u';
    return tk_text_is(role, TK_STR("user")) ||
           tk_text_is(role, t->whose == GEMINI ? TK_STR("model") : TK_STR("assistant"));
}

static struct tk_str safe_parts_are_sound(struct trial *t)
{
    struct tk_str why = HOLDS;

    if (!is_safe(t))
        return HOLDS;
    for (uint32_t i = 0; i < t->left.count && !why.p; i++) {
        const struct view_message *m = &t->left.messages[i];

        if (!has_sound_role(t, m) || m->count == 0)
            return broken(t, "safe with %.*s", SHOW(shown(m->value)));
        why = t->whose == GEMINI ? fault_of_parts(t, m) : fault_of_blocks(t, m);
    }
    return why;
}

/* ---- names of documents ---- */

static struct tk_str documents_have_their_names(struct trial *t)
{
    if (!is_safe(t))
        return HOLDS;
    for (uint32_t i = 0; i < t->left.part_count; i++) {
        const struct view_part *p = &t->left.parts[i];
        struct tk_val name = in(in(p->value, "document"), "name");

        if (!is_block(p, "document"))
            continue;
        if (!is_name(t, name, "_-()[] ", 200))
            return broken(t, "safe with the name %.*s", SHOW(shown(name)));
        for (uint32_t k = 0; k < i; k++)
            if (same_value(name, in(in(t->left.parts[k].value, "document"), "name"), &t->arena))
                return broken(t, "two documents have the name %.*s", SHOW(shown(name)));
    }
    return HOLDS;
}

/* ---- pairs of Converse ---- */

static bool has_id(const struct view_part *p, const struct view_part *of)
{
    return p->id.p && of->id.p && tk_str_eq(p->id, of->id);
}

/* Returns how many parts of a message, from one on, are of the kind and the executor and have the id of another. */
static uint32_t count_like(const struct trial *t, const struct view_message *m, uint32_t from,
                           enum view_kind kind, const struct view_part *of)
{
    uint32_t n = 0;

    for (uint32_t i = from; i < m->count; i++)
        n += part_at(t, m, i)->kind == kind && part_at(t, m, i)->provider == of->provider &&
             has_id(part_at(t, m, i), of);
    return n;
}

static uint32_t count_client(const struct trial *t, const struct view_message *m,
                             enum view_kind kind)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < m->count; i++)
        n += part_at(t, m, i)->kind == kind && !part_at(t, m, i)->provider;
    return n;
}

static struct tk_str fault_of_call(struct trial *t, const struct view_message *m,
                                   const struct view_part *call)
{
    const struct view_message *at = call->provider ? m : m + 1; /* that has the result */

    if (count_like(t, m, 0, VIEW_CALL, call) != 1)
        return broken(t, "the id of %.*s isn't its own", SHOW(shown(call->value)));
    if (!call->provider && (at == t->left.messages + t->left.count || at->role != 'u'))
        return broken(t, "no message of the user follows %.*s", SHOW(shown(call->value)));
    if (count_like(t, at, call->provider ? call->index + 1 : 0, VIEW_RESULT, call) != 1)
        return broken(t, "%.*s has not one result", SHOW(shown(call->value)));
    return HOLDS;
}

static struct tk_str converse_is_paired(struct trial *t)
{
    struct tk_str why = HOLDS;

    if (!is_safe(t))
        return HOLDS;
    for (uint32_t i = 0; i < t->left.count && !why.p; i++) {
        const struct view_message *m = &t->left.messages[i];
        uint32_t calls = i > 0 && m[-1].role == 'a' ? count_client(t, m - 1, VIEW_CALL) : 0;
        uint32_t results = count_client(t, m, VIEW_RESULT);
        int served = 0;

        if (results != calls)
            return broken(t, "%u results after %u calls: %.*s", results, calls,
                          SHOW(shown(m->value)));
        for (uint32_t k = 0; k < m->count && !why.p; k++) {
            const struct view_part *p = part_at(t, m, k);

            why = p->kind == VIEW_CALL ? fault_of_call(t, m, p) : HOLDS;
            served += p->provider ? (p->kind == VIEW_CALL) - (p->kind == VIEW_RESULT) : 0;
        }
        if (!why.p && served != 0)
            return broken(t, "results without calls: %.*s", SHOW(shown(m->value)));
    }
    return why;
}

/* Models that take a call or a result in a message of its own, and ones that want results first. */
static struct tk_str results_are_where_models_want_them(struct trial *t)
{
    static const char *const alone[] = {"meta.", "mistral.", "cohere.", NULL};
    struct tk_str model = model_of(t);
    bool claude = holds(model, TK_STR("laude")), lonely = false;

    for (const char *const *name = alone; *name; name++)
        lonely = lonely || holds(model, tk_str_of(*name));
    for (uint32_t i = 0; i < t->left.count && is_safe(t) && (claude || lonely); i++) {
        const struct view_message *m = &t->left.messages[i];
        bool paired = count_client(t, m, m->role == 'a' ? VIEW_CALL : VIEW_RESULT) > 0;
        bool other = false;

        for (uint32_t k = 0; k < m->count; k++) {
            const struct view_part *p = part_at(t, m, k);
            bool is_half = (p->kind == VIEW_CALL || p->kind == VIEW_RESULT) && !p->provider;

            if (claude && m->role == 'u' && is_half && other)
                return broken(t, "Claude wants results first: %.*s", SHOW(shown(m->value)));
            other = other || (!is_half && !is_block(p, "cachePoint"));
        }
        if (lonely && paired && other)
            return broken(t, "mixed: %.*s", SHOW(shown(m->value)));
    }
    return HOLDS;
}

/* ---- pairs of Gemini ---- */

/* Returns how many calls or responses of a run have the name; absent: any. */
static uint32_t count_named(struct trial *t, uint32_t run, enum view_kind kind, struct tk_val name)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < t->left.part_count; i++) {
        const struct view_part *p = &t->left.parts[i];

        n += p->kind == kind && !p->provider && t->left.messages[p->message].turn == run &&
             (!tk_exists(name) || same_value(in(p->data, "name"), name, &t->arena));
    }
    return n;
}

/* The answer to each turn has as many responses of each name as the turn has calls. */
static struct tk_str contents_are_paired(struct trial *t)
{
    uint32_t last = t->left.count > 0 ? t->left.messages[t->left.count - 1].turn : 0;

    if (!is_safe(t) || t->left.count == 0)
        return HOLDS;
    if (t->left.messages[0].role == 'a' && count_named(t, 0, VIEW_CALL, TK_NO_VAL) > 0)
        return broken(t, "calls come first: %.*s", SHOW(t->after));
    for (uint32_t run = 0; run <= last; run++) {
        uint32_t calls = run > 0 ? count_named(t, run - 1, VIEW_CALL, TK_NO_VAL) : 0;

        if (count_named(t, run, VIEW_RESULT, TK_NO_VAL) != calls ||
            (run == last && count_named(t, run, VIEW_CALL, TK_NO_VAL) > 0))
            return broken(t, "run %u answers not all of %u calls, or more: %.*s", run, calls,
                          SHOW(t->after));
    }
    for (uint32_t i = 0; i < t->left.part_count; i++) {
        const struct view_part *p = &t->left.parts[i];
        uint32_t run = t->left.messages[p->message].turn;

        if (p->kind == VIEW_CALL && !p->provider &&
            count_named(t, run, VIEW_CALL, in(p->data, "name")) !=
                count_named(t, run + 1, VIEW_RESULT, in(p->data, "name")))
            return broken(t, "%.*s is answered by another name", SHOW(shown(p->value)));
    }
    return HOLDS;
}

/* ---- models of Gemini ---- */

/* Returns ten times the version of one of the models that are drawn; 0: it isn't known. */
static int version_of(struct tk_str model)
{
    static const struct {
        const char *word;
        int version;
    } rows[] = {{"emini-3.1", 31}, {"emini-3.6", 36}, {"emini-3.7", 37},
                {"emini-3-", 30},  {"emini-2.5", 25}, {NULL, 0}};
    size_t i = 0;

    while (rows[i].word && !holds(model, tk_str_of(rows[i].word)))
        i++;
    return rows[i].version;
}

/* Returns true for a user's message with something else than responses, which begins a new turn. */
static bool asks(const struct trial *t, const struct view_message *m)
{
    return m->role == 'u' && count_client(t, m, VIEW_RESULT) < m->count;
}

/* The first call of each model turn after the last question has a signature, or the dummy. */
static struct tk_str fault_of_signatures(struct trial *t)
{
    uint32_t from = 0, seen = TK_NO_NODE;

    for (uint32_t i = 0; i < t->left.count; i++)
        from = asks(t, &t->left.messages[i]) ? i : from;
    for (uint32_t i = 0; i < t->left.part_count; i++) {
        const struct view_part *p = &t->left.parts[i];
        uint32_t run = t->left.messages[p->message].turn;

        if (p->kind != VIEW_CALL || p->provider || p->message < from || run == seen)
            continue;
        seen = run;
        if (!is_filled(t, view_member(p->value, "thoughtSignature", "thought_signature")))
            return broken(t, "Gemini 3 wants a signature: %.*s", SHOW(shown(p->value)));
    }
    return HOLDS;
}

static struct tk_str newer_models_are_content(struct trial *t)
{
    struct tk_str model = model_of(t);
    int version = version_of(model);

    if (!is_safe(t) || version < 30 || t->left.count == 0)
        return HOLDS;
    if (version >= 36 && t->left.messages[t->left.count - 1].role == 'a')
        return broken(t, "Gemini 3.6 wants the user last: %.*s", SHOW(t->after));
    for (uint32_t i = 0; i < t->left.count; i++) {
        const struct view_message *m = &t->left.messages[i];

        for (uint32_t k = 1; m->role == 'u' && k < m->count; k++)
            if (part_at(t, m, k - 1)->kind == VIEW_RESULT && !part_at(t, m, k - 1)->provider &&
                (part_at(t, m, k)->kind != VIEW_RESULT || part_at(t, m, k)->provider))
                return broken(t, "Gemini 3 wants responses last: %.*s", SHOW(shown(m->value)));
    }
    return holds(model, TK_STR("image")) ? HOLDS : fault_of_signatures(t);
}

const struct property properties_of_block_pairs[] = {
    {"safe_parts_are_sound", TYPELESS, safe_parts_are_sound},
    {"documents_have_their_names", BEDROCK, documents_have_their_names},
    {"converse_is_paired", BEDROCK, converse_is_paired},
    {"results_are_where_models_want_them", BEDROCK, results_are_where_models_want_them},
    {"contents_are_paired", GEMINI, contents_are_paired},
    {"newer_models_are_content", GEMINI, newer_models_are_content},
    {NULL, EVERYONE, NULL},
};
