/* SPDX-License-Identifier: Apache-2.0 */
/* The laws of `fit` (doc/FIT.md 7), about histories that a repair left. */
#include "fitting.h"
#include "repair_properties.h"

#include "value/splice.h"

static struct tk_val result(const struct trial *t)
{
    return result_of(&t->fitting->outcome);
}

static bool is_true(struct tk_val v)
{
    return tk_exists(v) && tk_is(v, TK_TRUE);
}

static bool has_outcome(const struct trial *t)
{
    return t->fitting && tk_exists(t->fitting->after);
}

static struct tk_str fit_is_answered(struct trial *t)
{
    if (t->fitting && !has_outcome(t))
        return broken(t, "fit answers %.*s", SHOW(shown(error_data(&t->fitting->outcome))));
    return HOLDS;
}

/* ---- soundness ---- */

static struct tk_str fit_keeps_a_history_sound(struct trial *t)
{
    struct operation op;
    struct tk_str why = HOLDS;
    struct tk_val valid;

    if (!has_outcome(t) || !is_true(in(result_of(&t->fitting->verdict), "valid")))
        return HOLDS;
    if (!is_true(in(result(t), "safe")))
        return broken(t, "it isn't safe: %.*s", SHOW(shown(in(result(t), "violations"))));
    trial_ask(t, &op,
              (struct question){
                  .method = "validate", .unsealed = true, .messages = tk_span(t->fitting->after)});
    valid = in(result_of(&op), "valid");
    if (!is_true(valid))
        why = broken(t, "validate says %.*s", SHOW(shown(result_of(&op))));
    else if (!same_value(in(result_of(&op), "violations"), in(result(t), "violations"), &t->arena))
        why = broken(t, "fit says %.*s, validate %.*s", SHOW(shown(in(result(t), "violations"))),
                     SHOW(shown(in(result_of(&op), "violations"))));
    operation_done(&op);
    return why;
}

/* ---- the budget ---- */

static struct tk_str size_is_right(struct trial *t)
{
    struct fitting *f = t->fitting;
    int64_t before = number(in(result(t), "size_before")),
            now = number(in(result(t), "size_after"));
    bool reached = is_true(in(result(t), "reached"));

    if (before != f->size)
        return broken(t, "size_before %lld, was %lld", (long long)before, (long long)f->size);
    if (reached != (now <= f->over))
        return broken(t, "%lld of %lld is reached: %d", (long long)now, (long long)f->over,
                      reached);
    if (before <= f->over && is_true(in(result(t), "changed")))
        return broken(t, "it kept to the budget, and changed");
    return HOLDS;
}

/* Sizes are those that a new request has. Counts are known for the entries that were sent, and a marker inside of a prompt
 * measures more than its bytes. */
static struct tk_str size_can_be_measured_again(struct trial *t)
{
    struct fitting *f = t->fitting;
    bool inside = has_code(in(result(t), "edits"), "marker_inserted");
    struct tk_str why = HOLDS;
    struct operation op;
    int64_t now = number(in(result(t), "size_after")), again;

    if (!tk_exists(in(f->options, "counts"))) {
        fitting_ask(t, &op, tk_span(f->after), f->lasting, "report");
        again = number(in(result_of(&op), "size_before"));
        if (inside ? again > now : again != now)
            why = broken(t, "size_after %lld, then size_before %lld", (long long)now,
                         (long long)again);
        operation_done(&op);
    }
    return why;
}

static struct tk_str refusal_says_the_least(struct trial *t)
{
    struct fitting *f = t->fitting;
    struct tk_val least = in(f->options, "on_unreachable"), data;
    struct tk_str parts[] = {tk_span_before(f->options, least), TK_STR("\"error\""),
                             tk_span_after(f->options, least)};
    bool reached = is_true(in(result(t), "reached"));
    struct tk_str why = HOLDS;
    struct operation op;

