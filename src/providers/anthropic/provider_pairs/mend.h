/* SPDX-License-Identifier: Apache-2.0 */
/* Small rewrites that make a provider-executed pair valid and lose nothing. The policy `preserve`
 * tries them before it flattens the pair. */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_MEND_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_MEND_H

#include "engine/edit/edit.h"
#include "engine/judge.h"

enum tk_mend {
    TK_MEND_NONE,
    TK_MEND_INPUT,  /* call: an input that is the JSON text of an object becomes that object; one
                       that is absent, null, or blank where inputs are strings becomes {} */
    TK_MEND_TYPE,   /* result: gets the type that belongs to the call, whose form its content has */
    TK_MEND_WRAP,   /* result: a lone element becomes a list */
    TK_MEND_UNWRAP, /* result: a list of one becomes the element */
};

/* Returns the rewrite that makes the pair of a finding valid, or TK_MEND_NONE. call TK_NONE: it
 * isn't in the document. */
enum tk_mend tk_mend_of(struct tk_judge *j, uint16_t code, uint32_t call, uint32_t result);

/* Returns true if the rewrite changes the call, false if it changes the result. */
bool tk_mends_call(enum tk_mend mend);

/* Makes the rewrite; `part` is the half that it changes. Returns 0 or -ENOMEM. */
int tk_mend(struct tk_judge *j, struct tk_edits *e, enum tk_mend mend, uint32_t part,
            uint32_t call);

#endif
