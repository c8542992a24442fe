/* SPDX-License-Identifier: Apache-2.0 */
/* Judges single parts: their data, calls and responses by themselves (CATALOGUE 4.4). */
#include <errno.h>

#include "providers/gemini/rules.h"

static int blame(struct tk_judge *j, uint32_t part, uint16_t code)
{
    return tk_find_part(&j->findings, j->t, code, part);
}

/* ---- members ---- */

/* Members that an odd part has: bits of enum tk_gemini_member. */
static uint32_t members_of(const struct tk_part *p)
{
    struct tk_val part = tk_part_val(p, p->node);
    uint32_t has = 0;

    for (struct tk_val v = tk_first(part); tk_exists(v); v = tk_after(part, v))
        if (!tk_is(v, TK_NULL))
            has |= UINT32_C(1) << tk_gemini_member_of(v);
    return has;
}

#define BIT(id)  (UINT32_C(1) << TK_GEMINI_##id)
#define ALL_DATA ((BIT(TEXT) << 1) - 2)

static int find_odd(struct tk_judge *j, uint32_t part)
{
    uint32_t has = members_of(&j->t->parts[part]);
    int r = 0;

    if (has & BIT(NONE))
        r = blame(j, part, TK_CODE_GEM_UNKNOWN_FIELD);
    if (r == 0 && (has & ALL_DATA & ((has & ALL_DATA) - 1)))
        r = blame(j, part, TK_CODE_GEM_PART_UNION);
    if (r == 0 && !(has & (ALL_DATA | BIT(NONE) | BIT(SIGNATURE) | BIT(VIDEO))))
        r = blame(j, part, TK_CODE_GEM_PART_EMPTY);
    return r;
}

/* ---- by kind ---- */

static int find_in_text(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val text = tk_part_val(p, p->payload);

    if (!tk_is(text, TK_STRING) || tk_raw(text).n > 0 ||
        tk_exists(tk_gemini_get(p, TK_GEMINI_SIGNATURE)))
        return 0;
    return blame(j, part, TK_CODE_GEM_TEXT_EMPTY);
}

static int find_in_call(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val args = tk_part_val(p, p->payload);
    int r = 0;

    if ((j->has & TK_HAS_HISTORY) && !tk_gem_is_model(j->t, p->message))
        r = blame(j, part, TK_CODE_GEM_CALL_IN_USER);
    if (r == 0 && tk_gem_is_blank(tk_part_val(p, p->name)))
        r = blame(j, part, TK_CODE_GEM_CALL_NAME);
    if (r == 0 && tk_exists(args) && !tk_is(args, TK_OBJECT))
        r = blame(j, part, TK_CODE_GEM_ARGS_NOT_OBJECT);
    return r;
}

static int find_in_response(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val response = tk_part_val(p, p->payload);

    return tk_exists(response) && !tk_is(response, TK_OBJECT)
               ? blame(j, part, TK_CODE_GEM_RESPONSE_NOT_OBJECT)
               : 0;
}

/* ---- all ---- */

static int find_in_part(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    int r = p->flags & TK_PART_ODD ? find_odd(j, part) : 0;

    if (r < 0)
        return r;
    if (p->block == TK_GEMINI_TEXT)
        return find_in_text(j, part);
    if (tk_is_call(p, false))
        return find_in_call(j, part);
    if (tk_is_result(p, false))
        return find_in_response(j, part);
    if (p->flags & TK_PART_PROVIDER)
        return tk_gem_version(j) != TK_GEMINI_UNKNOWN && tk_gem_version(j) < TK_GEMINI_3
                   ? blame(j, part, TK_CODE_GEM_NATIVE_TOOL_PARTS)
                   : 0;
    return p->block == TK_GEMINI_INLINE_DATA && tk_gem_is_bad_image(p, j->t->arena)
               ? blame(j, part, TK_CODE_GEM_IMAGE_INVALID)
               : 0;
}

int tk_gem_find_parts(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t step = 0;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
            r = find_in_part(j, i);
            if (r == 0 && tk_judge_cancelled(j, step++))
                r = -ECANCELED;
        }
    return r;
}
