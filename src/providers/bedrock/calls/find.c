/* SPDX-License-Identifier: Apache-2.0 */
/* Judges single calls and results: ids, names, inputs, and what a result contains (CATALOGUE 4.3). */
#include <errno.h>

#include "providers/bedrock/rules.h"
#include "providers/common/legal_names.h"

/* The longest id and the longest name of a tool. */
#define LENGTH_MAX 64

/* ---- ids ---- */

/* Returns true if an id is legal once dots and colons are: the provider's pages disagree about them. */
static bool is_disputed(struct tk_str id)
{
    char copy[LENGTH_MAX];

    for (size_t i = 0; i < id.n && i < LENGTH_MAX; i++)
        copy[i] = id.p[i] == '.' || id.p[i] == ':' ? '_' : id.p[i];
    return id.n <= LENGTH_MAX && tk_is_plain_name((struct tk_str){copy, id.n}, LENGTH_MAX);
}

static int find_id(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_str id = tk_part_id(j->t, p);

    if (tk_is_plain_name(id, LENGTH_MAX))
        return 0;
    return tk_find(&j->findings, j->t, TK_CODE_BRK_TOOL_USE_ID,
                   is_disputed(id) ? TK_WARNING : TK_ERROR, tk_site_of(p->message, part));
}

/* ---- calls ---- */

static int find_in_call(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_str name = tk_part_name(j->t, p);
    int r = 0;

    if (p->flags & TK_PART_PROVIDER)
        return 0;
    if (!name.p || !tk_is_plain_name(name, LENGTH_MAX))
        r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_TOOL_NAME_CHARS, part);
    if (r == 0 && !tk_is(tk_part_val(p, p->payload), TK_OBJECT))
        r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_TOOL_INPUT_NOT_OBJECT, part);
    return r;
}

/* ---- results ---- */

bool tk_brk_is_blank_element(struct tk_val element)
{
    struct tk_val text = tk_get(element, TK_STR("text"));

    return tk_exists(text) && !tk_is(text, TK_NULL) &&
           (!tk_is(text, TK_STRING) || tk_text_is_blank(text));
}

struct tk_val tk_brk_bad_json(struct tk_val element)
{
    struct tk_val json = tk_get(element, TK_STR("json"));

    return tk_is(json, TK_OBJECT) || tk_is(json, TK_NULL) ? TK_NO_VAL : json;
}

static int find_in_list(struct tk_judge *j, uint32_t part, struct tk_val list, struct tk_val status)
{
    bool blank = false, bad_json = false;
    int r = 0;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        blank = blank || tk_brk_is_blank_element(v);
        bad_json = bad_json || tk_exists(tk_brk_bad_json(v));
    }
    if (blank)
        r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_RESULT_TEXT_BLANK, part);
    if (r == 0 && bad_json)
        r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_RESULT_JSON_NOT_OBJECT, part);
    if (r == 0 && !tk_exists(tk_first(list)) && tk_text_is(status, TK_STR("error")))
        r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_ERROR_RESULT_EMPTY, part);
    return r;
}

static int find_in_result(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val list = tk_part_val(p, p->payload);
    struct tk_val status = tk_get(tk_bedrock_value(p), TK_STR("status"));
    int r;

    if (tk_is(list, TK_ARRAY))
        r = find_in_list(j, part, list, status);
    else
        r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_RESULT_CONTENT_TYPE, part);
    if (r == 0 && tk_brk_is(j, TK_BRK_NO_STATUS) && tk_exists(status) && !tk_is(status, TK_NULL))
        r = tk_find_part(&j->findings, j->t, TK_CODE_BRK_STATUS_FIELD, part);
    return r;
}

int tk_brk_find_calls(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t step = 0;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
            bool call = t->parts[i].kind == TK_PART_CALL;

            if (!call && t->parts[i].kind != TK_PART_RESULT)
                continue;
            r = find_id(j, i);
            if (r == 0)
                r = call ? find_in_call(j, i) : find_in_result(j, i);
            if (r == 0 && tk_judge_cancelled(j, step++))
                r = -ECANCELED;
        }
    return r;
}