    fitting_ask(t, &op, tk_span(f->list), trial_read(t, tk_arena_concat(&t->arena, parts, 3)),
                "report");
    data = error_data(&op);
    if (reached != tk_exists(result_of(&op)))
        why = broken(t, "with the least it is reached: %d; else: %.*s", reached,
                     SHOW(shown(tk_root(&op.answer))));
    else if (!reached &&
             (!failed_with(&op, "budget_unreachable") || number(in(data, "over")) != f->over ||
              number(in(data, "size")) != f->size ||
              number(in(data, "least")) != number(in(result(t), "size_after"))))
        why = broken(t, "it says %.*s, the least is %.*s", SHOW(shown(data)),
                     SHOW(shown(in(result(t), "size_after"))));
    operation_done(&op);
    return why;
}

static struct tk_str fit_keeps_to_its_budget(struct trial *t)
{
    struct tk_str why = HOLDS;

    if (has_outcome(t))
        why = size_is_right(t);
    if (has_outcome(t) && !why.p)
        why = size_can_be_measured_again(t);
    return !has_outcome(t) || why.p ? why : refusal_says_the_least(t);
}

/* ---- bytes ---- */

static bool is_marker_at(struct trial *t, int64_t entry)
{
    return !has_code(in(result(t), "edits"), "marker_inserted") &&
           place_of(t, in(result(t), "marker")).message == entry;
}

static struct tk_str fit_keeps_bytes(struct trial *t)
{
    struct fitting *f = t->fitting;
    struct tk_val now;
    int64_t place = 0;

    if (!has_outcome(t))
        return HOLDS;
    now = tk_first(f->after);
    for (uint32_t i = 0; i < f->view.count; i++) {
        struct tk_val sent = f->view.messages[i].value;

        if (f->fates[i] == GONE)
            continue;
        if (is_marker_at(t, place++)) {
            now = tk_after(f->after, now);
            place++;
        }
        if (!tk_exists(now) || (f->fates[i] == STAYS && !tk_str_eq(tk_span(sent), tk_span(now))))
            return broken(t, "%.*s stays, but is %.*s", SHOW(tk_span(sent)), SHOW(shown(now)));
        now = tk_after(f->after, now);
    }
    return tk_exists(now) ? broken(t, "%.*s is too much", SHOW(tk_span(now))) : HOLDS;
}

static struct tk_str fit_changes_nothing(struct trial *t)
{
    struct tk_val r = t->fitting ? result(t) : TK_NO_VAL;

    if (!has_outcome(t) || is_true(in(r, "changed")))
        return HOLDS;
    if (tk_count(in(r, "edits")) + tk_count(in(r, "removed")) + tk_count(in(r, "quarantine")) > 0 ||
        tk_exists(in(r, "marker")) || tk_exists(in(r, "messages")) ||
        number(in(r, "size_after")) != t->fitting->size)
        return broken(t, "nothing changed, but %.*s", SHOW(shown(r)));
    return HOLDS;
}

static struct tk_str patch_makes_what_is_fitted(struct trial *t)
{
    struct fitting *f = t->fitting;
    struct patched *root, *list;
    struct tk_str why = HOLDS;
    struct tk_val patch;
    struct operation op;

    if (!has_outcome(t))
        return HOLDS;
    fitting_ask(t, &op, tk_span(f->list), f->options, "patch");
    patch = in(result_of(&op), "patch");
    root = patched_new(f->body, &t->arena);
    list = tk_exists(patch) && patched_apply(root, patch, &t->arena)
               ? patched_get(root, t->list, &t->arena)
               : NULL;
    if (!list)
        why = broken(t, "the patch leads nowhere: %.*s", SHOW(shown(tk_root(&op.answer))));
    else if (!patched_is(list, f->after, 0, &t->arena))
        why = broken(t, "the patch %.*s doesn't make %.*s", SHOW(shown(patch)),
                     SHOW(tk_span(f->after)));
    operation_done(&op);
    return why;
}

