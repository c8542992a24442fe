/* SPDX-License-Identifier: Apache-2.0 */
/* Merges what deltas bring. */
#include "providers/openai/chat/stream/chat_merge.h"
#include "value/unicode.h"

/* ---- groups ---- */

enum {
    FEW = 8, /* members that are looked for one by one */
};

static struct tk_chat_value *found(struct tk_chat_values *group, uint32_t i)
{
    group->last = i;
    return &group->all[i];
}

struct tk_chat_value *tk_chat_value_find(struct tk_chat_values *group, struct tk_str name)
{
    const uint32_t *known;

    if (group->count == 0)
        return NULL;
    if (tk_str_eq(group->all[group->last].name, name))
        return &group->all[group->last];
    if (group->by_name) {
        known = tk_map_get(group->by_name, name);
        return known ? found(group, *known) : NULL;
    }
    for (uint32_t i = 0; i < group->count; i++)
        if (tk_str_eq(group->all[i].name, name))
            return found(group, i);
    return NULL;
}

/* Puts members from `first` on into the table; makes the table. */
static void index_from(struct tk_stream_turn *t, struct tk_chat_values *group, uint32_t first)
{
    bool is_new;

    if (!group->by_name) {
        group->by_name = tk_arena_zalloc(t->keep, 1, sizeof(*group->by_name));
        if (!group->by_name)
            return;
        tk_map_init(group->by_name, t->keep, tk_turn_hash_key(t));
    }
    for (uint32_t i = first; i < group->count; i++) {
        uint32_t *at =
            group->all[i].name.p ? tk_map_put(group->by_name, group->all[i].name, &is_new) : NULL;

        if (at && is_new)
            *at = i;
    }
}

/* Adds a member; name: `.p == NULL` for an entry that nothing joins. Returns NULL without memory. */
static struct tk_chat_value *add(struct tk_stream_turn *t, struct tk_chat_values *group,
                                 struct tk_str name)
{
    struct tk_chat_value *m;

    if (!TK_GROW(t->keep, group->all, group->count, group->capacity))
        return NULL;
    m = &group->all[group->count++];
    *m = (struct tk_chat_value){.name = name.p ? tk_arena_dup(t->keep, name) : name};
    group->last = group->count - 1;
    if (group->count > FEW)
        index_from(t, group, group->by_name ? group->last : 0);
    return m;
}

/* ---- keeping ---- */

static void keep(struct tk_stream_turn *t, struct tk_chat_value *m, struct tk_val v)
{
    m->kind = TK_CHAT_VALUE_KEPT;
    m->value_kind = (uint8_t)tk_node(v)->kind;
    m->kept = tk_keep(t->keep, v);
}

static bool is_kept(const struct tk_chat_value *m, enum tk_kind kind)
{
    return m->kind == TK_CHAT_VALUE_KEPT && m->value_kind == kind;
}

/* Returns by what an entry of a list is joined; `.p == NULL` if by nothing. */
static struct tk_str key_of(struct tk_stream_turn *t, struct tk_val entry, enum tk_merge_rule rule)
{
    const struct tk_str none = {NULL, 0};
    struct tk_val index = tk_get(entry, TK_STR("index"));
    struct tk_str type = tk_text(tk_get(entry, TK_STR("type")), t->arena);
    int64_t at = -1;

    if (!tk_is(entry, TK_OBJECT))
        return none;
    if (rule == TK_MERGE_CONTENT)
        return type.p && (tk_str_is(type, "text") || tk_str_is(type, "thinking")) ? type : none;
    if (rule == TK_MERGE_DETAILS &&
        !(type.p && (tk_str_is(type, "reasoning.text") || tk_str_is(type, "reasoning.summary"))))
        return none;
    if (!tk_int64(index, &at) && rule == TK_MERGE_INDEXED)
        return none;
    return tk_arena_printf(t->arena, "%lld %.*s", (long long)at, (int)type.n, type.p ? type.p : "");
}

/* Takes a kept object or list apart; its values share the bytes. */
static void take_apart(struct tk_stream_turn *t, struct tk_chat_value *m)
{
    const struct tk_kept whole = m->kept;
    bool is_list = m->value_kind == TK_ARRAY;
    struct tk_val v = tk_turn_read_kept(t, &whole);
    struct tk_chat_values *group = tk_arena_zalloc(t->keep, 1, sizeof(*group));

    if (!group || !tk_exists(v))
        return;
    m->kind = is_list ? TK_CHAT_VALUE_LIST : TK_CHAT_VALUE_OBJECT;
    m->group = group;
    group->depth = (uint8_t)(m->depth + 1);
    for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e)) {
        struct tk_chat_value *c = add(
            t, group, is_list ? key_of(t, e, (enum tk_merge_rule)m->rule) : tk_key(e, t->arena));

        if (!c)
            return;
        c->rule = m->rule;
        c->depth = group->depth;
        c->value_kind = (uint8_t)tk_node(e)->kind;
        c->kept = tk_kept_part(&whole, v, e);
    }
}

