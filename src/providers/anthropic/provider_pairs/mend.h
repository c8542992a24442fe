/* SPDX-License-Identifier: Apache-2.0 */
/* Mending a pair's form where nothing is lost: the policy `preserve` tries it before it flattens.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_MEND_H
#define TK_PROVIDERS_ANTHROPIC_PROVIDER_PAIRS_MEND_H

#include "rules/edit/edit.h"
#include "rules/judge.h"

enum tk_mend {
    TK_MEND_NONE,
    TK_MEND_INPUT, /* call: an input that is the JSON text of an object becomes the object, one that
                      is absent, null, or blank where inputs are strings, becomes {} */
    TK_MEND_TYPE,  /* result: gets the type that belongs to the call, its content fits */
    TK_MEND_WRAP,  /* result: a lone element becomes a list */
    TK_MEND_UNWRAP, /* result: a list of one becomes the element */
};

/* The object that a string holds as JSON text, encoded in the request's codec; p NULL where it
 * holds none that can be sent. */
struct tk_str tk_parsed_object(struct tk_judge *j, struct tk_val string);

/* How the pair of a finding can be mended. call TK_NONE: it isn't in the document. */
enum tk_mend tk_mend_of(struct tk_judge *j, uint16_t code, uint32_t call, uint32_t result);

/* Which half it changes: true the call, false the result. */
bool tk_mends_call(enum tk_mend mend);

/* Makes it so; the part is the half that it changes. Returns 0 or -ENOMEM. */
int tk_mend(struct tk_judge *j, struct tk_edits *e, enum tk_mend mend, uint32_t part,
            uint32_t call);

#endif
