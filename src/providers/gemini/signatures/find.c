/* SPDX-License-Identifier: Apache-2.0 */
/* Judges thought signatures (PROVIDERS.md 7.4): the first functionCall of each turn of the model since the
 * user's last word must have one. */
#include "engine/runs.h"
#include "providers/gemini/rules.h"

/* Returns true if the entry has more than responses of functions, or can't be read. */
static bool is_word_of_user(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];

    if (tk_gem_is_model(t, message))
        return false;
    for (uint32_t i = m->first; i != TK_NONE; i = t->parts[i].next)
        if (!tk_is_result(&t->parts[i], false))
            return true;
    return tk_is_broken(m);
}

/* Returns the turn with the newest word of the user; TK_NONE: there is none. */
static uint32_t turn_of_user(const struct tk_transcript *t)
{
    uint32_t m = t->last_message;

    while (m != TK_NONE && !is_word_of_user(t, m))
        m = t->messages[m].prev;
    return m == TK_NONE ? TK_NONE : t->messages[m].turn;
}

static uint32_t first_call(const struct tk_transcript *t, const struct tk_turn *turn)
{
    uint32_t i = tk_turn_first(t, turn);

    while (i != TK_NONE && !tk_is_call(&t->parts[i], false))
        i = tk_turn_next(t, turn, i);
    return i;
}

int tk_gem_find_signatures(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t user;
    int r = 0;

    if (tk_gem_version(j) < TK_GEMINI_3 || tk_gemini(j)->model.makes_images)
        return 0;
    user = turn_of_user(t);
    for (uint32_t i = user == TK_NONE ? 0 : user; i < t->turn_count && r == 0; i++) {
        uint32_t call =
            t->turns[i].role == TK_ROLE_ASSISTANT ? first_call(t, &t->turns[i]) : TK_NONE;

        if (call != TK_NONE && !tk_gemini_has_signature(&t->parts[call]))
            r = tk_find_part(&j->findings, j->t, TK_CODE_GEM_THOUGHT_SIGNATURE_MISSING, call);
    }
    return r;
}
