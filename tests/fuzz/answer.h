/* SPDX-License-Identifier: Apache-2.0 */
/* What harnesses ask of every answer, whatever the request was. */
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

/* The same, and leaves both read, the answer in the arena; the request's count is 0 where it is
 * none. */
void read_answer(const tk_reply *reply, const void *data, size_t size, struct tk_doc *request,
                 struct tk_doc *answer, struct tk_arena *arena);

#endif
