/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs citations (CATALOGUE 3.8). */
#include <errno.h>

#include "providers/anthropic/citations/find.h"
#include "providers/anthropic/citations/fix.h"
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

int tk_fix_document_citations(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_str yes = p->j->t->doc->codec == TK_JSON ? TK_STR("true") : TK_STR("\xc3");
    int r = tk_edit_rewritten(p->e, f->site.part, f->code);

    (void)d;
    return r < 0 ? r : tk_change_set(p->e, f->site.part, &enabled_path, yes);
}
