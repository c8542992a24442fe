/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of parts whose type their message can't contain, and of images. Rows of fixes.c name these functions; engine/fix.h
 * says what `want` and `act` are. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_PARTS_FIX_H
#define TK_PROVIDERS_OPENAI_CHAT_PARTS_FIX_H

#include "engine/fix.h"

/* Spells a text or an image as Chat does, or moves media into a message of the user. */
struct tk_decision tk_chat_want_part(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy);
int tk_chat_fix_part(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

/* Puts a text in the place of an image that is none. */
int tk_chat_fix_bad_image(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
