/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/ids/approvals.h"

#include <errno.h>

#include "providers/openai/responses/item.h"

#define REQUEST_ID "approval_request_id"

static int note(struct tk_approvals *a, const struct tk_transcript *t, uint32_t item)
{
    struct tk_val id = tk_item_get(t, item, TK_STR(REQUEST_ID));
    struct tk_str text;
    uint32_t *last;
    bool is_new;

    if (!tk_has_text(id))
        return 0;
    text = tk_text(id, t->arena);
    last = text.p ? tk_map_put(&a->named, text, &is_new) : NULL;
    if (!last)
        return -ENOMEM;
    a->before[item] = is_new ? TK_NONE : *last;
    *last = item;
    return 0;
}

/* Fills the map, backwards, so that the items of an id are gone over in the order of the document. */
static int note_all(struct tk_approvals *a, const struct tk_transcript *t)
{
    int r = 0;

    a->before = tk_arena_alloc(t->arena, t->message_count * sizeof(*a->before));
    if (!a->before)
        return -ENOMEM;
    for (uint32_t m = t->last_message; m != TK_NONE && r == 0; m = t->messages[m].prev)
        if (tk_item_is(t, m, TK_ITEM_APPROVAL_RESPONSE) || tk_item_is(t, m, TK_ITEM_MCP_CALL))
            r = note(a, t, m);
    a->known = r == 0;
    return r;
}

int tk_approvals_follow(struct tk_plan *p, struct tk_str old, struct tk_str id, uint16_t code)
{
    struct tk_approvals *a = &tk_responses(p->j)->approvals;
    int r = a->known ? 0 : note_all(a, p->j->t);
    const uint32_t *last = r == 0 ? tk_map_get(&a->named, old) : NULL;

    for (uint32_t m = last ? *last : TK_NONE; m != TK_NONE && r == 0; m = a->before[m]) {
        r = tk_item_line(p, m, code, TK_ACTION_REWRITE);
        if (r == 0)
            r = tk_item_set_text(p, m, REQUEST_ID, id);
    }
    return r;
}
