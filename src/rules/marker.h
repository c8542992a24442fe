/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cache markers. A client marks up to four parts with `cache_control`; the provider caches the
 * conversation up to there. When a marked part goes, its marker goes to the nearest part in front
 * that may carry one, so that an edit doesn't cost the cache in front of it.
 */
#ifndef TK_RULES_MARKER_H
#define TK_RULES_MARKER_H

#include "rules/edit.h"

/* The encoded value of a part's marker; p NULL where it has none. */
struct tk_str tk_marker_of(const struct tk_transcript *t, uint32_t part);
/* The same of a block inside a part. */
struct tk_str tk_marker_in(const struct tk_transcript *t, struct tk_val block);

/* Hands the marker of a part that is about to go on, if it has one. Returns 0 or -ENOMEM. */
int tk_marker_hand_on(struct tk_edits *e, uint32_t part);

#endif
