/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reason why an operation of OPERATIONS.md refuses, and the value of the request document that
 * is at fault. The error's pointer is made from that value, so the operation needs no names of
 * parameters.
 */
#ifndef TK_OPERATIONS_REFUSAL_H
#define TK_OPERATIONS_REFUSAL_H

#include "value/doc.h"

enum tk_refusal_name {
    TK_REFUSAL_NONE,
    TK_REFUSAL_INVALID_PARAMS, /* a value that only the operation can judge */
    /* part A */
    TK_REFUSAL_THREAD_UNSUPPORTED_REQUEST,
    TK_REFUSAL_ASSISTANT_CONFLICT,
    TK_REFUSAL_MISSING_TOOL_RESULT,
    TK_REFUSAL_SERVER_TOOL_RESULT_NOT_ALLOWED,
    TK_REFUSAL_UNKNOWN_TOOL_USE_ID,
    TK_REFUSAL_SYSTEM_PLACEMENT,
    TK_REFUSAL_EMPTY_MESSAGE,
    TK_REFUSAL_TURN_NOT_FINISHED,
    TK_REFUSAL_RESULT_FORM_REQUIRED,
    TK_REFUSAL_RESPONSE_ID_MISSING,
    TK_REFUSAL_RESPONSE_NOT_STORED,
    /* part B */
    TK_REFUSAL_TOOL_NAME_CONFLICT,
    TK_REFUSAL_INCOMPATIBLE_TOOLS,
    TK_REFUSAL_BETA_CONFLICT,
    TK_REFUSAL_UNSUPPORTED_SERVER_TOOL,
    TK_REFUSAL_MISSING_OPTION,
    TK_REFUSAL_UNSUPPORTED_OPTION,
    TK_REFUSAL_COUNT,
};

/* A condition, positive like all conditions: the operation refused and did nothing. */
enum {
    TK_REFUSED = 1,
};

struct tk_refusal {
    enum tk_refusal_name name;
    struct tk_val at;   /* the value at fault */
    const char *member; /* its absent member; NULL: the value itself */
    const char *why;    /* a sentence for people, without content; NULL: that of the error */

    /* Further members of the error; NULL: none. */
    const char *list_key; /* "ids", "betas" */
    struct tk_str *list;
    uint32_t list_count, list_capacity;
    struct {
        const char *key; /* "tool" */
        struct tk_str text;
    } details[2];
};

/* Refuses because of `at`, unless there is a refusal already. Returns TK_REFUSED. */
int tk_refusal_blame(struct tk_refusal *refusal, enum tk_refusal_name name, struct tk_val at);

/* Refuses a parameter, for a reason that is a sentence for people. member: absent in `at`; NULL: `at` is at
 * fault itself. Returns TK_REFUSED. */
int tk_refusal_param(struct tk_refusal *refusal, struct tk_val at, const char *member,
                     const char *why);

/* Like tk_refusal_blame(), for an absent member of `at`. */
int tk_refusal_blame_member(struct tk_refusal *refusal, enum tk_refusal_name name, struct tk_val at,
                            const char *member);

/* Adds an item to the list under that key. Returns TK_REFUSED or -ENOMEM. */
int tk_refusal_list(struct tk_refusal *refusal, const char *key, struct tk_str item,
                    struct tk_arena *arena);

/* Adds a text member. Returns TK_REFUSED. */
int tk_refusal_detail(struct tk_refusal *refusal, const char *key, struct tk_str text);

/* Returns the pointer to the value at fault, in the request document. */
struct tk_str tk_refusal_pointer(const struct tk_refusal *refusal, struct tk_arena *arena);

#endif
