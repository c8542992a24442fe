/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of cases of OpenAI's two APIs (PROVIDERS.md 1 to 4), in addition to those of everyone. */
#include "repair_properties.h"

#include "value/pointer.h"

/* ---- places ---- */

/* Returns the value in the history that a pointer into the body names; absent: it names none. */
static struct tk_val value_at(struct trial *t, struct tk_str path)
{
    struct tk_str head = tk_arena_printf(&t->arena, "/%s", t->list);

    if (!path.p || !tk_str_starts(path, head))
        return TK_NO_VAL;
    return tk_pointer_get(t->messages, (struct tk_str){path.p + head.n, path.n - head.n},
                          &t->arena);
}

static struct tk_val element(const struct trial *t, int64_t index)
{
    struct tk_val v = tk_first(t->messages);

    for (; tk_exists(v) && index > 0; index--)
        v = tk_after(t->messages, v);
    return v;
}

/* A finding or edit is about an element of the list or something in it; without a number it is
 * about the rest of the body. */
static bool has_its_place(struct trial *t, struct tk_val v)
{
    struct tk_str path = tk_text(in(v, "pointer"), &t->arena);
    int64_t message = number(in(v, "message_index"));
    struct tk_str head = tk_arena_printf(&t->arena, "/%s/%lld", t->list, (long long)message);
    struct tk_val at = value_at(t, path), whole = element(t, message);

    if (message < 0)
        return path.n == 0 ||
               tk_exists(tk_pointer_get(in(t->params, "request"), path, &t->arena)) ||
               tk_is(in(v, "part_index"), TK_NULL);
    return message < tk_count(t->messages) && tk_str_starts(path, head) && tk_exists(at) &&
           at.node >= whole.node && at.node < whole.node + tk_node(whole)->next - whole.node;
}

static struct tk_str places_are_in_the_history(struct trial *t)
{
    struct tk_val found = in(result_of(&t->verdict), "violations");

    for (struct tk_val v = tk_first(found); tk_exists(v); v = tk_after(found, v))
        if (!has_its_place(t, v) || !tk_is(in(v, "text"), TK_STRING) ||
            tk_raw(in(v, "text")).n == 0)
            return broken(t, "found %.*s", SHOW(shown(v)));
    for (struct tk_val e = tk_first(edits_of(t)); tk_exists(e); e = tk_after(edits_of(t), e))
        if (!tk_exists(value_at(t, tk_text(in(e, "pointer"), &t->arena))))
            return broken(t, "edited %.*s", SHOW(shown(e)));
    return HOLDS;
}

/* ---- guard ---- */

/* Guard edits what a clean-up edits, and refuses what that leaves unsafe. */
static struct tk_str guard_is_a_safe_cleaning(struct trial *t)
{
    struct tk_val clean = result_of(&t->cleaning), guarded = result_of(&t->patch);
    struct tk_val left = in(error_data(&t->patch), "violations");

    if (!t->guard)
        return HOLDS;
    if (tk_is(in(clean, "safe"), TK_TRUE))
        return same_value(clean, guarded, &t->arena)
                   ? HOLDS
                   : broken(t, "guard: %.*s, clean-up: %.*s", SHOW(shown(guarded)),
                            SHOW(shown(clean)));
    if (!failed_with(&t->patch, "unsafe_history") || tk_count(left) == 0)
        return broken(t, "guard lets pass %.*s", SHOW(shown(clean)));
    for (struct tk_val v = tk_first(left); tk_exists(v); v = tk_after(left, v))
        if (!tk_text_is(in(v, "severity"), TK_STR("error")) || !has_its_place(t, v))
            return broken(t, "guard refuses because of %.*s", SHOW(shown(v)));
    return HOLDS;
}

/* ---- stats ---- */

/* Of what edits took away the kind decides which number counts it; that is in the model. */
static struct tk_str stats_count_the_edits(struct trial *t)
{
    static const char *const rows[][2] = {
        {"textified", "textify"},
        {"merged_messages", "merge"},
        {"inserted_results", "insert_result"},
        {"moved", "move"},
        {"rewritten", "rewrite"},
        {"demoted_thinking", "demote"},
    };
    struct tk_val stats = in(result_of(&t->repair), "stats");

    for (size_t i = 0; t->repaired && i < sizeof(rows) / sizeof(rows[0]); i++)
        if (number(in(stats, rows[i][0])) != count_action(t, rows[i][1]))
            return broken(t, "%s: stats %.*s, edits %.*s", rows[i][0], SHOW(shown(stats)),
                          SHOW(shown(edits_of(t))));
    return HOLDS;
}

/* ---- nothing is touched that nobody blames ---- */

/* Codes of edits that follow from other edits, or that the policy asks for. */
static bool is_entailed(struct tk_val edit)
{
    static const char *const codes[] = {"resp_item_ids_stripped", "chat_roles_not_alternating",
                                        NULL};

    for (const char *const *code = codes; *code; code++)
        if (tk_text_is(in(edit, "code"), tk_str_of(*code)))
            return true;
    return false;
}

/* The first edit's code was found in the history as sent. */
static struct tk_str first_edit_has_a_finding(struct trial *t)
{
    struct tk_val found = in(result_of(&t->verdict), "violations"), e = tk_first(edits_of(t));

    if (!t->repaired || !tk_exists(e) || is_entailed(e))
        return HOLDS;
    for (struct tk_val v = tk_first(found); tk_exists(v); v = tk_after(found, v))
        if (tk_str_eq(tk_raw(in(v, "code")), tk_raw(in(e, "code"))) &&
            tk_text_is(in(v, "severity"), TK_STR("error")))
            return HOLDS;
    return broken(t, "nobody blamed what %.*s edits", SHOW(shown(e)));
}

const struct property properties_of_openai[] = {
    {"places_are_in_the_history", NOT_ANTHROPIC, places_are_in_the_history},
    {"guard_is_a_safe_cleaning", OPENAI, guard_is_a_safe_cleaning},
    {"stats_count_the_edits", OPENAI, stats_count_the_edits},
    {"first_edit_has_a_finding", NOT_ANTHROPIC, first_edit_has_a_finding},
    {NULL, EVERYONE, NULL},
};
