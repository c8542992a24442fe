/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "providers/anthropic/state.h"
#include "providers/common/texts.h"
#include "shapes/blocks.h"
#include "shapes/shape.h"

unsigned tk_result_block_of(struct tk_val block)
{
    static const struct {
        struct tk_str type;
        unsigned kind;
    } kinds[] = {
        {TK_STR_INIT("text"), TK_HOLDS_TEXT},
        {TK_STR_INIT("image"), TK_HOLDS_IMAGE},
        {TK_STR_INIT("document"), TK_HOLDS_DOCUMENT},
        {TK_STR_INIT("search_result"), TK_HOLDS_SEARCH_RESULT},
        {TK_STR_INIT("tool_reference"), TK_HOLDS_TOOL_REFERENCE},
        {TK_STR_INIT("browser_state"), TK_HOLDS_BROWSER_STATE},
    };
    struct tk_val type = tk_get(block, TK_STR("type"));

    if (!tk_is(block, TK_OBJECT))
        return TK_HOLDS_NO_BLOCK;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (tk_text_is(type, kinds[i].type))
            return kinds[i].kind;
    return TK_HOLDS_UNKNOWN;
}

struct tk_str tk_toolset_of(const struct tk_transcript *t, const struct tk_part *p)
{
    return tk_text(tk_get(tk_part_val(p, p->node), TK_STR("toolset_name")), t->arena);
}

static int find(struct tk_judge *j, uint32_t part, bool applies, uint16_t code)
{
    return applies ? tk_find_part(&j->findings, j->t, code, part) : 0;
}

/* ---- calls ---- */

/* Most names are short enough in bytes. */
static bool is_too_long(struct tk_str name)
{
    return name.n > TK_TOOL_NAME_MAX && tk_characters(name) > TK_TOOL_NAME_MAX;
}

static int judge_call(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_str name = tk_part_name(j->t, p);
    int r = find(j, part, name.n == 0 || is_too_long(name), TK_CODE_TOOL_USE_NAME_INVALID);

    return r < 0 ? r
                 : find(j, part, !tk_is(tk_part_val(p, p->payload), TK_OBJECT),
                        TK_CODE_TOOL_USE_INPUT_NOT_OBJECT);
}

/* ---- results ---- */

/* Kinds of blocks in a result. */
struct holds {
    unsigned kinds; /* TK_HOLDS_* */
    uint32_t browser_states;
};

static struct holds look_at(const struct tk_part *result)
{
    struct tk_val blocks = tk_result_blocks(result);
    struct holds h = {0, 0};

    for (struct tk_val v = tk_first(blocks); tk_exists(v); v = tk_after(blocks, v)) {
        unsigned kind = tk_result_block_of(v);

        h.kinds |= kind;
        h.browser_states += kind == TK_HOLDS_BROWSER_STATE;
    }
    return h;
}

/* Returns true if a result has blocks of that kind and of others. Elements that are no blocks don't
 * count. */
static bool is_mixed(unsigned kinds, unsigned kind)
{
    return kinds & kind && kinds & ~(kind | TK_HOLDS_NO_BLOCK);
}

static bool is_error(const struct tk_part *result)
{
    return tk_is(tk_get(tk_part_val(result, result->node), TK_STR("is_error")), TK_TRUE);
}

static int judge_blocks(struct tk_judge *j, uint32_t part, unsigned kinds)
{
    const unsigned not_text = TK_HOLDS_IMAGE | TK_HOLDS_DOCUMENT | TK_HOLDS_SEARCH_RESULT |
                              TK_HOLDS_TOOL_REFERENCE | TK_HOLDS_BROWSER_STATE;
    int r = find(j, part, kinds & (TK_HOLDS_UNKNOWN | TK_HOLDS_NO_BLOCK),
                 TK_CODE_TOOL_RESULT_BLOCK_TYPE);

    if (r == 0)
        r = find(j, part, kinds & not_text && is_error(&j->t->parts[part]),
                 TK_CODE_TOOL_RESULT_ERROR_NON_TEXT);
    if (r == 0)
        r = find(j, part, is_mixed(kinds, TK_HOLDS_SEARCH_RESULT),
                 TK_CODE_TOOL_RESULT_SEARCH_RESULT_MIXED);
    return r < 0 ? r
                 : find(j, part, is_mixed(kinds, TK_HOLDS_TOOL_REFERENCE),
                        TK_CODE_TOOL_RESULT_TOOL_REFERENCE_MIXED);
}

static bool is_from_code(const struct tk_transcript *t, const struct tk_part *call)
{
    struct tk_val type = tk_get(tk_part_val(call, call->caller), TK_STR("type"));

    return tk_str_starts(tk_text(type, t->arena), TK_STR("code_execution"));
}

/* Judges a result by its call: toolsets, and calls that code made. */
static int judge_answer(struct tk_judge *j, uint32_t part, const struct holds *h)
{
    const struct tk_transcript *t = j->t;
    uint32_t partner = tk_client_partner(j, part);
    const struct tk_part *call;
    struct tk_str toolset, named = tk_toolset_of(t, &t->parts[part]);
    int r;

    if (partner == TK_NONE)
        return 0;
    call = &t->parts[partner];
    toolset = tk_toolset_of(t, call);
    r = find(j, part, !toolset.p != !named.p || !tk_str_eq(toolset, named),
             TK_CODE_TOOLSET_NAME_MISMATCH);
    if (r == 0)
        r = find(j, part, toolset.p && (h->kinds & TK_NOT_IN_TOOLSETS || h->browser_states > 1),
                 TK_CODE_TOOLSET_RESULT_CONTENT);
    return r < 0 ? r
                 : find(j, part, h->kinds & TK_NOT_FOR_CODE && is_from_code(t, call),
                        TK_CODE_PTC_RESULT_NON_TEXT);
}

static int judge_result(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val content = tk_part_val(p, p->payload);
    struct holds h = look_at(p);
    struct tk_anthropic *own = tk_anthropic(j);
    bool fits = !tk_exists(content) || tk_is(content, TK_NULL) || tk_is(content, TK_STRING) ||
                tk_is(content, TK_ARRAY);
    int r = find(j, part, !fits, TK_CODE_TOOL_RESULT_CONTENT_TYPE);

    own->has_references = own->has_references || h.kinds & TK_HOLDS_TOOL_REFERENCE;
    if (r == 0)
        r = find(j, part, tk_is(content, TK_ARRAY) && !tk_exists(tk_first(content)),
                 TK_CODE_TOOL_RESULT_CONTENT_EMPTY_LIST);
    if (r == 0)
        r = judge_blocks(j, part, h.kinds);
    return r < 0 ? r : judge_answer(j, part, &h);
}

static int judge_part(struct tk_judge *j, uint32_t part)
{
    switch (j->t->parts[part].block) {
    case TK_BLOCK_TOOL_USE:
        return judge_call(j, part);
    case TK_BLOCK_TOOL_RESULT:
        return judge_result(j, part);
    default:
        return 0;
    }
}

int tk_judge_tool_shape(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t step = 0;
    int r = 0;

    tk_anthropic(j)->has_references = false;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            r = tk_judge_cancelled(j, step++) ? -ECANCELED : judge_part(j, i);
    return r;
}
