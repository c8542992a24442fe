/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs ids: both halves of a pair get the same new id, and callers that name it. */
#include <errno.h>

#include "engine/protect.h"
#include "providers/anthropic/rules.h"
#include "providers/anthropic/state.h"
#include "shapes/shape.h"

static int set_id(struct tk_plan *p, uint32_t part, struct tk_str id)
{
    const struct tk_shape *d = p->j->t->shape;
    bool call = p->j->t->parts[part].kind == TK_PART_CALL;

    return tk_change_set(p->e, part, call ? &d->call_id : &d->result_id, tk_encode_text(p->e, id));
}

int tk_fix_id(struct tk_plan *p, uint32_t part, uint16_t code, struct tk_str id)
{
    int r;

    if (p->j->t->parts[part].flags & TK_PART_REMOVED)
        return 0; /* the partner was dropped, for example as a copy */
    r = tk_edit_rewritten(p->e, part, code);
    if (r == 0)
        r = tk_keep_sent_id(p->e, part);
    return r < 0 ? r : set_id(p, part, id);
}

/* ---- client pairs ---- */

int tk_fix_client_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_str old = tk_part_id(t, &t->parts[f->site.part]), id;
    uint32_t partner = tk_client_partner(p->j, f->site.part);
    uint16_t code = f->code;
    int r;

    (void)d;
    if (tk_id_has_form(old, &tk_client_id_form))
        return 0; /* renamed together with its partner */
    id = tk_id_of_form(t->arena, old, &tk_client_id_form);
    if (!id.p)
        return -ENOMEM;
    r = tk_fix_id(p, f->site.part, code, id);
    return r < 0 || partner == TK_NONE ? r : tk_fix_id(p, partner, code, id);
}

/* ---- provider-executed pairs ---- */

static int note_new_id(struct tk_plan *p, struct tk_str old, struct tk_str id)
{
    struct tk_anthropic_round *round = &tk_anthropic(p->j)->round;
    bool fresh;
    uint32_t *slot = tk_map_put(&round->renamed, old, &fresh);

    if (!slot ||
        !TK_GROW(p->j->t->arena, round->new_ids, round->new_id_count, round->new_id_capacity))
        return -ENOMEM;
    *slot = round->new_id_count;
    round->new_ids[round->new_id_count++] = id;
    return 0;
}

int tk_fix_server_id(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_transcript *t = p->j->t;
    struct tk_str old = tk_part_id(t, &t->parts[f->site.part]);
    struct tk_str id = tk_id_of_form(t->arena, old, &tk_server_id_form);
    int r = id.p ? 0 : -ENOMEM;

    (void)d;
    if (r == 0 && t->parts[f->site.part].kind == TK_PART_CALL)
        r = note_new_id(p, old, id);
    return r < 0 ? r : tk_fix_id(p, f->site.part, f->code, id);
}

static struct tk_path caller_path(const struct tk_shape *d)
{
    struct tk_path path = d->caller;
    int n = 0;

    while (path.keys[n])
        n++;
    for (int i = 0; d->caller_id.keys[i] && n < TK_PATH_MAX; i++)
        path.keys[n++] = d->caller_id.keys[i];
    return path;
}

/* True if the caller names no call; then it doesn't get the new id. provider_pairs/callers.c finds
 * those. */
static bool leads_nowhere(const struct tk_plan *p, uint32_t part)
{
    const struct tk_findings *f = &p->j->findings;

    for (uint32_t i = p->j->t->parts[part].finding; i != TK_NONE; i = f->list[i].next)
        if (f->list[i].code == TK_CODE_CALLER_REFERENCE_DANGLING)
            return true;
    return false;
}

static int rename_caller(struct tk_plan *p, uint32_t part)
{
    const struct tk_transcript *t = p->j->t;
    const struct tk_part *x = &t->parts[part];
    struct tk_path path = caller_path(t->shape);
    struct tk_val id = tk_path_get(tk_part_val(x, x->caller), &t->shape->caller_id);
    uint32_t *slot = tk_is(id, TK_STRING)
                         ? tk_map_get(&tk_anthropic(p->j)->round.renamed, tk_text(id, t->arena))
                         : NULL;
    int r = 0;

    if (!slot || leads_nowhere(p, part) || tk_is_protected(t, x->message))
        return 0;
    if (!tk_is_edited(p, part))
        r = tk_edit_rewritten(p->e, part, TK_CODE_SERVER_TOOL_ID_PATTERN);
    return r < 0 ? r
                 : tk_change_set(p->e, part, &path,
                                 tk_encode_text(p->e, tk_anthropic(p->j)->round.new_ids[*slot]));
}

int tk_rename_callers(struct tk_plan *p)
{
    const struct tk_transcript *t = p->j->t;
    int r = 0;

    if (tk_anthropic(p->j)->round.new_id_count == 0)
        return 0;
    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (t->parts[i].caller != TK_NO_NODE)
                r = rename_caller(p, i);
    return r;
}
