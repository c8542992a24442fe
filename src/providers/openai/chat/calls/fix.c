/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include <errno.h>

#include "providers/common/json_args.h"
#include "providers/common/legal_names.h"
#include "providers/common/texts.h"
#include "providers/openai/chat/state.h"
#include "shapes/members.h"

static int set(struct tk_plan *p, const struct tk_finding *f, const struct tk_path *path,
               struct tk_str text)
{
    int r = text.p ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;

    return r < 0 ? r : tk_change_set(p->e, f->site.part, path, tk_encode_text(p->e, text));
}

/* A member `function` that is no object may hold the name and the arguments in a way of its own. */
struct tk_decision tk_chat_want_call(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    const struct tk_part *call = &p->j->t->parts[f->site.part];
    struct tk_str name = call->block == TK_CHAT_CUSTOM_CALL ? TK_STR("custom") : TK_STR("function");
    struct tk_val of_call = tk_get(tk_part_val(call, call->node), name);

    (void)policy;
    return tk_edit_by(tk_is_unreadable(of_call, TK_OBJECT) ? TK_ACTION_NONE : TK_ACTION_REWRITE);
}

int tk_chat_fix_hole(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_edit_drop(p->e, f->site.part, f->code);
}

int tk_chat_fix_tool_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    static const struct tk_path of_function = {{"function", "name"}},
                                of_custom = {{"custom", "name"}};
    const struct tk_part *call = &p->j->t->parts[f->site.part];
    struct tk_str name =
        tk_clean_name(p->j->t->arena, tk_part_name(p->j->t, call), TK_CHAT_NAME_MAX);

    (void)d;
    return set(p, f, call->block == TK_CHAT_CUSTOM_CALL ? &of_custom : &of_function, name);
}

int tk_chat_fix_arguments_type(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *call = &p->j->t->parts[f->site.part];
    struct tk_val arguments = tk_part_val(call, call->payload);

    (void)d;
    return set(p, f, &p->j->t->shape->input,
               !tk_exists(arguments) || tk_is(arguments, TK_NULL)
                   ? TK_STR("{}")
                   : tk_json_text(arguments, p->j->t->arena));
}

int tk_chat_fix_arguments_json(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *call = &p->j->t->parts[f->site.part];

    (void)d;
    return set(p, f, &p->j->t->shape->input,
               tk_object_text_for(tk_part_val(call, call->payload), p->j->t->arena));
}
