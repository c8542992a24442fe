/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cache markers. A client marks up to four parts with `cache_control`; the provider caches the
 * conversation up to there. When a marked part goes, its marker goes to the nearest part in front
 * that may carry one, so that an edit doesn't cost the cache in front of it.
 */
#ifndef TK_RULES_EDIT_MARKERS_H
#define TK_RULES_EDIT_MARKERS_H

#include "rules/edit/edit.h"

/* What a marker is called on the wire. Few documents have one, and most of them at their end: where
 * this key is watched for (doc.h), nobody looks for it elsewhere. */
#define TK_MARKER_KEY "cache_control"

/* The encoded value of a part's marker; p NULL where it has none. */
struct tk_str tk_marker_of(const struct tk_transcript *t, uint32_t part);
/* The same of a block inside a part. */
struct tk_str tk_marker_in(const struct tk_transcript *t, struct tk_val block);

/*
 * All markers of a part of the wire, those of the blocks inside it included, but never what stands
 * in a call's input. In the order of the prompt: a part's own comes last.
 *
 *     struct tk_markers m = tk_markers_of(t, part);
 *     while (tk_markers_next(&m)) ... m.at ...
 */
struct tk_markers {
    struct tk_val at; /* the marker's value */
    struct tk_val part, member, own;
    uint32_t node, end; /* where the search inside the member goes on */
};

/* False where a part has none for sure. */
static inline bool tk_may_have_markers(const struct tk_part *p)
{
    return !(p->flags & TK_PART_STRING) && tk_may_be_watched(tk_part_val(p, p->node));
}

struct tk_markers tk_markers_of(const struct tk_transcript *t, uint32_t part);
bool tk_markers_next(struct tk_markers *m);

/* Gives a marker to the nearest part in front that may carry one. Returns 0 or -ENOMEM. */
int tk_marker_give(struct tk_edits *e, uint32_t part, struct tk_str marker);

/* Hands the marker of a part that is about to go on, if it has one. Returns 0 or -ENOMEM. */
int tk_marker_hand_on(struct tk_edits *e, uint32_t part);

#endif
