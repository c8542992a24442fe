/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs functionCalls with functionResponses (PROVIDERS.md 7.2) and judges them. The calls of a run of the
 * model's entries are one scope; the run of the user's after it is their answer.
 */
#include <errno.h>

#include "providers/gemini/rules.h"

/* Lists of open calls. */
enum {
    BY_ID,
    BY_NAME,
    BY_NAME_ALONE, /* calls without an id */
    ALL,
    ALL_ALONE,
};

/* A response, or a call, as pairing sees it. */
struct end {
    uint32_t part;
    struct tk_str id;          /* empty: it has none */
    uint32_t id_key, name_key; /* TK_NONE: no id; a blank name */
};

/* Reads an end. Returns 0 or -ENOMEM. */
static int read_end(struct tk_judge *j, uint32_t part, struct end *ret)
{
    const struct tk_transcript *t = j->t;
    const struct tk_part *p = &t->parts[part];
    struct tk_pairs *pairs = &tk_gemini(j)->pairs;

    *ret = (struct end){part, tk_part_id(t, p), TK_NONE, TK_NONE};
    if (ret->id.n > 0)
        ret->id_key = tk_put_key(pairs, ret->id);
    if (!tk_gem_is_blank(tk_part_val(p, p->name)))
        ret->name_key = tk_put_key(pairs, tk_part_name(t, p));
    return ret->id.n > 0 && ret->id_key == TK_NONE ? -ENOMEM : 0;
}

static struct tk_str key_of(const struct end *end)
{
    return end->id.n > 0 ? end->id : (struct tk_str){0};
}

/* ---- adding ---- */

static int open_as(struct tk_pairs *pairs, uint32_t call, unsigned list, uint32_t key)
{
    return key == TK_NONE ? 0 : tk_open_call(pairs, call, list, key);
}

static int add_call(struct tk_judge *j, uint32_t part)
{
    struct tk_pairs *pairs = &tk_gemini(j)->pairs;
    struct end call;
    int r = read_end(j, part, &call);

    if (r == 0)
        r = tk_add_call(pairs, part, key_of(&call));
    if (r == 0)
        r = open_as(pairs, part, BY_ID, call.id_key);
    if (r == 0)
        r = open_as(pairs, part, BY_NAME, call.name_key);
    if (r == 0 && call.id.n == 0)
        r = open_as(pairs, part, BY_NAME_ALONE, call.name_key);
    return r;
}

static int add_response(struct tk_judge *j, uint32_t part)
{
    struct end response;
    int r = read_end(j, part, &response);

    return r < 0 ? r : tk_add_result(&tk_gemini(j)->pairs, part, key_of(&response));
}

/* Adds the calls and responses of a turn, in their order. Calls of the user take no part. */
static int add_turn(struct tk_judge *j, const struct tk_turn *turn, uint32_t *ret_responses)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    *ret_responses = 0;
    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE && r == 0;
         i = tk_turn_next(t, turn, i)) {
        if (turn->role == TK_ROLE_ASSISTANT && tk_is_call(&t->parts[i], false))
            r = add_call(j, i);
        if (!tk_is_result(&t->parts[i], false))
            continue;
        (*ret_responses)++;
        r = add_response(j, i);
    }
    return r;
}

/* ---- the steps ---- */

/* A step returns the first free call that fits a response; TK_NONE: none does. */
typedef uint32_t step_fn(struct tk_pairs *pairs, const struct end *response);

static uint32_t by_id(struct tk_pairs *pairs, const struct end *response)
{
    return tk_first_open_in_scope(pairs, BY_ID, response->id_key);
}

static uint32_t by_name(struct tk_pairs *pairs, const struct end *response)
{
    return tk_first_open_in_scope(pairs, response->id.n > 0 ? BY_NAME_ALONE : BY_NAME,
                                  response->name_key);
}

static uint32_t by_count(struct tk_pairs *pairs, const struct end *response)
{
    return tk_first_open_in_scope(pairs, response->id.n > 0 ? ALL_ALONE : ALL,
                                  tk_put_key(pairs, TK_STR("")));
}

/* Takes a call by its name though the ids differ: nobody else has the response's id. */
static uint32_t by_name_alone(struct tk_pairs *pairs, const struct end *response)
{
    if (response->id.n == 0 || tk_scope_has_key(pairs, response->part) ||
        tk_first_open_before(pairs, BY_ID, response->id_key, response->part) != TK_NONE)
        return TK_NONE;
    return tk_first_open_in_scope(pairs, BY_NAME, response->name_key);
}

