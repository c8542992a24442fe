/* SPDX-License-Identifier: Apache-2.0 */
/*
 * New ids for calls and results. Texts are in the transcript's arena; `.p == NULL` without memory.
 *
 * A repeated id gets a number, ID_2, ID_3, ... An API says which ids must be different. With tk_is_used_before()
 * those of the history up to a place; tk_note_id() tells of a new one. With tk_is_owned_by() those that have the
 * same owner, for example a message; tk_own_id() makes it the owner of the ids of its calls, and of new ones.
 *
 * An id of a wrong form gets a digest: foreign characters become `_`, the id is cut, and the first hex digits of
 * the SHA-256 of the old id keep different ids apart (RULES.md 6.5).
 */
#ifndef TK_ENGINE_PAIRS_NEW_ID_H
#define TK_ENGINE_PAIRS_NEW_ID_H

#include "engine/pairs/links.h"

/* ---- ids that are used again ---- */

/* Returns true if a key may not be given again; `arg` comes from the caller of tk_unused_id(). */
typedef bool tk_is_used(const struct tk_pair_key *key, uint32_t arg);

/* A tk_is_used: true if an end before the place `at` has the id. */
bool tk_is_used_before(const struct tk_pair_key *key, uint32_t at);

/* A tk_is_used: true if the owner has the id. */
bool tk_is_owned_by(const struct tk_pair_key *key, uint32_t owner);

/* Returns ID_2, ID_3, ...: the first one that isn't used. No number is tried twice for one id, or for one id of
 * one owner. */
struct tk_str tk_unused_id(struct tk_pairs *pairs, struct tk_str id, tk_is_used *is_used,
                           uint32_t arg);

/* Notes that an end at the place `at` has the id now. Returns 0 or -ENOMEM. */
int tk_note_id(struct tk_pairs *pairs, struct tk_str id, uint32_t at);

/* Notes that the owner has the id, and any owner before has it no more. Returns 0 or -ENOMEM. */
int tk_own_id(struct tk_pairs *pairs, struct tk_str id, uint32_t owner);

/* ---- ids of a wrong form ---- */

/* The form of an API's ids: a head, then letters, digits and `_`. */
struct tk_id_form {
    struct tk_str head;
    struct tk_str otherwise; /* takes the place of a wrong id of which nothing is left */
    bool hyphen;             /* they may contain `-`, too */
    size_t kept;             /* characters of a wrong id that are kept */
};

/* The form of ids for tools of the client. An id that is made has 64 characters at most. */
extern const struct tk_id_form tk_client_id_form;

/* Returns true if an id has the form, whatever its length is. */
bool tk_id_has_form(struct tk_str id, const struct tk_id_form *form);

/* Returns an id of the form in place of a wrong one, always the same for the same id. */
struct tk_str tk_id_of_form(struct tk_arena *arena, struct tk_str old,
                            const struct tk_id_form *form);

#endif
