/* SPDX-License-Identifier: Apache-2.0 */
#include "request/change.h"

#include <errno.h>

#include "value/patch.h"

int tk_request_change_add(struct tk_request_change **list, struct tk_arena *arena,
                          struct tk_request_change change)
{
    struct tk_request_change *noted = tk_arena_alloc(arena, sizeof(*noted));

    if (!noted || !change.value.p || !change.whole.p)
        return -ENOMEM;
    while (*list)
        list = &(*list)->next;
    *noted = change;
    noted->next = NULL;
    *list = noted;
    return 0;
}

bool tk_request_is_changed(const struct tk_request_change *list)
{
    for (const struct tk_request_change *c = list; c; c = c->next)
        if (!c->holds)
            return true;
    return false;
}

const struct tk_request_view *tk_request_after(const struct tk_request_change *list,
                                               const struct tk_request_view *before)
{
    for (const struct tk_request_change *c = list; c; c = c->next)
        before = c->after;
    return before;
}

void tk_write_request_operations(struct tk_writer *w, const struct tk_request_change *list)
{
    for (const struct tk_request_change *c = list; c; c = c->next) {
        if (c->holds)
            continue;
        tk_patch_set(w, c->replaces, c->pointer);
        tk_write_raw(w, c->value);
        tk_write_end(w);
    }
}

static void write_whole(struct tk_writer *w, const void *arg)
{
    const struct tk_request_change *c = arg;

    tk_write_raw(w, c->whole);
}

size_t tk_request_members(const struct tk_request_change *list,
                          struct tk_member_change ret[TK_REQUEST_CHANGES_MAX])
{
    size_t n = 0;

    for (const struct tk_request_change *c = list; c && n < TK_REQUEST_CHANGES_MAX; c = c->next)
        if (!c->holds)
            ret[n++] = (struct tk_member_change){c->member, write_whole, c};
    return n;
}

void tk_write_request_values(struct tk_writer *w, const struct tk_request_change *list)
{
    bool has_betas = false;

    if (!list)
        return;
    tk_write_key(w, "set");
    tk_write_map(w);
    for (const struct tk_request_change *c = list; c; c = c->next) {
        tk_write_key_str(w, c->pointer);
        tk_write_raw(w, c->value);
        has_betas = has_betas || c->beta.p;
    }
    tk_write_end(w);
    if (!has_betas)
        return;
    tk_write_key(w, "betas");
    tk_write_list(w);
    for (const struct tk_request_change *c = list; c; c = c->next)
        if (c->beta.p)
            tk_write_str(w, c->beta);
    tk_write_end(w);
}
