/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/fit.h"

#include <errno.h>

#include "providers/openai/responses/item.h"
#include "providers/openai/responses/rules.h"

/* ---- entries ---- */

static enum tk_entry_kind kind(const struct tk_judge *j, uint32_t entry)
{
    const struct tk_transcript *t = j->t;

    switch (t->messages[entry].item) {
    case TK_ITEM_MESSAGE:
        return tk_entry_kind_of(t, entry, NULL);
    case TK_ITEM_ADDITIONAL_TOOLS:
        return TK_ENTRY_SYSTEM;
    case TK_ITEM_COMPACTION_TRIGGER:
        return TK_ENTRY_MIXED;
    default:
        return tk_item_is_models(t, entry) ? TK_ENTRY_MODEL : TK_ENTRY_RESULTS;
    }
}

static uint32_t call_of(const struct tk_judge *j, uint32_t entry, uint32_t part)
{
    (void)entry;
    return tk_part_link(&tk_responses(j)->pairs, part)->partner;
}

/* Returns true for an output whose call isn't in the list. */
static bool lacks_call(const struct tk_judge *j, uint32_t entry)
{
    return tk_item_is_output(j->t, entry) &&
           call_of(j, entry, j->t->messages[entry].first) == TK_NONE;
}

static bool keeps_round(const struct tk_judge *j, uint32_t entry)
{
    return tk_item_is(j->t, entry, TK_ITEM_COMPACTION) ||
           (tk_has_server_state(j) && lacks_call(j, entry));
}

/* ---- joins ---- */

/* Items that others name: approval requests by their own id, programs by their call's, and the newest reference to a
 * call. */
struct named_items {
    struct tk_judge *j;
    struct tk_joins *joins;
    struct tk_map requests, programs; /* from an id to its entry */
    struct tk_map answered;           /* ids of requests that have a response */
    uint32_t reference;               /* TK_NONE: there is none */
};

static int note(struct named_items *x, struct tk_map *map, struct tk_val id, uint32_t entry)
{
    struct tk_str text = tk_has_text(id) ? tk_text(id, x->j->t->arena) : TK_STR("");
    uint32_t *at;
    bool is_new;

    if (text.n == 0)
        return 0;
    at = tk_map_put(map, text, &is_new);
    if (at)
        *at = entry;
    return at ? 0 : -ENOMEM;
}

/* Joins an entry with the one that an id names; nothing if the id is absent or names none. */
static int join_named(struct named_items *x, const struct tk_map *map, struct tk_val id,
                      uint32_t entry)
{
    const uint32_t *at = tk_has_text(id) ? tk_map_get(map, tk_text(id, x->j->t->arena)) : NULL;

    return at ? tk_join_entries(x->joins, entry, *at) : 0;
}

static bool refers_to_call(const struct tk_transcript *t, uint32_t entry)
{
    struct tk_str id = tk_text(tk_item_id(t, entry), t->arena);

    return tk_str_starts(id, TK_STR("fc")) || tk_str_starts(id, TK_STR("ctc"));
}

/* Notes an item that others may name. */
static int note_item(struct named_items *x, uint32_t entry)
{
    const struct tk_transcript *t = x->j->t;

    switch (t->messages[entry].item) {
    case TK_ITEM_APPROVAL_REQUEST:
        return note(x, &x->requests, tk_item_id(t, entry), entry);
    case TK_ITEM_PROGRAM:
        return note(x, &x->programs, tk_item_get(t, entry, TK_STR("call_id")), entry);
    case TK_ITEM_APPROVAL_RESPONSE:
        return note(x, &x->answered, tk_item_get(t, entry, TK_STR("approval_request_id")), entry);
    case TK_ITEM_REFERENCE:
        if (refers_to_call(t, entry))
            x->reference = entry;
        return 0;
    default:
        return 0;
    }
}

