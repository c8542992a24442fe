/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of prepare: one patch or the whole body, and the results of each step. */
#include "engine/edit/emit.h"
#include "engine/removed.h"
#include "methods/history/repair_answer.h"
#include "methods/prepare/prepare.h"
#include "methods/prepare/splice_step.h"
#include "request/change.h"

/* ---- changes ---- */

struct tk_body_input tk_prepare_changes(const struct tk_prepare *p, const struct tk_tools *tools)
{
    return (struct tk_body_input){
        .arena = p->rq->arena,
        .hash_key = p->rq->hash_key,
        .codec = p->rq->codec,
        .request = p->sent,
        .spliced = p->splices ? &p->spliced : NULL,
        .tools = tools,
    };
}

static bool splice_changed(const struct tk_prepare *p)
{
    return p->splices && (tk_splice_changes_messages(&p->spliced) || tk_exists(p->spliced.set));
}

/* Returns the changes of the request outside its history. */
static const struct tk_request_change *changes_of(const struct tk_prepare *p)
{
    return tk_request_changes(p->provider, &p->repair.judge);
}

static bool changed(const struct tk_prepare *p)
{
    return splice_changed(p) || p->tools.tools.tools.changed || p->tools.tools.servers.changed ||
           p->fit.fitted.changed || p->repair.edits.count > 0 ||
           tk_request_is_changed(changes_of(p)) || p->tools.sets_betas;
}

/* ---- as a patch ---- */

static int write_patch(struct tk_writer *w, const struct tk_prepare *p)
{
    int r;

    tk_write_key(w, "patch");
    tk_write_list(w);
    if (p->splices)
        tk_splice_write_operations(w, &p->spliced, true);
    tk_tools_write_operations(w, &p->tools.tools);
    r = p->fits ? tk_fit_write_operations(w, &p->fit.fitted) : 0;
    if (r == 0)
        r = tk_emit_operations(w, &p->repair.edits);
    tk_write_request_operations(w, changes_of(p));
    if (p->tools.sets_betas)
        tk_write_betas_operation(w, &p->tools);
    tk_write_end(w);
    return r;
}

/* ---- as a body ---- */

static void write_messages(struct tk_writer *w, const void *arg)
{
    const struct tk_prepare *p = arg;

    tk_emit_list(w, p->repair.judge.t);
}

/* Writes the whole body as one value. */
static void write_body(struct tk_writer *w, const struct tk_prepare *p)
{
    struct tk_member_change changes[TK_REQUEST_CHANGES_MAX + 2];
    size_t n = 0;

    if (p->repair.edits.count > 0)
        changes[n++] = (struct tk_member_change){tk_root_name(p->provider->rules.shapes[0]),
                                                 write_messages, p};
    n += tk_request_members(changes_of(p), &changes[n]);
    if (p->tools.sets_betas)
        changes[n++] = tk_betas_change(&p->tools);
    if (n > 0)
        tk_write_with_changes(w, p->body, changes, n);
    else
        tk_write_val(w, p->body);
}

/* Writes the body with the changes of splice alone, as one value. */
static void write_spliced(struct tk_writer *w, const struct tk_prepare *p)
{
    const struct tk_body_input in = tk_prepare_changes(p, NULL);
    struct tk_member_change changes[TK_BODY_CHANGES_MAX];

    tk_write_with_changes(w, p->sent, changes, tk_body_changes(&in, changes));
}

/*
 * Writes a changed body: whole, or as changes of the bytes that were sent. write() writes it, as a
 * new version of `old`: the body as sent, or what steps made of it, the last of them with `maker`.
 */
static void write_outcome(struct tk_writer *w, const struct tk_prepare *p, struct tk_val old,
                          const struct tk_rewrite *maker,
                          void (*write)(struct tk_writer *w, const struct tk_prepare *p))
{
    struct tk_rewrite made;

    if (tk_param_word(&p->rq->params, TK_P_RETURN) == TK_WORD_REQUEST) {
        tk_write_key(w, "request");
        write(w, p);
        return;
    }
    tk_rewrite_begin(&made, old, maker, p->rq->arena);
    write(&made.w, p);
    tk_rewrite_write(&made, w, "splices");
}

