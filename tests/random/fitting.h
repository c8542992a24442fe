/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The repaired history of a trial, with its tail where there is one, and what `fit` makes of it. The case's member `fit` has
 * the parameters, and the budget as a part of the history's size (rows_of_budgets.c). `fit` is asked for the least where it
 * can't reach the budget, and without a guard.
 */
#ifndef TK_TESTS_RANDOM_FITTING_H
#define TK_TESTS_RANDOM_FITTING_H

#include "trial.h"

enum entry_fate {
    STAYS,
    EDITED,
    GONE,
};

struct fitting {
    struct tk_val body, list; /* an object whose only member is the list; the list */
    struct view view;         /* of the list */
    struct tk_val options;    /* the parameters of fit */
    struct tk_val lasting;    /* those of them that don't name entries by their index */
    int64_t size, over, to;
    struct operation verdict; /* validate of the list */
    struct operation outcome; /* fit, returning messages and what was removed */
    struct tk_val after;      /* the list afterwards; absent: there is no outcome */
    enum entry_fate *fates;   /* of each entry, as the answer says */
};

/* In the trial's arena; to be ended. Returns NULL if there is nothing to fit: `how` is absent, or the format is of an SDK. */
struct fitting *fitting_begin(struct trial *t, struct tk_val how);
void fitting_end(struct fitting *f);

/* Returns options as JSON: budget and `how`, and those that name entries by index, for a list so long; `count` 0: without
 * these. */
struct tk_str fitting_options(struct trial *t, struct tk_val how, int64_t over, int64_t to,
                              uint32_t count);

/* Returns the size that a list has for fit, measured as `how` says. count: of its entries. */
int64_t fitting_size(struct trial *t, struct tk_str list, struct tk_val how, uint32_t count);

/* Asks for fit. form: `return`. */
void fitting_ask(struct trial *t, struct operation *op, struct tk_str list, struct tk_val options,
                 const char *form);

#endif
