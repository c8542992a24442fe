/* SPDX-License-Identifier: Apache-2.0 */
/* detect: whose history a list or a body is (PROTOCOL 5.12). */
#include "shapes/detect.h"

#include "methods/core/request.h"
#include "value/pointer.h"

/* Writes a name, or null. */
static void write_name(struct tk_writer *w, const char *key, const char *name)
{
    if (name) {
        tk_write_kv_cstr(w, key, name);
        return;
    }
    tk_write_key(w, key);
    tk_write_null(w);
}

/* Writes the place of the evidence as a pointer into the body; a list is a body's `messages`. */
static void write_place(struct tk_writer *w, struct tk_request *rq, struct tk_val at)
{
    struct tk_str pointer = tk_pointer_of(at, TK_STR(""), rq->arena);
    size_t head =
        strlen(tk_exists(tk_param(&rq->params, TK_P_REQUEST)) ? "/params/request" : "/params");

    if (pointer.n > head)
        tk_write_kv_str(w, "at", (struct tk_str){pointer.p + head, pointer.n - head});
    else
        write_name(w, "at", NULL);
}

int tk_method_detect(struct tk_request *rq)
{
    struct tk_val body = tk_param(&rq->params, TK_P_REQUEST);
    struct tk_val list = tk_param(&rq->params, TK_P_MESSAGES);
    struct tk_detected d;
    struct tk_writer *w;

    tk_detect(tk_exists(body) ? body : list, !tk_exists(body), rq->arena, &d);
    w = tk_answer_begin_result(rq);
    tk_write_map(w);
    write_name(w, "provider", d.provider);
    if (d.provider) {
        tk_write_kv_cstr(w, "dialect", d.dialect);
        tk_write_kv_cstr(w, "endpoint", d.endpoint);
    } else
        tk_write_kv_cstr(w, "looks_like", d.looks_like);
    tk_write_kv_bool(w, "sure", d.sure);
    tk_write_kv_str(w, "because", tk_detected_because(&d, rq->arena));
    write_place(w, rq, d.at);
    tk_write_end(w);
    return tk_answer_end(rq);
}