/* ---- the answers ---- */

static bool wants_patch(const struct tk_prepare *p)
{
    return tk_param_word(&p->rq->params, TK_P_RETURN) == TK_WORD_PATCH;
}

static void write_notes(struct tk_writer *w, const struct tk_prepare *p, bool tools)
{
    tk_write_key(w, "notes");
    tk_write_map(w);
    tk_write_key(w, "splice"); /* empty if the caller asked for no splice */
    tk_splice_write_notes(w, &p->spliced);
    if (tools) {
        tk_write_key(w, "tools");
        tk_tools_write_notes(w, &p->tools.tools);
    }
    tk_write_end(w);
}

static void write_fit(struct tk_writer *w, const struct tk_prepare *p)
{
    if (!p->fits)
        return;
    tk_write_key(w, "fit");
    tk_write_map(w);
    tk_fit_step_write(w, p->rq, &p->fit, &p->fitting);
    tk_write_end(w);
}

/* Writes what fit and repair took away, if the caller asked for it. done: both steps were run. */
static int write_quarantine(struct tk_writer *w, const struct tk_prepare *p, bool done)
{
    int r = 0;

    if (!tk_param_bool(&p->rq->params, TK_P_RETURN_REMOVED))
        return 0;
    tk_write_key(w, "quarantine");
    tk_write_list(w);
    if (done && p->fits)
        tk_fit_write_quarantine(w, &p->fit.fitted, "fit");
    if (done)
        r = tk_report_removed(w, &p->repair.edits, "repair");
    tk_write_end(w);
    return r;
}

/* Writes the headers that the request needs. A provider without beta values needs none. */
static void write_headers(struct tk_writer *w, const struct tk_prepare *p)
{
    if (p->provider->betas) {
        tk_write_headers(w, &p->tools);
        return;
    }
    tk_write_key(w, "headers");
    tk_write_map(w);
    tk_write_end(w);
}

static void begin(struct tk_writer *w, const struct tk_prepare *p, bool is_changed)
{
    enum tk_splice_action action = p->splices ? p->spliced.action : TK_SPLICE_CONTINUE;

    tk_write_map(w);
    tk_write_kv_cstr(w, "action", tk_splice_action_name(action));
    tk_write_kv_bool(w, "changed", is_changed);
}

int tk_answer_prepared(struct tk_prepare *p)
{
    struct tk_writer *w = tk_answer_begin_result(p->rq);
    bool is_changed = changed(p);
    int r = 0;

    begin(w, p, is_changed);
    tk_write_kv_bool(w, "safe", p->repair.judge.findings.errors == 0);
    if (wants_patch(p))
        r = write_patch(w, p);
    else if (is_changed)
        write_outcome(w, p, p->body, p->maker, write_body);
    if (p->splices)
        tk_write_deferred(w, &p->spliced);
    write_headers(w, p);
    write_notes(w, p, true);
    write_fit(w, p);
    tk_write_repaired(w, p->rq, &p->repair);
    if (r == 0)
        r = write_quarantine(w, p, true);
    tk_write_end(w);
    return r < 0 ? r : tk_answer_end(p->rq);
}

int tk_answer_stopped(struct tk_prepare *p)
{
    struct tk_writer *w = tk_answer_begin_result(p->rq);

    begin(w, p, splice_changed(p));
    if (wants_patch(p)) {
        tk_write_key(w, "patch");
        tk_write_list(w);
        tk_splice_write_operations(w, &p->spliced, true);
        tk_write_end(w);
    } else if (splice_changed(p)) {
        write_outcome(w, p, p->sent, NULL, write_spliced);
    }
    tk_write_deferred(w, &p->spliced);
    write_notes(w, p, false);
    (void)write_quarantine(w, p, false);
    tk_write_end(w);
    return tk_answer_end(p->rq);
}
