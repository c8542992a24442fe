/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/rules.h"

#include "engine/fix.h"
#include "providers/common/legal_names.h"
#include "providers/openai/responses/ids/approvals.h"
#include "providers/openai/responses/ids/unit.h"
#include "providers/openai/responses/text/textify.h"
#include "providers/policy.h"

/* ---- what is wanted ---- */

static struct tk_decision drop_unless_kept(const struct tk_plan *p, uint32_t item)
{
    return tk_item_is_kept(p->j->t, item) ? tk_no_edit() : tk_edit_by(TK_ACTION_DROP);
}

static struct tk_decision rewrite_unless_azure(const struct tk_plan *p, uint32_t item)
{
    return tk_id_must_stay(p->j, item) ? tk_no_edit() : tk_edit_by(TK_ACTION_REWRITE);
}

struct tk_decision tk_want_resent(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy)
{
    (void)policy;
    return drop_unless_kept(p, f->site.entry);
}

struct tk_decision tk_want_persisted(struct tk_plan *p, const struct tk_finding *f,
                                     const struct tk_policy *policy)
{
    (void)policy;
    return tk_item_is(p->j->t, f->site.entry, TK_ITEM_REFERENCE)
               ? drop_unless_kept(p, f->site.entry)
               : rewrite_unless_azure(p, f->site.entry);
}

struct tk_decision tk_want_own_ciphertext(struct tk_plan *p, const struct tk_finding *f,
                                          const struct tk_policy *policy)
{
    (void)policy;
    return rewrite_unless_azure(p, f->site.entry);
}

/* Returns true if the item is a copy of the first one that has its id. */
static bool is_copy(struct tk_plan *p, uint32_t item)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_str id = tk_text(tk_item_id(t, item), t->arena);
    const uint32_t *first = tk_map_get(&tk_responses(p->j)->item_ids, id);

    return first && *first != item && !(t->messages[*first].flags & TK_MESSAGE_DROPPED) &&
           tk_items_are_equal(p, *first, item, NULL);
}

struct tk_decision tk_want_item_id_once(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    uint32_t item = f->site.entry;

    if (policy->duplicate_id == TK_FIX_REPORT)
        return tk_no_edit();
    if (!tk_item_is_kept(p->j->t, item) &&
        (tk_item_is(p->j->t, item, TK_ITEM_REFERENCE) || is_copy(p, item)))
        return tk_edit_by(TK_ACTION_DROP);
    if (tk_item_at(p->j->t, item)->flags & TK_ITEM_NEEDS_ID)
        return tk_want_text(p, item);
    return rewrite_unless_azure(p, item);
}

struct tk_decision tk_want_prefix(struct tk_plan *p, const struct tk_finding *f,
                                  const struct tk_policy *policy)
{
    (void)policy;
    return tk_item_is(p->j->t, f->site.entry, TK_ITEM_WEB_SEARCH)
               ? drop_unless_kept(p, f->site.entry)
               : rewrite_unless_azure(p, f->site.entry);
}

struct tk_decision tk_want_short_item_id(struct tk_plan *p, const struct tk_finding *f,
                                         const struct tk_policy *policy)
{
    (void)policy;
    return rewrite_unless_azure(p, f->site.entry);
}

/* Returns true if one of the entries of a list has a text. */
static bool has_text(struct tk_val list)
{
    for (struct tk_val v = tk_first(list); tk_is(list, TK_ARRAY) && tk_exists(v);
         v = tk_after(list, v))
        if (tk_has_text(tk_get(v, TK_STR("text"))))
            return true;
    return tk_has_text(list);
}

/* Returns true for reasoning of which nothing is left without the id. */
static bool says_nothing(const struct tk_transcript *t, uint32_t item)
{
    return !tk_exists(tk_ciphertext(t, item)) &&
           !has_text(tk_item_get(t, item, TK_STR("summary"))) &&
           !has_text(tk_item_get(t, item, TK_STR("content")));
}

struct tk_decision tk_want_reasoning_alone(struct tk_plan *p, const struct tk_finding *f,
                                           const struct tk_policy *policy)
{
    uint32_t item = f->site.entry;

    (void)policy;
    if (!tk_id_must_stay(p->j, item) && !tk_item_is_kept(p->j->t, item) &&
        says_nothing(p->j->t, item))
        return tk_edit_by(TK_ACTION_DROP);
    return rewrite_unless_azure(p, item);
}

/* ---- the fixes ---- */

/* Deletes the item's id; if it is reasoning, those of its unit, too. */
static int lose_id(struct tk_plan *p, uint32_t item, uint16_t code)
{
    bool has_id = tk_exists(tk_item_id(p->j->t, item));
    int r = tk_item_lose_id(p, item, code);

    if (r == 0 && has_id && tk_item_is(p->j->t, item, TK_ITEM_REASONING))
        r = tk_unit_lose_ids(p, item, code);
    return r;
}

int tk_fix_item_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    if (d.action == TK_ACTION_DROP)
        return tk_item_drop(p, f->site.entry, f->code);
    if (d.action == TK_ACTION_TEXTIFY)
        return tk_item_textify(p, f->site.entry, f->code);
    return lose_id(p, f->site.entry, f->code);
}

