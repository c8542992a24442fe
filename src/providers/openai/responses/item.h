/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An item of the input, whether it is itself a part (TK_MESSAGE_WHOLE) or a message with content:
 * what rules ask of it, and the few ways in which fixes change it. Items are named by the index of
 * their message in the transcript.
 */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_ITEM_H
#define TK_PROVIDERS_OPENAI_RESPONSES_ITEM_H

#include "providers/openai/responses/state.h"
#include "shapes/openai_items.h"
#include "shapes/shape.h"

/* ---- looking ---- */

/* Returns the part that is the item itself; TK_NONE for a message. */
static inline uint32_t tk_item_part(const struct tk_transcript *t, uint32_t item)
{
    const struct tk_message *m = &t->messages[item];

    return m->flags & TK_MESSAGE_WHOLE ? m->first : TK_NONE;
}

/* Returns the item's row in the table. */
static inline const struct tk_item *tk_item_at(const struct tk_transcript *t, uint32_t item)
{
    return &tk_items[t->messages[item].item];
}

static inline bool tk_item_is(const struct tk_transcript *t, uint32_t item, enum tk_item_row row)
{
    return t->messages[item].item == row;
}

/* Returns the item as it is now. The content of a message may have been edited since. */
struct tk_val tk_item_val(const struct tk_transcript *t, uint32_t item);

/* Returns the item as it was sent; absent if an edit added it. */
static inline struct tk_val tk_item_sent(const struct tk_transcript *t, uint32_t item)
{
    return (struct tk_val){t->doc, t->messages[item].sent};
}

/* Returns a member of the item; absent if it has none. */
static inline struct tk_val tk_item_get(const struct tk_transcript *t, uint32_t item,
                                        struct tk_str name)
{
    return tk_get(tk_item_val(t, item), name);
}

/* Returns the item's own id, by which the server stores it, a string that isn't empty; absent if it has
 * none. An output of a local shell that pairs by its `id` has none of its own. */
struct tk_val tk_item_id(const struct tk_transcript *t, uint32_t item);
/* Likewise, whatever the member `id` is; absent for null. */
struct tk_val tk_item_id_sent(const struct tk_transcript *t, uint32_t item);

/* Returns true if the item is the client's call, or an output of one. */
bool tk_item_is_call(const struct tk_transcript *t, uint32_t item);
bool tk_item_is_output(const struct tk_transcript *t, uint32_t item);

/* Returns true if the item counts as the model's (PROVIDERS.md 4.1). */
bool tk_item_is_models(const struct tk_transcript *t, uint32_t item);

/* Returns true if no edit may drop the item: it has members that may be somebody's words
 * (RULES.md 8). */
bool tk_item_is_kept(const struct tk_transcript *t, uint32_t item);

/* Returns true if the item is reasoning whose `id` no edit may delete (PROVIDERS.md 4.4). */
bool tk_id_must_stay(const struct tk_judge *j, uint32_t item);

/* Returns true if two items have the same members in the same order, spelled the same. but: names of
 * members that don't count, ended by `.p == NULL`; may be NULL. Many items may be compared with the
 * one `a`: its bytes are made once between two edits. */
bool tk_items_are_equal(struct tk_plan *p, uint32_t a, uint32_t b, const struct tk_str *but);

/* Add a finding about an item, with the catalogue's severity or this one. Return 0 or -ENOMEM. */
int tk_find_item(struct tk_judge *j, uint16_t code, uint32_t item);
int tk_find_item_as(struct tk_judge *j, uint16_t code, uint32_t item, enum tk_severity severity);
/* Likewise, about an item whose own id the provider's message names. */
int tk_find_item_by_id(struct tk_judge *j, uint16_t code, uint32_t item);

/*
 * ---- changing ----
 *
 * These return 0, -ENOMEM or -ECANCELED. Everything that was found out about the list (state.h) is
 * void afterwards.
 */

/* Call it before a list is edited in a way that isn't one of the following. */
void tk_items_touch(struct tk_judge *j);

/* Writes the line of an edit of the item. */
int tk_item_line(struct tk_plan *p, uint32_t item, uint16_t code, enum tk_action action);

/* Set or remove one of the item's members. They write no line. value: encoded. */
int tk_item_set(struct tk_plan *p, uint32_t item, const char *name, struct tk_str value);
int tk_item_set_text(struct tk_plan *p, uint32_t item, const char *name, struct tk_str text);
int tk_item_remove(struct tk_plan *p, uint32_t item, const char *name);

/* Replaces the item by another one, given as its bytes. Writes a line. */
int tk_item_become(struct tk_plan *p, uint32_t item, uint16_t code, enum tk_action action,
                   struct tk_str encoded);

/* Drops the item: action drop. */
int tk_item_drop(struct tk_plan *p, uint32_t item, uint16_t code);

/* Adds an item after another one. Writes no line. Returns its index in *ret; it may be NULL. */
int tk_item_insert(struct tk_plan *p, uint32_t after, struct tk_str encoded, uint32_t *ret);

#endif
