/* SPDX-License-Identifier: Apache-2.0 */
/* The answers of repair, repair_turn and prepare, which differ in names and in what can fail. */
#ifndef TK_METHODS_HISTORY_REPAIR_ANSWER_H
#define TK_METHODS_HISTORY_REPAIR_ANSWER_H

#include "engine/repair.h"
#include "methods/core/request.h"

/*
 * Answers with the result. `whole` names the member ("messages", "content") that has the repaired
 * list if the caller asked for a list. Returns 0 or -ENOMEM.
 */
int tk_answer_repair(struct tk_request *rq, struct tk_repair *r, const char *whole);

/* Writes a list that was changed in the form that the parameter `return` asks for, if that isn't a patch. `whole` names the
 * member for the list itself. */
void tk_write_changed_list(struct tk_writer *w, const struct tk_request *rq,
                           const struct tk_transcript *t, const char *whole);

/* Writes members of a result: the edits, the later blocks they affect, and the remaining faults. */
void tk_write_repaired(struct tk_writer *w, const struct tk_request *rq, struct tk_repair *r);

/* Answers the error `unsafe_history` with the faults that no allowed edit fixes. It has neither
 * edits nor a patch: the caller must not send this. Returns 0, -ENOMEM or -ECANCELED. */
int tk_answer_unsafe(struct tk_request *rq, struct tk_repair *r);

#endif
