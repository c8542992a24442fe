/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cache markers. A client marks up to four parts; the provider caches the
 * conversation up to each. If a marked part is removed, its marker moves to the nearest earlier
 * part that can carry one, so that the earlier part of the conversation stays cached.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_CACHE_MARKERS_H
#define TK_PROVIDERS_ANTHROPIC_CACHE_MARKERS_H

#include "engine/edit/edit.h"

/* Returns the encoded value of a part's marker; `.p == NULL`: it has none. */
struct tk_str tk_marker_of(const struct tk_transcript *t, uint32_t part);
/* Returns the encoded value of a marker of a block inside a part; `.p == NULL`: it has none. */
struct tk_str tk_marker_in(const struct tk_transcript *t, struct tk_val block);

/*
 * Iterates over all markers of a part in the provider's own shape and of the blocks inside it, but
 * not inside a call's input. The order is that of the prompt: the part's own marker is the last.
 *
 *     struct tk_markers m = tk_markers_of(t, part);
 *     while (tk_markers_next(&m)) ... m.at ...
 */
struct tk_markers {
    struct tk_val at; /* the marker's value */
    struct tk_val part, member, own;
    uint32_t node, end; /* where the search inside the member continues */
};

/* Returns false only if a part certainly has no marker. */
static inline bool tk_may_have_markers(const struct tk_part *p)
{
    return !(p->flags & TK_PART_STRING) && tk_may_be_watched(tk_part_val(p, p->node));
}

struct tk_markers tk_markers_of(const struct tk_transcript *t, uint32_t part);
bool tk_markers_next(struct tk_markers *m);

/* Gives a marker to the nearest earlier part that can carry one. Returns 0 or -ENOMEM. */
int tk_marker_give(struct tk_edits *e, uint32_t part, struct tk_str marker);

/* Passes the marker of a part that is about to be removed to an earlier part. Returns 0 or
 * -ENOMEM. */
int tk_marker_hand_on(struct tk_edits *e, uint32_t part);

#endif
