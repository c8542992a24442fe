/* SPDX-License-Identifier: Apache-2.0 */
/* New values that the fixes of OpenAI's two APIs write: names, ids, and values as JSON text. Texts are in
 * the transcript's arena; `.p == NULL` when out of memory. */
#ifndef TK_PROVIDERS_OPENAI_REWRITE_H
#define TK_PROVIDERS_OPENAI_REWRITE_H

#include "engine/edit/edit.h"
#include "value/out.h"

/* The longest name of a tool in a history, in characters. */
enum {
    TK_OPENAI_CHAT_NAME_MAX = 64,
    TK_OPENAI_RESPONSES_NAME_MAX = 128,
};

/* Returns true for a name of 1 to `max` characters, all of them of [a-zA-Z0-9_-]. */
bool tk_openai_is_name(struct tk_str name, size_t max);

/* Returns the name with `_` for each other character; a name longer than `max` becomes its first
 * max - 9 characters, `_` and 8 hex digits of its digest; an empty or missing one "unknown_tool". */
struct tk_str tk_openai_clean_name(struct tk_arena *arena, struct tk_str name, size_t max);

/* Returns the prefix and the first hex digits of the SHA-256 of a text. */
struct tk_str tk_openai_hash(struct tk_arena *arena, const char *prefix, struct tk_str text,
                             int digits);

/* Returns how many characters a UTF-8 text has. */
size_t tk_openai_length(struct tk_str text);

/* Returns a value as an encoded string that contains it as compact JSON. */
struct tk_str tk_openai_as_json_string(struct tk_edits *e, struct tk_val v);

/* Appends a value as compact JSON, without members that only the provider can read (RULES.md 4). */
void tk_openai_put_json(struct tk_out *out, struct tk_val v);

/*
 * Returns true if a string is the text of a JSON object. scratch: a document that is read into, and
 * whose tape is kept for the next call.
 */
bool tk_openai_is_json_object(struct tk_val string, struct tk_doc *scratch, struct tk_arena *arena,
                              const uint64_t *hash_key);

/* Returns, for arguments that are no JSON object, an encoded string that contains one: "{}" for a blank
 * text, else {"rawInvalidInput": the text}. */
struct tk_str tk_openai_valid_arguments(struct tk_edits *e, struct tk_val arguments);

#endif
