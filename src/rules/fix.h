/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fixes: what repair does about a finding. One row per code, in fixes.c; the functions stand in the
 * file of their area (fix_pairs.c, fix_client.c, ...).
 *
 *     want()  what the policy says: no edit, or which
 *     act()   makes that edit and its line of the report
 *     reach   which part of it the protected turn forbids (RULES.md section 3)
 *     stage   when it is its turn (plan.h)
 *
 * A code without a row is never edited: warnings, and what no edit mends.
 */
#ifndef TK_RULES_FIX_H
#define TK_RULES_FIX_H

#include "rules/plan.h"

enum tk_reach {
    TK_REACH_PART,     /* not in the protected turn */
    TK_REACH_PAIR,     /* nor where the other half of the provider-executed pair is in it */
    TK_REACH_CLIENT,   /* nor where the call or result that it belongs to is in it */
    TK_REACH_GUARD,    /* in guard mode also there: an exception of RULES.md section 3 */
    TK_REACH_BEFORE,   /* nor where the protected turn is before it */
    TK_REACH_ANYWHERE, /* also there; or the edit is made elsewhere */
};

struct tk_rule_fix {
    enum tk_stage stage;
    enum tk_action action; /* what is wanted whatever the policy, where `want` is NULL */
    struct tk_decision (*want)(struct tk_plan *p, const struct tk_finding *f,
                               const struct tk_policy *policy);
    int (*act)(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
    enum tk_reach reach;
    /* What other edits may clear up by themselves waits for a round that makes none of them: a
     * caller that is in flight once an older use of its id is gone, a turn that gets a text at its
     * end. */
    bool waits;
};

extern const struct tk_rule_fix tk_rule_fixes[TK_CODE_COUNT];

/* ---- for the files of fixes ---- */

static inline struct tk_decision tk_no_edit(void)
{
    return (struct tk_decision){TK_ACTION_NONE, 0};
}

static inline struct tk_decision tk_edit_by(enum tk_action action)
{
    return (struct tk_decision){action, 0};
}

/* Returns what a policy wants, whether protection allows it or not. */
struct tk_decision tk_fix_by(struct tk_plan *p, const struct tk_finding *f,
                             const struct tk_policy *policy);

/* Returns true if the protected turn forbids every edit for the finding. */
bool tk_is_forbidden(const struct tk_plan *p, const struct tk_finding *f);

/* What the policy wants and protection allows. */
struct tk_decision tk_fix_wanted(struct tk_plan *p, const struct tk_finding *f);

/* A turn with signed thinking, newest or not. */
bool tk_turn_is_signed(const struct tk_transcript *t, uint32_t message);

static inline bool tk_is_edited(const struct tk_plan *p, uint32_t part)
{
    return (p->j->t->parts[part].flags & TK_PART_EDITED) != 0;
}

/* Drops the part. */
int tk_fix_drop(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_pairs.c: provider-executed pairs. */
struct tk_decision tk_want_outside(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
struct tk_decision tk_want_duplicate(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_orphan_call(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
struct tk_decision tk_want_orphan_result(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
struct tk_decision tk_want_before_call(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
struct tk_decision tk_want_valid_pair(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);
int tk_fix_pair(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_duplicate(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_caller(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Whether the pair of a call or result stands, or half stands, in the protected turn. */
bool tk_pair_is_protected(const struct tk_plan *p, uint32_t part);

/* fix_body.c */
struct tk_decision tk_want_content(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
int tk_fix_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_want_no_surrogate(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
int tk_fix_surrogates(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_members.c: members of messages, and messages that keep their place because of them. */
struct tk_decision tk_want_no_extras(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
int tk_fix_extras(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_want_filled(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
struct tk_decision tk_want_gone(struct tk_plan *p, const struct tk_finding *f,
                                const struct tk_policy *policy);

/* fix_client.c: client pairs. */
struct tk_decision tk_want_answer(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
struct tk_decision tk_want_stray(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);
struct tk_decision tk_want_inside(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
struct tk_decision tk_want_repeated(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);
struct tk_decision tk_want_call_in_user(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
int tk_fix_answer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_stray(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_not_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_repeated(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Renames calls that lost their ids in this round (displaced.h), those before a place (TK_NONE:
 * all). Returns 0, -ENOMEM or -ECANCELED. */
int tk_rename_displaced(struct tk_plan *p, uint32_t at);
int tk_fix_call_in_user(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_ids.c: ids of a wrong pattern. */
int tk_fix_client_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_server_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Callers name the new ids of this round, too. Returns 0 or -ENOMEM. */
int tk_rename_callers(struct tk_plan *p);
/* Gives a call or result an id, with its line of the report. */
int tk_fix_id(struct tk_plan *p, uint32_t part, enum tk_code code, struct tk_str id);

/* fix_structure.c */
struct tk_decision tk_want_block_out(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_slide(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);
int tk_fix_drop_message(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_empty_system(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_block_out(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_slide(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_text.c */
struct tk_decision tk_want_no_blank(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);
int tk_fix_blank(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_trailing_space(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_cache.c */
struct tk_decision tk_want_fewer_markers(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
int tk_fix_too_many_markers(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_marked_thinking(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_want_marker_order(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
int tk_fix_marker_order(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_citations.c */
int tk_fix_bare_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_document_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_compaction.c */
int tk_fix_empty_compaction(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_want_compaction_first(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy);
/* Returns true if part of the protected turn is before the newest compaction block. */
bool tk_compaction_follows_protected(const struct tk_plan *p, uint32_t part);
int tk_fix_compaction_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_sealed.c: all of a stage. */
int tk_mend_sealed(struct tk_plan *p);
struct tk_decision tk_want_sealed(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);

/* fix_route.c: all of a stage. */
int tk_drop_for_route(struct tk_plan *p);
int tk_prune_prior(struct tk_plan *p);

/* fix_thinking.c */
/* Thinking that nobody vouches for any more becomes text, or goes. Returns 0 or -ENOMEM. */
int tk_let_go(struct tk_plan *p, uint32_t part, enum tk_code code, enum tk_action action);
struct tk_decision tk_want_unsigned(struct tk_plan *p, const struct tk_finding *f,
                                    const struct tk_policy *policy);
struct tk_decision tk_want_unordered(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_in_user(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
int tk_fix_dead_block(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_dead_turn(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_malformed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_missing_text(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_final_thinking(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_blocks.c */
/* A block that lacks something goes, unless it has a member that nobody knows. */
struct tk_decision tk_want_block_gone(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);
int tk_fix_extra_inputs(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* A block leaves what it says as text in its place; one that says nothing goes. */
struct tk_decision tk_want_block_as_text(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
int tk_fix_block_as_text(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_tools.c */
int tk_fix_tool_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_tool_input(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_results.c */
int tk_fix_result_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_toolset_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_result_blocks(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Blocks that go behind the results of their user turn; a result elsewhere has none. */
struct tk_decision tk_want_unload(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
int tk_fix_unload(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_search_mixed(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_media.c */
struct tk_decision tk_want_image(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);
int tk_fix_image(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fix_betas.c: what the header doesn't allow. */
struct tk_decision tk_want_no_advice(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_out(struct tk_plan *p, const struct tk_finding *f,
                               const struct tk_policy *policy);
struct tk_decision tk_want_no_output_config(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy);
struct tk_decision tk_want_no_clear_at(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
int tk_fix_clear_at(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_want_summary(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
int tk_fix_summary(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
