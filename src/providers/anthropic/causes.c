/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Ways out of a refusal (PROTOCOL 5.2) that the engine doesn't know: members of the policy that turn
 * something into an error, members of the request that a message needs.
 */
#include "engine/way_out.h"
#include "providers/anthropic/provider.h"
#include "providers/anthropic/provider_pairs/form.h"
#include "providers/anthropic/rules.h"
#include "providers/policy.h"

static bool is_no_listed_tool(struct tk_plan *p, const struct tk_finding *f)
{
    const struct tk_policy *policy = p->j->policy;
    struct tk_provider_policy keys = *tk_own_policy(p->j);
    struct tk_policy changed = *policy;
    uint32_t call = f->site.part, other = tk_other_half(p->j, f->site.part);
    bool good;

    if (other != TK_NONE && p->j->t->parts[other].kind == TK_PART_CALL)
        call = other;
    if (!tk_is(keys.serializable_tools, TK_ARRAY))
        return false;
    keys.serializable_tools = TK_NO_VAL;
    changed.own = &keys;
    p->j->policy = &changed;
    good = tk_call_is_good(p->j, &p->j->t->parts[call]);
    p->j->policy = policy;
    return good;
}

static bool makes_unknown_an_error(struct tk_plan *p, const struct tk_finding *f)
{
    (void)f;
    return tk_own_policy(p->j)->unknown_tools_error;
}

static bool refuses_other_prefixes(struct tk_plan *p, const struct tk_finding *f)
{
    (void)f;
    return tk_own_policy(p->j)->prefix_mismatch == TK_MISMATCH_ERROR;
}

static bool is_always(struct tk_plan *p, const struct tk_finding *f)
{
    (void)p;
    (void)f;
    return true;
}

const struct tk_cause tk_anthropic_causes[] = {
    {TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_CALL, is_no_listed_tool,
     TK_STR_INIT("policy.serializable_tools does not list this tool: add it to the list.")},
    {TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN, makes_unknown_an_error,
     TK_STR_INIT("policy.unknown_tools is \"error\": set it to \"report\".")},
    {TK_CODE_THINKING_PREFIX_MISMATCH, refuses_other_prefixes,
     TK_STR_INIT(
         "policy.prefix_mismatch is \"error\": set it to \"strip\", which drops this thinking.")},
    {TK_CODE_CONTAINER_REQUIRED, is_always,
     TK_STR_INIT(
         "Repair edits messages only: send the id of the container in which the code runs as "
         "`container`. The answer with this call has it.")},
    {TK_CODE_THINKING_REQUIRED_FIRST, is_always,
     TK_STR_INIT("`thinking` is on in the request: switch it off until this turn is done.")},
    {TK_CODE_THINKING_CONTENT_REQUIRED, is_always,
     TK_STR_INIT("`thinking` is on in the request: switch it off for this request, or send the "
                 "thinking of this turn.")},
    {TK_CODE_THINKING_DISABLED_FINAL, is_always,
     TK_STR_INIT("`thinking` is off in the request: switch it on, or put a user message after this "
                 "turn.")},
    {0},
};