int tk_fix_ciphertext(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t item = f->site.entry;
    bool has_id = tk_exists(tk_item_id(p->j->t, item));
    int r = tk_item_line(p, item, f->code, TK_ACTION_REWRITE);

    (void)d;
    if (r == 0)
        r = tk_item_remove(p, item, "encrypted_content");
    if (r < 0 || !has_id)
        return r;
    r = tk_item_remove(p, item, "id");
    return r == 0 ? tk_unit_lose_ids(p, item, f->code) : r;
}

/* Returns an id of the same kind as a long one: its letters up to and with the first `_`, and 32 hex
 * digits. */
static struct tk_str shortened(struct tk_str id, struct tk_arena *arena)
{
    enum {
        MOST_LETTERS = 8
    };
    char head[MOST_LETTERS + 2];
    size_t n = 0;

    while (n < id.n && n < MOST_LETTERS &&
           ((id.p[n] >= 'a' && id.p[n] <= 'z') || (id.p[n] >= 'A' && id.p[n] <= 'Z')))
        n++;
    n = n < id.n && id.p[n] == '_' ? n + 1 : 0;
    memcpy(head, id.p, n);
    head[n] = '\0';
    return tk_digest_id(arena, head, id, 32);
}

/* Shortens an `id` that is needed, or by which a local shell's output pairs. */
static int shorten_id(struct tk_plan *p, uint32_t item, uint16_t code)
{
    struct tk_str old = tk_text(tk_item_get(p->j->t, item, TK_STR("id")), p->j->t->arena);
    struct tk_str id = shortened(old, p->j->t->arena);
    int r = tk_item_set_text(p, item, "id", id);

    return r == 0 && tk_item_is(p->j->t, item, TK_ITEM_APPROVAL_REQUEST)
               ? tk_approvals_follow(p, old, id, code)
               : r;
}

static bool needs_id(const struct tk_transcript *t, uint32_t item)
{
    return (tk_item_at(t, item)->flags & TK_ITEM_NEEDS_ID) ||
           (tk_item_is(t, item, TK_ITEM_LOCAL_SHELL_OUTPUT) && !tk_exists(tk_item_id(t, item)));
}

int tk_fix_long_item_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    uint32_t item = f->site.entry;
    struct tk_str call_id;
    int r = tk_item_line(p, item, f->code, TK_ACTION_REWRITE);

    (void)d;
    if (r == 0 && tk_call_id_is_long(t, item)) {
        call_id = tk_text(tk_item_get(t, item, TK_STR("call_id")), t->arena);
        r = tk_item_set_text(p, item, "call_id", tk_digest_id(t->arena, "call_", call_id, 32));
    }
    if (r < 0 || !tk_item_id_is_long(t, item))
        return r;
    if (needs_id(t, item))
        return shorten_id(p, item, f->code);
    r = tk_item_remove(p, item, "id");
    return r == 0 && tk_item_is(t, item, TK_ITEM_REASONING) ? tk_unit_lose_ids(p, item, f->code)
                                                            : r;
}

int tk_fix_lone_reasoning(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    return d.action == TK_ACTION_DROP ? tk_item_drop(p, f->site.entry, f->code)
                                      : tk_item_lose_id(p, f->site.entry, f->code);
}

/* ---- item_ids: strip ---- */

bool tk_strips_item_ids(const struct tk_repair *r)
{
    return tk_own_policy(&r->judge)->strip_item_ids && !tk_has_server_state(&r->judge);
}

/* On Azure, reasoning keeps its id, and so does the unit of which it is. */
struct unit_walk {
    bool azure;
    bool reasoning; /* the item before is reasoning */
    bool keeps;     /* the unit has reasoning with an id */
};

static bool is_stripped(struct unit_walk *w, const struct tk_transcript *t, uint32_t item)
{
    bool reasoning = tk_item_is(t, item, TK_ITEM_REASONING);

    if (!tk_item_is_models(t, item) || (reasoning && !w->reasoning))
        w->keeps = false;
    w->reasoning = reasoning;
    if (w->azure && reasoning) {
        w->keeps = w->keeps || tk_exists(tk_item_id(t, item));
        return false;
    }
    if (!reasoning && !(tk_item_at(t, item)->flags & TK_ITEM_FREE))
        return false;
    return !w->keeps;
}

int tk_strip_item_ids(struct tk_repair *r, const struct tk_step *step)
{
    struct unit_walk w = {.azure = tk_responses(&r->judge)->azure};
    const struct tk_transcript *t = r->judge.t;
    uint32_t before = r->edits.steps;
    int err = 0;

    (void)step;
    for (uint32_t m = t->first_message; m != TK_NONE && err == 0; m = t->messages[m].next)
        if (is_stripped(&w, t, m) && tk_exists(tk_item_id(t, m)))
            err = tk_item_lose_id(&r->plan, m, TK_CODE_RESP_ITEM_IDS_STRIPPED);
    return err == 0 && r->edits.steps > before ? tk_judge(&r->judge) : err;
}
