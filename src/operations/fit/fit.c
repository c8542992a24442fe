/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>

#include "operations/fit/fit_inside.h"

struct tk_str tk_fit_encode(const struct tk_fit_plan *p, enum tk_codec codec,
                            void (*write)(struct tk_writer *w, struct tk_str text),
                            struct tk_str text)
{
    struct tk_encoding out;

    tk_encode_begin(&out, codec, p->t->arena);
    write(&out.w, text);
    return tk_encode_end(&out);
}

uint64_t tk_fit_text_part_size(const struct tk_fit_plan *p, struct tk_str text)
{
    struct tk_encoding out;

    tk_encode_begin(&out, TK_JSON, p->t->arena);
    p->t->shape->write_text(&out.w, tk_fit_encode(p, TK_JSON, tk_write_text_payload, text),
                            (struct tk_str){NULL, 0});
    return tk_encode_end(&out).n;
}

static int read_tools(struct tk_fit_plan *p)
{
    struct tk_val list = p->o->keep_tools;
    bool is_new;

    tk_map_init(&p->tools, p->t->arena, p->t->hash_key);
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        if (!tk_map_put(&p->tools, tk_text(v, p->t->arena), &is_new))
            return -ENOMEM;
    return 0;
}

/* Plans what the budget asks for. What pairing found at fault is of no use. */
static int plan(struct tk_fit_plan *p)
{
    int r = read_tools(p);

    if (r == 0)
        r = tk_fit_read_rounds(p);
    if (r == 0)
        r = tk_fit_take_measures(p);
    tk_findings_reset(&p->j->findings, p->t);
    return r;
}

int tk_fit(const struct tk_fit_options *options, struct tk_judge *j, struct tk_edits *e,
           struct tk_fitted *ret)
{
    struct tk_fit_plan p = {
        .o = options, .rules = options->rules, .j = j, .t = j->t, .e = e, .f = ret};
    int r = tk_judge_begin(j);

    *ret = (struct tk_fitted){.edits = e, .options = options, .marker = TK_NONE};
    if (r == 0) {
        tk_judge_protect(j);
        r = tk_fit_read_entries(&p);
    }
    if (r < 0)
        return r;
    ret->size_before = p.size;
    if (p.size > options->over)
        r = plan(&p);
    ret->size_after = p.size;
    ret->reached = p.size <= options->over;
    if (r == 0 && !ret->reached && !options->least)
        return TK_FIT_UNREACHABLE;
    return r < 0 ? r : tk_fit_make_edits(&p);
}
