/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of documents. Bedrock takes a document's title for the name of a file and refuses most of
 * what names of files have: "report_v2.pdf" has a `_` and a `.`.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_MEDIA_DOCUMENT_NAME_H
#define TK_PROVIDERS_ANTHROPIC_MEDIA_DOCUMENT_NAME_H

#include "engine/fix.h"

/* Returns true if the target refuses the document's title. */
bool tk_has_bad_name(const struct tk_judge *j, struct tk_val document);

/* Replaces what the target refuses by spaces, in the title of a document or in all titles of a
 * result. engine/fix.h says what an `act` is. */
int tk_fix_document_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
