/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/site.h"

#include "value/pointer.h"

static bool is_inside(const struct tk_doc *doc, uint32_t container, uint32_t node)
{
    return container < node && node < doc->nodes[container].next;
}

/* Returns the child of a container that is or holds the site. Counts the children before it, from
 * `child` on, in *index. */
static struct tk_val child_with(struct tk_val container, uint32_t site, struct tk_val child,
                                uint32_t *index)
{
    for (; tk_node(child)->next <= site; child = tk_after(container, child))
        ++*index;
    return child;
}

/* Goes on to a list's element that is or holds the site. */
static struct tk_val element_with(struct tk_val list, uint32_t site, struct tk_site_walk *walk)
{
    struct tk_val child = {list.doc, walk->child};

    if (walk->list != list.node || walk->child > site) {
        walk->list = list.node;
        walk->index = 0;
        child = tk_first(list);
    }
    child = child_with(list, site, child, &walk->index);
    walk->child = child.node;
    return child;
}

/* Appends the keys from a value down to the site, or to the first list on the way. Returns that list
 * or the site. */
static struct tk_val put_keys(struct tk_out *out, struct tk_val at, uint32_t site,
                              struct tk_arena *arena)
{
    while (at.node != site && tk_is(at, TK_OBJECT)) {
        uint32_t index = 0;

        at = child_with(at, site, tk_first(at), &index);
        tk_pointer_put(out, tk_key(at, arena));
    }
    return at;
}

/* Appends the pointer to the first list on the way to the site, and remembers it. Returns the list,
 * or the site if there is none. */
static struct tk_val put_way_to_list(struct tk_out *out, struct tk_val body, uint32_t site,
                                     struct tk_site_walk *walk, struct tk_arena *arena)
{
    if (walk->list != TK_NO_NODE && is_inside(body.doc, walk->list, site)) {
        tk_out_put(out, walk->pointer.p, walk->pointer.n);
        return (struct tk_val){body.doc, walk->list};
    }
    body = put_keys(out, body, site, arena);
    walk->list = TK_NO_NODE;
    walk->pointer = tk_out_join(out);
    return body;
}

struct tk_str tk_site_pointer(const struct tk_request_view *request, const struct tk_site *site,
                              struct tk_site_walk *walk, struct tk_arena *arena)
{
    struct tk_out out;
    struct tk_val at;

    if (site->at == TK_NO_NODE)
        return TK_STR("");
    tk_out_init(&out, arena);
    at = put_way_to_list(&out, request->body, site->at, walk, arena);
    if (!walk->pointer.p)
        return (struct tk_str){0};
    if (at.node != site->at) {
        at = element_with(at, site->at, walk);
        tk_pointer_put_index(&out, walk->index);
        at = put_keys(&out, at, site->at, arena);
    }
    while (at.node != site->at) {
        uint32_t index = 0;

        at = child_with(at, site->at, tk_first(at), &index);
        tk_pointer_put_index(&out, index);
        at = put_keys(&out, at, site->at, arena);
    }
    return tk_out_join(&out);
}
