/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/patched.h"

#include "value/number.h"
#include "value/splice.h"

#include <errno.h>

/* largest number of members of a body that one patch edits */
#define EDITS_MAX 8

/* A member of the body that the patch gives another value. */
struct member_patch {
    struct tk_str name;
    struct tk_val base;  /* as received, or absent */
    struct tk_str whole; /* the new value; `.p == NULL` if the member is an edited list */
    struct tk_val next;  /* the base's first element that isn't in the new list yet */
    struct tk_val *list;
    uint32_t count, capacity;
};

struct patching {
    struct tk_arena *arena;
    struct tk_val document;
    struct tk_str list;
    struct member_patch edits[EDITS_MAX];
    size_t count;
};

/* ---- lists ---- */

static int push(struct patching *p, struct member_patch *e, struct tk_val v)
{
    if (!TK_GROW(p->arena, e->list, e->count, e->capacity))
        return -ENOMEM;
    e->list[e->count++] = v;
    return 0;
}

/* Copies elements of the base until the new list has `until` elements; UINT32_MAX: all that are
 * left. */
static int advance(struct patching *p, struct member_patch *e, uint32_t until)
{
    while (e->count < until && tk_exists(e->next)) {
        if (push(p, e, e->next) < 0)
            return -ENOMEM;
        e->next = tk_after(e->base, e->next);
    }
    return until == UINT32_MAX || e->count == until ? 0 : -EPROTO;
}

static int append(struct patching *p, struct member_patch *e, struct tk_val value)
{
    int r = advance(p, e, UINT32_MAX);

    return r < 0 ? r : push(p, e, value);
}

/* Replaces one element, or removes it if value is absent. */
static int replace(struct patching *p, struct member_patch *e, struct tk_str place,
                   struct tk_val value)
{
    int64_t index;
    int r;

    if (!tk_int64_of(place, &index) || index < 0 || index >= UINT32_MAX)
        return -EPROTO;
    r = advance(p, e, (uint32_t)index);
    if (r < 0 || !tk_exists(e->next))
        return r < 0 ? r : -EPROTO;
    e->next = tk_after(e->base, e->next);
    return tk_exists(value) ? push(p, e, value) : 0;
}

/* ---- operations ---- */

/* Returns the body's member as it was received. */
static struct tk_val member_of(const struct patching *p, struct tk_str name)
{
    if (tk_is(p->document, TK_OBJECT))
        return tk_get(p->document, name);
    return tk_str_eq(name, p->list) ? p->document : TK_NO_VAL;
}

static struct member_patch *edit_of(struct patching *p, struct tk_str name)
{
    for (size_t i = 0; i < p->count; i++)
        if (tk_str_eq(p->edits[i].name, name))
            return &p->edits[i];
    if (p->count == EDITS_MAX)
        return NULL;
    p->edits[p->count] = (struct member_patch){.name = name, .base = member_of(p, name)};
    p->edits[p->count].next = tk_first(p->edits[p->count].base);
    return &p->edits[p->count++];
}

static int set_inside(struct patching *p, struct member_patch *e, struct tk_str key,
                      struct tk_val value)
{
    struct tk_encoding out;

    tk_encode_begin(&out, TK_JSON, p->arena);
    tk_write_with_member(&out.w, e->base, key, value);
    e->whole = tk_encode_end(&out);
    return e->whole.p ? 0 : -ENOMEM;
}

/* Applies one operation to a member. `rest` is the path after the member; `rest.p == NULL` if there
 * is none. */
static int apply(struct patching *p, struct member_patch *e, struct tk_str rest, struct tk_val op)
{
    struct tk_val value = tk_get(op, TK_STR("value"));
    bool removes = tk_text_is(tk_get(op, TK_STR("op")), TK_STR("remove"));

    if (removes == tk_exists(value) || e->whole.p)
        return -EPROTO;
    if (!rest.p) {
        e->whole = removes ? (struct tk_str){NULL, 0} : tk_span(value);
        return removes ? -EPROTO : 0;
    }
    if (tk_is(e->base, TK_OBJECT))
        return removes ? -EPROTO : set_inside(p, e, rest, value);
    if (!tk_is(e->base, TK_ARRAY))
        return -EPROTO;
    return tk_str_is(rest, "-") ? append(p, e, value)
                                : replace(p, e, rest, removes ? TK_NO_VAL : value);
}

