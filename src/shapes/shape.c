/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes/shape.h"

const struct tk_dialect *const tk_dialects[] = {
    &tk_dialect_anthropic,
    &tk_dialect_fantasy,
    &tk_dialect_ai_sdk,
    NULL,
};

const struct tk_role_name tk_wire_roles[] = {
    {TK_STR_INIT("user"), TK_ROLE_USER, 0},
    {TK_STR_INIT("assistant"), TK_ROLE_ASSISTANT, 0},
    {TK_STR_INIT("system"), TK_ROLE_SYSTEM, 0},
    {{NULL, 0}, TK_ROLE_OTHER, 0},
};

const struct tk_role_name tk_adapter_roles[] = {
    {TK_STR_INIT("user"), TK_ROLE_USER, 0},
    {TK_STR_INIT("assistant"), TK_ROLE_ASSISTANT, 0},
    {TK_STR_INIT("tool"), TK_ROLE_USER, TK_MESSAGE_TOOL},
    {TK_STR_INIT("system"), TK_ROLE_SYSTEM, TK_MESSAGE_TRANSPARENT},
    {{NULL, 0}, TK_ROLE_OTHER, 0},
};

void tk_dialect_read_message(const struct tk_dialect *d, struct tk_message *m,
                             struct tk_arena *arena)
{
    struct tk_val v = {m->doc, m->node};
    struct tk_str role = tk_text(tk_get(v, TK_STR("role")), arena);
    const struct tk_role_name *r = d->roles;

    while (r->name.p && !tk_str_eq(role, r->name))
        r++;
    m->role = r->role;
    m->flags |= r->flags;
    m->content = tk_get(v, TK_STR("content")).node;
    if (d->message_options)
        m->options = tk_get(v, tk_str_of(d->message_options)).node;
}

const struct tk_dialect *tk_dialect_by_name(struct tk_str name)
{
    for (const struct tk_dialect *const *d = tk_dialects; *d; d++)
        if (tk_str_is(name, (*d)->name))
            return *d;
    return NULL;
}

struct tk_val tk_path_get(struct tk_val v, const struct tk_path *path)
{
    for (int i = 0; i < TK_PATH_MAX && path->keys[i]; i++) {
        v = tk_get(v, tk_str_of(path->keys[i]));
        if (!tk_exists(v))
            return TK_NO_VAL;
    }
    return v;
}

bool tk_has_text(struct tk_val v)
{
    return tk_is(v, TK_STRING) && tk_raw(v).n > 0;
}
