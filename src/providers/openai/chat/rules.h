/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rules of Chat Completions, by the folders of their areas. checks.c has the checks in their order. Rows of
 * fixes.c name the functions that decide about a finding (`want`) and that make the edit (`act`); engine/fix.h
 * says what they are.
 */
#ifndef TK_PROVIDERS_OPENAI_CHAT_RULES_H
#define TK_PROVIDERS_OPENAI_CHAT_RULES_H

#include "engine/edit/edit.h"
#include "engine/fix.h"
#include "engine/judge.h"
#include "engine/repair.h"
#include "shapes/openai_chat.h"

/* ---- calls ---- */

/* Checks of calls by themselves: names, arguments, and nulls in their place. */

/* Each finds the faults of one code. They return 0 or -ENOMEM. */
int tk_chat_find_holes(struct tk_judge *j);
int tk_chat_find_tool_name(struct tk_judge *j);
int tk_chat_find_arguments_type(struct tk_judge *j);
int tk_chat_find_arguments_json(struct tk_judge *j);

/* Fixes of names and arguments. */

/* Wants the call rewritten, unless its member `function` is of a type that can't be read. */
struct tk_decision tk_chat_want_call(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);

/* Drops a null in the place of a call. */
int tk_chat_fix_hole(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

int tk_chat_fix_tool_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_chat_fix_arguments_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_chat_fix_arguments_json(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* ---- messages ---- */

/* Checks of messages by themselves: roles, content, names, reasoning; and of the request. */

/* Each finds the faults of one code. They return 0 or -ENOMEM. */
int tk_chat_find_no_messages(struct tk_judge *j);
int tk_chat_find_tool_limits(struct tk_judge *j);
int tk_chat_find_tool_name_pattern(struct tk_judge *j);
int tk_chat_find_role_invalid(struct tk_judge *j);
int tk_chat_find_role_unsupported(struct tk_judge *j);
int tk_chat_find_developer(struct tk_judge *j);
int tk_chat_find_content_null(struct tk_judge *j);
int tk_chat_find_content_type(struct tk_judge *j);
int tk_chat_find_empty_calls(struct tk_judge *j);
int tk_chat_find_many_calls(struct tk_judge *j);
int tk_chat_find_message_name(struct tk_judge *j);
int tk_chat_find_list_content(struct tk_judge *j);
int tk_chat_find_empty_message(struct tk_judge *j);
int tk_chat_find_no_reasoning(struct tk_judge *j);

/* Returns the length of the character that a message's name can't have, at the start of a text; 0: the
 * text begins with another. */
size_t tk_chat_foreign_in_name(struct tk_str text);

/* Fixes of messages by themselves. */

/* Under `preserve`, Gemini's role `model` becomes `assistant`; nobody knows what others mean. */
struct tk_decision tk_chat_want_role(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
int tk_chat_fix_role(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Wants a rewrite under `preserve` alone. */
struct tk_decision tk_chat_want_preserving(struct tk_plan *p, const struct tk_finding *f,
                                           const struct tk_policy *policy);
/* Makes the message the user's. */
int tk_chat_fix_unsupported_role(struct tk_plan *p, const struct tk_finding *f,
                                 struct tk_decision d);
/* Makes the message the system's. */
int tk_chat_fix_developer(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Gives a message the content "", unless its members may be all that it says. */
struct tk_decision tk_chat_want_content(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy);
int tk_chat_fix_content_null(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
/* Puts an object with a type into a list, and any other value into a string, as JSON. */
int tk_chat_fix_content_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

int tk_chat_fix_empty_calls(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_chat_fix_message_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Joins the texts of a content that has nothing else. */
struct tk_decision tk_chat_want_string(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
int tk_chat_fix_list_content(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops a message that says nothing; one with reasoning gets a text. */
struct tk_decision tk_chat_want_no_empty(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy);
int tk_chat_fix_empty_message(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

int tk_chat_fix_no_reasoning(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Returns the texts of a message's content, refusals included, joined by LF without empty ones; `.p ==
 * NULL` if it has something else, or when out of memory. */
struct tk_str tk_chat_texts(const struct tk_transcript *t, uint32_t message);

/* Members of a message that strict servers refuse (PROVIDERS.md 3.1): check and fix. */

/* Finds the messages that have one. Returns 0 or -ENOMEM. */
int tk_chat_find_unknown_members(struct tk_judge *j);

/* Removes those that are nobody's words. Reasoning waits until its message says something else. */
struct tk_decision tk_chat_want_known_members(struct tk_plan *p, const struct tk_finding *f,
                                              const struct tk_policy *policy);
int tk_chat_fix_unknown_members(struct tk_plan *p, const struct tk_finding *f,
                                struct tk_decision d);

/* ---- order ---- */

/* Checks of the order of roles, which templates of copies of the API want. */

/* Each finds the faults of one code. They return 0 or -ENOMEM. */
int tk_chat_find_late_system(struct tk_judge *j);
int tk_chat_find_same_roles(struct tk_judge *j);
int tk_chat_find_user_after_tool(struct tk_judge *j);
int tk_chat_find_last_assistant(struct tk_judge *j);

/* Returns true if two neighbours are both the user's, or both the assistant's and the first has no
 * calls. */
bool tk_chat_is_same_role(const struct tk_transcript *t, uint32_t first, uint32_t second);

/* Fixes of the order of roles. */

/* Makes a late system message one of the user, in its place. */
struct tk_decision tk_chat_want_late_system(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy);
int tk_chat_fix_late_system(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Joins a message to the one before it. */
struct tk_decision tk_chat_want_joined(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
int tk_chat_fix_same_roles(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Puts an assistant's message "." before the message. */
int tk_chat_fix_user_after_tool(struct tk_plan *p, const struct tk_finding *f,
                                struct tk_decision d);
/* Puts a user's message "Continue." after the message, unless the policy says that it is meant. */
struct tk_decision tk_chat_want_last_user(struct tk_plan *p, const struct tk_finding *f,
                                          const struct tk_policy *policy);
int tk_chat_fix_last_assistant(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* A step: joins the neighbours that policy.merge_adjacent names. */
bool tk_chat_is_merging(const struct tk_repair *r);
int tk_chat_merge(struct tk_repair *r, const struct tk_step *step);

/* Joins neighbours of one role (PROVIDERS.md 3). */

/* Returns true if the second message can join the first, which is right before it: both are the user's,
 * or the assistant's and the first has no calls, and no member but the second's calls would be lost.
 * names: they may have names, too. */
bool tk_chat_may_join(const struct tk_transcript *t, uint32_t first, uint32_t second, bool names);

/*
 * Joins to a message those after it, as long as they can join and asked() returns true for the pair of
 * neighbours as they were. Writes a line for each. Linear in what is joined. Returns 0, -ENOMEM or
 * -ECANCELED.
 */
int tk_chat_join(struct tk_edits *e, uint32_t first, uint16_t code, bool names,
                 bool (*asked)(const struct tk_transcript *t, uint32_t first, uint32_t second));

/* ---- pairs ---- */

/* Checks of calls and tool messages: their ids, and that each has the other. */

/* Each finds the faults of one code. They return 0 or -ENOMEM. */
int tk_chat_find_id_missing(struct tk_judge *j);
int tk_chat_find_id_duplicate(struct tk_judge *j);
int tk_chat_find_strays(struct tk_judge *j);
int tk_chat_find_unanswered(struct tk_judge *j); /* also chat_call_count_mismatch, on Mistral */
int tk_chat_find_long_ids(struct tk_judge *j);
int tk_chat_find_id_pattern(struct tk_judge *j);

/* Fixes of calls and tool messages: ids, results that are missing, results that are lost. */

/* Gives a call the id of its answer or a new one, or a tool message the id of its call. */
int tk_chat_fix_id_missing(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Drops an identical call that has no answer, gives any other call and its answer a new id; drops or
 * textifies a second answer. */
struct tk_decision tk_chat_want_no_duplicate(struct tk_plan *p, const struct tk_finding *f,
                                             const struct tk_policy *policy);
int tk_chat_fix_duplicate(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Returns the texts of a message's content, one below the other (PROVIDERS.md 3, "Textify"). */
struct tk_str tk_chat_payload(const struct tk_transcript *t, uint32_t message);

/* Moves a result to the call that it claims, or textifies it. */
struct tk_decision tk_chat_want_stray(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy);
int tk_chat_fix_stray(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Inserts a result which says that the call was not executed, at the end of the run. */
struct tk_decision tk_chat_want_result(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy);
int tk_chat_fix_unanswered(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Give an id a new one that follows from it, at whichever end was blamed. */
int tk_chat_fix_long_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);
int tk_chat_fix_id_pattern(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Turns a tool message into a message of the user (PROVIDERS.md 3, "Textify"). */

/* Returns what becomes of a tool message that can't stay: textify, drop if it says nothing, or no edit
 * if it says nothing but has members that may be somebody's words. */
struct tk_decision tk_chat_want_text(struct tk_judge *j, uint32_t message);

/* Returns true for a tool message that no edit drops, whatever its content is: it has members that may be
 * somebody's words, reasoning, or what only an assistant says. */
bool tk_chat_has_to_stay(const struct tk_message *m);

/* Makes the message a text of the user, which comes after its row of tool messages and after the texts
 * that were put there before. Or drops it. Writes the line. Returns 0, -ENOMEM or -ECANCELED. */
int tk_chat_make_text(struct tk_plan *p, uint32_t message, uint16_t code, struct tk_decision d);

/* Puts a message, or a new one given as its bytes, at the end of the row of a message. */
int tk_chat_put_in_row(struct tk_plan *p, uint32_t message, uint32_t of);
int tk_chat_add_to_row(struct tk_plan *p, uint32_t of, struct tk_str encoded);

/* Adds a message, given as its bytes, after the row of a message and what was put there before. */
int tk_chat_add_after_row(struct tk_plan *p, uint32_t of, struct tk_str encoded);

/* ---- parts ---- */

/* Checks of parts of a content: their types, and images. */

/* Each finds the faults of one code. They return 0 or -ENOMEM. */
int tk_chat_find_part_type(struct tk_judge *j);
int tk_chat_find_image_in_tool(struct tk_judge *j);
int tk_chat_find_bad_image(struct tk_judge *j);

/* Returns true if messages like this one take parts of the type. */
bool tk_chat_takes(const struct tk_message *m, enum tk_chat_type type);

/* Returns true if the part has a type that messages like this one can't contain. */
bool tk_chat_is_foreign_part(const struct tk_message *m, const struct tk_part *p);

/* Fixes of parts whose type their message can't contain, and of images. */

/* Spells a text or an image as Chat does, or moves media into a message of the user. */
struct tk_decision tk_chat_want_part(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
int tk_chat_fix_part(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Puts a text in the place of an image that is none. */
int tk_chat_fix_bad_image(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Parts of a content that lost their type, and messages in the place of parts (PROVIDERS.md
 * 3, "no type"). */

/* Returns true for a part of a list that has no type, or null. */
bool tk_chat_is_untyped(const struct tk_part *p);

/* Wants a rewrite if the part's only other member says its type, or if all parts of its message are
 * messages. */
struct tk_decision tk_chat_want_typed(struct tk_plan *p, const struct tk_finding *f);
int tk_chat_fix_untyped(struct tk_plan *p, const struct tk_finding *f);

/* fit.c: the member `fit` of the row. */
extern const struct tk_fit_rules tk_chat_fit;

#endif