/* ---- merging ---- */

static void merge(struct tk_stream_turn *t, struct tk_chat_value *m, struct tk_val v,
                  bool replaces);
static void write_value(struct tk_stream_turn *t, const struct tk_chat_value *m,
                        struct tk_writer *w);

/* Merges an entry into a list. */
static void merge_entry(struct tk_stream_turn *t, struct tk_chat_value *list, struct tk_val entry)
{
    struct tk_chat_values *group = list->group;
    struct tk_str key = key_of(t, entry, (enum tk_merge_rule)list->rule);
    struct tk_chat_value *to = NULL;

    if (key.p && list->rule == TK_MERGE_INDEXED)
        to = tk_chat_value_find(group, key);
    else if (key.p && group->count > 0 && group->all[group->count - 1].name.p &&
             tk_str_eq(group->all[group->count - 1].name, key))
        to = &group->all[group->count - 1];
    if (to) {
        merge(t, to, entry, false);
        return;
    }
    to = add(t, group, key);
    if (!to)
        return;
    to->rule = list->rule;
    to->depth = group->depth;
    keep(t, to, entry);
}

/* Makes an empty list of a value. Returns false without memory. */
static bool become_list(struct tk_stream_turn *t, struct tk_chat_value *m)
{
    struct tk_chat_values *group = tk_arena_zalloc(t->keep, 1, sizeof(*group));

    if (!group)
        return false;
    m->kind = TK_CHAT_VALUE_LIST;
    m->group = group;
    group->depth = (uint8_t)(m->depth + 1);
    return true;
}

/* Merges a text into a content that is a list: as an entry. */
static void merge_text_entry(struct tk_stream_turn *t, struct tk_chat_value *list,
                             struct tk_kept text)
{
    struct tk_encoding e;
    struct tk_kept entry;
    struct tk_val v;

    tk_encode_begin(&e, TK_JSON, t->arena);
    tk_write_map(&e.w);
    tk_write_kv_cstr(&e.w, "type", "text");
    tk_write_key(&e.w, "text");
    tk_turn_write_kept(t, &text, &e.w);
    tk_write_end(&e.w);
    entry = (struct tk_kept){tk_encode_end(&e), TK_JSON};
    v = tk_turn_read_kept(t, &entry);
    if (tk_exists(v))
        merge_entry(t, list, v);
}

/* Makes a text of a kept string, so that more can be appended. */
static void become_text(struct tk_stream_turn *t, struct tk_chat_value *m)
{
    struct tk_val v = tk_turn_read_kept(t, &m->kept);

    m->kind = TK_CHAT_VALUE_TEXT;
    m->text = (struct tk_text){{NULL, NULL, 0}, TK_JSON, false};
    if (tk_exists(v))
        tk_text_put(t, &m->text, v);
}

static void merge_string(struct tk_stream_turn *t, struct tk_chat_value *m, struct tk_val v,
                         bool replaces)
{
    if (m->kind == TK_CHAT_VALUE_LIST && m->rule == TK_MERGE_CONTENT) {
        if (tk_raw(v).n > 0)
            merge_text_entry(t, m, tk_keep(t->arena, v));
        return;
    }
    if (!replaces && is_kept(m, TK_STRING))
        become_text(t, m);
    if (!replaces && m->kind == TK_CHAT_VALUE_TEXT)
        tk_text_put(t, &m->text, v);
    else
        keep(t, m, v);
}

/* Members of merged objects that a later string replaces. */
static bool is_replaced(struct tk_str name)
{
    static const struct tk_str names[] = {TK_STR_INIT("type"), TK_STR_INIT("id"),
                                          TK_STR_INIT("format"), TK_STR_INIT("name"),
                                          TK_STR_INIT("signature")};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (tk_str_eq(name, names[i]))
            return true;
    return false;
}

static void merge_object(struct tk_stream_turn *t, struct tk_chat_value *m, struct tk_val v,
                         bool replaces)
{
    (void)replaces;
    if (is_kept(m, TK_OBJECT) && m->depth < TK_CHAT_DEPTH)
        take_apart(t, m);
    if (m->kind != TK_CHAT_VALUE_OBJECT) {
        keep(t, m, v);
        return;
    }
    for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e))
        tk_merge_member(t, m->group, e, (enum tk_merge_rule)m->rule, false);
}

/* Makes a list of a content that was a text, which is then its first entry, or of any other value.
 * Returns false without memory. */
static bool list_of_text(struct tk_stream_turn *t, struct tk_chat_value *m)
{
    const struct tk_chat_value old = *m;
    struct tk_encoding e;
    bool is_text = old.kind == TK_CHAT_VALUE_TEXT || is_kept(&old, TK_STRING);

    if (!become_list(t, m))
        return false;
    if (!is_text || !tk_chat_value_says(t, &old, false))
        return true;
    tk_encode_begin(&e, TK_JSON, t->arena);
    write_value(t, &old, &e.w);
    merge_text_entry(t, m, (struct tk_kept){tk_encode_end(&e), TK_JSON});
    return true;
}

