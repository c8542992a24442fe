/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The properties of every history and every repair of it (RULES.md, PROTOCOL 5.1, 5.2), whatever
 * the policy. tests/properties has the same properties and more, slowly, against a model of the
 * rules.
 */
#ifndef TK_TESTS_RANDOM_REPAIR_PROPERTIES_H
#define TK_TESTS_RANDOM_REPAIR_PROPERTIES_H

#include "trial.h"

struct property {
    const char *name;
    enum whose whose; /* the cases that it is about */
    /* Returns the fault, in the trial's arena; `.p == NULL`: the property holds. */
    struct tk_str (*broken)(struct trial *t);
};

/* Tables of properties, each ended by one without a name; ended by NULL. */
extern const struct property *const repair_properties[];

/* The fault, as `broken` has it; a property of other cases holds. */
struct tk_str property_fault(const struct property *property, struct trial *t);

/* ---- what the files of properties share ---- */

#define HOLDS ((struct tk_str){NULL, 0})

struct tk_str broken(struct trial *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* For a format's "%.*s". */
#define SHOW(str) (int)(str).n, (str).p

/* The bytes of a value; "nothing" where it isn't there. */
struct tk_str shown(struct tk_val v);

/* A member by its name. */
struct tk_val in(struct tk_val v, const char *name);

/* An integer; -1 where it is none. */
int64_t number(struct tk_val v);

/* The word that the policy has for a key, its base's or default's where it names none; "" where it
 * isn't a word. */
const char *policy_word(const struct trial *t, const char *key);

/*
 * True if the case has seals: their verdict goes before protection. seal_hunt.py has the properties
 * of those cases.
 */
bool has_seals(const struct trial *t);

/* True if a list of findings, or of edits, has one with that code. */
bool has_code(struct tk_val list, const char *code);
bool has_any_code(struct tk_val list, const char *const *codes);

/* The edits of the repair; absent: it was refused. */
struct tk_val edits_of(struct trial *t);

bool is_action(struct tk_val edit, const char *action);
uint32_t count_action(struct trial *t, const char *action);

/* True if the part that an edit is about was one of several that a part of Bedrock or Gemini consisted of: it
 * needn't be the one that the whole was read as. */
bool is_of_several(struct trial *t, struct tk_val edit);

/* True if an edit of this action is about the same part as an edit, or is this edit. */
bool was_made(struct trial *t, struct tk_val edit, const char *action);

/* True if there is a repair that edited something, and its patch leads to it. */
bool is_changed(struct trial *t);

/* True if the repair calls its outcome safe. */
bool is_safe(struct trial *t);

/* The endpoint that the case names. */
bool is_for(const struct trial *t, const char *endpoint);

/* Codes of edits that are made before anything is protected, as they decide what is signed. */
extern const char *const thinking_codes[];

/* Codes of compaction blocks whose summary is told as the user's text, where it can be. */
extern const char *const summary_codes[];

/* Where a pointer of the outcome or of the request leads: message and part, -1: to none. A
 * message's string counts as part 0. */
struct place {
    int64_t message, part;
    bool deeper; /* number after these */
};

struct place place_of(struct trial *t, struct tk_val pointer);

/* True if a text contains another one. */
bool holds(struct tk_str text, struct tk_str what);

/* Returns the next mark of a text: `head`, four digits, an "x"; grammars write each of them once. Cuts the text
 * after it. `.p == NULL`: there is none. */
struct tk_str next_mark(struct tk_str *text, const char *head);

/* Applies the changes of `return: "splices"` to the bytes that were sent, in one pass. Returns the outcome; `.p == NULL`: they
 * aren't in order, or change nothing. */
struct tk_str spliced(struct tk_str sent, struct tk_val splices, struct tk_arena *arena);

/* True if two values are equal apart from cache markers. */
bool same_unmarked(struct tk_val a, struct tk_val b, struct tk_arena *arena);

/* True if two values of JSON documents are equal. */
bool same_value(struct tk_val a, struct tk_val b, struct tk_arena *arena);

/* Returns the fault if a question is answered in msgpack otherwise than in JSON. */
struct tk_str codecs_fault(struct trial *t, struct question q);

/* Each file's properties. */
extern const struct property properties_of_answers[], properties_of_bytes[], properties_of_edits[],
    properties_of_repeats[], properties_of_binding[], properties_of_requests[],
    properties_of_openai[], properties_of_entries[], properties_of_pairs[], properties_of_splices[],
    properties_of_blocks[], properties_of_block_pairs[], properties_of_turns[], properties_of_fit[],
    properties_of_removed[];

#endif
