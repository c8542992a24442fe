/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What repair made of a transcript, as bytes: the whole list, or a patch that makes it out of
 * the input. Both refer to the request's bytes wherever nothing was edited.
 */
#ifndef TK_RULES_EDIT_EMIT_H
#define TK_RULES_EDIT_EMIT_H

#include "rules/edit/edit.h"
#include "value/writer.h"

/* Writes the repaired messages (a lone turn: its content) as one value. */
void tk_emit_list(struct tk_writer *w, const struct tk_transcript *t);

/* Writes the RFC 6902 patch, to be applied in order, as one value. Returns 0 or -ENOMEM. */
int tk_emit_patch(struct tk_writer *w, const struct tk_edits *e);

/* Its operations, into a list that is open. */
int tk_emit_operations(struct tk_writer *w, const struct tk_edits *e);

/* ---- for edit/write_patch.c ---- */

/* Writes a part as an element of a list content. */
void tk_emit_part(struct tk_writer *w, const struct tk_transcript *t, uint32_t part);
/* Writes a message that an edit put in. */
void tk_emit_made_message(struct tk_writer *w, const struct tk_transcript *t, uint32_t message);

#endif
