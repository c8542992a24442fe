/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs compaction blocks (CATALOGUE 3.11). */
#include "engine/protect.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"

static const struct tk_path content_path = {{"content"}};

int tk_fix_empty_compaction(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_str null = p->j->t->doc->codec == TK_JSON ? TK_STR("null") : TK_STR("\xc0");
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    return r < 0 ? r : tk_change_set(p->e, f->site.part, &content_path, null);
}

/* Returns true if a message before the block's must not be dropped, or all that have a role are
 * there: what is left would be no history (RULES.md 8). */
static bool follows_kept(const struct tk_transcript *t, uint32_t part)
{
    uint32_t message = t->parts[part].message, with_role = 0;

    while ((message = t->messages[message].prev) != TK_NONE) {
        if (t->messages[message].flags & TK_MESSAGE_KEPT)
            return true;
        with_role += !(t->messages[message].flags & TK_MESSAGE_NO_ROLE);
    }
    return with_role > 0 && with_role == t->with_role;
}

/* The newest block sums up all that precedes it, older compaction blocks included. */
struct tk_decision tk_want_compaction_first(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy)
{
    bool goes = policy->preserve && f->site.part == tk_anthropic(p->j)->newest_compaction &&
                !follows_kept(p->j->t, f->site.part);

    return tk_edit_by(goes ? TK_ACTION_DROP_MESSAGE : TK_ACTION_NONE);
}

/* Walks only for the newest block, so that many blocks take linear time. */
bool tk_may_put_compaction_first(const struct tk_plan *p, const struct tk_finding *f)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t message = t->parts[f->site.part].message;

    if (f->site.part != tk_anthropic(p->j)->newest_compaction)
        return true;
    if (t->parts[f->site.part].prev != TK_NONE && tk_is_protected(t, message))
        return false;
    while ((message = t->messages[message].prev) != TK_NONE)
        if (tk_is_protected(t, message))
            return false;
    return true;
}

/* Drops all that precedes the block. */
int tk_fix_compaction_first(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_transcript *t = p->j->t;
    uint32_t message = t->parts[f->site.part].message;
    int r = 0;

    (void)d;
    while (t->first_message != message && r == 0)
        r = tk_edit_drop_message(p->e, t->first_message, f->code);
    while (t->messages[message].first != f->site.part && r == 0)
        r = tk_edit_drop(p->e, t->messages[message].first, f->code);
    return r;
}
