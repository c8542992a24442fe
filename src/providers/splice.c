/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/splice.h"

#include "providers/common/texts.h"
#include "value/unicode.h"

/* ---- the turn ---- */

struct tk_val tk_received_choice(struct tk_val list, uint32_t choice)
{
    struct tk_val v = tk_first(list);

    while (tk_exists(v) && choice-- > 0)
        v = tk_after(list, v);
    return v;
}

bool tk_receive_fault(struct tk_received *ret, struct tk_val v, const char *member, const char *why)
{
    ret->fault = (struct tk_form_fault){v, member, why};
    return false;
}

bool tk_receive_message(struct tk_received *ret, struct tk_val message, const char *role,
                        bool optional)
{
    struct tk_val said = tk_get(message, TK_STR("role"));

    if (!tk_is(message, TK_OBJECT))
        return tk_receive_fault(ret, message, NULL, "expected an object");
    if (!tk_exists(said) && !optional)
        return tk_receive_fault(ret, message, "role", "required, but missing");
    if (tk_exists(said) && !(optional && tk_is(said, TK_NULL)) &&
        !tk_text_is(said, tk_str_of(role)))
        return tk_receive_fault(ret, said, NULL, "not the role of the model");
    ret->turn = message;
    return true;
}

bool tk_receive_stop(struct tk_received *ret, const struct tk_stop_name *names,
                     struct tk_val reason)
{
    if (tk_exists(reason) && !tk_is(reason, TK_STRING) && !tk_is(reason, TK_NULL))
        return tk_receive_fault(ret, reason, NULL, "expected null or a string");
    ret->stop = tk_stop_named(names, reason);
    return true;
}

bool tk_is_said(struct tk_val v)
{
    if (!tk_exists(v) || tk_is(v, TK_NULL))
        return false;
    if (tk_is(v, TK_STRING))
        return tk_raw(v).n > 0;
    return !tk_is(v, TK_ARRAY) || tk_exists(tk_first(v));
}

/* ---- the form of a result ---- */

bool tk_is_own_result(const struct tk_splice_rules *rules, struct tk_val result)
{
    for (const char *const *name = rules->own_members; *name; name++)
        if (tk_exists(tk_get(result, tk_str_of(*name))))
            return true;
    return false;
}

static bool fault(struct tk_form_fault *ret, struct tk_val at, const char *member, const char *why)
{
    *ret = (struct tk_form_fault){at, member, why};
    return false;
}

/* The members of the neutral form: their kinds, as bits. */
static const struct {
    struct tk_str name;
    unsigned kinds;
    const char *why;
} members[] = {
    {TK_STR_INIT("id"), 1u << TK_STRING, "expected a string"},
    {TK_STR_INIT("name"), 1u << TK_STRING, "expected a string"},
    {TK_STR_INIT("content"), 1u << TK_STRING | 1u << TK_OBJECT, "expected a string or an object"},
    {TK_STR_INIT("is_error"), 1u << TK_FALSE | 1u << TK_TRUE, "expected a boolean"},
};

static bool check_member(struct tk_val member, struct tk_form_fault *ret)
{
    for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
        if (tk_key_is(member, members[i].name))
            return (members[i].kinds >> tk_node(member)->kind & 1) ||
                   fault(ret, member, NULL, members[i].why);
    return fault(ret, member, NULL, "unknown member");
}

static bool check_neutral(struct tk_val result, bool needs_id, struct tk_form_fault *ret)
{
    struct tk_val id = tk_get(result, TK_STR("id"));

    for (struct tk_val v = tk_first(result); tk_exists(v); v = tk_after(result, v))
        if (!check_member(v, ret))
            return false;
    if (tk_exists(id) && !tk_has_text(id))
        return fault(ret, id, NULL, "expected a string that isn't empty");
    if (!tk_exists(id) && needs_id)
        return fault(ret, result, "id", "required, but missing");
    return tk_exists(tk_get(result, TK_STR("content"))) ||
           fault(ret, result, "content", "required, but missing");
}

/* Returns true for a value that is one of these words. */
static bool is_one_of(struct tk_val v, const char *const *words)
{
    while (*words && !tk_text_is(v, tk_str_of(*words)))
        words++;
    return *words != NULL;
}

bool tk_check_result(const struct tk_splice_rules *rules, struct tk_val result,
                     struct tk_form_fault *ret)
{
    const char *const *name = rules->own_members;
    struct tk_val v;

    while (*name && !tk_exists(tk_get(result, tk_str_of(*name))))
        name++;
    if (!*name)
        return check_neutral(result, !(rules->flags & TK_SPLICE_PAIRS_BY_NAME), ret);
    v = tk_get(result, tk_str_of(*name));
    return (rules->own_values ? is_one_of(v, rules->own_values) : tk_is(v, TK_OBJECT)) ||
           fault(ret, v, NULL, "not a result of a call");
}

/* ---- results that are written ---- */

static struct tk_val content_of(const struct tk_made_result *result)
{
    return tk_get(result->neutral, TK_STR("content"));
}

bool tk_made_failed(const struct tk_made_result *result)
{
    return !tk_exists(result->neutral) ||
           tk_is(tk_get(result->neutral, TK_STR("is_error")), TK_TRUE);
}

struct tk_val tk_made_object(const struct tk_made_result *result)
{
    struct tk_val content = content_of(result);

    return tk_is(content, TK_OBJECT) ? content : TK_NO_VAL;
}

bool tk_made_is_blank(const struct tk_made_result *result)
{
    return tk_exists(result->neutral) ? tk_text_is_blank(content_of(result))
                                      : tk_is_blank(result->text);
}

void tk_made_write_text(struct tk_writer *w, const struct tk_made_result *result)
{
    struct tk_val content = content_of(result);

    if (tk_is(content, TK_STRING))
        tk_write_any(w, content);
    else if (tk_exists(content))
        tk_write_str(w, tk_json_text(content, w->out->arena));
    else
        tk_write_str(w, result->text);
}
