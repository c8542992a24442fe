/* SPDX-License-Identifier: Apache-2.0 */
/* Laws of a request as a whole: its other members are judged, and only its messages are edited. */
#include "repair_properties.h"

#include "value/unicode.h"

/* ---- the order of members ---- */

/* The place of half a character is that in the body as sent. */
static bool is_same_finding(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    return (tk_text_is(in(a, "code"), TK_STR("body_lone_surrogate")) &&
            same_value(in(a, "code"), in(b, "code"), arena)) ||
           same_value(a, b, arena);
}

/* Findings about the body come in the order of the document, so each is looked for in all. */
static bool has_all(struct tk_val list, struct tk_val wanted, struct tk_arena *arena)
{
    for (struct tk_val w = tk_first(wanted); tk_exists(w); w = tk_after(wanted, w)) {
        struct tk_val v = tk_first(list);

        while (tk_exists(v) && !is_same_finding(v, w, arena))
            v = tk_after(list, v);
        if (!tk_exists(v))
            return false;
    }
    return tk_count(list) == tk_count(wanted);
}

static struct tk_str order_of_members_is_no_matter(struct trial *t)
{
    struct question q = {.method = "repair", .guard = false, .form = "report", .reversed = true};
    struct tk_val usual = result_of(t->guard ? &t->cleaning : &t->repair), other;
    struct tk_str why = HOLDS;
    struct operation op;

    if (tk_node(t->messages)->len % 4 != 1)
        return HOLDS;
    trial_ask(t, &op, q);
    other = result_of(&op);
    if (!same_value(in(other, "edits"), in(usual, "edits"), &t->arena) ||
        !has_all(in(other, "violations"), in(usual, "violations"), &t->arena))
        why = broken(t, "with its members in another order: %.*s", SHOW(shown(other)));
    operation_done(&op);
    return why;
}

/* ---- what may change ---- */

static struct tk_str only_messages_are_edited(struct trial *t)
{
    struct tk_val patch = in(result_of(&t->patch), "patch");
    struct tk_str whole = tk_arena_printf(&t->arena, "/%s", t->list);
    struct tk_str inside = tk_arena_printf(&t->arena, "/%s/", t->list);

    for (struct tk_val op = tk_first(patch); tk_exists(op); op = tk_after(patch, op)) {
        struct tk_str path = tk_text(in(op, "path"), &t->arena);

        if (!tk_str_starts(path, inside) && !tk_str_eq(path, whole))
            return broken(t, "%.*s", SHOW(shown(op)));
    }
    return HOLDS;
}

/* ---- what people wrote ---- */

/* Returns the text of a text part, or of a message whose content is a string. */
static struct tk_val words_of(const struct view_part *p)
{
    return tk_is(p->value, TK_STRING) ? p->value : in(p->value, "text");
}

/* The words of a person, and of the operator, are in the outcome as they were spelled. Only what a
 * compaction block sums up may go, from before it. */
static struct tk_str words_stay(struct trial *t)
{
    struct tk_val edits = in(result_of(&t->repair), "edits");

    if (!t->repaired || has_code(edits, "body_lone_surrogate") ||
        has_code(edits, "compaction_block_misplaced"))
        return HOLDS;
    for (uint32_t i = 0; i < t->sent.part_count; i++) {
        const struct view_part *p = &t->sent.parts[i];
        struct tk_val words = words_of(p);

        if (p->kind == VIEW_TEXT && strchr("us", t->sent.messages[p->message].role) &&
            tk_is(words, TK_STRING) && !tk_is_blank(tk_text(words, &t->arena)) &&
            !holds(t->after, tk_raw(words)))
            return broken(t, "%.*s is lost: %.*s", SHOW(shown(words)), SHOW(shown(edits)));
    }
    return HOLDS;
}

const struct property properties_of_requests[] = {
    {"order_of_members_is_no_matter", EVERYONE, order_of_members_is_no_matter},
    {"only_messages_are_edited", EVERYONE, only_messages_are_edited},
    {"words_stay", ANTHROPIC | TYPELESS, words_stay},
    {NULL, EVERYONE, NULL},
};
