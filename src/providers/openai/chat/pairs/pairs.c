/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs calls with tool messages, run by run (PROVIDERS.md 3). Linear. */
#include <errno.h>

#include "providers/openai/chat/state.h"

struct pairing {
    struct tk_judge *j;
    struct tk_transcript *t;
    struct tk_chat_pairs *p;
};

/* ---- ids ---- */

static struct tk_chat_id *put_id(struct pairing *x, struct tk_str id)
{
    bool is_new;
    uint32_t *at = tk_map_put(&x->p->index, id, &is_new);

    if (!at)
        return NULL;
    if (is_new) {
        if (!TK_GROW(x->t->arena, x->p->ids, x->p->id_count, x->p->id_capacity))
            return NULL;
        *at = x->p->id_count++;
        x->p->ids[*at] = (struct tk_chat_id){.message = TK_NONE, .run = TK_NONE, .open = TK_NONE};
    }
    return &x->p->ids[*at];
}

static struct tk_chat_id *get_id(const struct tk_chat_pairs *p, struct tk_str id)
{
    const uint32_t *at = id.n > 0 ? tk_map_get(&p->index, id) : NULL;

    return at ? &p->ids[*at] : NULL;
}

/* ---- one run ---- */

/* A message with calls, and the steps' places in the lists of its calls. */
struct run {
    uint32_t message, first_call;
    uint32_t first_result, end; /* tool messages from this one up to the message `end`; TK_NONE */
    uint32_t unanswered;        /* no call before it is unanswered */
    uint32_t nameless;          /* likewise, of those without an id */
};

static int note_calls(struct pairing *x, const struct run *run)
{
    for (uint32_t c = run->first_call; c != TK_NONE; c = tk_next_call(x->t, c)) {
        struct tk_str id = tk_chat_call_id(x->t, c);
        struct tk_chat_id *known = id.n > 0 ? put_id(x, id) : NULL;

        if (id.n == 0)
            continue;
        if (!known)
            return -ENOMEM;
        if (known->message == run->message) {
            x->p->calls[c].first = known->first;
            x->p->calls[known->last].next = c;
            known->last = c;
            continue;
        }
        known->message = run->message;
        known->first = known->free = known->last = c;
        known->suffix = 1;
    }
    return 0;
}

static void answer(struct pairing *x, uint32_t call, uint32_t result)
{
    x->p->calls[call].answer = result;
    x->p->results[result] = (struct tk_chat_result){
        .call = call, .first = x->p->results[result].first, .what = TK_RESULT_ANSWERS};
}

/* Notes which results of a run have an id that an earlier one has. */
static int note_results(struct pairing *x, const struct run *run)
{
    for (uint32_t r = run->first_result; r != run->end; r = x->t->messages[r].next) {
        struct tk_str id = tk_chat_result_id(x->t, r);
        struct tk_chat_id *known = id.n > 0 ? put_id(x, id) : NULL;

        if (id.n == 0)
            continue;
        if (!known)
            return -ENOMEM;
        if (known->run == run->message)
            x->p->results[r].first = known->first_result;
        else
            known->first_result = r;
        known->run = run->message;
    }
    return 0;
}

/* Step 1: each result answers the first call with its id that has no answer yet. */
static void answer_by_id(struct pairing *x, const struct run *run)
{
    for (uint32_t r = run->first_result; r != run->end; r = x->t->messages[r].next) {
        struct tk_chat_id *known = get_id(x->p, tk_chat_result_id(x->t, r));

        if (!known || known->message != run->message)
            continue;
        if (known->free == TK_NONE) {
            x->p->results[r].what = TK_RESULT_SECOND;
            continue;
        }
        answer(x, known->free, r);
        known->free = x->p->calls[known->free].next;
    }
}

/* Returns the first call from `call` on that has no answer, and, if nameless, no id. */
static uint32_t skip_answered(struct pairing *x, uint32_t call, bool nameless)
{
    while (call != TK_NONE &&
           (x->p->calls[call].answer != TK_NONE || (nameless && tk_chat_call_id(x->t, call).n > 0)))
        call = tk_next_call(x->t, call);
    return call;
}

/* Step 2: results without an id, or with one that no call has, answer by their position. */
static void answer_by_position(struct pairing *x, struct run *run)
{
    for (uint32_t r = run->first_result; r != run->end; r = x->t->messages[r].next) {
        bool has_id = tk_chat_result_id(x->t, r).n > 0;
        uint32_t *from = has_id ? &run->nameless : &run->unanswered;

        if (x->p->results[r].what != TK_RESULT_STRAY)
            continue;
        *from = skip_answered(x, *from, has_id);
        if (*from != TK_NONE)
            answer(x, *from, r);
    }
}

/* Keeps the calls that strays after this run can claim. */
static void leave_open(struct pairing *x, const struct run *run)
{
    for (uint32_t c = run->first_call; c != TK_NONE; c = tk_next_call(x->t, c)) {
        struct tk_chat_id *known;

        if (x->p->calls[c].answer != TK_NONE)
            continue;
        known = get_id(x->p, tk_chat_call_id(x->t, c));
        if (!known)
            continue;
        x->p->calls[c].below = known->open;
        known->open = c;
    }
}

/* ---- strays ---- */

static void claim(struct pairing *x, uint32_t result)
{
    struct tk_chat_id *known = get_id(x->p, tk_chat_result_id(x->t, result));

    if (!known || known->open == TK_NONE)
        return;
    x->p->results[result].call = known->open;
    x->p->calls[known->open].claim = result;
    known->open = x->p->calls[known->open].below;
}

