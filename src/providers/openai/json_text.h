/* SPDX-License-Identifier: Apache-2.0 */
/* Strings that should contain JSON, such as the arguments of a call. */
#ifndef TK_PROVIDERS_OPENAI_JSON_TEXT_H
#define TK_PROVIDERS_OPENAI_JSON_TEXT_H

#include "history/history.h"

/* Returns true if a string of a document is the JSON text of an object. tape: a document that is used
 * for every such string, so that reading many of them allocates one tape. */
bool tk_is_json_object(struct tk_val string, struct tk_doc *tape, const struct tk_transcript *t);

#endif
