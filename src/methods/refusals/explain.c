/* SPDX-License-Identifier: Apache-2.0 */
/* explain: which rules a provider's refusal belongs to, by its words. */
#include "methods/refusals/refusal.h"
#include "value/cut.h"

static void write_place(struct tk_writer *w, const struct tk_words_place *place)
{
    tk_write_key(w, "place");
    tk_write_map(w);
    if (place->pointer.p)
        tk_write_kv_str(w, "pointer", place->pointer);
    if (place->message >= 0)
        tk_write_kv_int(w, "message", place->message);
    if (place->block >= 0)
        tk_write_kv_int(w, "block", place->block);
    if (place->id.p)
        tk_write_kv_str(w, "id", tk_cut(place->id, w->out->arena));
    tk_write_end(w);
}

static void write_action(struct tk_writer *w, const char *key, const char *action)
{
    tk_write_key(w, key);
    if (action)
        tk_write_cstr(w, action);
    else
        tk_write_null(w);
}

static void write_match(struct tk_writer *w, const struct tk_match *match)
{
    struct tk_wording wording = tk_wording(match->number);

    tk_write_map(w);
    tk_write_kv_cstr(w, "code", wording.code);
    tk_write_kv_cstr(w, "provider", wording.provider);
    tk_write_kv_cstr(w, "severity", tk_severity_name(wording.severity));
    tk_write_kv_bool(w, "judged", wording.judged);
    tk_write_kv_str(w, "text", match->text);
    write_action(w, "action", wording.action);
    if (wording.preserve)
        write_action(w, "preserve", wording.preserve);
    tk_write_kv_cstr(w, "provider_error", wording.provider_error);
    write_place(w, &match->place);
    tk_write_end(w);
}

int tk_method_explain(struct tk_request *rq)
{
    struct tk_explanation explanation;
    struct tk_writer *w;
    int r = tk_explain_refusal(rq, &explanation);

    if (r < 0)
        return r;
    w = tk_answer_begin_result(rq);
    tk_write_map(w);
    tk_write_key(w, "matches");
    tk_write_list(w);
    for (unsigned i = 0; i < explanation.count; i++)
        write_match(w, &explanation.matches[i]);
    tk_write_end(w);
    tk_write_end(w);
    return tk_answer_end(rq);
}
