/* SPDX-License-Identifier: Apache-2.0 */
/* The members of an answer to `repair` that exist because of seals and signed thinking
 * (OPERATIONS.md C.6). */
#include "providers/anthropic/answer.h"

#include "providers/anthropic/state.h"
#include "providers/anthropic/thinking/changed_prefix.h"

static void write_verdict(struct tk_writer *w, uint32_t message, const uint32_t *seals, uint32_t n,
                          enum tk_verdict verdict, bool dead)
{
    tk_write_map(w);
    tk_write_key(w, "message_index");
    if (message == TK_NONE)
        tk_write_null(w);
    else
        tk_write_uint(w, message);
    tk_write_key(w, "seals");
    tk_write_list(w);
    for (uint32_t i = 0; i < n; i++)
        tk_write_uint(w, seals[i]);
    tk_write_end(w);
    tk_write_kv_cstr(w, "verdict", tk_verdict_name(verdict));
    tk_write_kv_bool(w, "dead", dead);
    tk_write_end(w);
}

/* Returns for each message of the input if it had thinking as it was sent; NULL without memory. */
static bool *list_thinking(const struct tk_transcript *t)
{
    bool *has = tk_arena_zalloc(t->arena, t->input_messages, sizeof(*has));

    for (uint32_t m = 0; has && m < t->input_messages; m++) {
        struct tk_val content =
            tk_get((struct tk_val){t->doc, t->messages[m].sent}, TK_STR("content"));

        for (struct tk_val v = tk_first(content);
             tk_is(content, TK_ARRAY) && tk_exists(v) && !has[m]; v = tk_after(content, v)) {
            struct tk_val type = tk_get(v, TK_STR("type"));

            has[m] = t->messages[m].role == TK_ROLE_ASSISTANT &&
                     (tk_text_is(type, TK_STR("thinking")) ||
                      tk_text_is(type, TK_STR("redacted_thinking")));
        }
    }
    return has;
}

static void write_verdicts(struct tk_writer *w, const struct tk_transcript *t,
                           const struct tk_seals *received)
{
    bool *thinking = received->count > 0 ? list_thinking(t) : NULL;

    if (!thinking)
        return;
    tk_write_key(w, "verdicts");
    tk_write_list(w);
    for (uint32_t m = 0; m < t->input_messages; m++) {
        const struct tk_sealed_turn *g = tk_sealed_turn_of(received, m);

        if (g && g->messages[0] == m)
            write_verdict(w, m, g->seals, g->seal_count, g->verdict, g->dead);
        else if (!g && thinking[m])
            write_verdict(w, m, NULL, 0, TK_VERDICT_UNKNOWN, false);
    }
    for (uint32_t i = 0; i < received->count; i++)
        if (received->group_of_seal[i] == TK_NONE && !received->list[i].repeated)
            write_verdict(w, TK_NONE, &i, 1, TK_VERDICT_UNKNOWN, false);
    tk_write_end(w);
}

void tk_anthropic_write_facts(struct tk_writer *w, const struct tk_repair *r)
{
    if (r->edits.steps > 0 && tk_own_policy(&r->judge)->prefix_mismatch != TK_MISMATCH_OFF)
        tk_report_unbound(w, r->judge.t);
    write_verdicts(w, r->judge.t, &tk_anthropic(&r->judge)->received);
}
