/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TK_PROVIDERS_ANTHROPIC_ANSWER_H
#define TK_PROVIDERS_ANTHROPIC_ANSWER_H

#include "engine/repair.h"
#include "value/writer.h"

/* Writes `unbound`, if edits changed what signed thinking is bound to, and `verdicts` on the
 * history as it was sent, if seals came with it. */
void tk_anthropic_write_facts(struct tk_writer *w, const struct tk_repair *r);

#endif
