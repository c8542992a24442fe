/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits images that the provider would refuse. Screenshots in tool results are the usual case:
 * saved as PNG, declared as JPEG, or too large. Rows of fixes.c name these functions; engine/fix.h
 * says what `want` and `act` are.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_MEDIA_FIX_H
#define TK_PROVIDERS_ANTHROPIC_MEDIA_FIX_H

#include "engine/fix.h"

/* Wants the media type rewritten if the data shows what the image is; else wants the image replaced
 * by text. Images in a result are always a rewrite of the result. */
struct tk_decision tk_want_image(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);

/* Makes that edit for an image, or for all images of a result that have the fault. */
int tk_fix_image(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
