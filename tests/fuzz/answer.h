/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of every answer, whatever the request was. */
#ifndef TK_TESTS_FUZZ_ANSWER_H
#define TK_TESTS_FUZZ_ANSWER_H

#include "methods/core/host.h"
#include "value/doc.h"

#include "must.h"

/* The whole answer in one piece. */
struct tk_str answer_bytes(const tk_reply *reply, struct tk_arena *arena);

/*
 * The answer is a document in the right codec that our own reader takes, it has the members that an
 * answer has, and the id of its request. Else the program ends.
 */
void check_answer(const tk_reply *reply, const void *data, size_t size, struct tk_arena *arena);

/*
 * Checks an answer, and leaves request and answer read, the answer in the arena; request->count is
 * 0 if the request is no document.
 */
void read_answer(const tk_reply *reply, const void *data, size_t size, struct tk_doc *request,
                 struct tk_doc *answer, struct tk_arena *arena);

#endif
