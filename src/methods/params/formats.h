/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses histories in another format (RULES.md 8 (a)), before anything is judged: each method's
 * row says which of its parameters are looked at, in order.
 */
#ifndef TK_METHODS_PARAMS_FORMATS_H
#define TK_METHODS_PARAMS_FORMATS_H

#include "history/history.h"
#include "methods/core/request.h"
#include "shapes/format.h"

/* One parameter that may hold a history, or a part of one. */
struct tk_look {
    enum tk_param param;
    const char *member; /* of it, or NULL */
    bool (*look)(struct tk_val v, unsigned asked, struct tk_arena *arena, struct tk_format *ret);
    unsigned asked; /* TK_ASKED_* besides the dialect's own */
};

/* Looks at what the method's row names. Returns 0 or an error; rq->state tells whether the request
 * is answered. */
int tk_check_formats(struct tk_request *rq);

/* Does the same for a history that was read, which costs next to nothing where it holds nothing
 * unusual. */
int tk_check_format_of(struct tk_request *rq, const struct tk_transcript *t);

#endif
