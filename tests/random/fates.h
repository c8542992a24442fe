/* SPDX-License-Identifier: Apache-2.0 */
/* Fates of the parts of a history, which are found by their bytes' places in the request: a patch keeps them. */
#ifndef TK_TESTS_RANDOM_FATES_H
#define TK_TESTS_RANDOM_FATES_H

#include "trial.h"

/* The state of the parts that were sent, by their number in the history. */
struct fates {
    struct patched **nodes; /* NULL: gone */
    uint32_t *places;       /* their places among all parts of turns now */
    bool *edited;           /* an edit names them, or their message */
};

/* Only for a history that is_changed(). */
struct fates fates_of(struct trial *t);

#endif
