/* SPDX-License-Identifier: Apache-2.0 */
#include "shapes/shape.h"

#include "shapes/members.h"

const struct tk_adapter tk_no_adapter = {0};

const struct tk_shape *const tk_shapes[TK_SHAPE_COUNT + 1] = {
#define ROW(id, shape, name) [TK_SHAPE_##id] = &(shape),
    TK_SHAPES(ROW)
#undef ROW
};

struct tk_val tk_find_messages(struct tk_val body, const struct tk_shape **ret_shape)
{
    for (const struct tk_shape *const *shape = tk_shapes; *shape; shape++) {
        struct tk_val list = tk_get(body, tk_root_name(*shape));

        if (tk_exists(list)) {
            *ret_shape = *shape;
            return list;
        }
    }
    return TK_NO_VAL;
}

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

void tk_read_role(const struct tk_role_name *r, struct tk_message *m, struct tk_str role)
{
    while (r->name.p && !tk_str_eq(role, r->name))
        r++;
    m->role = r->role;
    m->flags |= r->flags;
}

/* Returns the index of a member in the shape's list; -1: it isn't one of them. */
static int index_of_member(const struct tk_shape *d, struct tk_val member)
{
    for (int i = 0; d->message_members && d->message_members[i].p; i++)
        if (tk_has_key(member.doc, member.node, d->message_members[i]))
            return i;
    return -1;
}

bool tk_dialect_knows(const struct tk_shape *d, struct tk_val member)
{
    return tk_key_is(member, TK_STR("role")) || tk_key_is(member, tk_parts_name(d)) ||
           (d->message_options && tk_key_is(member, tk_str_of(d->message_options))) ||
           (d->calls.p && tk_key_is(member, tk_calls_name(d))) || index_of_member(d, member) >= 0;
}

/* Notes a member that is neither the role nor a list of parts. */
static void note_member(const struct tk_shape *d, struct tk_message *m, struct tk_val member,
                        struct tk_arena *arena)
{
    int i = index_of_member(d, member);

    if (i >= 0 && i < 16)
        m->noted |= (uint16_t)(1u << i);
    else if (i < 0 && !tk_dialect_knows(d, member))
        m->flags |= tk_member_kind(member, arena) < TK_MEMBER_WORDS
                        ? TK_MESSAGE_EXTRA
                        : TK_MESSAGE_EXTRA | TK_MESSAGE_KEPT;
}

void tk_shape_read_message(const struct tk_shape *d, struct tk_message *m, struct tk_arena *arena)
{
    struct tk_val v = {m->doc, m->node}, role = TK_NO_VAL;
    struct tk_str parts = tk_parts_name(d), calls = tk_calls_name(d);

    m->content = m->calls = TK_NO_NODE;
    m->noted = 0;
    if (d->read_message) {
        d->read_message(m, arena);
        return;
    }
    for (struct tk_val member = tk_first(v); tk_exists(member); member = tk_after(v, member)) {
        if (tk_has_key(member.doc, member.node, TK_STR("role")))
            role = member;
        else if (tk_has_key(member.doc, member.node, parts))
            m->content = member.node;
        else if (calls.n > 0 && tk_has_key(member.doc, member.node, calls))
            m->calls = member.node;
        else if (d->message_options && tk_key_is(member, tk_str_of(d->message_options)))
            m->options = member.node;
        else
            note_member(d, m, member, arena);
    }
    if (!tk_exists(role) || tk_is(role, TK_NULL))
        m->flags |= TK_MESSAGE_NO_ROLE;
    tk_read_role(d->roles, m, tk_text(role, arena));
    if (d->is_whole && d->is_whole(v))
        m->flags |= TK_MESSAGE_WHOLE;
    /* A rewrite may make an unknown role the assistant's, and then these calls were sent. */
    if (m->calls != TK_NO_NODE && m->role != TK_ROLE_ASSISTANT && m->role != TK_ROLE_OTHER)
        m->calls = TK_NO_NODE;
}

const struct tk_shape *tk_shape_by_name(struct tk_str name)
{
    for (const struct tk_shape *const *d = tk_shapes; *d; d++)
        if (tk_str_is(name, (*d)->name))
            return *d;
    return NULL;
}

struct tk_val tk_get_spelled(struct tk_val v, struct tk_str name, struct tk_str other)
{
    struct tk_val null = TK_NO_VAL;

    for (struct tk_val m = tk_first(v); tk_exists(m) && tk_is(v, TK_OBJECT); m = tk_after(v, m)) {
        if (!tk_has_key(m.doc, m.node, name) && !tk_has_key(m.doc, m.node, other))
            continue;
        if (!tk_is(m, TK_NULL))
            return m;
        null = tk_exists(null) ? null : m;
    }
    return null;
}

struct tk_val tk_path_step(struct tk_val v, const struct tk_path *path, int step)
{
    struct tk_str name = tk_str_of(path->keys[step]);
    const char *other = path->keys[TK_OTHER(step)];

    return other ? tk_get_spelled(v, name, tk_str_of(other)) : tk_get(v, name);
}

struct tk_val tk_path_get(struct tk_val v, const struct tk_path *path)
{
    for (int i = 0; i < TK_PATH_MAX && path->keys[i]; i++) {
        v = tk_path_step(v, path, i);
        if (!tk_exists(v))
            return TK_NO_VAL;
    }
    return v;
}

struct tk_str tk_tool_in_type(struct tk_str type)
{
    struct tk_str tail = TK_STR("_tool_result");

    return type.p && tk_str_ends(type, tail) ? (struct tk_str){type.p, type.n - tail.n}
                                             : (struct tk_str){0};
}

struct tk_str tk_message_id(const struct tk_shape *d, const struct tk_message *m,
                            struct tk_arena *arena)
{
    return tk_text(tk_path_get((struct tk_val){m->doc, m->node}, &d->message_id), arena);
}

struct tk_str tk_message_tool(const struct tk_shape *d, const struct tk_message *m,
                              struct tk_arena *arena)
{
    return tk_text(tk_path_get((struct tk_val){m->doc, m->node}, &d->message_name), arena);
}

void tk_read_role_of_parts(struct tk_transcript *t, uint32_t message)
{
    struct tk_message *m = &t->messages[message];

    if (t->shape->role_of_parts && (m->flags & TK_MESSAGE_NO_ROLE))
        m->role = (uint8_t)t->shape->role_of_parts(t, message);
}

struct tk_str tk_own_tool(const struct tk_transcript *t, const struct tk_part *p)
{
    struct tk_str name = tk_part_name(t, p);

    return !name.p && t->shape->name_in_type ? t->shape->name_in_type(p, t->arena) : name;
}

bool tk_has_text(struct tk_val v)
{
    return tk_is(v, TK_STRING) && tk_raw(v).n > 0;
}

bool tk_says_nothing(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next) {
        const struct tk_part *p = &t->parts[i];
        struct tk_val text = tk_part_val(p, p->payload);

        if (p->kind != TK_PART_TEXT || (tk_has_text(text) && !tk_text_is_blank(text)))
            return false;
    }
    return true;
}
