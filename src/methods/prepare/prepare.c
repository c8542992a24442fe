/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prepare: everything to do before a request is sent, in one call (OPERATIONS.md part D).
 *
 *     request --splice--> --tools--> --fit--> --repair--> what repair asks for --> beta values
 *
 * Each step works on the result of the previous steps and adds its operations to one patch. The
 * repair must know the beta values of the request that is sent, so it may run more than once.
 */
#include "methods/prepare/prepare.h"
#include "engine/edit/emit.h"
#include "methods/history/repair_answer.h"
#include "methods/params/providers.h"
#include "methods/prepare/answer_refusal.h"
#include "methods/prepare/splice_step.h"
#include "request/change.h"
#include "value/own.h"

#include <errno.h>

/* A step's condition, which is positive like all conditions: the request is answered. */
enum {
    STEP_ANSWERED = 1,
};

static int answered(int r)
{
    return r < 0 ? r : STEP_ANSWERED;
}

static int refuse(struct tk_prepare *p, const struct tk_refusal *refusal)
{
    return answered(tk_answer_refusal(p->rq, refusal));
}

/* ---- the steps ---- */

/* Refuses a request that continues a thread, which has no history to be judged. */
static int refuse_thread(struct tk_prepare *p)
{
    struct tk_refusal refusal = {0};

    return tk_refuse_thread(p->provider, p->body, &refusal) == TK_REFUSED ? refuse(p, &refusal) : 0;
}

/* Refuses a step that the caller asks for and that its provider doesn't have. */
static int check_provider(struct tk_prepare *p, bool asked, const void *rules, enum tk_param named)
{
    return asked && !rules ? answered(tk_refuse_provider(p->rq, named)) : 0;
}

/* Refuses what says how a turn was kept, also an empty list, where no turn is sealed. */
static int check_seals(struct tk_prepare *p)
{
    static const enum tk_param of_seals[] = {TK_P_SEALS, TK_P_PROVENANCE};

    for (size_t i = 0; i < sizeof(of_seals) / sizeof(of_seals[0]); i++) {
        struct tk_val v = tk_param(&p->rq->params, of_seals[i]);

        if (tk_exists(v) && !p->provider->seals)
            return answered(tk_refuse_provider(p->rq, of_seals[i]));
    }
    return 0;
}

/* A request is only prepared for a provider whose turns can be added, also if none is. */
static int check_splice(struct tk_prepare *p)
{
    return check_provider(p, true, p->provider->splice, TK_P_PROVIDER);
}

static int check_tools(struct tk_prepare *p)
{
    const struct tk_params *params = &p->rq->params;
    bool own = tk_exists(tk_param(params, TK_P_TOOLS_PROVIDER));

    return check_provider(p, tk_exists(tk_param(params, TK_P_ADD)),
                          tk_tools_step_provider(params)->tools,
                          own ? TK_P_TOOLS_PROVIDER : TK_P_PROVIDER);
}

static int do_splice(struct tk_prepare *p)
{
    struct tk_splice_input in;
    int r;

    if (!p->splices)
        return 0;
    r = tk_splice_step_input(p->rq, &in);
    if (r == 0)
        r = tk_splice(&in, &p->spliced);
    if (r == TK_REFUSED)
        return refuse(p, &p->spliced.refusal);
    if (r < 0 || p->spliced.action != TK_SPLICE_STOP)
        return r;
    p->rq->stage = NULL;
    return answered(tk_answer_stopped(p));
}

static bool has_assistant_message(const struct tk_prepare *p)
{
    for (uint32_t i = 0; p->splices && i < p->spliced.count; i++)
        if (p->spliced.messages[i].role == TK_ROLE_ASSISTANT)
            return true;
    return tk_has_assistant_message(p->messages);
}

/* Returns the messages of the body; if it has none, they are absent in its document. */
static struct tk_val messages_of(const struct tk_prepare *p)
{
    struct tk_val messages = tk_get(p->body, tk_root_name(p->provider->rules.shapes[0]));

    return tk_exists(messages) ? messages : (struct tk_val){p->body.doc, TK_NO_NODE};
}

