/* SPDX-License-Identifier: Apache-2.0 */
/*
 * White space and commas between the elements of a JSON list that is written anew. Elements of the
 * input keep the bytes before them, even if they were edited, and new ones get those of the list's
 * first element. So a diff of an indented file shows the edit and nothing else. MessagePack has
 * nothing between elements; there all of this does nothing.
 */
#ifndef TK_RULES_EDIT_SPACING_H
#define TK_RULES_EDIT_SPACING_H

#include "value/writer.h"

/* Longest white space that is repeated before new elements. */
#define TK_SPACING_MAX 64

struct tk_spacing {
    struct tk_val list; /* of the input; TK_NO_VAL: the list is new */
    struct tk_val at;   /* the element that was looked at last, number `index` */
    uint32_t index;
    char made[1 + TK_SPACING_MAX]; /* what comes before a new element */
    uint8_t made_n;
};

/* Begins a list: `list` is the one of the input that it replaces, of any kind, or TK_NO_VAL. */
void tk_spacing_begin(struct tk_spacing *s, struct tk_writer *w, struct tk_val list);

/*
 * Goes before the next element: number `index` of the list of the input, or UINT32_MAX for one
 * from elsewhere. Each index is larger than the one before; another one counts as UINT32_MAX.
 */
void tk_spacing_next(struct tk_spacing *s, struct tk_writer *w, uint32_t index);

/* Ends the list. */
void tk_spacing_end(struct tk_spacing *s, struct tk_writer *w);

#endif
