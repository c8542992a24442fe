/* SPDX-License-Identifier: Apache-2.0 */
#include "../fuzz/must.h"
#include "view.h"

#define S TK_STR

static const struct {
    const char *name;
    char letter;
} roles[] = {
    {"user", 'u'}, {"assistant", 'a'}, {"system", 's'}, {"developer", 's'}, {"tool", 't'},
};

static char role_of(struct tk_val entry, bool items)
{
    struct tk_val type = tk_get(entry, S("type")), role = tk_get(entry, S("role"));
    bool typed = tk_exists(type) && !tk_is(type, TK_NULL);

    if (items &&
        !(typed ? tk_text_is(type, S("message")) : tk_exists(role) && !tk_is(role, TK_NULL)))
        return '-';
    for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++)
        if (tk_text_is(role, tk_str_of(roles[i].name)))
            return roles[i].letter;
    return '?';
}

static uint32_t texts_of(struct tk_val content)
{
    return tk_is(content, TK_STRING)  ? tk_raw(content).n > 0
           : tk_is(content, TK_ARRAY) ? tk_count(content)
                                      : 0;
}

static struct tk_val calls_of(const struct view_message *m, bool items)
{
    struct tk_val calls = tk_get(m->value, S("tool_calls"));

    /* a rewrite makes the role `model` the assistant's */
    bool has = m->role == 'a' || tk_text_is(tk_get(m->value, S("role")), S("model"));

    return !items && has && tk_is(calls, TK_ARRAY) ? calls : TK_NO_VAL;
}

static void add(struct view *s, struct view_message *m, enum view_kind kind, struct tk_val v)
{
    s->parts[s->part_count++] = (struct view_part){
        .kind = kind, .message = (uint32_t)(m - s->messages), .index = m->count++, .value = v};
}

static void read_parts(struct view *s, struct view_message *m, bool items, struct tk_arena *arena)
{
    struct tk_val content = tk_get(m->value, S("content")), calls = calls_of(m, items);

    m->first = s->part_count;
    if (m->role == '-')
        return;
    if (tk_is(content, TK_STRING) && tk_raw(content).n > 0)
        add(s, m, VIEW_TEXT, content);
    if (tk_is(content, TK_ARRAY))
        for (struct tk_val v = tk_first(content); tk_exists(v); v = tk_after(content, v))
            add(s, m, tk_is(tk_get(v, S("text")), TK_STRING) ? VIEW_TEXT : VIEW_OTHER, v);
    for (struct tk_val v = tk_first(calls); tk_exists(v); v = tk_after(calls, v)) {
        struct tk_val id = tk_get(v, S("id"));

        s->uncounted += m->role != 'a';

        add(s, m, tk_is(v, TK_NULL) ? VIEW_OTHER : VIEW_CALL, v);
        s->parts[s->part_count - 1].id =
            tk_is(id, TK_STRING) ? tk_text(id, arena) : (struct tk_str){NULL, 0};
    }
}

struct view view_of_entries(struct tk_val list, bool items, struct tk_arena *arena)
{
    struct view s = {.count = tk_count(list)};
    uint32_t parts = 0, i = 0;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v))
        parts += texts_of(tk_get(v, S("content"))) + tk_count(tk_get(v, S("tool_calls")));
    s.messages = tk_arena_zalloc(arena, s.count, sizeof(*s.messages));
    s.parts = tk_arena_zalloc(arena, parts, sizeof(*s.parts));
    MUST(s.messages && s.parts);
    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        struct view_message *m = &s.messages[i++];

        m->value = v;
        m->role = role_of(v, items);
        m->turn = i;
        read_parts(&s, m, items, arena);
    }
    return s;
}