static int do_tools(struct tk_prepare *p)
{
    struct tk_body_input made;
    int r = tk_tools_step_merge(&p->tools, p->rq, has_assistant_message(p));

    if (r == 0) {
        made = tk_prepare_changes(p, &p->tools.tools);
        p->body = tk_body_make(&made, &p->made);
        p->maker = p->body.doc == p->sent.doc ? NULL : &p->made;
        p->messages = messages_of(p);
        r = tk_exists(p->body) ? 0 : -ENOMEM;
    }
    if (r == 0)
        r = tk_read_request(p->provider, p->body, p->rq->arena, &p->request);
    if (r == 0)
        r = tk_tools_step_betas(&p->tools, &p->request, p->messages);
    return r == TK_REFUSED ? refuse(p, &p->tools.tools.refusal) : r;
}

static void write_fitted(struct tk_writer *w, const void *arg)
{
    const struct tk_prepare *p = arg;

    tk_emit_list(w, p->fitting.judge.t);
}

/* Makes the body with the fitted history, and reads it again. */
static int take_fitted(struct tk_prepare *p)
{
    const struct tk_member_change change = {tk_root_name(p->provider->rules.shapes[0]),
                                            write_fitted, p};
    struct tk_doc *doc;

    tk_rewrite_begin(&p->fitted, p->body, p->maker, p->rq->arena);
    tk_write_with_changes(&p->fitted.w, p->body, &change, 1);
    doc = tk_doc_of_own(tk_rewrite_join(&p->fitted), p->rq->hash_key, p->rq->arena);
    if (!doc)
        return -ENOMEM;
    p->maker = &p->fitted;
    p->body = tk_root(doc);
    p->messages = tk_get(p->body, change.key);
    tk_tools_step_see_messages(&p->tools, p->messages);
    return tk_read_request(p->provider, p->body, p->rq->arena, &p->request);
}

static int do_fit(struct tk_prepare *p)
{
    int r;

    if (!p->fits)
        return 0;
    r = tk_fit_step_read(p->rq, p->messages, &p->fit);
    if (r < 0 || p->fit.answered)
        return answered(r);
    r = tk_history_read_list(p->rq, &p->request, p->messages, &p->unfitted);
    if (r == 0 && p->unfitted.answered)
        return STEP_ANSWERED;
    if (r == 0)
        r = tk_history_judge_unsealed(p->rq, &p->unfitted, &p->fitting.judge);
    if (r == 0)
        r = tk_fit_step_run(p->rq, &p->fit, &p->fitting);
    if (r < 0 || p->fit.answered)
        return answered(r);
    return p->fit.fitted.changed ? take_fitted(p) : 0;
}

static int answer_unsafe(struct tk_prepare *p)
{
    int r = tk_history_tally(p->rq, &p->repair.judge.findings, NULL);

    if (r == 0)
        r = tk_answer_unsafe(p->rq, &p->repair);
    return answered(r);
}

/* Returns the facts of the messages after their repair, from the current value of each part. */
static struct tk_beta_scan scan_repaired(const struct tk_beta_rules *rules,
                                         const struct tk_transcript *t)
{
    struct tk_beta_scan scan = {0};

    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next) {
        if (!(t->messages[m].flags & TK_MESSAGE_MADE))
            rules->scan_message(&scan, (struct tk_val){t->messages[m].doc, t->messages[m].node});
        for (uint32_t i = t->messages[m].first; i != TK_NONE; i = t->parts[i].next)
            rules->scan_block(&scan, tk_part_val(&t->parts[i], t->parts[i].node), t->arena);
    }
    return scan;
}

/* Repairs the messages for a request with these beta values. Returns 0, STEP_ANSWERED, -ENOMEM or
 * -ECANCELED. */
static int repair_for(struct tk_prepare *p, const struct tk_known_betas *betas)
{
    bool guard = tk_param_bool(&p->rq->params, TK_P_GUARD);
    int r = tk_history_read_list(p->rq, &p->request, p->messages, &p->history);

    if (r < 0 || p->history.answered)
        return r < 0 ? r : STEP_ANSWERED;
    p->history.betas = *betas;
    r = tk_history_judge(p->rq, &p->history, &p->repair.judge);
    if (r < 0 || p->history.answered)
        return r < 0 ? r : STEP_ANSWERED;
    p->repair.changes_request = true;
    r = tk_repair(&p->repair, guard);
    return r == 0 && guard && p->repair.judge.findings.errors > 0 ? answer_unsafe(p) : r;
}

