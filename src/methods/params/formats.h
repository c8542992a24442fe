/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Refuses histories in another format (RULES.md 8 (a)), before they are judged. Each method's row
 * lists the parameters to look at, in order.
 */
#ifndef TK_METHODS_PARAMS_FORMATS_H
#define TK_METHODS_PARAMS_FORMATS_H

#include "history/history.h"
#include "methods/core/request.h"
#include "shapes/format.h"

/* One parameter that may hold a history, or a part of one. */
struct tk_look {
    enum tk_param param;
    const char *member; /* member of the parameter to look at; NULL: the parameter itself */
    bool (*look)(struct tk_val v, unsigned asked, struct tk_arena *arena, struct tk_format *ret);
    unsigned asked; /* TK_ASKED_* besides the dialect's own */
};

/* Looks at the parameters that the method's row lists. Returns 0 or an error; rq->state tells if
 * the request is answered. */
int tk_check_formats(struct tk_request *rq);

/* Refuses a history that was read into a transcript if it is in another format. A history without
 * unusual parts costs one pass over its flags. Returns what tk_check_formats() does. */
int tk_check_format_of(struct tk_request *rq, const struct tk_transcript *t);

#endif
