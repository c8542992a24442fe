/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs single parts: several data members, and calls and responses by themselves. */
#include <errno.h>

#include "providers/common/json_args.h"
#include "providers/gemini/rules.h"

static int set(struct tk_plan *p, const struct tk_finding *f, const struct tk_path *path,
               struct tk_str value)
{
    int r = value.p ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;

    return r < 0 ? r : tk_change_set(p->e, f->site.part, path, value);
}

/* ---- one part for each data member ---- */

static bool is_of_union(struct tk_val member)
{
    return !tk_is(member, TK_NULL) && tk_gemini_is_data(tk_gemini_member_of(member));
}

/* Returns the member that stays with the members that aren't data: the functionCall, else the first. */
static uint32_t member_that_stays(const struct tk_part *p)
{
    struct tk_val part = tk_part_val(p, p->node);
    struct tk_val call = tk_gemini_get(p, TK_GEMINI_FUNCTION_CALL), v = tk_first(part);

    while (!tk_exists(call) && tk_exists(v) && !is_of_union(v))
        v = tk_after(part, v);
    return tk_exists(call) ? call.node : v.node;
}

int tk_gem_fix_union(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_edit_split(p->e, f->site.part, f->code, is_of_union,
                         member_that_stays(&p->j->t->parts[f->site.part]));
}

/* ---- calls and responses ---- */

/* Returns the name of the response that answers a call, encoded; "unknown_tool" if it has none. */
static struct tk_str name_for(const struct tk_plan *p, uint32_t call)
{
    const struct tk_link *link = tk_part_link(&tk_gemini(p->j)->pairs, call);
    const struct tk_part *response =
        link->match == TK_MATCH_PAIR ? &p->j->t->parts[link->partner] : NULL;

    if (response && !tk_gem_is_blank(tk_part_val(response, response->name)))
        return tk_encode_text(p->e, tk_part_name(p->j->t, response));
    return tk_encode_text(p->e, TK_STR("unknown_tool"));
}

int tk_gem_fix_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    static const struct tk_path name = {{"functionCall", "name", [TK_OTHER(0)] = "function_call"}};

    (void)d;
    return set(p, f, &name, name_for(p, f->site.part));
}

int tk_gem_fix_args(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *call = &p->j->t->parts[f->site.part];

    (void)d;
    return set(p, f, &p->j->t->shape->input,
               tk_object_for(tk_part_val(call, call->payload), &tk_gemini(p->j)->tape, p->j->t));
}

int tk_gem_fix_response_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    static const struct tk_path path = {
        {"functionResponse", "response", [TK_OTHER(0)] = "function_response"}};
    const struct tk_part *response = &p->j->t->parts[f->site.part];
    struct tk_encoding out;

    (void)d;
    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_write_map(&out.w);
    tk_write_key(&out.w, "output");
    tk_write_val(&out.w, tk_part_val(response, response->payload));
    tk_write_end(&out.w);
    return set(p, f, &path, tk_encode_end(&out));
}
