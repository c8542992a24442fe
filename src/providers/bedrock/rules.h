/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of Bedrock's Converse API: the checks that checks.c lists and the fixes that fixes.c lists, by the
 * folder of their area. engine/provider.h says what a check returns, engine/fix.h what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_BEDROCK_RULES_H
#define TK_PROVIDERS_BEDROCK_RULES_H

#include "engine/fix.h"
#include "providers/bedrock/state.h"

#define TK_BRK_WANT(name)                                                                          \
    struct tk_decision name(struct tk_plan *p, const struct tk_finding *f,                         \
                            const struct tk_policy *policy)
#define TK_BRK_ACT(name)                                                                           \
    int name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)

extern const struct tk_check tk_bedrock_checks[];
extern const struct tk_rule_fix tk_bedrock_fixes[TK_CODE_COUNT];

/* ---- messages ---- */

int tk_brk_find_messages(struct tk_judge *j);
TK_BRK_ACT(tk_brk_fix_role);
TK_BRK_WANT(tk_brk_want_parts);
TK_BRK_ACT(tk_brk_fix_empty);
TK_BRK_WANT(tk_brk_want_user_first);
TK_BRK_ACT(tk_brk_fix_user_first);
TK_BRK_WANT(tk_brk_want_split);
TK_BRK_ACT(tk_brk_fix_mixed);
TK_BRK_WANT(tk_brk_want_user_last);
TK_BRK_ACT(tk_brk_fix_user_last);

/* Returns true for a part that can't be in a message with the client's calls, or results. */
bool tk_brk_goes_elsewhere(const struct tk_transcript *t, uint32_t part);

/* ---- blocks ---- */

int tk_brk_find_blocks(struct tk_judge *j);
TK_BRK_WANT(tk_brk_want_union);
TK_BRK_ACT(tk_brk_fix_union);
bool tk_brk_may_union(const struct tk_plan *p, const struct tk_finding *f);
TK_BRK_ACT(tk_brk_fix_extra_member);

/* How many members a block has: of the union, `type`, and others. Those that are null don't count. */
struct tk_brk_members {
    uint32_t of_union, types, others;
};

struct tk_brk_members tk_brk_members_of(const struct tk_part *p);

/* ---- text ---- */

int tk_brk_find_blank_texts(struct tk_judge *j);
TK_BRK_WANT(tk_brk_want_no_blank);

/* Returns the payload of a result (PROVIDERS.md 6.5). *ret_media: it has images or other media, too. */
struct tk_str tk_brk_payload(const struct tk_transcript *t, uint32_t result, bool *ret_media);

/* The hooks `as_text` and `settle` of struct tk_ruleset. */
struct tk_str tk_brk_as_text(struct tk_judge *j, uint32_t result);
int tk_brk_settle(struct tk_plan *p);

/* Turns a result into a text, or drops it if it says nothing. Returns 0, -ENOMEM or -ECANCELED. */
int tk_brk_textify(struct tk_plan *p, uint32_t result, uint16_t code);

/* ---- server ---- */

/* The hook `survey` of struct tk_ruleset: tells who executed the calls and results without a type. */
int tk_brk_survey(struct tk_judge *j);
int tk_brk_find_server_pairs(struct tk_judge *j);
TK_BRK_WANT(tk_brk_want_flat);
TK_BRK_WANT(tk_brk_want_no_duplicate);
TK_BRK_WANT(tk_brk_want_orphan_call);
TK_BRK_WANT(tk_brk_want_orphan_result);
TK_BRK_WANT(tk_brk_want_in_order);
TK_BRK_ACT(tk_brk_fix_server);

/* ---- pairs ---- */

int tk_brk_find_pairs(struct tk_judge *j);
TK_BRK_WANT(tk_brk_want_result);
TK_BRK_ACT(tk_brk_fix_unanswered);
TK_BRK_WANT(tk_brk_want_text);
TK_BRK_WANT(tk_brk_want_outside);
TK_BRK_ACT(tk_brk_fix_result);
TK_BRK_WANT(tk_brk_want_one_id);
TK_BRK_ACT(tk_brk_fix_one_id);

/* Notes, before it does, that a result leaves the results at the start of its message; in_place: a text takes
 * its place. */
void tk_brk_leaves(struct tk_plan *p, uint32_t result, bool in_place);

/* ---- calls ---- */

int tk_brk_find_calls(struct tk_judge *j);
TK_BRK_ACT(tk_brk_fix_id);
bool tk_brk_may_change_id(const struct tk_plan *p, const struct tk_finding *f);
TK_BRK_ACT(tk_brk_fix_tool_name);
TK_BRK_ACT(tk_brk_fix_tool_input);
TK_BRK_ACT(tk_brk_fix_result_type);
TK_BRK_ACT(tk_brk_fix_no_output);
TK_BRK_ACT(tk_brk_fix_blank_result);
TK_BRK_ACT(tk_brk_fix_bad_json);

/* Gives a call or result another id. Returns 0, -ENOMEM or -ECANCELED. */
int tk_brk_set_id(struct tk_plan *p, uint32_t part, uint16_t code, struct tk_str id);

/* Returns true for an element of a result that is a blank text. */
bool tk_brk_is_blank_element(struct tk_val element);

/* Returns the `json` of an element of a result that isn't an object; absent if it is one or there is none. */
struct tk_val tk_brk_bad_json(struct tk_val element);

/* ---- reasoning ---- */

int tk_brk_find_reasoning(struct tk_judge *j);
int tk_brk_find_last_reasoning(struct tk_judge *j);
TK_BRK_WANT(tk_brk_want_demoted);
TK_BRK_ACT(tk_brk_fix_reasoning);
TK_BRK_ACT(tk_brk_fix_last_reasoning);

/* Returns true if a block of the message is signed. */
bool tk_brk_is_signed(const struct tk_transcript *t, uint32_t message);

/* ---- documents ---- */

int tk_brk_find_documents(struct tk_judge *j);
TK_BRK_ACT(tk_brk_fix_document_alone);
TK_BRK_ACT(tk_brk_fix_document_name);

/* Returns the name of a document; empty if it has none. */
struct tk_str tk_brk_document_name(const struct tk_transcript *t, uint32_t part);

/* Returns a legal name in the place of another; `.p == NULL` without memory. */
struct tk_str tk_brk_clean_name(struct tk_arena *arena, struct tk_str name);

/* ---- cache, request ---- */

int tk_brk_find_cache_points(struct tk_judge *j);
int tk_brk_find_tool_config(struct tk_judge *j);

/* fit.c: the member `fit` of the row. */
extern const struct tk_fit_rules tk_bedrock_fit;

#endif
