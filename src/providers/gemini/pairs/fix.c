/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs pairs of functionCalls and functionResponses. */
#include <errno.h>

#include "engine/protect.h"
#include "providers/gemini/rules.h"
#include "value/unicode.h"

/* Returns the call that a stray claims; TK_NONE: it claims none. */
static uint32_t claimed_by(const struct tk_plan *p, uint32_t response)
{
    const struct tk_link *link = tk_part_link(&tk_gemini(p->j)->pairs, response);

    return link->match == TK_MATCH_CLAIM ? link->partner : TK_NONE;
}

struct tk_decision tk_gem_want_response_placed(struct tk_plan *p, const struct tk_finding *f,
                                               const struct tk_policy *policy)
{
    if (claimed_by(p, f->site.part) != TK_NONE)
        return tk_edit_by(TK_ACTION_MOVE);
    return policy->unmatched_result == TK_FIX_REPORT ? tk_no_edit() : tk_edit_by(TK_ACTION_TEXTIFY);
}

/* Moves a response to the answer of the turn with the call that it claims. An entry that was dropped may
 * have made it the last response of that answer: then it stays. */
static int move(struct tk_plan *p, const struct tk_finding *f, uint32_t call)
{
    struct tk_gem_place *place;
    int r = tk_gem_place_of(p, call, &place);

    if (r == 0 && place->after == f->site.part)
        return 0;
    if (r == 0)
        r = tk_edit_move(p->e, f->site.part, f->code, place->message, place->after);
    if (r == 0)
        place->after = f->site.part;
    return r;
}

static int textify(struct tk_plan *p, const struct tk_finding *f)
{
    struct tk_str text = tk_gem_as_text(p->j, f->site.part);
    int r;

    if (!text.p)
        return -ENOMEM;
    if (tk_is_blank(text))
        return tk_edit_drop(p->e, f->site.part, f->code);
    r = tk_edit_textify(p->e, f->site.part, f->code, text);
    return r == 0 ? tk_gem_leaves(p, f->site.part) : r;
}

int tk_gem_fix_stray(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return d.action == TK_ACTION_MOVE ? move(p, f, claimed_by(p, f->site.part)) : textify(p, f);
}

struct tk_decision tk_gem_want_response(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->unanswered_call == TK_FIX_REPORT ? tk_no_edit()
                                                    : tk_edit_by(TK_ACTION_INSERT_RESULT);
}

/* A protected call without id and name can't be given a name, so no response would find it. */
bool tk_gem_may_answer(const struct tk_plan *p, const struct tk_finding *f)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_part *call = &t->parts[f->site.part];

    return !tk_is_protected(t, call->message) || tk_part_id(t, call).n > 0 ||
           !tk_gem_is_blank(tk_part_val(call, call->name));
}

int tk_gem_fix_unanswered(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_gem_place *place;
    int r = tk_gem_place_of(p, f->site.part, &place);

    (void)d;
    if (r == 0)
        r = tk_edit_unexecuted(p->e, f->site.part, f->code, place->message, place->after);
    if (r == 0)
        place->after = p->j->t->part_count - 1;
    return r;
}

int tk_gem_fix_response_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    static const struct tk_path path = {
        {"functionResponse", "name", [TK_OTHER(0)] = "function_response"}};
    const struct tk_transcript *t = p->j->t;
    uint32_t call = tk_part_link(&tk_gemini(p->j)->pairs, f->site.part)->partner;
    struct tk_str name = tk_encode_text(p->e, tk_part_name(t, &t->parts[call]));
    int r = name.p ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;

    (void)d;
    return r < 0 ? r : tk_change_set(p->e, f->site.part, &path, name);
}

int tk_gem_fix_text_after(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    int r = tk_edit_part(p->e, f->site.part, f->code, TK_ACTION_MOVE);

    (void)d;
    return r < 0 ? r : tk_gem_leaves(p, f->site.part);
}