/* Returns the rest of the request as the repair left it. */
static const struct tk_request_view *request_after(const struct tk_prepare *p)
{
    return tk_request_after(tk_request_changes(p->provider, &p->repair.judge), &p->request);
}

/* Reads the facts about beta values from the request as the repair left it. */
static void see_repaired(struct tk_prepare *p)
{
    if (tk_request_changes(p->provider, &p->repair.judge))
        tk_tools_step_see(&p->tools, request_after(p));
    if (p->repair.edits.count > 0 && p->tools.in.provider->betas)
        p->tools.in_messages = scan_repaired(p->tools.in.provider->betas, p->repair.judge.t);
}

/*
 * Repairs until the repair was told no value that the request won't have: what needed a value may be
 * gone after it. Each time it is told only the values that were told before and are still needed, so
 * it is told fewer each time.
 */
static int do_repair(struct tk_prepare *p)
{
    const struct tk_beta_scan body = p->tools.in_body, messages = p->tools.in_messages;
    struct tk_known_betas told = {0};
    uint64_t lost;
    int r;

    if (p->tools.in.provider == p->provider)
        told = tk_tools_step_known(&p->tools);
    do {
        p->history = (struct tk_history_input){0};
        p->repair = (struct tk_repair){0};
        p->tools.in_body = body;
        p->tools.in_messages = messages;
        r = repair_for(p, &told);
        if (r != 0)
            return r;
        see_repaired(p);
        lost = told.has & ~tk_tools_step_known(&p->tools).has;
        told.has &= ~lost;
    } while (lost != 0);
    return tk_history_tally(p->rq, &p->repair.judge.findings, &p->repair.edits);
}

static int do_betas(struct tk_prepare *p)
{
    return tk_tools_step_complete(&p->tools, request_after(p));
}

/* ---- all of it ---- */

static const struct {
    const char *stage; /* name of the step in errors */
    int (*run)(struct tk_prepare *p);
} steps[] = {
    {"repair", check_seals}, {"splice", check_splice}, {"splice", refuse_thread},
    {"splice", do_splice},   {"tools", check_tools},   {"tools", do_tools},
    {"fit", do_fit},         {"repair", do_repair},    {"repair", do_betas},
};

int tk_method_prepare(struct tk_request *rq)
{
    struct tk_prepare p = {
        .rq = rq,
        .provider = tk_params_provider(&rq->params),
        .sent = tk_param(&rq->params, TK_P_REQUEST),
        .messages = tk_param(&rq->params, TK_P_MESSAGES),
        .splices = tk_exists(tk_param(&rq->params, TK_P_SPLICE)),
        .fits = tk_exists(tk_param(&rq->params, TK_P_FIT)),
    };

    p.body = p.sent;
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        int r;

        rq->stage = steps[i].stage;
        r = steps[i].run(&p);
        if (r != 0)
            return r < 0 ? r : 0;
    }
    rq->stage = NULL;
    return tk_answer_prepared(&p);
}

/* ---- the step that a parameter belongs to ---- */

static const struct {
    struct tk_str parameter;
    const char *stage;
} owners[] = {
    {TK_STR_INIT("splice"), "splice"},         {TK_STR_INIT("tools"), "tools"},
    {TK_STR_INIT("policy"), "repair"},         {TK_STR_INIT("guard"), "repair"},
    {TK_STR_INIT("seals"), "repair"},          {TK_STR_INIT("provenance"), "repair"},
    {TK_STR_INIT("max_violations"), "repair"}, {TK_STR_INIT("fit"), "fit"},
};

const char *tk_prepare_stage(struct tk_str pointer)
{
    static const struct tk_str params = TK_STR_INIT("/params/");
    struct tk_str name;
    const char *slash;

    if (!tk_str_starts(pointer, params))
        return NULL;
    name = (struct tk_str){pointer.p + params.n, pointer.n - params.n};
    slash = memchr(name.p, '/', name.n);
    if (slash)
        name.n = (size_t)(slash - name.p);
    for (size_t i = 0; i < sizeof(owners) / sizeof(owners[0]); i++)
        if (tk_str_eq(name, owners[i].parameter))
            return owners[i].stage;
    return NULL;
}
