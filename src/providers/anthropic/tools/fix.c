/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "providers/anthropic/cache/markers.h"
#include "providers/anthropic/text/as_text.h"
#include "shapes/shape.h"
#include "value/unicode.h"

static const struct tk_path content = {{"content"}};
static const struct tk_path found = {{"content", "tool_references"}};

/* Returns what takes the place of a reference: a text with the tool's name, or nothing. */
static struct tk_str replacement(struct tk_plan *p, struct tk_val reference, bool as_text)
{
    struct tk_str name = as_text ? tk_textify_block(p->j->t->arena, reference) : TK_STR("");

    return tk_is_blank(name) ? (struct tk_str){0}
                             : tk_encode_text_part(p->e, name, tk_marker_in(p->j->t, reference));
}

/* Collects the elements of a list that change. *ret_removed: how many of them are removed. */
static uint32_t collect(struct tk_plan *p, struct tk_val list, bool as_text,
                        struct tk_element *elements, uint32_t *ret_removed)
{
    uint32_t index = 0, count = 0;

    *ret_removed = 0;
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v), index++) {
        if (!tk_is_unknown_reference(p->j, v))
            continue;
        elements[count] = (struct tk_element){index, replacement(p, v, as_text)};
        *ret_removed += elements[count++].value.p == NULL;
    }
    return count;
}

int tk_fix_references(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *result = &p->j->t->parts[f->site.part];
    struct tk_val list = tk_tool_references(result);
    bool of_client = tk_is_result(result, false);
    uint32_t n = tk_count(list), count, removed;
    struct tk_element *elements = tk_arena_alloc(p->j->t->arena, n * sizeof(*elements));
    int r = elements ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;

    (void)d;
    if (r < 0)
        return r;
    count = collect(p, list, of_client, elements, &removed);
    if (of_client && removed == n)
        return tk_change_remove(p->e, f->site.part, &content);
    return tk_change_elements(p->e, f->site.part, of_client ? &content : &found, elements, count);
}