static bool is_free(const struct tk_pairs *pairs, uint32_t part)
{
    uint8_t match = tk_part_link(pairs, part)->match;

    return match == TK_MATCH_STRAY || match == TK_MATCH_OPEN;
}

/* Runs a step over the free responses of an answer. */
static int run_step(struct tk_judge *j, const struct tk_turn *answer, step_fn *step)
{
    const struct tk_transcript *t = j->t;
    struct tk_pairs *pairs = &tk_gemini(j)->pairs;
    int r = 0;

    for (uint32_t i = tk_turn_first(t, answer); i != TK_NONE && r == 0;
         i = tk_turn_next(t, answer, i)) {
        struct end response;
        uint32_t call;

        if (!tk_is_result(&t->parts[i], false) || !is_free(pairs, i))
            continue;
        r = read_end(j, i, &response);
        call = r < 0 ? TK_NONE : step(pairs, &response);
        if (call != TK_NONE)
            tk_pair_up(pairs, call, i, TK_MATCH_PAIR);
    }
    return r;
}

/* Puts the calls that are still free on the lists of the third step. Returns how many they are, or
 * -ENOMEM. */
static int64_t open_rest(struct tk_judge *j, const struct tk_turn *turn)
{
    const struct tk_transcript *t = j->t;
    struct tk_pairs *pairs = &tk_gemini(j)->pairs;
    uint32_t all = tk_put_key(pairs, TK_STR(""));
    int64_t count = 0;
    int r = all == TK_NONE ? -ENOMEM : 0;

    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE && r == 0;
         i = tk_turn_next(t, turn, i)) {
        if (!tk_is_call(&t->parts[i], false) || !is_free(pairs, i))
            continue;
        count++;
        r = tk_open_call(pairs, i, ALL, all);
        if (r == 0 && tk_part_id(t, &t->parts[i]).n == 0)
            r = tk_open_call(pairs, i, ALL_ALONE, all);
    }
    return r < 0 ? r : count;
}

static int64_t free_responses(struct tk_judge *j, const struct tk_turn *answer)
{
    const struct tk_transcript *t = j->t;
    int64_t count = 0;

    for (uint32_t i = tk_turn_first(t, answer); i != TK_NONE; i = tk_turn_next(t, answer, i))
        count += tk_is_result(&t->parts[i], false) && is_free(&tk_gemini(j)->pairs, i);
    return count;
}

static int pair_answer(struct tk_judge *j, const struct tk_turn *turn, const struct tk_turn *answer)
{
    int64_t left, calls = 0;
    int r = run_step(j, answer, by_id);

    if (r == 0)
        r = run_step(j, answer, by_name);
    left = r < 0 ? 0 : free_responses(j, answer);
    if (left > 0)
        calls = open_rest(j, turn);
    if (calls < 0)
        return (int)calls;
    if (left > 0 && calls == left)
        r = run_step(j, answer, by_count);
    return r == 0 && left > 0 ? run_step(j, answer, by_name_alone) : r;
}

/* ---- claims ---- */

static int claim(struct tk_judge *j, uint32_t part)
{
    struct tk_pairs *pairs = &tk_gemini(j)->pairs;
    struct end stray;
    uint32_t call, named;
    int r = read_end(j, part, &stray);

    if (r < 0)
        return r;
    call = tk_first_open_before(pairs, BY_ID, stray.id_key, part);
    named =
        tk_first_open_before(pairs, stray.id.n > 0 ? BY_NAME_ALONE : BY_NAME, stray.name_key, part);
    call = tk_better_open(pairs, call, named);
    if (call != TK_NONE)
        tk_pair_up(pairs, call, part, TK_MATCH_CLAIM);
    return 0;
}

static int claim_all(struct tk_judge *j, const struct tk_turn *turn)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = tk_turn_first(t, turn); i != TK_NONE && r == 0; i = tk_turn_next(t, turn, i))
        if (tk_is_result(&t->parts[i], false) && is_free(&tk_gemini(j)->pairs, i))
            r = claim(j, i);
    return r;
}

/* ---- the walk ---- */

/* Pairs a turn of the model with its answer, the turn after it; before the first, `turn` is NULL. Then the
 * strays of both claim calls. */
