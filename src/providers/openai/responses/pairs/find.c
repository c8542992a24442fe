/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/rules.h"

#include <errno.h>

#include "providers/openai/responses/item.h"
#include "providers/openai/responses/item_survey.h"

#define MATCH(id) (1u << TK_MATCH_##id)

/* Returns true if calls or outputs are matched in one of the ways. */
static bool has_matches(const struct tk_pairs *pairs, unsigned ways)
{
    for (unsigned way = 0; way < TK_MATCH_COUNT; way++)
        if (ways & 1u << way && pairs->matched[way] > 0)
            return true;
    return false;
}

/* Finds the calls and outputs that have a fault. ways: bits of how they are matched; 0: calls with a repeated
 * id. */
static int find_matched(struct tk_judge *j, uint16_t code, unsigned ways,
                        bool (*is_fault)(const struct tk_judge *j, const struct tk_link *link))
{
    const struct tk_pairs *pairs = &tk_responses(j)->pairs;
    const struct tk_transcript *t = j->t;
    int r = tk_pair_items(j);

    if (!(ways ? has_matches(pairs, ways) : pairs->repeated > 0))
        return r;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        uint32_t part = tk_item_part(t, m);

        if (part != TK_NONE && is_fault(j, tk_part_link(pairs, part)))
            r = tk_find_item(j, code, m);
    }
    return r;
}

static bool is_repeated(const struct tk_judge *j, const struct tk_link *link)
{
    (void)j;
    return link->before != TK_NONE;
}

static bool is_second(const struct tk_judge *j, const struct tk_link *link)
{
    (void)j;
    return link->match == TK_MATCH_SECOND;
}

static bool is_lone(const struct tk_judge *j, const struct tk_link *link)
{
    return link->match == TK_MATCH_CLAIM ||
           (link->match == TK_MATCH_STRAY && tk_lone_output(j, link) == TK_OUTPUT_ORPHAN);
}

static bool is_of_reference(const struct tk_judge *j, const struct tk_link *link)
{
    return link->match == TK_MATCH_STRAY && tk_lone_output(j, link) == TK_OUTPUT_REFERENCE;
}

static bool is_open(const struct tk_judge *j, const struct tk_link *link)
{
    (void)j;
    return link->match == TK_MATCH_OPEN && link->key != TK_NONE && link->before == TK_NONE;
}

int tk_judge_repeated_call_ids(struct tk_judge *j)
{
    tk_responses(j)->knows_copies = false;
    return find_matched(j, TK_CODE_RESP_CALL_ID_DUPLICATE, 0, is_repeated);
}

int tk_judge_second_outputs(struct tk_judge *j)
{
    return find_matched(j, TK_CODE_RESP_OUTPUT_DUPLICATE, MATCH(SECOND), is_second);
}

int tk_judge_lone_outputs(struct tk_judge *j)
{
    return find_matched(j, TK_CODE_RESP_OUTPUT_WITHOUT_CALL, MATCH(STRAY) | MATCH(CLAIM), is_lone);
}

int tk_judge_stored_calls(struct tk_judge *j)
{
    return tk_list_has(j, TK_ITEM_REFERENCE)
               ? find_matched(j, TK_CODE_RESP_ITEM_REFERENCE_CALL, MATCH(STRAY), is_of_reference)
               : 0;
}

int tk_judge_open_calls(struct tk_judge *j)
{
    tk_responses(j)->row_end_count = 0;
    return find_matched(j, TK_CODE_RESP_CALL_WITHOUT_OUTPUT, MATCH(OPEN), is_open);
}

/* ---- outputs apart from their calls ---- */

/* Finds paired outputs that aren't in the row of outputs directly after their call's batch. */
int tk_judge_interleaved(struct tk_judge *j)
{
    const struct tk_pairs *pairs = &tk_responses(j)->pairs;
    const struct tk_transcript *t = j->t;
    uint32_t batch = TK_NONE; /* whose outputs may come here */
    int r;

    if (!tk_responses(j)->deepseek)
        return 0;
    tk_responses(j)->row_end_count = 0;
    r = tk_pair_items(j);
    if (pairs->link_count == 0)
        return r;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        const struct tk_link *link;

        if (!tk_item_is_call(t, m) && !tk_item_is_output(t, m)) {
            batch = TK_NONE;
            continue;
        }
        link = tk_part_link(pairs, t->messages[m].first);
        if (tk_item_is_call(t, m))
            batch = link->scope;
        else if (link->match == TK_MATCH_PAIR && tk_part_link(pairs, link->partner)->scope != batch)
            r = tk_find_item(j, TK_CODE_RESP_DEEPSEEK_INTERLEAVED, m);
    }
    return r;
}

/* ---- approvals ---- */

/* Returns the id that ties request and response; `.p == NULL`: the item is neither, or has none. */
static struct tk_str approval_id(const struct tk_transcript *t, uint32_t item)
{
    struct tk_val id = TK_NO_VAL;

    if (tk_item_is(t, item, TK_ITEM_APPROVAL_REQUEST))
        id = tk_item_id(t, item);
    else if (tk_item_is(t, item, TK_ITEM_APPROVAL_RESPONSE))
        id = tk_item_get(t, item, TK_STR("approval_request_id"));
    return tk_has_text(id) ? tk_text(id, t->arena) : (struct tk_str){0};
}

enum {
    REQUESTED = 1,
    ANSWERED = 2, /* by a response after a request */
};

/* Notes a request or a response; finds a response before which there is no request. */
static int meet_approval(struct tk_judge *j, uint32_t item, uint32_t *state)
{
    if (tk_item_is(j->t, item, TK_ITEM_APPROVAL_REQUEST))
        *state |= REQUESTED;
    else if (*state & REQUESTED)
        *state |= ANSWERED;
    else if (!tk_has_server_state(j))
        return tk_find_item(j, TK_CODE_RESP_APPROVAL_UNPAIRED, item);
    return 0;
}

int tk_judge_approvals(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    bool passed = false;  /* something that isn't the model's comes later */
    struct tk_map states; /* of ids */
    int r = 0;

    if (!tk_list_has(j, TK_ITEM_APPROVAL_REQUEST) && !tk_list_has(j, TK_ITEM_APPROVAL_RESPONSE))
        return 0;
    tk_map_init(&states, t->arena, t->hash_key);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        struct tk_str id = approval_id(t, m);
        bool is_new;
        uint32_t *state = id.p ? tk_map_put(&states, id, &is_new) : NULL;

        if (id.p)
            r = state ? meet_approval(j, m, state) : -ENOMEM;
    }
    for (uint32_t m = t->last_message; m != TK_NONE && r == 0; m = t->messages[m].prev) {
        struct tk_str id = approval_id(t, m);
        const uint32_t *state = id.p ? tk_map_get(&states, id) : NULL;

        if (passed && state && tk_item_is(t, m, TK_ITEM_APPROVAL_REQUEST) && !(*state & ANSWERED))
            r = tk_find_item(j, TK_CODE_RESP_APPROVAL_UNPAIRED, m);
        passed = passed || !tk_item_is_models(t, m);
    }
    return r;
}
