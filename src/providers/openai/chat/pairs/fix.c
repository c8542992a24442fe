/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include <errno.h>

#include "engine/pairs/new_id.h"
#include "providers/common/equal.h"
#include "providers/common/legal_names.h"
#include "providers/openai/chat/state.h"

/* Digits of a digest in a new id. */
enum {
    DIGITS_OF_NEW = 24,
    DIGITS_OF_LONG = 32,
    DIGITS_OF_MISTRAL = 9,
};

/* ---- ids ---- */

static int set_call_id(struct tk_plan *p, uint32_t call, uint16_t code, struct tk_str id)
{
    int r = id.p ? tk_edit_rewritten(p->e, call, code) : -ENOMEM;

    return r < 0 ? r
                 : tk_change_set(p->e, call, &p->j->t->shape->call_id, tk_encode_text(p->e, id));
}

static int set_result_id(struct tk_plan *p, uint32_t message, uint16_t code, struct tk_str id)
{
    int r = id.p ? tk_edit_message(p->e, message, code, TK_ACTION_REWRITE) : -ENOMEM;

    return r < 0 ? r : tk_message_set(p->e, message, "tool_call_id", tk_encode_text(p->e, id));
}

/* Makes the message the owner of its calls' ids before the first of them is changed. Returns 0 or -ENOMEM. */
static int own_ids(struct tk_judge *j, uint32_t message)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    if (tk_chat(j)->owner == message)
        return 0;
    tk_chat(j)->owner = message;
    for (uint32_t c = tk_first_call(t, &t->messages[message]); c != TK_NONE && r == 0;
         c = tk_next_call(t, c)) {
        struct tk_str id = tk_chat_call_id(t, c);

        r = id.n > 0 ? tk_own_id(&tk_chat(j)->pairs, id, message) : 0;
    }
    return r;
}

/* ---- missing ids ---- */

/* Returns an id made from the call's place in the input. */
static struct tk_str new_id(const struct tk_transcript *t, uint32_t call)
{
    const struct tk_part *c = &t->parts[call];
    uint32_t message = c->from_message != TK_NONE ? c->from_message : c->message;
    uint32_t index = tk_part_index_from(t, call);
    struct tk_str place = tk_arena_printf(t->arena, "%u:%u", message, index);

    return place.p ? tk_digest_id(t->arena, "call_", place, DIGITS_OF_NEW) : place;
}

static int give_call_id(struct tk_plan *p, uint32_t call, uint16_t code)
{
    struct tk_transcript *t = p->j->t;
    struct tk_pairs *pairs = &tk_chat(p->j)->pairs;
    uint32_t message = t->parts[call].message, answer = tk_chat_answer(p->j, call);
    struct tk_str sent = answer == TK_NONE ? (struct tk_str){0} : tk_chat_result_id(t, answer);
    struct tk_str id = sent;
    const struct tk_pair_key *known;
    int r = own_ids(p->j, message);

    known = r == 0 && sent.n > 0 ? tk_get_key(pairs, sent) : NULL;
    if (sent.n == 0 || (known && known->owner == message))
        id = new_id(t, call);
    if (r == 0)
        r = id.p ? tk_own_id(pairs, id, message) : -ENOMEM;
    if (r == 0)
        r = set_call_id(p, call, code, id);
    /* The answer's own id is that of another call: it would answer that one. */
    if (r == 0 && sent.n > 0 && !tk_str_eq(sent, id))
        r = set_result_id(p, answer, code, id);
    return r;
}

int tk_chat_fix_id_missing(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t call;

    (void)d;
    if (f->site.part != TK_NONE)
        return give_call_id(p, f->site.part, f->code);
    call = tk_chat_result(p->j, f->site.entry)->partner;
    return set_result_id(p, f->site.entry, f->code, tk_chat_call_id(p->j->t, call));
}

/* ---- duplicates ---- */

static bool is_copy_of_call(const struct tk_judge *j, uint32_t call)
{
    const struct tk_link *link = tk_chat_call(j, call);
    const struct tk_part *a = &j->t->parts[call], *b = &j->t->parts[link->first];

    return link->match != TK_MATCH_PAIR &&
           tk_is_equal(tk_part_val(a, a->node), tk_part_val(b, b->node), NULL);
}

static struct tk_val result_content(const struct tk_judge *j, uint32_t message)
{
    return tk_chat_content(&j->t->messages[message]);
}

