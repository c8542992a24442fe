/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the turn into the history, as received but for what only an answer has, the ids of items that
 * nobody can look up, and a role that is missing (OPERATIONS-PROVIDERS.md 1.1).
 */
#include "operations/splice/splice_inside.h"

#include "value/own.h"
#include "value/splice.h"

#include <errno.h>

static struct tk_val val_of(const struct tk_transcript *t, uint32_t message)
{
    return (struct tk_val){t->messages[message].doc, t->messages[message].node};
}

/* Returns the bytes of a message without output-only members. */
static struct tk_str without_output_only(struct tk_splice_state *s, struct tk_val v, unsigned which)
{
    struct tk_encoding e;

    tk_encode_begin(&e, (enum tk_codec)v.doc->codec, s->in->arena);
    tk_write_without_output_only(&e.w, v, tk_splice_rules(s)->output_only, which);
    return tk_encode_end(&e);
}

static unsigned which_output_only(const struct tk_splice_state *s, const struct tk_transcript *t,
                                  uint32_t message)
{
    const struct tk_splice_rules *rules = tk_splice_rules(s);

    return rules->which_output_only ? rules->which_output_only(t, message) : 0;
}

static bool has_output_only(const struct tk_splice_state *s, struct tk_val v, unsigned which)
{
    const struct tk_output_only *table = tk_splice_rules(s)->output_only;

    return table && tk_has_output_only(v, table, which);
}

struct tk_val tk_splice_cleaned(struct tk_splice_state *s, const struct tk_transcript *t,
                                uint32_t message)
{
    struct tk_val v = val_of(t, message);
    unsigned which = which_output_only(s, t, message);
    struct tk_doc *doc;

    if (!has_output_only(s, v, which))
        return v;
    doc = tk_doc_of_own(without_output_only(s, v, which), s->in->hash_key, s->in->arena);
    return doc ? tk_root(doc) : TK_NO_VAL;
}

/* ---- a role that is missing ---- */

static bool lacks_role(const struct tk_splice_state *s, const struct tk_message *m)
{
    return tk_splice_rules(s)->added_role && (m->flags & TK_MESSAGE_NO_ROLE);
}

static void write_role(struct tk_writer *w, const void *role)
{
    tk_write_cstr(w, role);
}

static struct tk_str with_role(struct tk_splice_state *s, struct tk_val v)
{
    struct tk_member_change role = {TK_STR("role"), write_role, tk_splice_rules(s)->added_role};
    struct tk_encoding e;

    tk_encode_begin(&e, (enum tk_codec)v.doc->codec, s->in->arena);
    tk_write_with_changes(&e.w, v, &role, 1);
    return tk_encode_end(&e);
}

/* ---- the messages ---- */

/* Returns the bytes of a message of the turn if they aren't those received. lost: bits of what it loses
 * besides. */
static struct tk_str written(struct tk_splice_state *s, uint32_t message, unsigned lost)
{
    struct tk_val v = val_of(&s->turn.t, message);
    unsigned which = which_output_only(s, &s->turn.t, message);

    if (lacks_role(s, &s->turn.t.messages[message])) {
        tk_splice_note(s, TK_SPLICE_NOTE_ROLE_ADDED);
        return with_role(s, v);
    }
    if (has_output_only(s, v, which))
        tk_splice_note(s, TK_SPLICE_NOTE_OUTPUT_ONLY_REMOVED);
    if (lost)
        tk_splice_note(s, TK_SPLICE_NOTE_ITEM_IDS_REMOVED);
    return has_output_only(s, v, which | lost) ? without_output_only(s, v, which | lost)
                                               : (struct tk_str){NULL, 0};
}

/* Returns true if the provider hasn't kept the turn. */
static bool is_lost(const struct tk_splice_state *s)
{
    return tk_is(tk_get(s->in->request, TK_STR("store")), TK_FALSE) ||
           tk_is(s->received.stored, TK_FALSE);
}

static int put_messages(struct tk_splice_state *s)
{
    const struct tk_splice_rules *rules = tk_splice_rules(s);
    const struct tk_transcript *t = &s->turn.t;
    uint8_t *lost = tk_arena_zalloc(s->in->arena, t->message_count, sizeof(*lost));

    if (!lost)
        return -ENOMEM;
    if (rules->find_lost_ids && is_lost(s) && !(s->out->facts & TK_SPLICE_KEEPS_IDS))
        rules->find_lost_ids(t, lost);
    for (uint32_t m = 0; m < t->message_count; m++)
        tk_splice_put(s, (struct tk_splice_message){
                             .whole = val_of(t, m),
                             .written = written(s, m, lost[m]),
                             .content = {t->messages[m].doc, t->messages[m].content},
                             .role = TK_ROLE_ASSISTANT,
                         });
    return tk_arena_failed(s->in->arena) ? -ENOMEM : 0;
}

/* Adds the one message of a turn that is sent as it came, but for the parts of another model. */
static void put_message(struct tk_splice_state *s)
{
    const struct tk_splice_turn *turn = &s->turn;
    uint32_t first = s->block_count;

    if (turn->trimmed) {
        tk_splice_note(s, TK_SPLICE_NOTE_FALLBACK_SEAM_TRIMMED);
        for (uint32_t i = 0; i < turn->block_count; i++)
            tk_splice_push(s, TK_SPLICE_AS_IS, turn->stays[i]);
    }
    tk_splice_put(s, (struct tk_splice_message){
                         .whole = turn->replaced ? val_of(&turn->t, 0) : TK_NO_VAL,
                         .content = {turn->t.messages[0].doc, turn->t.messages[0].content},
                         .blocks = &s->blocks[first],
                         .block_count = s->block_count - first,
                         .role = TK_ROLE_ASSISTANT,
                         .rewritten = turn->trimmed,
                     });
}

static bool is_empty(const struct tk_splice_state *s)
{
    const struct tk_splice_rules *rules = tk_splice_rules(s);

    return rules->is_empty ? rules->is_empty(&s->turn.t) : s->turn.block_count == 0;
}

int tk_splice_put_turn(struct tk_splice_state *s)
{
    bool cut_off =
        s->turn.stop == TK_STOP_TRUNCATED && tk_splice_has(s, TK_SPLICE_EMPTY_IS_TRUNCATED);

    if (s->chained)
        return 0;
    if (is_empty(s)) {
        tk_splice_note(s, cut_off ? TK_SPLICE_NOTE_TRUNCATED_TURN_NOT_REPLAYED
                                  : TK_SPLICE_NOTE_EMPTY_TURN_NOT_REPLAYED);
        return 0;
    }
    if (!s->turn.replaced && !tk_splice_has(s, TK_SPLICE_TURN_IS_CONTENT))
        return put_messages(s);
    put_message(s);
    return 0;
}
