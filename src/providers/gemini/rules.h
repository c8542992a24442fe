/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The checks and fixes of Gemini's rules, for checks.c and fixes.c, by the folders of their areas. Checks
 * return 0, -ENOMEM or -ECANCELED; engine/fix.h says what the functions of a fix are.
 */
#ifndef TK_PROVIDERS_GEMINI_RULES_H
#define TK_PROVIDERS_GEMINI_RULES_H

#include "engine/fix.h"
#include "providers/gemini/state.h"

/* ---- messages ---- */
int tk_gem_find_messages(struct tk_judge *j);
int tk_gem_find_order(struct tk_judge *j);
int tk_gem_fix_role(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_gem_want_parts(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
int tk_gem_fix_no_parts(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_gem_fix_user_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_gem_want_user_last(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
int tk_gem_fix_user_last(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- parts ---- */
int tk_gem_find_parts(struct tk_judge *j);
/* Returns true for an image that isn't base64, or doesn't begin like one of its type. */
bool tk_gem_is_bad_image(const struct tk_part *p, struct tk_arena *arena);
int tk_gem_fix_union(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_gem_fix_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_gem_fix_args(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_gem_fix_response_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- pairs ---- */
int tk_gem_find_pairs(struct tk_judge *j);
struct tk_decision tk_gem_want_response_placed(struct tk_plan *p, const struct tk_finding *f,
                                               const struct tk_policy *policy);
int tk_gem_fix_stray(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
struct tk_decision tk_gem_want_response(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
bool tk_gem_may_answer(const struct tk_plan *p, const struct tk_finding *f);
int tk_gem_fix_unanswered(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_gem_fix_response_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_gem_fix_text_after(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Returns the payload of a response (PROVIDERS.md 7.5). */
struct tk_str tk_gem_payload(const struct tk_transcript *t, uint32_t response);
/* Returns the text that takes a response's place (PROVIDERS.md 7.5); blank: it says nothing; `.p == NULL`
 * without memory. */
struct tk_str tk_gem_as_text(struct tk_judge *j, uint32_t response);
/* Hooks of a round: forget the places of the last one; put parts that leave their messages into new ones. */
int tk_gem_begin_round(struct tk_plan *p);
int tk_gem_settle(struct tk_plan *p);
/* Notes that a part leaves its message at the end of the round, if responses stay there. Returns 0 or
 * -ENOMEM. */
int tk_gem_leaves(struct tk_plan *p, uint32_t part);
/* Finds where the next response to the calls of a call's turn goes. Makes a message for it if there is
 * none. Returns 0 or -ENOMEM. */
int tk_gem_place_of(struct tk_plan *p, uint32_t call, struct tk_gem_place **ret);

/* ---- server ---- */
int tk_gem_find_server_parts(struct tk_judge *j);

/* ---- signatures ---- */
int tk_gem_find_signatures(struct tk_judge *j);
int tk_gem_fix_signature(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- request ---- */
int tk_gem_find_request(struct tk_judge *j);

/* Fills the view of a body. Returns 0 or -ENOMEM. */
int tk_gem_read_request(struct tk_request_view *ret, struct tk_val body, struct tk_arena *arena);

/* Returns true if `tools` has a built-in tool. */
bool tk_gem_has_builtin(const struct tk_request_view *v);

/* Returns a member of the body, in either spelling; absent if it is null. */
struct tk_val tk_gem_given(struct tk_val v, const char *name, const char *other);

/* fit.c: the member `fit` of the row. */
extern const struct tk_fit_rules tk_gemini_fit;

#endif
