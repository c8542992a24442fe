/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of `return: "splices"`: what the changes make of the bytes that were sent. */
#include "repair_properties.h"

#include "value/splice.h"

/* Returns what was sent: the body, or the messages alone. */
static struct tk_val source_of(const struct trial *t)
{
    struct tk_val request = in(t->params, "request");

    return tk_exists(request) ? request : t->messages;
}

/* Returns what was sent with the repaired messages in the place of those that were sent. */
static struct tk_str wanted(struct trial *t)
{
    struct tk_val source = source_of(t);
    struct tk_str parts[] = {tk_span_before(source, t->messages), t->after,
                             tk_span_after(source, t->messages)};

    return tk_arena_concat(&t->arena, parts, 3);
}

/* Returns the first member of an answer, but for the form that was asked for, that the answer with a patch has
 * otherwise; absent: there is none. */
static struct tk_val other_member(struct trial *t, struct tk_val answer)
{
    for (struct tk_val v = tk_first(answer); tk_exists(v); v = tk_after(answer, v))
        if (!tk_key_is(v, TK_STR("splices")) &&
            !same_value(v, tk_get(result_of(&t->patch), tk_key(v, &t->arena)), &t->arena))
            return v;
    return TK_NO_VAL;
}

static struct tk_str splices_make_the_messages(struct trial *t)
{
    struct operation op;
    struct tk_val splices;
    struct tk_str why = HOLDS;

    if (!t->repaired)
        return HOLDS;
    trial_ask(t, &op, (struct question){.method = "repair", .guard = t->guard, .form = "splices"});
    splices = in(result_of(&op), "splices");
    if (!tk_exists(result_of(&op)))
        why = broken(t, "splices are refused: %.*s", SHOW(shown(error_data(&op))));
    else if (!tk_is(in(result_of(&op), "changed"), TK_TRUE) && tk_exists(splices))
        why = broken(t, "nothing changed but %.*s", SHOW(shown(splices)));
    else if (tk_exists(other_member(t, result_of(&op))))
        why = broken(t, "with splices %.*s", SHOW(shown(other_member(t, result_of(&op)))));
    else if (!tk_str_eq(spliced(tk_span(source_of(t)), splices, &t->arena), wanted(t)))
        why = broken(t, "the splices %.*s don't make %.*s", SHOW(shown(splices)), SHOW(wanted(t)));
    operation_done(&op);
    return why;
}

const struct property properties_of_splices[] = {
    {"splices_make_the_messages", EVERYONE, splices_make_the_messages},
    {NULL, EVERYONE, NULL},
};
