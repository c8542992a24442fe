/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repair_turn: one assistant turn before it is stored (PROTOCOL 5.3). There is no history around
 * it, so calls are in flight if its stop reason says so, or if `carry_in` lists them.
 */
#include <errno.h>

#include "methods/history/read_history.h"
#include "methods/history/repair_answer.h"
#include "methods/params/providers.h"

static bool has_client_call(const struct tk_transcript *t)
{
    for (uint32_t i = 0; i < t->part_count; i++)
        if (tk_is_call(&t->parts[i], false))
            return true;
    return false;
}

/* Returns true if calls without a result stay: the provider continues a paused turn itself, or the
 * turn waits for the client's results. A turn without a reason waits if it has a client's call. */
static bool open_calls_stay(const struct tk_request *rq, const struct tk_transcript *t)
{
    struct tk_val reason = tk_param(&rq->params, TK_P_STOP_REASON);
    enum tk_stop stop = tk_stop_of(tk_params_provider(&rq->params), reason);

    if (stop == TK_STOP_PAUSED)
        return true;
    return has_client_call(t) &&
           (!tk_exists(reason) || tk_is(reason, TK_NULL) || stop == TK_STOP_CALLS);
}

static int read_carried(struct tk_request *rq, struct tk_judge *j)
{
    struct tk_val list = tk_param(&rq->params, TK_P_CARRY_IN);
    uint32_t n = tk_exists(list) ? tk_count(list) : 0, i = 0;
    struct tk_str *ids = tk_arena_alloc(rq->arena, n * sizeof(*ids));

    if (!ids)
        return -ENOMEM;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        ids[i++] = tk_text(tk_get(v, TK_STR("id")), rq->arena);
    j->carried = ids;
    j->carried_count = n;
    return 0;
}

int tk_method_repair_turn(struct tk_request *rq)
{
    struct tk_history_input history;
    struct tk_repair repair = {.changes_request = false};
    int r = tk_history_read(rq, &history);

    if (r < 0 || history.answered)
        return r;
    r = tk_history_judge(rq, &history, &repair.judge);
    if (r < 0 || history.answered)
        return r;
    repair.judge.open_calls_stay = open_calls_stay(rq, &history.transcript);
    r = read_carried(rq, &repair.judge);
    /* No guard: a signed turn is stored as received, even with faults. */
    if (r == 0)
        r = tk_repair(&repair, false);
    if (r == 0)
        r = tk_history_tally(rq, &repair.judge.findings, &repair.edits);
    return r < 0 ? r : tk_answer_repair(rq, &repair, "content");
}
