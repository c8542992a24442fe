/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the parameters of one method. */
#ifndef TK_TESTS_FUZZ_OPERATION_H
#define TK_TESTS_FUZZ_OPERATION_H

#include "answer.h"

/* A call that was answered. */
struct operation {
    struct tk_arena arena;
    tk_reply *reply;
    struct tk_doc request, answer;
    bool read; /* the request was a document: the two are filled */
};

/*
 * Calls the method with these bytes as its params, JSON or msgpack by their first byte; checks the
 * answer as that of any request.
 */
void operation_call(struct operation *op, const char *method, const void *params, size_t size);
void operation_done(struct operation *op);

/* A parameter as sent; a member of the result. Not there where there is none. */
struct tk_val operation_param(const struct operation *op, const char *name);
struct tk_val operation_result(const struct operation *op, const char *name);

/* Each operation of `patch` is an RFC 6902 one whose path begins with one of these, ended by NULL.
 */
void check_patch(const struct operation *op, const char *const *paths);

/* Each of `notes` is a string, and none is there twice. */
void check_notes(const struct operation *op);

#endif
