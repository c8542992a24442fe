/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of `return_removed` (doc/FIT.md 8): no word of a history is lost. */
#include "fitting.h"
#include "repair_properties.h"
#include "words.h"

#include "value/pointer.h"

/* Returns a fault if a word that was sent is neither in the outcome nor in the quarantine. */
static struct tk_str word_lost(struct trial *t, struct tk_val sent, struct tk_val now,
                               struct tk_val quarantine)
{
    struct words *words = tk_arena_zalloc(&t->arena, 2, sizeof(*words));
    int word;

    MUST(words);
    words_add(&words[0], sent, &t->arena);
    words_add(&words[1], now, &t->arena);
    words_add(&words[1], quarantine, &t->arena);
    word = words_missing(&words[0], &words[1]);
    return word < 0
               ? HOLDS
               : broken(t, "word%dx is lost; the quarantine: %.*s", word, SHOW(shown(quarantine)));
}

/* Returns a fault if an entry of the quarantine isn't what was sent at its place. */
static struct tk_str quarantine_fault(struct trial *t, struct tk_val body, struct tk_val quarantine)
{
    if (!tk_exists(quarantine))
        return broken(t, "there is no quarantine");
    for (struct tk_val v = tk_first(quarantine); tk_exists(v); v = tk_after(quarantine, v)) {
        struct tk_val sent = tk_pointer_get(body, tk_text(in(v, "pointer"), &t->arena), &t->arena);

        if (tk_count(v) != 3 || !tk_exists(sent) ||
            !tk_str_eq(tk_span(sent), shown(in(v, "value"))))
            return broken(t, "%.*s isn't %.*s", SHOW(tk_span(v)), SHOW(shown(sent)));
    }
    return HOLDS;
}

static struct tk_str fit_loses_no_word(struct trial *t)
{
    struct fitting *f = t->fitting;
    struct tk_val quarantine;
    struct tk_str why;

    if (!f || !tk_exists(f->after))
        return HOLDS;
    quarantine = in(result_of(&f->outcome), "quarantine");
    why = quarantine_fault(t, f->body, quarantine);
    return why.p ? why : word_lost(t, f->list, f->after, quarantine);
}

/* A request's body is what its pointers lead into; so is what has the list alone, by the name that the provider has for it. */
static struct tk_str repair_quarantine_fault(struct trial *t, struct tk_val quarantine)
{
    struct tk_val request = in(t->params, "request");
    struct tk_str parts[] = {TK_STR("{\""), tk_str_of(t->list), TK_STR("\":"), tk_span(t->messages),
                             TK_STR("}")};
    struct tk_str body =
        tk_exists(request) ? tk_span(request) : tk_arena_concat(&t->arena, parts, 5);

    return quarantine_fault(t, trial_read(t, body), quarantine);
}

static struct tk_str repair_loses_no_word(struct trial *t)
{
    static const char options[] = "{\"return_removed\":true}";
    struct operation op;
    struct tk_str why;
    struct tk_val quarantine;

    if (!t->repaired)
        return HOLDS;
    trial_ask(t, &op,
              (struct question){.method = "repair",
                                .guard = t->guard,
                                .form = "report",
                                .more = trial_read(t, tk_str_of(options))});
    quarantine = in(result_of(&op), "quarantine");
    why = repair_quarantine_fault(t, quarantine);
    if (!why.p)
        why = word_lost(t, t->messages, tk_root(&t->after_doc), quarantine);
    operation_done(&op);
    return why;
}

const struct property properties_of_removed[] = {
    {"fit_loses_no_word", EVERYONE, fit_loses_no_word},
    {"repair_loses_no_word", EVERYONE, repair_loses_no_word},
    {NULL, EVERYONE, NULL},
};