static void merge_list(struct tk_stream_turn *t, struct tk_chat_value *m, struct tk_val v,
                       bool replaces)
{
    (void)replaces;
    if (is_kept(m, TK_ARRAY) && m->depth < TK_CHAT_DEPTH)
        take_apart(t, m);
    if (m->kind != TK_CHAT_VALUE_LIST &&
        (m->rule == TK_MERGE_INDEXED || m->depth >= TK_CHAT_DEPTH)) {
        keep(t, m, v);
        return;
    }
    if (m->kind != TK_CHAT_VALUE_LIST && !list_of_text(t, m))
        return;
    for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e))
        merge_entry(t, m, e);
}

static void merge_other(struct tk_stream_turn *t, struct tk_chat_value *m, struct tk_val v,
                        bool replaces)
{
    (void)replaces;
    if (!tk_is(v, TK_NULL))
        keep(t, m, v);
}

static void merge(struct tk_stream_turn *t, struct tk_chat_value *m, struct tk_val v, bool replaces)
{
    if (tk_is(v, TK_STRING))
        merge_string(t, m, v, replaces);
    else if (tk_is(v, TK_OBJECT))
        merge_object(t, m, v, replaces);
    else if (tk_is(v, TK_ARRAY))
        merge_list(t, m, v, replaces);
    else
        merge_other(t, m, v, replaces);
}

void tk_merge_member(struct tk_stream_turn *t, struct tk_chat_values *group, struct tk_val member,
                     enum tk_merge_rule rule, bool top)
{
    struct tk_str name = tk_key(member, t->arena);
    struct tk_chat_value *m = name.p ? tk_chat_value_find(group, name) : NULL;

    if (!name.p)
        return;
    if (m && m->kind != TK_CHAT_VALUE_PLACE) {
        merge(t, m, member, !top && is_replaced(name));
        return;
    }
    if (m)
        return;
    m = add(t, group, name);
    if (!m)
        return;
    m->rule = (uint8_t)rule;
    m->depth = group->depth;
    if (rule == TK_MERGE_INDEXED || !tk_is(member, TK_ARRAY))
        keep(t, m, member);
    else if (become_list(t, m))
        merge_list(t, m, member, false);
}

void tk_merge_place(struct tk_stream_turn *t, struct tk_chat_values *group, struct tk_str name,
                    uint8_t place)
{
    struct tk_chat_value *m = tk_chat_value_find(group, name);

    if (m)
        return;
    m = add(t, group, name);
    if (!m)
        return;
    m->kind = TK_CHAT_VALUE_PLACE;
    m->place = place;
}

/* ---- what there is ---- */

bool tk_chat_value_says(struct tk_stream_turn *t, const struct tk_chat_value *m, bool blank)
{
    struct tk_val v;
    struct tk_str text;

    if (!m)
        return false;
    if (m->kind == TK_CHAT_VALUE_LIST || m->kind == TK_CHAT_VALUE_OBJECT)
        return m->group->count > 0;
    if (m->kind == TK_CHAT_VALUE_TEXT) {
        if (!blank)
            return !tk_text_is_empty(&m->text);
        text = tk_text_plain(t, &m->text);
        return text.p && !tk_is_blank(text);
    }
    v = tk_turn_read_kept(t, &m->kept);
    if (tk_is(v, TK_STRING))
        return blank ? !tk_text_is_blank(v) : tk_raw(v).n > 0;
    if (tk_is(v, TK_ARRAY) || tk_is(v, TK_OBJECT))
        return tk_exists(tk_first(v));
    return tk_exists(v) && !tk_is(v, TK_NULL);
}

/* ---- writing ---- */

static void write_value(struct tk_stream_turn *t, const struct tk_chat_value *m,
                        struct tk_writer *w)
{
    if (m->kind == TK_CHAT_VALUE_KEPT) {
        tk_turn_write_kept(t, &m->kept, w);
    } else if (m->kind == TK_CHAT_VALUE_TEXT) {
        tk_text_write(t, &m->text, w);
    } else if (m->kind == TK_CHAT_VALUE_OBJECT) {
        tk_write_map(w);
        tk_chat_value_write(t, m->group, w, NULL, NULL);
        tk_write_end(w);
    } else {
        tk_write_list(w);
        for (uint32_t i = 0; i < m->group->count; i++)
            write_value(t, &m->group->all[i], w);
        tk_write_end(w);
    }
}

void tk_chat_value_write(struct tk_stream_turn *t, const struct tk_chat_values *group,
                         struct tk_writer *w, tk_put_place *put, const void *arg)
{
    for (uint32_t i = 0; i < group->count; i++) {
        const struct tk_chat_value *m = &group->all[i];

        if (m->kind == TK_CHAT_VALUE_PLACE) {
            put(t, m, arg, w);
            continue;
        }
        tk_write_key_str(w, m->name);
        write_value(t, m, w);
    }
}