static void claim_strays(struct pairing *x, const struct run *run)
{
    for (uint32_t r = run->first_result; r != run->end; r = x->t->messages[r].next)
        if (x->p->results[r].what == TK_RESULT_STRAY)
            claim(x, r);
}

/* ---- the usual run ---- */

/* Most that is compared without the table of ids. */
enum {
    FEW = 8
};

/* Returns true for a few calls with different ids that are answered one by one in their order; pairs
 * them. */
static bool pair_in_order(struct pairing *x, const struct run *run)
{
    struct tk_str ids[FEW];
    uint32_t n = 0, r = run->first_result, c = run->first_call;

    for (; c != TK_NONE && r != run->end; c = tk_next_call(x->t, c), r = x->t->messages[r].next) {
        struct tk_str id = tk_chat_call_id(x->t, c);

        if (n == FEW || id.n == 0 || !tk_str_eq(id, tk_chat_result_id(x->t, r)))
            return false;
        for (uint32_t i = 0; i < n; i++)
            if (tk_str_eq(ids[i], id))
                return false;
        ids[n++] = id;
    }
    if (c != TK_NONE || r != run->end)
        return false;
    r = run->first_result;
    for (c = run->first_call; c != TK_NONE; c = tk_next_call(x->t, c), r = x->t->messages[r].next)
        answer(x, c, r);
    return true;
}

static int pair_run(struct pairing *x, struct run *run)
{
    int r;

    if (pair_in_order(x, run))
        return 0;
    r = note_calls(x, run);
    if (r == 0)
        r = note_results(x, run);
    if (r < 0)
        return r;
    answer_by_id(x, run);
    answer_by_position(x, run);
    leave_open(x, run);
    claim_strays(x, run);
    return 0;
}

/* ---- the whole history ---- */

static int reserve(struct pairing *x)
{
    struct tk_chat_pairs *p = x->p;
    struct tk_transcript *t = x->t;

    /* One more than there are: a history may have no parts. */
    if (!p->calls || p->call_count < t->part_count)
        p->calls = tk_arena_alloc(t->arena, (t->part_count + 1) * sizeof(*p->calls));
    if (!p->results || p->result_count < t->message_count)
        p->results = tk_arena_alloc(t->arena, (t->message_count + 1) * sizeof(*p->results));
    if (!p->calls || !p->results || !tk_map_clear(&p->index, 0))
        return -ENOMEM;
    p->call_count = t->part_count;
    p->result_count = t->message_count;
    p->id_count = 0;
    p->noted = TK_NONE;
    memset(p->calls, 0xff, p->call_count * sizeof(*p->calls));
    for (uint32_t m = 0; m < p->result_count; m++)
        p->results[m] = (struct tk_chat_result){.call = TK_NONE, .first = TK_NONE};
    return 0;
}

static uint32_t end_of_run(const struct tk_transcript *t, uint32_t message)
{
    do
        message = t->messages[message].next;
    while (message != TK_NONE && tk_is_tool_message(&t->messages[message]));
    return message;
}

int tk_chat_find_pairs(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    struct pairing x = {j, t, &tk_chat(j)->pairs};
    uint32_t next;
    int r;

    if (x.p->known)
        return 0;
    r = reserve(&x);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = next) {
        const struct tk_message *message = &t->messages[m];

        next = message->next;
        if (tk_is_tool_message(message)) {
            claim(&x, m);
        } else if (tk_is_assistant(message) && tk_has_calls(t, message)) {
            uint32_t first = tk_first_call(t, message);
            struct run run = {m, first, next, end_of_run(t, m), first, first};

            r = pair_run(&x, &run);
            next = run.end;
        }
    }
    x.p->known = r == 0;
    return r;
}

const struct tk_chat_call *tk_chat_call_of(const struct tk_judge *j, uint32_t part)
{
    static const struct tk_chat_call nothing = {TK_NONE, TK_NONE, TK_NONE, TK_NONE, TK_NONE};
    const struct tk_chat_pairs *p = &tk_chat(j)->pairs;

    return part < p->call_count ? &p->calls[part] : &nothing;
}

const struct tk_chat_result *tk_chat_result_of(const struct tk_judge *j, uint32_t message)
{
    static const struct tk_chat_result nothing = {TK_NONE, TK_NONE, TK_RESULT_STRAY};
    const struct tk_chat_pairs *p = &tk_chat(j)->pairs;

    return message < p->result_count ? &p->results[message] : &nothing;
}

/* ---- rows ---- */

int tk_chat_find_rows(struct tk_judge *j)
{
    struct tk_chat_rows *rows = &tk_chat(j)->rows;
    struct tk_transcript *t = j->t;
    uint32_t head = TK_NONE;

    if (rows->known)
        return 0;
    if (!rows->head || rows->count < t->message_count) {
        rows->head = tk_arena_alloc(t->arena, t->message_count * sizeof(*rows->head));
        rows->last = tk_arena_alloc(t->arena, t->message_count * sizeof(*rows->last));
        rows->text = tk_arena_alloc(t->arena, t->message_count * sizeof(*rows->text));
        if (!rows->head || !rows->last || !rows->text)
            return -ENOMEM;
    }
    rows->count = t->message_count;
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next) {
        if (head == TK_NONE || !tk_is_tool_message(&t->messages[m]))
            head = m;
        rows->head[m] = head;
        rows->last[head] = m;
        rows->text[m] = TK_NONE;
    }
    rows->known = true;
    return 0;
}
