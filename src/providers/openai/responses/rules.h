/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of Responses, by the folders of their areas. checks.c has the checks in their order. Rows of fixes.c
 * name the functions that decide about a finding (`want`) and that make the edit (`act`); engine/fix.h says
 * what they are.
 */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_RULES_H
#define TK_PROVIDERS_OPENAI_RESPONSES_RULES_H

#include "engine/judge.h"
#include "engine/plan.h"
#include "engine/repair.h"
#include "providers/openai/responses/item.h"

/* ---- body ---- */

/* Rules about the body of a request as a whole (CATALOGUE 4.1). All are only reported. */

/* Checks. They need the whole body and return 0 or -ENOMEM. */
int tk_judge_empty_input(struct tk_judge *j);  /* resp_input_empty */
int tk_judge_server_state(struct tk_judge *j); /* resp_previous_with_conversation */
int tk_judge_tool_limits(struct tk_judge *j);  /* resp_tool_limits */

/* ---- calls ---- */

/* Checks of the names and arguments of calls (CATALOGUE 4.1). */

/* Checks. They return 0 or -ENOMEM. */
int tk_judge_argument_types(struct tk_judge *j); /* resp_arguments_not_string */
int tk_judge_arguments(struct tk_judge *j);      /* resp_arguments_invalid_json */
int tk_judge_call_names(struct tk_judge *j);     /* resp_tool_name_in_history */

/* The most characters of a tool's name. */
#define TK_LONGEST_CALL_NAME 128

/* Fixes of the names and arguments of calls. All rewrite the call. */

