/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks held against the table of shapes/blocks.h (CATALOGUE 3.3, 5.4). The provider refuses a
 * block without a member that its type requires, and a member that its type doesn't know. What
 * streaming libraries leave on blocks (`index`, `partial_json`) is known to be refused; any other
 * foreign member may be newer than the table and is a warning.
 *
 *     {"type": "tool_use", "id": "toolu_1", "name": "f", "input": {}, "index": 0}
 *                                                                     ^ extra_inputs
 *
 * Members of text, thinking, calls and results have rules of their own.
 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "shapes/blocks.h"
#include "shapes/shape.h"

const struct tk_offender tk_offenders[] = {
    {{{"index"}}, TK_BLOCK_NONE},       {{{"partial_json"}}, TK_BLOCK_NONE},
    {{{"parsed"}}, TK_BLOCK_NONE},      {{{"text"}}, TK_BLOCK_TOOL_USE},
    {{{"name"}}, TK_BLOCK_TOOL_RESULT}, {{{"id"}}, TK_BLOCK_TEXT},
};

const size_t tk_offender_count = sizeof(tk_offenders) / sizeof(tk_offenders[0]);

/* Members that a walk over a block saw. */
struct members {
    uint32_t lacks;                 /* required ones that are absent, TK_HAS() */
    struct tk_val offender, others; /* first known offender, first other foreign member */
};

static bool offends(uint16_t block, struct tk_val member)
{
    for (size_t i = 0; i < tk_offender_count; i++)
        if (tk_offends(&tk_offenders[i], block) &&
            tk_key_is(member, tk_str_of(tk_offenders[i].path.keys[0])))
            return true;
    return false;
}

/* Returns the members that a block may have. Markers on thinking are left to the cache rules. */
static uint32_t known(const struct tk_block *row)
{
    bool thinking = row->kind == TK_PART_THINKING || row->kind == TK_PART_REDACTED;

    return row->required | row->optional | (thinking ? TK_HAS(TK_M_CACHE_CONTROL) : 0);
}

static struct members look(const struct tk_part *p)
{
    const struct tk_block *row = &tk_blocks[p->block];
    struct members seen = {row->required, TK_NO_VAL, TK_NO_VAL};
    struct tk_val block = tk_part_val(p, p->node);

    for (struct tk_val v = tk_first(block); tk_exists(v); v = tk_after(block, v)) {
        enum tk_member member = tk_member_of(v, known(row));

        if (member != TK_M_COUNT)
            seen.lacks &= ~TK_HAS(member);
        else if (v.node == p->type)
            continue;
        else if (offends(p->block, v))
            seen.offender = tk_exists(seen.offender) ? seen.offender : v;
        else
            seen.others = tk_exists(seen.others) ? seen.others : v;
    }
    return seen;
}

bool tk_has_foreign_member(const struct tk_part *p)
{
    uint32_t in_row = known(&tk_blocks[p->block]);
    struct tk_val block = tk_part_val(p, p->node);

    for (struct tk_val v = tk_first(block); tk_exists(v); v = tk_after(block, v))
        if (v.node != p->type && !tk_is(v, TK_NULL) && tk_member_of(v, in_row) == TK_M_COUNT)
            return true;
    return false;
}

static int find(struct tk_judge *j, uint32_t part, uint16_t code, enum tk_severity severity,
                struct tk_str word)
{
    struct tk_transcript *t = j->t;
    int r = tk_find(&j->findings, t, code, severity, tk_site_of(t->parts[part].message, part));

    return r < 0 ? r : tk_find_words(&j->findings, t, word, (struct tk_str){0});
}

/* Finds the first required member that a block lacks. */
static int judge_required(struct tk_judge *j, uint32_t part, const struct members *seen)
{
    uint8_t kind = j->t->parts[part].kind;

    if ((kind != TK_PART_MEDIA && kind != TK_PART_OTHER) || seen->lacks == 0)
        return 0;
    return find(j, part, TK_CODE_FIELD_REQUIRED, TK_ERROR,
                tk_member_names[__builtin_ctz(seen->lacks)]);
}

static int judge_extra(struct tk_judge *j, uint32_t part, const struct members *seen)
{
    bool error = tk_exists(seen->offender);
    struct tk_val member = error ? seen->offender : seen->others;

    if (!tk_exists(member))
        return 0;
    return find(j, part, TK_CODE_EXTRA_INPUTS, error ? TK_ERROR : TK_WARNING,
                tk_key(member, j->t->arena));
}

static int judge_members(struct tk_judge *j, uint32_t part)
{
    struct members seen = look(&j->t->parts[part]);
    int r = judge_required(j, part, &seen);

    return r < 0 ? r : judge_extra(j, part, &seen);
}

static int judge_listed(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    int r = p->flags & TK_PART_ODD ? judge_members(j, part) : 0;

    if (r == 0 && p->block == TK_BLOCK_MID_CONV_SYSTEM)
        r = tk_find_part(&j->findings, j->t, TK_CODE_MID_CONV_SYSTEM_BLOCK, part);
    if (r == 0 && p->block == TK_BLOCK_SEARCH_RESULT &&
        j->t->messages[p->message].role == TK_ROLE_ASSISTANT)
        r = tk_find_part(&j->findings, j->t, TK_CODE_SEARCH_RESULT_IN_ASSISTANT, part);
    return r;
}

/* Finds blocks of unknown types. Calls and results of new families of tools are known by the ends
 * of their types' names. */
static int judge_unlisted(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_str type = tk_text(tk_part_val(p, p->type), j->t->arena);

    if (tk_str_ends(type, TK_STR("_tool_use")) || tk_str_ends(type, TK_STR("_tool_result")))
        return 0;
    return find(j, part, TK_CODE_UNKNOWN_BLOCK_TYPE, TK_WARNING, type);
}

static int judge_block(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];

    if (p->flags & TK_PART_STRING)
        return 0;
    return p->block == TK_BLOCK_NONE ? judge_unlisted(j, part) : judge_listed(j, part);
}

int tk_judge_block_shape(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t step = 0;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            r = tk_judge_cancelled(j, step++) ? -ECANCELED : judge_block(j, i);
    return r;
}
