/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks what the check of parameters leaves to the provider's table: the messages of the turn, roles of the
 * caller's messages, and the forms of results.
 */
#include "operations/splice/splice_inside.h"

int tk_splice_refuse_form(struct tk_splice_state *s, const struct tk_form_fault *fault)
{
    return tk_refusal_param(&s->out->refusal, fault->at, fault->member, fault->why);
}

static int refuse(struct tk_splice_state *s, struct tk_val v, const char *why)
{
    return tk_refusal_param(&s->out->refusal, v, NULL, why);
}

/* Returns true for a value that is one of these words. */
static bool is_one_of(struct tk_val v, const char *const *words)
{
    while (*words && !tk_text_is(v, tk_str_of(*words)))
        words++;
    return *words != NULL;
}

/* ---- messages ---- */

/* Checks a list of parts; holes: null may take the place of one. A value that is no list isn't looked at. */
static int check_parts(struct tk_splice_state *s, struct tk_val list, bool holes)
{
    if (!tk_is(list, TK_ARRAY))
        return 0;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!tk_is(v, TK_OBJECT) && !(holes && tk_is(v, TK_NULL)))
            return refuse(s, v, "expected an object");
    return 0;
}

/* Checks a message or an item of the turn, as the check of parameters does for those of a history. */
static int check_message(struct tk_splice_state *s, struct tk_val v)
{
    const struct tk_shape *shape = tk_splice_shape(s);
    struct tk_val calls = shape->calls.p ? tk_get(v, tk_calls_name(shape)) : TK_NO_VAL;
    int r;

    if (!tk_is(v, TK_OBJECT))
        return refuse(s, v, "expected an object");
    r = check_parts(s, tk_get(v, tk_parts_name(shape)), false);
    if (r == 0 && tk_exists(calls) && !tk_is(calls, TK_NULL) && !tk_is(calls, TK_ARRAY))
        return refuse(s, calls, "expected null or a list");
    return r == 0 ? check_parts(s, calls, true) : r;
}

int tk_splice_check_turn(struct tk_splice_state *s)
{
    struct tk_val turn = s->received.turn;
    int r = 0;

    if (tk_is(turn, TK_OBJECT))
        return check_message(s, turn);
    for (struct tk_val v = tk_first(turn); tk_exists(v) && r == 0; v = tk_after(turn, v))
        r = check_message(s, v);
    return r;
}

static int check_role(struct tk_splice_state *s, struct tk_val message)
{
    struct tk_val role = tk_get(message, TK_STR("role"));
    bool optional = tk_splice_shape(s)->role_of_parts != NULL;

    if (optional && (!tk_exists(role) || tk_is(role, TK_NULL)))
        return 0;
    if (!tk_exists(role))
        return tk_refusal_param(&s->out->refusal, message, "role", "required, but missing");
    return is_one_of(role, tk_splice_rules(s)->roles)
               ? 0
               : refuse(s, role, "not a role that can be appended");
}

int tk_splice_check_appended(struct tk_splice_state *s)
{
    struct tk_val list = s->in->appended;
    int r = 0;

    if (!tk_splice_rules(s)->roles)
        return 0;
    for (struct tk_val v = tk_first(list); tk_exists(v) && r == 0; v = tk_after(list, v))
        r = check_role(s, v);
    return r;
}

/* ---- results ---- */

int tk_splice_check_results(struct tk_splice_state *s)
{
    struct tk_val list = s->in->tool_results;
    struct tk_form_fault fault;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!tk_check_result(tk_splice_rules(s), v, &fault))
            return tk_splice_refuse_form(s, &fault);
    return 0;
}