/* Joins an item with those that it names. */
static int join_item(struct named_items *x, uint32_t entry)
{
    const struct tk_transcript *t = x->j->t;
    struct tk_val caller = tk_item_get(t, entry, TK_STR("caller"));
    int r = join_named(x, &x->programs, tk_get(caller, TK_STR("caller_id")), entry);

    if (r == 0 && tk_item_is(t, entry, TK_ITEM_PROGRAM_OUTPUT))
        r = join_named(x, &x->programs, tk_item_get(t, entry, TK_STR("call_id")), entry);
    if (r == 0 &&
        (tk_item_is(t, entry, TK_ITEM_APPROVAL_RESPONSE) || tk_item_is(t, entry, TK_ITEM_MCP_CALL)))
        r = join_named(x, &x->requests, tk_item_get(t, entry, TK_STR("approval_request_id")),
                       entry);
    if (r == 0 && x->reference != TK_NONE && lacks_call(x->j, entry))
        r = tk_join_entries(x->joins, entry, x->reference);
    return r;
}

/* Notes that an approval request without a response is an open call. */
static int join_request(struct named_items *x, uint32_t entry)
{
    const struct tk_transcript *t = x->j->t;
    struct tk_val id = tk_item_id(t, entry);

    if (!tk_item_is(t, entry, TK_ITEM_APPROVAL_REQUEST) ||
        (tk_exists(id) && tk_map_get(&x->answered, tk_text(id, t->arena))))
        return 0;
    return tk_join_entries(x->joins, entry, TK_NONE);
}

static int join(struct tk_judge *j, struct tk_joins *joins)
{
    const struct tk_transcript *t = j->t;
    struct named_items x = {.j = j, .joins = joins, .reference = TK_NONE};
    int r = tk_pair_items(j);

    tk_map_init(&x.requests, t->arena, t->hash_key);
    tk_map_init(&x.programs, t->arena, t->hash_key);
    tk_map_init(&x.answered, t->arena, t->hash_key);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        if (t->messages[m].item == TK_ITEM_MESSAGE)
            continue;
        r = note_item(&x, m);
        if (r == 0)
            r = join_item(&x, m);
    }
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        r = join_request(&x, m);
    return r;
}

/* ---- what can be made smaller ---- */

static bool may_clear(const struct tk_part *result)
{
    return result->block == TK_ITEM_FUNCTION_OUTPUT || result->block == TK_ITEM_CUSTOM_OUTPUT;
}

static bool is_reasoning(const struct tk_part *p)
{
    return (p->flags & TK_PART_WHOLE) && p->block == TK_ITEM_REASONING;
}

/* Looks through the unit that a reasoning item begins: the server looks up what has an id. */
static void see_unit(struct tk_responses *own, const struct tk_transcript *t, uint32_t entry)
{
    bool reasoning = true;

    own->unit_first = entry;
    own->unit_has_id = false;
    for (; entry != TK_NONE && tk_item_is_models(t, entry); entry = t->messages[entry].next) {
        if (tk_item_is(t, entry, TK_ITEM_REASONING) && !reasoning)
            return;
        reasoning = tk_item_is(t, entry, TK_ITEM_REASONING);
        own->unit_has_id = own->unit_has_id || tk_exists(tk_item_id(t, entry));
        own->unit_last = entry;
    }
}

/* A unit is looked through once. */
static bool may_lose_reasoning(struct tk_judge *j, uint32_t entry)
{
    struct tk_responses *own = tk_responses(j);

    if (own->unit_first == TK_NONE || entry < own->unit_first || entry > own->unit_last)
        see_unit(own, j->t, entry);
    return !own->unit_has_id;
}

static bool is_media(const struct tk_part *p)
{
    return p->kind == TK_PART_MEDIA;
}

const struct tk_fit_rules tk_responses_fit = {
    .kind = kind,
    .keeps_round = keeps_round,
    .join = join,
    .call_of = call_of,
    .payload = {{"output"}},
    .may_clear = may_clear,
    .write_payload = tk_write_text_payload,
    .is_reasoning = is_reasoning,
    .may_lose_reasoning = may_lose_reasoning,
    .is_media = is_media,
};
