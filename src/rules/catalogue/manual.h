/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The catalogue for people: what each rule looks for and what repair does about it. `info`,
 * `turnkeeper rules` and the man page turnkeeper-rules(7) are made of it. The words are those of
 * tests/conformance/catalogue.json; test_catalogue_json compares the two.
 */
#ifndef TK_RULES_CATALOGUE_MANUAL_H
#define TK_RULES_CATALOGUE_MANUAL_H

#include "rules/catalogue/catalogue.h"

struct tk_manual {
    const char *trigger;      /* a sentence or two */
    const char *conservative; /* what repair does under that policy: "drop the call" */
    const char *preserve;     /* NULL: the same */
};

extern const struct tk_manual tk_manual[TK_CODE_COUNT];

#endif
