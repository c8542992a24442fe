/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges features in beta (CATALOGUE 3.10, and 3.11 where a beta is needed): blocks and members
 * that a request may have only if its header names the beta. Nothing is judged if the caller didn't
 * tell the header.
 */
#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/blocks.h"
#include "shapes/shape.h"

/* ---- blocks that need a beta ---- */

struct need {
    struct tk_str type;
    uint16_t code;
    uint64_t any;
};

#define TOOL_CHANGES (1u << TK_BETA_TOOL_REFERENCE | 1u << TK_BETA_TOOL_DEFINITION)
#define FALLBACKS    (1u << TK_BETA_FALLBACK_LIST | 1u << TK_BETA_FALLBACK_DEFAULT)

static const struct need needs[] = {
    {TK_STR_INIT("advisor_tool_result"), TK_CODE_ADVISOR_BETA_MISSING, 1u << TK_BETA_ADVISOR},
    {TK_STR_INIT("mcp_tool_listing"), TK_CODE_MCP_TOOL_LISTING_BETA, 1u << TK_BETA_MCP_PINNED},
    {TK_STR_INIT("fallback"), TK_CODE_FALLBACK_BLOCK_BETA, FALLBACKS},
    {TK_STR_INIT("tool_addition"), TK_CODE_TOOL_CHANGE_BETA, TOOL_CHANGES},
    {TK_STR_INIT("tool_removal"), TK_CODE_TOOL_CHANGE_BETA, TOOL_CHANGES},
};

static const struct need *need_of(struct tk_val type)
{
    for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
        if (tk_text_is(type, needs[i].type))
            return &needs[i];
    return NULL;
}

/* Returns true for a change of tools outside of system messages: tools change between turns. */
static bool is_misplaced_change(const struct tk_transcript *t, const struct tk_part *p,
                                uint16_t code)
{
    return code == TK_CODE_TOOL_CHANGE_BETA && t->messages[p->message].role != TK_ROLE_SYSTEM;
}

static int judge_block(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    const struct need *need = need_of(tk_part_val(p, p->type));

    if (need &&
        (!(tk_anthropic(j)->betas.has & need->any) || is_misplaced_change(j->t, p, need->code)))
        return tk_find_part(&j->findings, j->t, need->code, part);
    return 0;
}

static int judge_call(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];

    if (tk_is_call(p, true) && tk_lacks_beta(&tk_anthropic(j)->betas, TK_BETA_ADVISOR) &&
        tk_text_is(tk_part_val(p, p->name), TK_STR("advisor")))
        return tk_find_part(&j->findings, j->t, TK_CODE_ADVISOR_BETA_MISSING, part);
    return 0;
}

static int judge_definition(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val tool = tk_get(tk_part_val(p, p->node), TK_STR("tool"));

    if (p->block == TK_BLOCK_TOOL_ADDITION &&
        tk_lacks_beta(&tk_anthropic(j)->betas, TK_BETA_TOOL_DEFINITION) &&
        tk_text_is(tk_get(tool, TK_STR("type")), TK_STR("tool_definition")))
        return tk_find_part(&j->findings, j->t, TK_CODE_INLINE_TOOL_DEFINITION, part);
    return 0;
}

/* ---- compaction ---- */

/* The older beta writes unsigned summaries and needs a strategy in the request; the newer one
 * signs. */
static uint16_t fault_of_compaction(const struct tk_judge *j, struct tk_val block)
{
    bool is_signed = tk_has_text(tk_get(block, TK_STR("signature")));
    bool first = !tk_lacks_beta(&tk_anthropic(j)->betas, TK_BETA_COMPACT_EDIT);
    bool second = !tk_lacks_beta(&tk_anthropic(j)->betas, TK_BETA_COMPACTION);

    if (!second && (is_signed || !first))
        return TK_CODE_COMPACTION_BLOCK_BETA;
    if (is_signed)
        return TK_CODE_COUNT;
    if (first)
        return tk_exists(j->request->body) && !(tk_request_flags(j->request) & TK_REQUEST_COMPACTS)
                   ? TK_CODE_COMPACTION_STRATEGY_MISSING
                   : TK_CODE_COUNT;
    return tk_has_text(tk_get(block, TK_STR("content"))) ? TK_CODE_COMPACTION_SIGNATURE_MISSING
                                                         : TK_CODE_COUNT;
}

static int judge_compaction(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    uint16_t code = p->block == TK_BLOCK_COMPACTION
                        ? fault_of_compaction(j, tk_part_val(p, p->node))
                        : TK_CODE_COUNT;

    return code == TK_CODE_COUNT ? 0 : tk_find_part(&j->findings, j->t, code, part);
}

/* ---- members ---- */

static bool has_member(struct tk_val object, struct tk_str name)
{
    struct tk_val v = tk_get(object, name);

    return tk_exists(v) && !tk_is(v, TK_NULL);
}

static int judge_message(struct tk_judge *j, uint32_t message)
{
    const struct tk_message *m = &j->t->messages[message];
    struct tk_val v = {m->doc, m->node};
    int r = 0;

    if (m->flags & TK_MESSAGE_MADE)
        return 0;
    if (tk_lacks_beta(&tk_anthropic(j)->betas, TK_BETA_OUTPUT_CONFIG) &&
        has_member(v, TK_STR("output_config")))
        r = tk_find_message(&j->findings, j->t, TK_CODE_MESSAGE_OUTPUT_CONFIG_BETA, message);
    if (r == 0 && tk_lacks_beta(&tk_anthropic(j)->betas, TK_BETA_CLEAR_AT) &&
        has_member(v, TK_STR("clear_at")))
        r = tk_find_message(&j->findings, j->t, TK_CODE_MESSAGE_CLEAR_AT_BETA, message);
    return r;
}

static int judge_request(struct tk_judge *j)
{
    struct tk_val binding = tk_anthropic_request(j->request)->binding;

    if (tk_lacks_beta(&tk_anthropic(j)->betas, TK_BETA_BLOCK_BINDING) && tk_exists(binding) &&
        !tk_is(binding, TK_NULL))
        return tk_find_request(&j->findings, j->t, TK_CODE_BLOCK_BINDING_BETA, TK_NO_NODE);
    return 0;
}

/* ---- the check ---- */

static int judge_part(struct tk_judge *j, uint32_t part)
{
    static int (*const parts[])(struct tk_judge * j, uint32_t part) = {
        judge_call, judge_block, judge_definition, judge_compaction};
    int r = 0;

    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]) && r == 0; i++)
        r = parts[i](j, part);
    return r;
}

int tk_judge_betas(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r;

    r = judge_request(j);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        r = judge_message(j, m);
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            r = judge_part(j, i);
    }
    return r;
}
