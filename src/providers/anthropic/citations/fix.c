/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs citations (CATALOGUE 3.8). */
#include <errno.h>

#include "providers/anthropic/rules.h"
#include "shapes/shape.h"

static const struct tk_path enabled_path = {{"citations", "enabled"}};

int tk_drop_citations(struct tk_edits *e, uint32_t part, uint16_t code,
                      bool (*is_dead)(void *arg, struct tk_val citation), void *arg)
{
    const struct tk_part *p = &e->t->parts[part];
    const struct tk_path *path = &e->t->shape->citations;
    struct tk_val list = tk_path_get(tk_part_val(p, p->node), path);
    uint32_t index = 0, count = 0, all = tk_count(list);
    struct tk_element *dead;
    int r;

    if (!tk_is(list, TK_ARRAY))
        return 0;
    dead = tk_arena_alloc(e->t->arena, all * sizeof(*dead));
    if (!dead)
        return -ENOMEM;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v), index++)
        if (is_dead(arg, v))
            dead[count++] = (struct tk_element){.index = index};
    r = count == 0 ? 0 : tk_edit_rewritten(e, part, code);
    if (r < 0 || count == 0)
        return r;
    return count == all ? tk_change_remove(e, part, path)
                        : tk_change_elements(e, part, path, dead, count);
}

static bool lacks_index(void *arg, struct tk_val citation)
{
    (void)arg;
    return tk_citation_lacks_index(citation);
}

int tk_fix_bare_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    (void)d;
    return tk_drop_citations(p->e, f->site.part, f->code, lacks_index, NULL);
}

static struct tk_str boolean(const struct tk_plan *p, bool is)
{
    if (p->j->t->doc->codec == TK_JSON)
        return is ? TK_STR("true") : TK_STR("false");
    return is ? TK_STR("\xc3") : TK_STR("\xc2");
}

struct tk_decision tk_want_document_citations(struct tk_plan *p, const struct tk_finding *f,
                                              const struct tk_policy *policy)
{
    bool none_may = p->j->findings.by_code[TK_CODE_CITATIONS_WITH_STRUCTURED_OUTPUT] > 0;

    (void)f;
    return none_may && !policy->preserve ? tk_no_edit() : tk_edit_by(TK_ACTION_REWRITE);
}

int tk_fix_document_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    return r < 0 ? r : tk_change_set(p->e, f->site.part, &enabled_path, boolean(p, true));
}

struct tk_decision tk_want_no_citations(struct tk_plan *p, const struct tk_finding *f,
                                        const struct tk_policy *policy)
{
    (void)p;
    (void)f;
    return policy->preserve ? tk_edit_by(TK_ACTION_REWRITE) : tk_no_edit();
}

/* Notes a spot for each document of a result that gives citations. Returns how many. */
static uint32_t spots_in_result(struct tk_plan *p, struct tk_val blocks, struct tk_spot *spots)
{
    uint32_t count = 0;

    for (struct tk_val v = tk_first(blocks); tk_exists(v); v = tk_after(blocks, v))
        if (tk_is_document(v) && tk_gives_citations(v))
            spots[count++] = (struct tk_spot){tk_path_get(v, &enabled_path), boolean(p, false)};
    return count;
}

int tk_fix_citing_document(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_val blocks = tk_result_blocks(&p->j->t->parts[f->site.part]);
    struct tk_spot *spots = tk_arena_alloc(p->j->t->arena, tk_count(blocks) * sizeof(*spots));
    int r = spots ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;

    (void)d;
    if (r < 0)
        return r;
    if (!tk_exists(blocks))
        return tk_change_set(p->e, f->site.part, &enabled_path, boolean(p, false));
    return tk_change_spots(p->e, f->site.part, spots, spots_in_result(p, blocks, spots));
}
