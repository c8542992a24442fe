/* SPDX-License-Identifier: Apache-2.0 */
/*
 * For tests of src/engine: a history from JSON text, read in either codec, with a judge and a list
 * of edits ready; and what became of it as JSON again.
 */
#ifndef TK_TESTS_TRANSCRIPTS_H
#define TK_TESTS_TRANSCRIPTS_H

#include "documents.h"
#include "engine/edit/edit.h"
#include "engine/judge.h"

struct history {
    struct reading reading;
    struct tk_transcript t;
    struct tk_judge judge;
    struct tk_edits edits;
};

/*
 * Reads a list of messages, which is written in JSON, in that codec; a whole turn's content with
 * dialect and lone set. Asserts that it can be read. Turns are found, nothing is judged yet.
 */
void history_open(struct history *h, const char *dialect, const struct tk_policy *policy,
                  enum tk_codec codec, const char *messages);

/* Frees all; false if memory was left. */
bool history_close(struct history *h);

/* The part of that place, TK_NONE if there is none. */
uint32_t history_part(const struct history *h, uint32_t message, uint32_t index);

/*
 * Make two edits by places: move a part after another one; turn one into text at the end of a
 * message.
 */
int history_move(struct history *h, uint32_t part, uint16_t code, uint32_t after);
int history_textify_into(struct history *h, uint32_t part, uint16_t code, struct tk_str text,
                         uint32_t message);

/* The list, or the patch, as compact JSON in the arena. */
const char *history_list(struct history *h);
const char *history_patch(struct history *h);

/* Any encoded value as compact JSON in the arena; NULL if it can't be read. */
const char *as_json(struct tk_str encoded, struct tk_arena *arena);

/* JSON text in the other codec, in the arena. */
struct tk_str as_msgpack(const char *json, struct tk_arena *arena);

#endif
