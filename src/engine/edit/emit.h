/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the repaired transcript: the whole list, or a patch that turns the input into it. Both
 * refer to the request's bytes wherever nothing was edited.
 */
#ifndef TK_ENGINE_EDIT_EMIT_H
#define TK_ENGINE_EDIT_EMIT_H

#include "engine/edit/edit.h"
#include "value/writer.h"

/* Writes the repaired messages as one value; for a lone turn, its content. */
void tk_emit_list(struct tk_writer *w, const struct tk_transcript *t);

/* Returns 0 and the bytes that tk_emit_list() would write, or -ENOMEM. Keeps no memory. */
int tk_emitted_size(const struct tk_transcript *t, uint64_t *ret);

/* Writes the RFC 6902 patch, to be applied in order, as one value. Returns 0 or -ENOMEM. */
int tk_emit_patch(struct tk_writer *w, const struct tk_edits *e);

/* Writes the patch's operations into a list that is already open. Returns 0 or -ENOMEM. */
int tk_emit_operations(struct tk_writer *w, const struct tk_edits *e);

/* Writes only the operations inside of messages that stay, with the messages' indexes of the input: for edits that neither
 * move nor add parts of other messages. Returns 0 or -ENOMEM. */
int tk_emit_inner_operations(struct tk_writer *w, const struct tk_edits *e);

/* Writes one message as it is now. */
void tk_emit_message(struct tk_writer *w, const struct tk_transcript *t, uint32_t message);
/* Returns a message as it is now, as a value to read; absent without memory. Costs nothing unless an
 * edit changed it. */
struct tk_val tk_emitted_message(const struct tk_transcript *t, uint32_t message);

/* Returns true if the message's content is written as a string though its text is a part of its
 * own (TK_MESSAGE_PLAIN). */
bool tk_is_plain(const struct tk_transcript *t, uint32_t message);

/* ---- for edit/write_patch.c ---- */

/* Writes a part as an element of a list content. */
void tk_emit_part(struct tk_writer *w, const struct tk_transcript *t, uint32_t part);
/* Writes a message's content, or its second list, as it is now. */
void tk_emit_list_of(struct tk_writer *w, const struct tk_transcript *t, uint32_t message,
                     bool calls);
/* Writes a message that an edit added. */
void tk_emit_made_message(struct tk_writer *w, const struct tk_transcript *t, uint32_t message);

#endif