static int read_operation(struct patching *p, struct tk_val op)
{
    struct tk_str path = tk_text(tk_get(op, TK_STR("path")), p->arena), rest = {NULL, 0};
    const char *slash;
    struct member_patch *e;

    if (path.n < 2 || path.p[0] != '/')
        return -EPROTO;
    path = (struct tk_str){path.p + 1, path.n - 1};
    slash = memchr(path.p, '/', path.n);
    if (slash) {
        rest = (struct tk_str){slash + 1, (size_t)(path.p + path.n - slash - 1)};
        path.n = (size_t)(slash - path.p);
    }
    if (!tk_is(p->document, TK_OBJECT) && !tk_str_eq(path, p->list))
        return 0;
    e = edit_of(p, path);
    return e ? apply(p, e, rest, op) : -EPROTO;
}

/* ---- writing ---- */

/* Writes the new list. Elements that were neighbours in the base keep the bytes between them;
 * others get a comma. */
static void write_list(struct tk_out *out, const struct member_patch *e)
{
    tk_out_put(out, "[", 1);
    for (uint32_t i = 0; i < e->count;) {
        uint32_t last = i;

        while (last + 1 < e->count && e->list[last].doc == e->base.doc &&
               e->list[last + 1].doc == e->base.doc &&
               tk_node(e->list[last])->next == e->list[last + 1].node)
            last++;
        if (i > 0)
            tk_out_put(out, ",", 1);
        tk_out_ref(out, tk_span_between(e->list[i], e->list[last]));
        i = last + 1;
    }
    tk_out_put(out, "]", 1);
}

static void write_edit(struct tk_out *out, const struct member_patch *e)
{
    if (e->whole.p)
        tk_out_ref(out, e->whole);
    else
        write_list(out, e);
}

static void write_new_members(struct tk_out *out, const struct patching *p, bool any)
{
    for (size_t i = 0; i < p->count; i++) {
        if (tk_exists(p->edits[i].base))
            continue;
        tk_out_put(out, any ? ",\"" : "\"", any ? 2 : 1);
        tk_out_put(out, p->edits[i].name.p, p->edits[i].name.n);
        tk_out_put(out, "\":", 2);
        write_edit(out, &p->edits[i]);
        any = true;
    }
}

static const struct member_patch *edit_at(const struct patching *p, struct tk_val member)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->edits[i].base.node == member.node)
            return &p->edits[i];
    return NULL;
}

static void write_body(struct tk_out *out, const struct patching *p)
{
    struct tk_str all = tk_span(p->document);
    const char *at = all.p;
    bool any = false;

    for (struct tk_val v = tk_first(p->document); tk_exists(v); v = tk_after(p->document, v)) {
        const struct member_patch *e = edit_at(p, v);
        struct tk_str span = tk_span(v);

        any = true;
        tk_out_ref(out, (struct tk_str){at, (size_t)(span.p - at)});
        at = span.p + span.n;
        if (e)
            write_edit(out, e);
        else
            tk_out_ref(out, span);
    }
    if (!any) /* an empty object: write its "{" first */
        tk_out_put(out, at++, 1);
    write_new_members(out, p, any);
    tk_out_ref(out, (struct tk_str){at, (size_t)(all.p + all.n - at)});
}

int cli_patched_write(struct tk_out *out, struct tk_val document, struct tk_str list,
                      struct tk_val patch)
{
    struct patching p = {.arena = out->arena, .document = document, .list = list};
    int r = tk_is(patch, TK_ARRAY) ? 0 : -EPROTO;

    for (struct tk_val v = r == 0 ? tk_first(patch) : TK_NO_VAL; tk_exists(v) && r == 0;
         v = tk_after(patch, v))
        r = read_operation(&p, v);
    for (size_t i = 0; i < p.count && r == 0; i++)
        if (!p.edits[i].whole.p)
            r = advance(&p, &p.edits[i], UINT32_MAX);
    if (r < 0)
        return r;
    if (tk_is(document, TK_OBJECT))
        write_body(out, &p);
    else if (p.count > 0)
        write_edit(out, &p.edits[0]);
    else
        tk_out_ref(out, tk_is(document, TK_ARRAY) ? tk_span(document) : TK_STR("[]"));
    return tk_arena_failed(out->arena) ? -ENOMEM : 0;
}