struct tk_decision tk_chat_want_no_duplicate(struct tk_plan *p, const struct tk_finding *f,
                                             const struct tk_policy *policy)
{
    const struct tk_link *link;

    if (policy->duplicate_id == TK_FIX_REPORT)
        return tk_no_edit();
    if (f->site.part != TK_NONE)
        return tk_edit_by(tk_chat_call(p->j, f->site.part)->first != TK_NONE &&
                                  is_copy_of_call(p->j, f->site.part)
                              ? TK_ACTION_DROP
                              : TK_ACTION_REWRITE);
    link = tk_chat_result(p->j, f->site.entry);
    if (link->match == TK_MATCH_PAIR)
        return tk_edit_by(TK_ACTION_REWRITE);
    if (link->first != TK_NONE && !tk_chat_has_to_stay(&p->j->t->messages[f->site.entry]) &&
        tk_is_equal(result_content(p->j, f->site.entry),
                    result_content(p->j, tk_end_message(&tk_chat(p->j)->pairs, link->first)), NULL))
        return tk_edit_by(TK_ACTION_DROP);
    return tk_chat_want_text(p->j, f->site.entry);
}

static int rename_call(struct tk_plan *p, uint32_t call, uint16_t code)
{
    struct tk_transcript *t = p->j->t;
    struct tk_pairs *pairs = &tk_chat(p->j)->pairs;
    uint32_t message = t->parts[call].message, answer = tk_chat_answer(p->j, call);
    struct tk_str id;
    int r = own_ids(p->j, message);

    if (r < 0)
        return r;
    id = tk_unused_id(pairs, tk_chat_call_id(t, call), tk_is_owned_by, message);
    r = id.p ? tk_own_id(pairs, id, message) : -ENOMEM;
    if (r == 0)
        r = set_call_id(p, call, code, id);
    return r == 0 && answer != TK_NONE ? set_result_id(p, answer, code, id) : r;
}

int tk_chat_fix_duplicate(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    if (f->site.part != TK_NONE && d.action == TK_ACTION_DROP)
        return tk_edit_drop(p->e, f->site.part, f->code);
    if (f->site.part != TK_NONE)
        return rename_call(p, f->site.part, f->code);
    if (d.action == TK_ACTION_REWRITE)
        return 0; /* was renamed with its call */
    return tk_chat_make_text(p, f->site.entry, f->code, d);
}

/* ---- strays ---- */

struct tk_decision tk_chat_want_stray(struct tk_plan *p, const struct tk_finding *f,
                                      const struct tk_policy *policy)
{
    if (policy->unmatched_result == TK_FIX_REPORT)
        return tk_no_edit();
    if (tk_chat_result(p->j, f->site.entry)->match == TK_MATCH_CLAIM)
        return tk_edit_by(TK_ACTION_MOVE);
    return tk_chat_want_text(p->j, f->site.entry);
}

int tk_chat_fix_stray(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t message = f->site.entry;
    int r;

    if (d.action != TK_ACTION_MOVE)
        return tk_chat_make_text(p, message, f->code, d);
    r = tk_edit_message(p->e, message, f->code, d.action);
    return r < 0 ? r
                 : tk_chat_put_in_row(
                       p, message, p->j->t->parts[tk_chat_result(p->j, message)->partner].message);
}

/* ---- unanswered calls ---- */

struct tk_decision tk_chat_want_result(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->unanswered_call == TK_FIX_REPORT ? tk_no_edit()
                                                    : tk_edit_by(TK_ACTION_INSERT_RESULT);
}

int tk_chat_fix_unanswered(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_str id = tk_chat_call_id(t, f->site.part);
    struct tk_encoding out;
    int r;

    (void)d;
    r = tk_edit_part(p->e, f->site.part, f->code, TK_ACTION_INSERT_RESULT);
    if (r < 0)
        return r;
    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_map(&out.w);
    tk_write_kv_cstr(&out.w, "role", "tool");
    tk_write_kv_str(&out.w, "tool_call_id", id);
    tk_write_kv_cstr(&out.w, "content", TK_NOT_EXECUTED);
    tk_write_end(&out.w);
    return tk_chat_add_to_row(p, t->parts[f->site.part].message, tk_encode_end(&out));
}

/* ---- ids that a server refuses ---- */

static int shorten(struct tk_plan *p, const struct tk_finding *f, const char *prefix, int digits)
{
    struct tk_transcript *t = p->j->t;
    bool is_call = f->site.part != TK_NONE;
    struct tk_str old =
        is_call ? tk_chat_call_id(t, f->site.part) : tk_chat_result_id(t, f->site.entry);
    struct tk_str id = tk_digest_id(t->arena, prefix, old, digits);

    return is_call ? set_call_id(p, f->site.part, f->code, id)
                   : set_result_id(p, f->site.entry, f->code, id);
}

int tk_chat_fix_long_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return shorten(p, f, "call_", DIGITS_OF_LONG);
}

int tk_chat_fix_id_pattern(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return shorten(p, f, "", DIGITS_OF_MISTRAL);
}
