/* SPDX-License-Identifier: Apache-2.0 */
/* Fixes of images. Rows of fixes.c name them; rules/fix.h says what `want` and `act` are. */
#ifndef TK_PROVIDERS_ANTHROPIC_MEDIA_FIX_H
#define TK_PROVIDERS_ANTHROPIC_MEDIA_FIX_H

#include "rules/fix.h"

struct tk_decision tk_want_image(struct tk_plan *p, const struct tk_finding *f,
                                 const struct tk_policy *policy);
int tk_fix_image(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d);

#endif
