/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches a history for signs of formats. The search goes through the elements and their parts in
 * order; for each it tries the rows that are about one of its members, the first of the table first.
 */
#include "shapes/format_inside.h"

#include "value/cut.h"
#include "value/out.h"

/* ---- the search ---- */

static int name_of(struct tk_val member, const struct tk_format_names *names)
{
    const struct tk_node *n = tk_node(member);
    uint32_t left = n->key_len <= TK_FORMAT_NAME_MAX ? names->by_length[n->key_len] : 0;

    if (n->flags & TK_NODE_KEY_ESCAPED)
        left = names->all;
    for (; left != 0; left &= left - 1) {
        int i = __builtin_ctz(left);

        if (tk_has_key(member.doc, member.node, names->name[i]))
            return i;
    }
    return TK_NO_SIGN;
}

static void look(struct tk_format_view *v, struct tk_val at, const struct tk_format_names *names)
{
    v->at = at;
    v->present = 0;
    v->others = 0;
    v->null_type = false;
    for (struct tk_val m = tk_first(at); tk_exists(m); m = tk_after(at, m)) {
        int i = name_of(m, names);

        if (tk_is(m, TK_NULL))
            v->null_type |= i != TK_NO_SIGN && tk_str_is(names->name[i], "type");
        else if (i == TK_NO_SIGN)
            v->others++;
        else {
            v->present |= 1u << i;
            v->m[i] = m;
        }
    }
}

/* The state of a search: the topmost row that was found. */
struct format_search {
    size_t row; /* tk_format_row_count: none yet */
    struct tk_format *ret;
    /* By member: the rows to try if an element, or a part, has it. */
    uint32_t of_element[E_COUNT], of_part[P_COUNT];
};

static void note_row(uint32_t *rows_of, uint32_t members, size_t row)
{
    for (; members != 0; members &= members - 1)
        rows_of[__builtin_ctz(members)] |= 1u << row;
}

static void begin(struct format_search *s, unsigned asked, struct tk_format *ret)
{
    *s = (struct format_search){.row = tk_format_row_count, .ret = ret};
    for (size_t i = 0; i < tk_format_row_count; i++) {
        if (tk_format_rows[i].not_asked & asked)
            continue;
        note_row(s->of_element, tk_format_rows[i].element, i);
        note_row(s->of_part, tk_format_rows[i].part, i);
    }
}

static void note_sign(struct format_search *s, const struct tk_format_view *v, size_t row, int sign)
{
    bool part = tk_format_rows[row].part != 0;

    s->row = row;
    *s->ret = (struct tk_format){
        .looks_like = tk_format_rows[row].looks_like,
        .title = tk_format_rows[row].title,
        .at = v->at,
        .member = v->m[sign],
        .name = (part ? &tk_part_names : &tk_element_names)->name[sign].p,
        .with_value = part ? sign == P_TYPE : sign == E_TYPE || sign == E_ROLE || sign == E_KIND,
    };
}

/* Tries the rows above the topmost that was found. */
static void try_rows(struct format_search *s, const struct tk_format_view *v,
                     const uint32_t *rows_of)
{
    uint32_t left = 0;

    for (uint32_t present = v->present; present != 0; present &= present - 1)
        left |= rows_of[__builtin_ctz(present)];
    for (; left != 0; left &= left - 1) {
        size_t row = (size_t)__builtin_ctz(left);
        int sign = row < s->row ? tk_format_rows[row].sign(v) : TK_NO_SIGN;

        if (sign == TK_NO_SIGN)
            continue;
        note_sign(s, v, row, sign);
        return;
    }
}

static void try_parts(struct format_search *s, struct tk_val content, struct tk_format_view *v)
{
    if (!tk_is(content, TK_ARRAY))
        return;
    for (struct tk_val part = tk_first(content); tk_exists(part) && s->row > 0;
         part = tk_after(content, part)) {
        look(v, part, &tk_part_names);
        try_rows(s, v, s->of_part);
    }
}

/* Returns the set of E_ bits of the members that the element has. */
static uint32_t try_element(struct format_search *s, struct tk_val element,
                            struct tk_format_view *v)
{
    struct tk_val content;
    uint32_t present;

    look(v, element, &tk_element_names);
    try_rows(s, v, s->of_element);
    content = tk_format_get(v, E_CONTENT);
    present = v->present;
    try_parts(s, content, v);
    return present;
}

/* ---- no role at all ---- */

/* Returns the members of which a history of this dialect has at least one, in at least one element;
 * 0: it needs none. */
