/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs the members of the client's calls (CATALOGUE 3.6). */
#include <errno.h>

#include "providers/anthropic/provider_pairs/mend.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "providers/common/json_args.h"
#include "providers/common/legal_names.h"

static const struct tk_path name_path = {{"name"}};
static const struct tk_path input_path = {{"input"}};

int tk_fix_tool_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_str name =
        tk_short_name(t->arena, tk_part_name(t, &t->parts[f->site.part]), TK_TOOL_NAME_MAX);
    int r = name.p ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;

    (void)d;
    return r < 0 ? r : tk_change_set(p->e, f->site.part, &name_path, tk_encode_text(p->e, name));
}

int tk_fix_tool_input(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *call = &p->j->t->parts[f->site.part];
    struct tk_val input = tk_part_val(call, call->payload);
    struct tk_str object = tk_object_for(input, &tk_anthropic(p->j)->pairing.input, p->j->t);
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    return r < 0 ? r : tk_change_set(p->e, f->site.part, &input_path, object);
}
