/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/rules.h"

#include <errno.h>

#include "providers/common/json_args.h"
#include "providers/common/legal_names.h"
#include "providers/common/texts.h"
#include "providers/openai/responses/item.h"

static int set(struct tk_plan *p, const struct tk_finding *f, const char *name, struct tk_str text)
{
    int r = tk_item_line(p, f->site.entry, f->code, TK_ACTION_REWRITE);

    return r == 0 ? tk_item_set_text(p, f->site.entry, name, text) : r;
}

int tk_fix_argument_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    bool custom = tk_item_is(p->j->t, f->site.entry, TK_ITEM_CUSTOM_CALL);
    const char *name = custom ? "input" : "arguments";
    struct tk_val v = tk_item_get(p->j->t, f->site.entry, tk_str_of(name));

    (void)d;
    return set(p, f, name, tk_json_text(v, p->j->t->arena));
}

int tk_fix_arguments(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_val v = tk_item_get(p->j->t, f->site.entry, TK_STR("arguments"));

    (void)d;
    return set(p, f, "arguments", tk_object_text_for(v, p->j->t->arena));
}

int tk_fix_call_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_val v = tk_item_get(p->j->t, f->site.entry, TK_STR("name"));
    struct tk_str name = tk_text(v, p->j->t->arena);

    (void)d;
    name = tk_clean_name(p->j->t->arena, name, TK_LONGEST_CALL_NAME);
    return name.p ? set(p, f, "name", name) : -ENOMEM;
}
