/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of repair and repair_turn, which differ in names and in what can fail. */
#ifndef TK_METHODS_REPAIR_ANSWER_H
#define TK_METHODS_REPAIR_ANSWER_H

#include "methods/request.h"
#include "rules/repair.h"

/*
 * Writes the result. `whole` is the member that takes the repaired list where the caller asked for
 * it ("messages", "content"). Returns 0 or -ENOMEM.
 */
int tk_answer_repair(struct tk_request *rq, struct tk_repair *r, const char *whole);

#endif
