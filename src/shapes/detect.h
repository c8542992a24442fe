/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds out whose history a list or a request's body is (RULES.md 8 (d)), and by what.
 *
 *     {"model": "gpt-4o-mini",
 *      "messages": [{"role": "system", ...}]}     openai-chat, openai: `role system first`
 *     [{"role": "user", "parts": [...]}]          gemini: `parts`
 *     [{"role": "user", "content": "hi"}]         anthropic, not sure
 *
 * Evidence is looked for in this order, and the first decides: the name of the list, signs of formats
 * (format.h), members that only one provider's bodies have, roles and members of messages, the model's
 * name. Linear; allocates only for names that are written with escapes.
 */
#ifndef TK_SHAPES_DETECT_H
#define TK_SHAPES_DETECT_H

#include "shapes/format.h"

/* Kinds of evidence, as the sentence about it says them. */
enum tk_because {
    TK_BECAUSE_NOTHING, /* nothing tells */
    TK_BECAUSE_MEMBER,  /* "member max_completion_tokens": a member of the body */
    TK_BECAUSE_TOOL,    /* "member tools[0].function": a member of the first tool */
    TK_BECAUSE_SIGN,    /* "tool_calls": a sign of a format, or a member of a message */
    TK_BECAUSE_ROLE,    /* "role tool" */
    TK_BECAUSE_FIRST,   /* "role system first" */
    TK_BECAUSE_MODEL,   /* "model gpt-4o-mini" */
};

struct tk_detected {
    const char *provider; /* NULL: no provider has the format */
    const char *dialect;  /* a name of a shape; NULL if `provider` is */
    const char *endpoint; /* a name of one of the provider's endpoints; NULL if `provider` is */
    const char *title;    /* the format's name for people */
    /* the name of the format, also if no provider has it, if its sign is the evidence; else NULL */
    const char *looks_like;
    bool sure; /* false: nothing tells, `provider` is a guess */
    enum tk_because because;
    struct tk_val at;      /* the member that is the evidence; absent: there is none */
    struct tk_format sign; /* if it is the sign of a format */
};

/* Looks at a body, or at a list of messages (is_list). Members of a wrong type count as absent. */
void tk_detect(struct tk_val v, bool is_list, struct tk_arena *arena, struct tk_detected *ret);

/* Returns the evidence in words, "model gpt-4o-mini", at most about 256 bytes, in the arena. */
struct tk_str tk_detected_because(const struct tk_detected *d, struct tk_arena *arena);

#endif
