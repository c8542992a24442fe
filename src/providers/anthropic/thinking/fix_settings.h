/* SPDX-License-Identifier: Apache-2.0 */
/* Edits of the request's `thinking` that the outcome of a repair makes necessary. */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_FIX_SETTINGS_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_FIX_SETTINGS_H

#include "engine/repair.h"

/*
 * The last step of a repair. It makes at most one edit:
 *
 *     /thinking                 thinking must lead the turn of an open tool loop, and edits took it
 *                               from there: it is switched off (OPERATIONS.md C.7 O4)
 *     /thinking/block_binding   the provider is asked to drop thinking that it can't verify (C.6 M3)
 *
 * Returns 0 or -ENOMEM.
 */
int tk_fix_settings(struct tk_repair *r, const struct tk_step *step);

#endif