static uint32_t needed_members(unsigned asked)
{
    static const struct {
        unsigned asked;
        uint32_t members;
    } needs[] = {
        {TK_ASKED_NO_DIALECT | TK_ASKED_OPENAI_RESPONSES, 0},
        {TK_ASKED_BEDROCK | TK_ASKED_OPENAI_CHAT, E(ROLE) | E(CONTENT)},
        {TK_ASKED_GEMINI, E(ROLE) | E(PARTS)},
    };

    for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
        if (asked & needs[i].asked)
            return needs[i].members;
    return E(ROLE);
}

/* ---- the interface ---- */

bool tk_format_of_list(struct tk_val list, unsigned asked, struct tk_arena *arena,
                       struct tk_format *ret)
{
    uint32_t needed = needed_members(asked), present = 0;
    struct format_search s;
    struct tk_format_view v = {.arena = arena};

    if (!tk_is(list, TK_ARRAY) || !tk_exists(tk_first(list)))
        return false;
    begin(&s, asked, ret);
    for (struct tk_val e = tk_first(list); tk_exists(e); e = tk_after(list, e)) {
        present |= try_element(&s, e, &v);
        if (s.row != tk_format_row_count)
            return true;
    }
    if (needed == 0 || (present & needed))
        return false;
    *ret = (struct tk_format){.at = tk_first(list), .member = TK_NO_VAL};
    return true;
}

bool tk_format_of_message(struct tk_val message, unsigned asked, struct tk_arena *arena,
                          struct tk_format *ret)
{
    struct format_search s;
    struct tk_format_view v = {.arena = arena};

    begin(&s, asked, ret);
    (void)try_element(&s, message, &v);
    return s.row != tk_format_row_count;
}

bool tk_format_of_parts(struct tk_val content, unsigned asked, struct tk_arena *arena,
                        struct tk_format *ret)
{
    struct format_search s;
    struct tk_format_view v = {.arena = arena};

    begin(&s, asked, ret);
    try_parts(&s, content, &v);
    return s.row != tk_format_row_count;
}

bool tk_format_of_part(struct tk_val part, unsigned asked, struct tk_arena *arena,
                       struct tk_format *ret)
{
    struct format_search s;
    struct tk_format_view v = {.arena = arena};

    begin(&s, asked, ret);
    look(&v, part, &tk_part_names);
    try_rows(&s, &v, s.of_part);
    return s.row != tk_format_row_count;
}

/* ---- the sign in words ---- */

static bool is_less(struct tk_str a, struct tk_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n > 0 ? memcmp(a.p, b.p, n) : 0;

    return order < 0 || (order == 0 && a.n < b.n);
}

/* No more names fit into a sign: each takes a byte, one of them may be empty, and a comma. */
enum {
    NAMES_MAX = TK_CUT_AT / 2 + 2
};

struct least {
    size_t count;
    struct tk_str names[NAMES_MAX]; /* sorted */
};

static void keep_least(struct least *l, struct tk_str name)
{
    size_t i = l->count;

    if (i == NAMES_MAX && !is_less(name, l->names[--i]))
        return;
    for (; i > 0 && is_less(name, l->names[i - 1]); i--)
        l->names[i] = l->names[i - 1];
    l->names[i] = name;
    l->count += l->count < NAMES_MAX;
}

static struct tk_str all_names(struct tk_val element, struct tk_arena *arena)
{
    struct least least = {.count = 0};
    struct tk_out out;

    for (struct tk_val m = tk_first(element); tk_exists(m); m = tk_after(element, m))
        keep_least(&least, tk_key(m, arena));
    tk_out_init(&out, arena);
    for (size_t i = 0; i < least.count; i++) {
        tk_out_put(&out, ",", i > 0);
        tk_out_put(&out, least.names[i].p, least.names[i].n);
    }
    return tk_out_join(&out);
}

struct tk_str tk_format_sign(const struct tk_format *f, struct tk_arena *arena)
{
    struct tk_str value;
    struct tk_out out;

    if (!tk_exists(f->member))
        return tk_cut(all_names(f->at, arena), arena);
    value = f->with_value ? tk_text(f->member, arena) : (struct tk_str){0};
    if (!value.p)
        return tk_str_of(f->name);
    tk_out_init(&out, arena);
    tk_out_put(&out, f->name, strlen(f->name));
    tk_out_put(&out, ": ", 2);
    tk_out_put(&out, value.p, value.n);
    return tk_cut(tk_out_join(&out), arena);
}
