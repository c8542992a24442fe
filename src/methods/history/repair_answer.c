/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/history/repair_answer.h"

#include "engine/edit/emit.h"
#include "engine/removed.h"
#include "engine/report.h"
#include "engine/way_out.h"
#include "methods/history/read_history.h"
#include "methods/params/providers.h"
#include "request/change.h"
#include "value/digest.h"
#include "value/rewrite.h"
#include "value/splice.h"

/* Returns the bytes, as received, of the turn that a repair leaves unchanged. */
static struct tk_str protected_bytes(const struct tk_request *rq, const struct tk_transcript *t)
{
    uint32_t node = t->messages[t->protected_message].sent;

    if (t->lone_turn)
        return tk_span(tk_param(&rq->params, TK_P_CONTENT));
    return tk_span((struct tk_val){t->doc, node});
}

static void write_protected(struct tk_writer *w, const struct tk_request *rq,
                            const struct tk_transcript *t)
{
    char hex[TK_SHA256_HEX];

    tk_write_key(w, "protected");
    if (t->protected_message == TK_NONE) {
        tk_write_null(w);
        return;
    }
    tk_write_map(w);
    tk_write_kv_int(w, "message_index", t->protected_message);
    tk_sha256_hex(protected_bytes(rq, t), hex);
    tk_write_kv_str(w, "sha256", (struct tk_str){hex, sizeof(hex)});
    tk_write_end(w);
}

static void write_list(struct tk_writer *w, const void *arg)
{
    tk_emit_list(w, arg);
}

/* Returns the list that was sent without a body: the content of a turn, or the messages. */
static struct tk_val list_sent(const struct tk_params *p)
{
    struct tk_val content = tk_param(p, TK_P_CONTENT);

    return tk_exists(content) ? content : tk_param(p, TK_P_MESSAGES);
}

/* Writes the changes of the body that was sent, or of the list if it was sent alone. */
static void write_splices(struct tk_writer *w, const struct tk_request *rq,
                          const struct tk_transcript *t)
{
    struct tk_val request = tk_param(&rq->params, TK_P_REQUEST);
    struct tk_rewrite made;

    if (tk_exists(request)) {
        const struct tk_member_change change = {tk_root_name(t->shape), write_list, t};

        tk_rewrite_begin(&made, request, NULL, rq->arena);
        tk_write_with_changes(&made.w, request, &change, 1);
    } else {
        tk_rewrite_begin(&made, list_sent(&rq->params), NULL, rq->arena);
        tk_emit_list(&made.w, t);
    }
    tk_rewrite_write(&made, w, "splices");
}

void tk_write_changed_list(struct tk_writer *w, const struct tk_request *rq,
                           const struct tk_transcript *t, const char *whole)
{
    enum tk_word form = tk_param_word(&rq->params, TK_P_RETURN);

    if (form == TK_WORD_REPORT)
        return;
    if (form == TK_WORD_SPLICES) {
        write_splices(w, rq, t);
        return;
    }
    tk_write_key(w, whole);
    tk_emit_list(w, t);
}

/* Writes the repaired list in the form that the parameter `return` asks for. */
static int write_outcome(struct tk_writer *w, const struct tk_request *rq, struct tk_repair *r,
                         const char *whole)
{
    if (tk_param_word(&rq->params, TK_P_RETURN) == TK_WORD_PATCH) {
        tk_write_key(w, "patch");
        return tk_emit_patch(w, &r->edits);
    }
    if (r->edits.count > 0)
        tk_write_changed_list(w, rq, r->judge.t, whole);
    return 0;
}

static struct tk_report report_on(const struct tk_request *rq, struct tk_repair *r)
{
    return (struct tk_report){
        .judge = &r->judge,
        .max = tk_max_violations(rq),
    };
}

void tk_write_repaired(struct tk_writer *w, const struct tk_request *rq, struct tk_repair *r)
{
    const struct tk_report report = report_on(rq, r);
    const struct tk_provider *provider = tk_params_provider(&rq->params);

    write_protected(w, rq, r->judge.t);
    tk_report_edits(w, &r->edits);
    if (provider->write_facts)
        provider->write_facts(w, r);
    tk_report_findings(w, &report);
}

static int write_quarantine(struct tk_writer *w, const struct tk_edits *edits)
{
    int err;

    tk_write_key(w, "quarantine");
    tk_write_list(w);
    err = tk_report_removed(w, edits, NULL);
    tk_write_end(w);
    return err;
}

int tk_answer_repair(struct tk_request *rq, struct tk_repair *r, const char *whole)
{
    struct tk_writer *w = tk_answer_begin_result(rq);
    int err;

    tk_write_map(w);
    tk_write_kv_bool(w, "changed", r->edits.count > 0);
    tk_write_kv_bool(w, "safe", r->judge.findings.errors == 0);
    err = write_outcome(w, rq, r, whole);
    tk_write_repaired(w, rq, r);
    tk_write_request_values(w, tk_request_changes(tk_params_provider(&rq->params), &r->judge));
    if (err == 0 && tk_param_bool(&rq->params, TK_P_RETURN_REMOVED))
        err = write_quarantine(w, &r->edits);
    tk_write_end(w);
    return err < 0 ? err : tk_answer_end(rq);
}

int tk_answer_unsafe(struct tk_request *rq, struct tk_repair *r)
{
    struct tk_report report = report_on(rq, r);
    struct tk_writer *w;
    int err = tk_way_back(r, &report.before);

    if (err < 0)
        return err;
    w = tk_answer_begin_error(rq, TK_ERR_UNSAFE_HISTORY, TK_NO_POINTER);
    report.sent = &r->edits;
    report.needed = &r->plan;
    tk_report_findings(w, &report);
    return tk_answer_end(rq);
}
