/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include <errno.h>

#include "providers/openai/chat/state.h"

/* ---- a system message that comes late ---- */

struct tk_decision tk_chat_want_late_system(struct tk_plan *p, const struct tk_finding *f,
                                            const struct tk_policy *policy)
{
    (void)policy;
    return tk_chat_texts(p->j->t, f->site.entry).p ? tk_edit_by(TK_ACTION_REWRITE) : tk_no_edit();
}

int tk_chat_fix_late_system(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_str parts[] = {TK_STR("<system>"), tk_chat_texts(p->j->t, f->site.entry),
                             TK_STR("</system>")};
    struct tk_str text = parts[1].p ? tk_arena_concat(p->j->t->arena, parts, 3) : parts[1];
    int r = text.p ? tk_edit_message(p->e, f->site.entry, f->code, d.action) : -ENOMEM;

    if (r == 0)
        r = tk_message_set(p->e, f->site.entry, "role", tk_encode_text(p->e, TK_STR("user")));
    return r < 0 ? r : tk_message_set(p->e, f->site.entry, "content", tk_encode_text(p->e, text));
}

/* ---- messages between others ---- */

static int add(struct tk_plan *p, const struct tk_finding *f, uint32_t after, const char *role,
               const char *content)
{
    int r = tk_edit_message(p->e, f->site.entry, f->code, TK_ACTION_REWRITE);
    struct tk_encoding out;

    if (r < 0)
        return r;
    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_write_map(&out.w);
    tk_write_kv_cstr(&out.w, "role", role);
    tk_write_kv_cstr(&out.w, "content", content);
    tk_write_end(&out.w);
    return tk_edit_new_message(p->e, after, tk_encode_end(&out)) == TK_NONE ? -ENOMEM : 0;
}

int tk_chat_fix_user_after_tool(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return add(p, f, p->j->t->messages[f->site.entry].prev, "assistant", ".");
}

struct tk_decision tk_chat_want_last_user(struct tk_plan *p, const struct tk_finding *f,
                                          const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->prefill == TK_FIX_REPORT ? tk_no_edit() : tk_edit_by(TK_ACTION_REWRITE);
}

int tk_chat_fix_last_assistant(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return add(p, f, f->site.entry, "user", "Continue.");
}

/* ---- neighbours of one role ---- */

struct tk_decision tk_chat_want_joined(struct tk_plan *p, const struct tk_finding *f,
                                       const struct tk_policy *policy)
{
    (void)policy;
    return tk_edit_by(
        tk_chat_may_join(p->j->t, p->j->t->messages[f->site.entry].prev, f->site.entry, true)
            ? TK_ACTION_MERGE
            : TK_ACTION_NONE);
}

static bool always(const struct tk_transcript *t, uint32_t first, uint32_t second)
{
    (void)t;
    (void)first;
    (void)second;
    return true;
}

int tk_chat_fix_same_roles(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_chat_join(p->e, p->j->t->messages[f->site.entry].prev, f->code, true, always);
}

/* Returns true if a message between the two was dropped. */
static bool has_gap(const struct tk_transcript *t, uint32_t first, uint32_t second)
{
    (void)second;
    return (t->messages[first].flags & TK_MESSAGE_GAP) != 0;
}

bool tk_chat_is_merging(const struct tk_repair *r)
{
    return r->judge.policy->merge_adjacent != TK_MERGE_NEVER && r->edits.steps > 0 &&
           (r->judge.has & TK_HAS_HISTORY);
}

int tk_chat_merge(struct tk_repair *r, const struct tk_step *step)
{
    struct tk_transcript *t = r->judge.t;
    uint32_t before = r->edits.steps;
    int err = 0;

    (void)step;
    for (uint32_t m = t->first_message; m != TK_NONE && err == 0; m = t->messages[m].next)
        err = tk_chat_join(&r->edits, m, TK_CODE_CHAT_ROLES_NOT_ALTERNATING, false,
                           r->judge.policy->merge_adjacent == TK_MERGE_ALL ? always : has_gap);
    return err == 0 && r->edits.steps > before ? tk_judge(&r->judge) : err;
}