static int pair_turn(struct tk_judge *j, const struct tk_turn *turn, const struct tk_turn *answer)
{
    uint32_t own = 0, responses = 0;
    int r = 0;

    if (turn) {
        tk_begin_scope(&tk_gemini(j)->pairs);
        r = add_turn(j, turn, &own);
    }
    if (r == 0 && answer)
        r = add_turn(j, answer, &responses);
    if (r == 0 && turn && responses > 0)
        r = pair_answer(j, turn, answer);
    if (r == 0 && own > 0)
        r = claim_all(j, turn);
    return r == 0 && responses > 0 ? claim_all(j, answer) : r;
}

static int pair_all(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = tk_pairs_begin(&tk_gemini(j)->pairs, t, false);

    for (uint32_t i = 0, next; i < t->turn_count && r == 0; i = next) {
        bool model = t->turns[i].role == TK_ROLE_ASSISTANT;
        bool answered = model && i + 1 < t->turn_count;

        next = i + 1 + answered;
        r = tk_judge_cancelled(j, i) ? -ECANCELED
            : model ? pair_turn(j, &t->turns[i], answered ? &t->turns[i + 1] : NULL)
                    : pair_turn(j, NULL, &t->turns[i]);
    }
    return r;
}

/* ---- findings ---- */

/* Judges a response that answers a call of the turn before it. */
static int judge_pair(struct tk_judge *j, uint32_t response, uint32_t call)
{
    const struct tk_transcript *t = j->t;
    const struct tk_part *a = &t->parts[call], *b = &t->parts[response];
    struct tk_str id = tk_part_id(t, a), other = tk_part_id(t, b);
    int r = 0;

    if (!tk_gem_is_blank(tk_part_val(a, a->name)) &&
        !tk_str_eq(tk_part_name(t, a), tk_part_name(t, b)))
        r = tk_find_part(&j->findings, j->t, TK_CODE_GEM_RESPONSE_NAME, response);
    if (r == 0 && id.n > 0 && other.n > 0 && !tk_str_eq(id, other))
        r = tk_find_part(&j->findings, j->t, TK_CODE_GEM_RESPONSE_ID, response);
    return r;
}

static int judge_response(struct tk_judge *j, uint32_t part)
{
    const struct tk_link *link = tk_part_link(&tk_gemini(j)->pairs, part);

    if (tk_gem_is_model(j->t, j->t->parts[part].message))
        return tk_find_part(&j->findings, j->t, TK_CODE_GEM_RESPONSE_IN_MODEL, part);
    if (link->match == TK_MATCH_PAIR)
        return judge_pair(j, part, link->partner);
    return tk_find_part(&j->findings, j->t,
                        link->match == TK_MATCH_CLAIM ? TK_CODE_GEM_RESPONSE_MISPLACED
                                                      : TK_CODE_GEM_RESPONSE_WITHOUT_CALL,
                        part);
}

static int judge_text_after(struct tk_judge *j, uint32_t part)
{
    if (tk_gem_version(j) != TK_GEMINI_UNKNOWN && tk_gem_version(j) < TK_GEMINI_3)
        return 0;
    return tk_find(&j->findings, j->t, TK_CODE_GEM_TEXT_AFTER_RESPONSE,
                   tk_gem_version(j) == TK_GEMINI_UNKNOWN ? TK_WARNING : TK_ERROR,
                   tk_site_of(j->t->parts[part].message, part));
}

static int judge_message(struct tk_judge *j, uint32_t message)
{
    const struct tk_transcript *t = j->t;
    const struct tk_pairs *pairs = &tk_gemini(j)->pairs;
    bool model = tk_gem_is_model(t, message), answered = false;
    int r = 0;

    for (uint32_t i = t->messages[message].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        if (tk_is_result(&t->parts[i], false)) {
            r = judge_response(j, i);
            answered = answered || (!model && tk_part_link(pairs, i)->match == TK_MATCH_PAIR);
        } else if (tk_is_call(&t->parts[i], false)) {
            if (model && tk_part_link(pairs, i)->match == TK_MATCH_OPEN)
                r = tk_find_part(&j->findings, j->t, TK_CODE_GEM_CALL_WITHOUT_RESPONSE, i);
        } else if (answered) {
            r = judge_text_after(j, i);
        }
    }
    return r;
}

int tk_gem_find_pairs(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    uint32_t step = 0;
    int r = pair_all(j);

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        r = judge_message(j, m);
        if (r == 0 && tk_judge_cancelled(j, step++))
            r = -ECANCELED;
    }
    return r;
}
