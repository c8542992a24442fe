/* SPDX-License-Identifier: Apache-2.0 */
/* The text that takes a functionResponse's place (PROVIDERS.md 1.5, 7.5). */
#include "providers/common/texts.h"
#include "providers/gemini/rules.h"
#include "value/unicode.h"

/* Returns the string that is all an object says; absent: it says something else. */
static struct tk_val only_string(struct tk_val object)
{
    static const struct tk_str names[] = {TK_STR_INIT("output"), TK_STR_INIT("result"),
                                          TK_STR_INIT("error"), TK_STR_INIT("content")};
    struct tk_val member = tk_first(object);

    if (!tk_is(object, TK_OBJECT) || tk_count(object) != 1 || !tk_is(member, TK_STRING))
        return TK_NO_VAL;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (tk_key_is(member, names[i]))
            return member;
    return TK_NO_VAL;
}

struct tk_str tk_gem_payload(const struct tk_transcript *t, uint32_t response)
{
    const struct tk_part *p = &t->parts[response];
    struct tk_val v = tk_part_val(p, p->payload), only = only_string(v);

    if (tk_is(v, TK_STRING) || tk_exists(only))
        return tk_text(tk_exists(only) ? only : v, t->arena);
    if (!tk_exists(v) || (tk_is(v, TK_OBJECT) && tk_count(v) == 0))
        return TK_STR("");
    return tk_readable_json(v, t->arena);
}

/* Returns the name of a response's tool: that of the first call with its id, else its own. */
static struct tk_str label_of(const struct tk_transcript *t, uint32_t response)
{
    const struct tk_part *p = &t->parts[response];
    uint32_t call = t->named_by && response < t->input_parts && tk_part_id(t, p).n > 0
                        ? t->named_by[response]
                        : TK_NONE;

    return tk_part_name(t, call == TK_NONE ? p : &t->parts[call]);
}

struct tk_str tk_gem_as_text(struct tk_judge *j, uint32_t response)
{
    struct tk_str text = tk_gem_payload(j->t, response);

    if (!text.p || tk_is_blank(text) || !j->policy->mark_text)
        return text;
    return tk_marked_text(j->t->arena, label_of(j->t, response), text);
}