/* Returns the bytes that splices change: of the body as it was asked with, or of the list; with the list afterwards, too. */
static struct tk_str source_of(struct trial *t, const struct operation *op, struct tk_str *wanted)
{
    struct tk_val body = operation_param(op, "request"), list = in(body, t->list);
    struct tk_str after = tk_span(t->fitting->after), parts[3];

    *wanted = after;
    if (!tk_exists(body))
        return tk_span(operation_param(op, "messages"));
    parts[0] = tk_span_before(body, list);
    parts[1] = after;
    parts[2] = tk_span_after(body, list);
    *wanted = tk_arena_concat(&t->arena, parts, 3);
    return tk_span(body);
}

static struct tk_str splices_make_what_is_fitted(struct trial *t)
{
    struct fitting *f = t->fitting;
    struct tk_str sent, wanted, why = HOLDS;
    struct operation op;

    if (!has_outcome(t))
        return HOLDS;
    fitting_ask(t, &op, tk_span(f->list), f->options, "splices");
    sent = source_of(t, &op, &wanted);
    if (!tk_str_eq(spliced(sent, in(result_of(&op), "splices"), &t->arena), wanted))
        why = broken(t, "%.*s doesn't make %.*s", SHOW(shown(tk_root(&op.answer))), SHOW(wanted));
    operation_done(&op);
    return why;
}

/* ---- what stays ---- */

static bool is_system(const struct trial *t, uint32_t entry)
{
    const struct view_message *m = &t->fitting->view.messages[entry];

    return t->whose == OPENAI &&
           (m->role == 's' ||
            (trial_is_of_items(t) && tk_text_is(in(m->value, "type"), TK_STR("additional_tools"))));
}

static bool is_prompt(const struct trial *t, uint32_t entry)
{
    const struct view *view = &t->fitting->view;
    const struct view_message *m = &view->messages[entry];

    for (uint32_t i = 0; i < m->count; i++)
        if (view->parts[m->first + i].kind == VIEW_RESULT && !view->parts[m->first + i].provider)
            return false;
    return m->role == 'u' && (m->count > 0 || t->whose != ANTHROPIC);
}

static bool is_pinned(const struct trial *t, uint32_t entry)
{
    struct tk_val pin = in(t->fitting->options, "pin");

    for (struct tk_val v = tk_first(pin); tk_exists(v); v = tk_after(pin, v))
        if (number(v) == entry)
            return true;
    return false;
}

/* Returns true if the marker became a part of the entry. */
static bool got_the_marker(struct trial *t, uint32_t entry)
{
    struct tk_val edits = in(result(t), "edits");
    uint32_t others = 0, markers = 0;

    for (struct tk_val v = tk_first(edits); tk_exists(v); v = tk_after(edits, v))
        if (place_of(t, in(v, "pointer")).message == entry)
            *(tk_text_is(in(v, "code"), TK_STR("marker_inserted")) ? &markers : &others) += 1;
    return markers > 0 && others == 0;
}

static struct tk_str fit_keeps_what_stays(struct trial *t)
{
    struct fitting *f = t->fitting;
    uint32_t last = f ? f->view.count : 0;
    int64_t guarded;

    if (!has_outcome(t))
        return HOLDS;
    guarded = number(in(result_of(&f->verdict), "protected"));
    while (last > 0 && !is_prompt(t, --last))
        ;
    for (uint32_t i = 0; i < f->view.count; i++) {
        bool stays =
            is_system(t, i) || is_pinned(t, i) || i == guarded || (i == last && is_prompt(t, i));

        if (stays && f->fates[i] != STAYS && !got_the_marker(t, i))
            return broken(t, "%.*s doesn't stay", SHOW(tk_span(f->view.messages[i].value)));
    }
    return HOLDS;
}

/* ---- again ---- */

static struct tk_str fit_is_idempotent(struct trial *t)
{
    struct fitting *f = t->fitting;
    struct tk_str why = HOLDS;
    struct operation op;

