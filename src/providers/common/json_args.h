/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arguments of a call: a JSON object, or a string that contains one. A provider's history has one of
 * these forms, and a call that was made for another one, or that was cut, has to be brought into it.
 *
 * tape: a document that these functions read into. Its memory is used again by the next call, so a
 * rule that looks at many calls allocates one tape.
 */
#ifndef TK_PROVIDERS_COMMON_JSON_ARGS_H
#define TK_PROVIDERS_COMMON_JSON_ARGS_H

#include "history/history.h"

/* Returns true if a string of a document is the JSON text of an object, however deep it is nested. A
 * key may occur twice, as servers read that (RFC 8259 section 4). Other values are none. */
bool tk_is_json_object(struct tk_val string, struct tk_doc *tape, const struct tk_transcript *t);

/* Returns the object that a string of a document is the JSON text of, encoded in the request's
 * codec. `.p == NULL` if it contains none that a history can have: with a key twice, a lone
 * surrogate, deeper or larger than a request may be; and without memory. */
struct tk_str tk_object_of_text(struct tk_val string, struct tk_doc *tape,
                                const struct tk_transcript *t);

/* Returns an object for a value that isn't one, encoded in the request's codec: the object that a
 * string contains, {} for null and an absent value, else {"rawInvalidInput": the value}. `.p ==
 * NULL` without memory. */
struct tk_str tk_object_for(struct tk_val v, struct tk_doc *tape, const struct tk_transcript *t);

/* Returns the JSON text of an object for a string that contains none: {} for a blank one, else
 * {"rawInvalidInput": the string}. `.p == NULL` without memory. */
struct tk_str tk_object_text_for(struct tk_val string, struct tk_arena *arena);

#endif
