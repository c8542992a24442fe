/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes white space and commas between the elements of a JSON list that is written anew. Elements
 * of the input keep the bytes before them, even if they were edited; new ones get those of the
 * list's first element. So a diff of an indented file shows only the edit. MessagePack has no bytes
 * between elements: there these functions do nothing.
 */
#ifndef TK_ENGINE_EDIT_SPACING_H
#define TK_ENGINE_EDIT_SPACING_H

#include "value/writer.h"

/* Longest white space that is repeated before new elements, in bytes. */
#define TK_SPACING_MAX 64

struct tk_spacing {
    struct tk_val list; /* the list of the input; TK_NO_VAL: the list is new */
    struct tk_val at;   /* the element that was looked at last, at `index` */
    uint32_t index;
    char made[1 + TK_SPACING_MAX]; /* the bytes before a new element */
    uint8_t made_n;
};

/* Begins a list. list: the value of the input that it replaces, of any kind, or TK_NO_VAL. */
void tk_spacing_begin(struct tk_spacing *s, struct tk_writer *w, struct tk_val list);

/*
 * Writes the bytes before the next element. index: its index in the list of the input; UINT32_MAX:
 * it isn't from there. Indexes must ascend; one that doesn't counts as UINT32_MAX.
 */
void tk_spacing_next(struct tk_spacing *s, struct tk_writer *w, uint32_t index);

/* Ends the list. */
void tk_spacing_end(struct tk_spacing *s, struct tk_writer *w);

#endif
