/* SPDX-License-Identifier: Apache-2.0 */
/* Pairs calls with tool messages, run by run (PROVIDERS.md 3). Linear. */
#include <errno.h>

#include "providers/openai/chat/state.h"

/* Lists of open calls: by their id; by their place in the run, all of them and those without an id. */
enum {
    BY_ID,
    BY_PLACE,
    WITHOUT_ID,
};

struct pairing {
    struct tk_transcript *t;
    struct tk_pairs *p;
    uint32_t any; /* the key of the lists BY_PLACE and WITHOUT_ID */
};

/* A message with calls: its first call, and its tool messages, up to the message `end`. */
struct run {
    uint32_t first_call, first_result, end;
};

/* Returns an id as a key: missing ones are none. */
static struct tk_str key_of(struct tk_str id)
{
    return id.n > 0 ? id : (struct tk_str){0};
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
        tk_pair_up(x->p, c, tk_message_end(x->p, r), TK_MATCH_PAIR);
    return true;
}

/* ---- other runs ---- */

static int add_call(struct pairing *x, uint32_t call)
{
    struct tk_str id = tk_chat_call_id(x->t, call);
    int r = tk_add_call(x->p, call, key_of(id));

    if (r == 0)
        r = tk_open_call(x->p, call, BY_PLACE, x->any);
    if (r < 0)
        return r;
    return id.n > 0 ? tk_open_call(x->p, call, BY_ID, x->p->links[call].key)
                    : tk_open_call(x->p, call, WITHOUT_ID, x->any);
}

/* Step 1: the result answers the first call with its id that has no answer yet. */
static int add_result(struct pairing *x, uint32_t message)
{
    uint32_t end = tk_message_end(x->p, message), call;
    int r = tk_add_result(x->p, end, key_of(tk_chat_result_id(x->t, message)));

    if (r < 0)
        return r;
    call = tk_first_open_in_scope(x->p, BY_ID, x->p->links[end].key);
    if (call != TK_NONE)
        tk_pair_up(x->p, call, end, TK_MATCH_PAIR);
    else if (tk_scope_has_key(x->p, end))
        tk_match_second(x->p, end);
    return 0;
}

/* Step 2: a result without an id, or with one that no call has, answers by its place. */
static void answer_by_place(struct pairing *x, uint32_t message)
{
    uint32_t end = tk_message_end(x->p, message), call;
    bool has_id = x->p->links[end].key != TK_NONE;

    if (x->p->links[end].match != TK_MATCH_STRAY)
        return;
    call = tk_first_open_in_scope(x->p, has_id ? WITHOUT_ID : BY_PLACE, x->any);
    if (call != TK_NONE)
        tk_pair_up(x->p, call, end, TK_MATCH_PAIR);
}

static void claim(struct pairing *x, uint32_t message)
{
    uint32_t end = tk_message_end(x->p, message), call;

    if (x->p->links[end].match != TK_MATCH_STRAY)
        return;
    call = tk_last_open(x->p, BY_ID, x->p->links[end].key);
    if (call != TK_NONE)
        tk_pair_up(x->p, call, end, TK_MATCH_CLAIM);
}

static int pair_run(struct pairing *x, const struct run *run)
{
    int r = 0;

    if (pair_in_order(x, run))
        return 0;
    tk_begin_scope(x->p);
    for (uint32_t c = run->first_call; c != TK_NONE && r == 0; c = tk_next_call(x->t, c))
        r = add_call(x, c);
    for (uint32_t m = run->first_result; m != run->end && r == 0; m = x->t->messages[m].next)
        r = add_result(x, m);
    if (r < 0)
        return r;
    for (uint32_t m = run->first_result; m != run->end; m = x->t->messages[m].next)
        answer_by_place(x, m);
    for (uint32_t m = run->first_result; m != run->end; m = x->t->messages[m].next)
        claim(x, m);
    return 0;
}

/* ---- the whole history ---- */

static uint32_t end_of_run(const struct tk_transcript *t, uint32_t message)
{
    do
        message = t->messages[message].next;
    while (message != TK_NONE && tk_is_tool_message(&t->messages[message]));
    return message;
}

/* Adds a tool message that is in no run. Returns 0 or -ENOMEM. */
static int add_stray(struct pairing *x, uint32_t message)
{
    uint32_t end = tk_message_end(x->p, message);
    int r = tk_add_result(x->p, end, key_of(tk_chat_result_id(x->t, message)));

    if (r == 0)
        claim(x, message);
    return r;
}

int tk_chat_find_pairs(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    struct pairing x = {.t = t, .p = &tk_chat(j)->pairs};
    uint32_t next;
    int r;

    if (x.p->known)
        return 0;
    tk_chat(j)->owner = TK_NONE;
    r = tk_pairs_begin(x.p, t, true);
    if (r == 0) {
        x.any = tk_put_key(x.p, TK_STR(""));
        r = x.any == TK_NONE ? -ENOMEM : 0;
    }
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = next) {
        const struct tk_message *message = &t->messages[m];

        next = message->next;
        if (tk_is_tool_message(message)) {
            r = add_stray(&x, m);
        } else if (tk_is_assistant(message) && tk_has_calls(t, message)) {
            struct run run = {tk_first_call(t, message), next, end_of_run(t, m)};

            r = pair_run(&x, &run);
            next = run.end;
        }
    }
    x.p->known = r == 0;
    return r;
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
