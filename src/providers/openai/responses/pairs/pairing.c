/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/pairs/pairing.h"

#include <errno.h>

#include "providers/openai/responses/item.h"

/* The lists of open calls are numbered by the row of their type. */

/* Returns the open call that an output answers; TK_NONE: there is none. lists: bits. */
static uint32_t call_to_answer(struct tk_pairs *pairs, uint32_t output, uint32_t lists)
{
    uint32_t key = pairs->links[output].key, best = TK_NONE;

    for (; lists != 0; lists &= lists - 1) {
        unsigned list = (unsigned)__builtin_ctz(lists);

        best = tk_better_open(pairs, best, tk_first_open_before(pairs, list, key, output));
    }
    return best;
}

/* Returns the open call that an output of the wrong type claims; TK_NONE: there is none. */
static uint32_t call_to_claim(struct tk_pairs *pairs, uint32_t output, unsigned row)
{
    uint32_t key = pairs->links[output].key;

    if (row == TK_ITEM_FUNCTION_OUTPUT)
        return tk_last_open(pairs, TK_ITEM_CUSTOM_CALL, key);
    return row == TK_ITEM_CUSTOM_OUTPUT ? tk_last_open(pairs, TK_ITEM_FUNCTION_CALL, key) : TK_NONE;
}

static void pair_output(struct tk_judge *j, uint32_t output, unsigned row)
{
    struct tk_pairs *pairs = &tk_responses(j)->pairs;
    uint32_t lists = tk_items[row].answers & tk_lists_of(pairs, pairs->links[output].key);
    uint32_t call = call_to_answer(pairs, output, lists);
    enum tk_link_match match = TK_MATCH_PAIR;

    if (call == TK_NONE && lists != 0) {
        tk_match_second(pairs, output);
        return;
    }
    if (call == TK_NONE && !tk_has_server_state(j)) {
        call = call_to_claim(pairs, output, row);
        match = TK_MATCH_CLAIM;
    }
    if (call != TK_NONE)
        tk_pair_up(pairs, call, output, match);
}

/* ---- the walk ---- */

static bool refers_to_call(const struct tk_judge *j, uint32_t item)
{
    struct tk_str id;

    if (!tk_item_is(j->t, item, TK_ITEM_REFERENCE))
        return false;
    id = tk_text(tk_item_id(j->t, item), j->t->arena);
    return tk_str_starts(id, TK_STR("fc")) || tk_str_starts(id, TK_STR("ctc"));
}

static int pair_item(struct tk_judge *j, uint32_t item, bool call)
{
    struct tk_pairs *pairs = &tk_responses(j)->pairs;
    uint32_t part = j->t->messages[item].first;
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val id = tk_part_val(p, p->id);
    bool has_id = tk_has_text(id);
    struct tk_str key = has_id ? tk_text(id, j->t->arena) : (struct tk_str){0};
    int r;

    if (has_id && !key.p)
        return -ENOMEM;
    if (call) {
        r = tk_add_call(pairs, part, key);
        return r == 0 && has_id ? tk_open_call(pairs, part, p->block, pairs->links[part].key) : r;
    }
    r = has_id ? tk_add_result(pairs, part, key) : 0;
    if (r == 0 && has_id)
        pair_output(j, part, p->block);
    return r;
}

int tk_pair_items(struct tk_judge *j)
{
    struct tk_responses *own = tk_responses(j);
    const struct tk_transcript *t = j->t;
    bool after_call = false;
    uint32_t step = 0;
    int r;

    if (own->pairs.known)
        return 0;
    tk_pairs_clear(&own->pairs);
    own->pairs.known = true;
    if (!(own->rows & ((1u << TK_ITEM_CALLS_END) - 1)))
        return 0;
    r = tk_pairs_begin(&own->pairs, t, false);
    own->reference_at = TK_NONE;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        bool call = tk_item_is_call(t, m);

        if (call && !after_call)
            tk_begin_scope(&own->pairs);
        if (call || tk_item_is_output(t, m))
            r = tk_judge_cancelled(j, step++) ? -ECANCELED : pair_item(j, m, call);
        else if (own->reference_at == TK_NONE && refers_to_call(j, m))
            own->reference_at = own->pairs.end_count;
        after_call = call;
    }
    own->pairs.known = r == 0;
    return r;
}

enum tk_lone_output tk_lone_output(const struct tk_judge *j, const struct tk_link *output)
{
    if (tk_has_server_state(j))
        return TK_OUTPUT_STORED;
    return output->at >= tk_responses(j)->reference_at ? TK_OUTPUT_REFERENCE : TK_OUTPUT_ORPHAN;
}