int tk_fix_argument_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_arguments(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_call_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- ids ---- */

/* Checks of the ids by which the server stores items (PROVIDERS.md 4.3). */

/* Checks. They return 0, -ENOMEM or -ECANCELED. */
int tk_judge_resent(struct tk_judge *j);             /* resp_previous_and_resend */
int tk_judge_not_persisted(struct tk_judge *j);      /* resp_item_not_persisted */
int tk_judge_foreign_ciphertext(struct tk_judge *j); /* resp_encrypted_content_foreign */
int tk_judge_repeated_item_ids(struct tk_judge *j);  /* resp_duplicate_item_id */
int tk_judge_prefixes(struct tk_judge *j);           /* resp_item_id_prefix */
int tk_judge_long_item_ids(struct tk_judge *j);      /* resp_id_too_long */
int tk_judge_lone_reasoning(struct tk_judge *j);     /* resp_reasoning_without_next */

/* The most characters of an id. */
#define TK_LONGEST_ITEM_ID 64

/* Returns true if the `id` of an item is too long and may be deleted, or must be shortened. */
bool tk_item_id_is_long(const struct tk_transcript *t, uint32_t item);
/* Likewise for the `call_id` of a call or output. */
bool tk_call_id_is_long(const struct tk_transcript *t, uint32_t item);

/* Returns the reasoning item's ciphertext; absent if it has none. */
struct tk_val tk_ciphertext(const struct tk_transcript *t, uint32_t item);

/* Fixes of the ids by which the server stores items (PROVIDERS.md 4.3, 4.4). */

struct tk_decision tk_want_resent(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
struct tk_decision tk_want_persisted(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_own_ciphertext(struct tk_plan *p, const struct tk_finding *f,
                                          const struct tk_policy *policy);
struct tk_decision tk_want_item_id_once(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
struct tk_decision tk_want_prefix(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy);
struct tk_decision tk_want_short_item_id(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
struct tk_decision tk_want_reasoning_alone(struct tk_plan *p, const struct tk_finding *f,
                                           const struct tk_policy *policy);

/* Drops the item, deletes its id, with those of its unit if it is reasoning, or makes a text of it,
 * as the decision says. */
int tk_fix_item_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_ciphertext(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_long_item_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_lone_reasoning(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* A step: deletes the ids that the policy key `item_ids` asks for, after all fixes. */
bool tk_strips_item_ids(const struct tk_repair *r);
int tk_strip_item_ids(struct tk_repair *r, const struct tk_step *step);

/* ---- items ---- */

/* Checks of what an item is and which members it has (CATALOGUE 4.1, PROVIDERS.md 4.1). */

/* Checks. They return 0, -ENOMEM or -ECANCELED. */
int tk_judge_item_types(struct tk_judge *j);   /* resp_item_type_unknown */
int tk_judge_item_roles(struct tk_judge *j);   /* resp_role_unknown */
int tk_judge_developer(struct tk_judge *j);    /* resp_developer_role */
int tk_judge_member_types(struct tk_judge *j); /* resp_item_field_type */
int tk_judge_missing(struct tk_judge *j);      /* resp_missing_item_field */
int tk_judge_item_members(struct tk_judge *j); /* resp_unknown_item_field */
int tk_judge_unfinished(struct tk_judge *j);   /* resp_hosted_call_unfinished */

/* Returns the required members that an item lacks: TK_IM() bits. */
uint64_t tk_missing_members(const struct tk_transcript *t, uint32_t item);

/* Returns true if a message's role is one that the API knows. */
static inline bool tk_has_known_role(const struct tk_transcript *t, uint32_t item)
{
    return t->messages[item].role != TK_ROLE_OTHER;
}

/* Returns true for a member that is known to be refused on an item, or on a content part. */
bool tk_is_item_offender(const struct tk_transcript *t, uint32_t item, struct tk_val member);
bool tk_is_part_offender(struct tk_val member);

/* Returns the chunks of a shell's output, which may have refused members of their own; absent if the
 * item is no such output. */
struct tk_val tk_shell_chunks(const struct tk_transcript *t, uint32_t item);

/* Fixes of what an item is and which members it has: types of other APIs become items of this one
 * (items/fix_types.c), members get the values that the API takes (items/fix_item_members.c). */

struct tk_decision tk_want_item_type(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
struct tk_decision tk_want_members(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
struct tk_decision tk_want_without_members(struct tk_plan *p, const struct tk_finding *f,
                                           const struct tk_policy *policy);

int tk_fix_item_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_item_role(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_developer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_member_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_missing(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_item_members(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- pairs ---- */

/* Checks of calls and their outputs, and of approvals (PROVIDERS.md 4.2). */

/* Checks. They return 0, -ENOMEM or -ECANCELED. */
int tk_judge_repeated_call_ids(struct tk_judge *j); /* resp_call_id_duplicate */
int tk_judge_second_outputs(struct tk_judge *j);    /* resp_output_duplicate */
int tk_judge_lone_outputs(struct tk_judge *j);      /* resp_output_without_call */
int tk_judge_stored_calls(struct tk_judge *j);      /* resp_item_reference_call */
int tk_judge_open_calls(struct tk_judge *j);        /* resp_call_without_output */
int tk_judge_interleaved(struct tk_judge *j);       /* resp_deepseek_interleaved */
int tk_judge_approvals(struct tk_judge *j);         /* resp_approval_unpaired */

/* Fixes of calls and their outputs (PROVIDERS.md 4.2). */

struct tk_decision tk_want_call_id_once(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
struct tk_decision tk_want_output_once(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
struct tk_decision tk_want_call_of(struct tk_plan *p, const struct tk_finding *f,
                                   const struct tk_policy *policy);
struct tk_decision tk_want_output_of(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

int tk_fix_repeated_call(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_output(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_open_call(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_fix_interleaved(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- parts ---- */

/* Checks of the content parts of messages (CATALOGUE 4.1). */

/* Checks. They return 0 or -ENOMEM. */
int tk_judge_part_types(struct tk_judge *j); /* resp_content_part_type */
int tk_judge_images(struct tk_judge *j);     /* resp_image_invalid */

/* Kinds of content parts. */
enum tk_content {
    TK_CONTENT_UNKNOWN, /* passes */
    TK_CONTENT_TEXT,
    TK_CONTENT_REFUSAL,
    TK_CONTENT_MEDIA,
};

/* Returns what the part is; *ret_fits: its type fits a message of the role. */
enum tk_content tk_content_of(const struct tk_part *p, enum tk_role role, bool *ret_fits);

/* Fixes of the content parts of messages. */

struct tk_decision tk_want_part_type(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Gives a part the type of its role. The media of an assistant message move into one user message
 * directly after it. */
int tk_fix_part_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* fit.c: the member `fit` of the row. */
extern const struct tk_fit_rules tk_responses_fit;

#endif