    if (!has_outcome(t) || tk_exists(in(f->options, "pin")) || tk_exists(in(f->options, "counts")))
        return HOLDS;
    fitting_ask(t, &op, tk_span(f->after), f->options, "messages");
    if (!tk_exists(result_of(&op)) || is_true(in(result_of(&op), "changed")))
        why = broken(t, "%.*s, fitted again: %.*s", SHOW(tk_span(f->after)),
                     SHOW(shown(tk_root(&op.answer))));
    operation_done(&op);
    return why;
}

static struct tk_str fit_is_the_same_in_both_codecs(struct trial *t)
{
    struct fitting *f = t->fitting;

    if (!f || f->list.doc->has_surrogate || t->doc.has_surrogate)
        return HOLDS;
    return codecs_fault(t, (struct question){.method = "fit",
                                             .unsealed = true,
                                             .form = "patch",
                                             .messages = tk_span(f->list),
                                             .more = f->options});
}

/* ---- a history that grows ---- */

/* Returns true if the trial's repaired history is the start of the one that is fitted, which is longer. */
static bool is_start(const struct trial *t)
{
    struct tk_val start = tk_root(&t->after_doc), list = t->fitting->list, v = tk_first(list);

    if (tk_count(start) >= tk_count(list))
        return false;
    for (struct tk_val e = tk_first(start); tk_exists(e);
         e = tk_after(start, e), v = tk_after(list, v))
        if (!tk_str_eq(tk_span(e), tk_span(v)))
            return false;
    return true;
}

/* Returns the fault if a history lost other rounds after it had grown. step: it and the longer one are to become smaller by that
 * much. */
static struct tk_str cut_fault(struct trial *t, int64_t size, int64_t over, int64_t step)
{
    struct tk_str options = tk_arena_printf(
        &t->arena,
        "{\"over\":%lld,\"to\":%lld,\"measures\":[\"rounds\"],\"on_unreachable\":\"least\"}",
        (long long)over, (long long)(over - step));
    struct tk_str why = HOLDS, old, now;
    struct operation before, after;

    fitting_ask(t, &before, t->after, trial_read(t, options), "report");
    fitting_ask(t, &after, tk_span(t->fitting->list), trial_read(t, options), "report");
    old = shown(in(result_of(&before), "removed"));
    now = shown(in(result_of(&after), "removed"));
    if (number(in(result_of(&before), "size_after")) <= size - step && !tk_str_eq(old, now))
        why = broken(t, "it lost %.*s, and longer %.*s", SHOW(old), SHOW(now));
    operation_done(&before);
    operation_done(&after);
    return why;
}

/* The rounds that go are the same while the budget asks for the same amount. */
static struct tk_str cut_stays_while_it_may(struct trial *t)
{
    int64_t size, over, step;

    if (!has_outcome(t) || !is_start(t))
        return HOLDS;
    size = fitting_size(t, t->after, TK_NO_VAL, 0);
    over = size * 2 / 3;
    step = fitting_size(t, tk_span(t->fitting->list), TK_NO_VAL, 0) - over;
    return step < over ? cut_fault(t, size, over, step) : HOLDS;
}

const struct property properties_of_fit[] = {
    {"fit_is_answered", EVERYONE, fit_is_answered},
    {"fit_keeps_a_history_sound", EVERYONE, fit_keeps_a_history_sound},
    {"fit_keeps_to_its_budget", EVERYONE, fit_keeps_to_its_budget},
    {"fit_keeps_bytes", EVERYONE, fit_keeps_bytes},
    {"fit_changes_nothing", EVERYONE, fit_changes_nothing},
    {"patch_makes_what_is_fitted", EVERYONE, patch_makes_what_is_fitted},
    {"splices_make_what_is_fitted", EVERYONE, splices_make_what_is_fitted},
    {"fit_keeps_what_stays", EVERYONE, fit_keeps_what_stays},
    {"fit_is_idempotent", EVERYONE, fit_is_idempotent},
    {"fit_is_the_same_in_both_codecs", EVERYONE, fit_is_the_same_in_both_codecs},
    {"cut_stays_while_it_may", EVERYONE, cut_stays_while_it_may},
    {NULL, EVERYONE, NULL},
};
