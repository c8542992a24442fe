/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks a value with a stack of its own: documents may be nested deeper than the C stack allows. The
 * members of an object that stay are sorted when it is opened; an array is walked in its order.
 */
#include "value/canonical.h"

#include <inttypes.h>
#include <stdio.h>

#include "value/msgpack_format.h"
#include "value/number.h"

/* Runs of this length are sorted by insertion, then merged. */
#define RUN 8u

struct member {
    struct tk_str key;
    uint32_t node;
};

struct level {
    struct tk_val container;
    struct member *members; /* of an object, sorted; NULL for an array */
    uint32_t count, at;
    struct tk_val next; /* element of an array */
    bool whole;         /* nothing inside is left out (tk_canon_rules.whole) */
};

struct walk {
    const struct tk_canon *c;
    struct level *levels; /* outermost first */
    uint32_t depth, capacity;
    const struct tk_canon_rules *rules;
};

/* ---- scalars ---- */

static void put(const struct tk_canon *c, struct tk_str s)
{
    c->put(c->arg, s.p, s.n);
}

/* Puts a letter, a number and an end, without printf: each string of a document has one. */
static void put_number(const struct tk_canon *c, char letter, bool negative, uint64_t n, char end)
{
    char text[24], *p = text + sizeof(text);

    *--p = end;
    do
        *--p = (char)('0' + n % 10);
    while ((n /= 10) > 0);
    if (negative)
        *--p = '-';
    *--p = letter;
    c->put(c->arg, p, (size_t)(text + sizeof(text) - p));
}

static void put_string(const struct tk_canon *c, struct tk_str text)
{
    put_number(c, 's', false, text.n, ':');
    put(c, text);
}

static void put_int(const struct tk_canon *c, struct tk_val v)
{
    struct tk_str lexeme = tk_span(v);
    int64_t n;

    if (tk_int64(v, &n)) {
        put_number(c, 'i', n < 0, n < 0 ? 0 - (uint64_t)n : (uint64_t)n, ';');
    } else if (v.doc->codec == TK_MSGPACK) {
        put_number(c, 'i', false, tk_load_be((const uint8_t *)lexeme.p + 1, 8), ';');
    } else {
        put(c, TK_STR("i"));
        put(c, lexeme);
        put(c, TK_STR(";"));
    }
}

static void put_real(const struct tk_canon *c, struct tk_val v)
{
    double d = 0;
    uint64_t bits;
    char text[24];

    if (v.doc->codec == TK_MSGPACK)
        d = tk_msgpack_real((const uint8_t *)tk_span(v).p);
    else if (!tk_real_of(tk_span(v), c->arena, &d))
        return;
    memcpy(&bits, &d, sizeof(bits));
    c->put(c->arg, text, (size_t)snprintf(text, sizeof(text), "d%016" PRIx64 ";", bits));
}

static void put_scalar(const struct tk_canon *c, struct tk_val v)
{
    switch ((enum tk_kind)tk_node(v)->kind) {
    case TK_TRUE:
        put(c, TK_STR("t"));
        break;
    case TK_FALSE:
        put(c, TK_STR("f"));
        break;
    case TK_INT:
        put_int(c, v);
        break;
    case TK_REAL:
        put_real(c, v);
        break;
    case TK_STRING:
        put_string(c, tk_text(v, c->arena));
        break;
    default:
        put(c, TK_STR("n"));
        break;
    }
}

/* ---- members in order ---- */

static bool is_before(struct tk_str a, struct tk_str b)
{
    size_t n = a.n < b.n ? a.n : b.n;
    int order = n > 0 ? memcmp(a.p, b.p, n) : 0;

    return order != 0 ? order < 0 : a.n < b.n;
}

static void sort_run(struct member *m, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        struct member moved = m[i];
        uint32_t k = i;

        for (; k > 0 && is_before(moved.key, m[k - 1].key); k--)
            m[k] = m[k - 1];
        m[k] = moved;
    }
}

static void merge(const struct member *a, uint32_t an, const struct member *b, uint32_t bn,
                  struct member *to)
{
    while (an > 0 && bn > 0) {
        bool second = is_before(b->key, a->key);

        *to++ = second ? *b++ : *a++;
        bn -= second;
        an -= !second;
    }
    memcpy(to, an > 0 ? a : b, (an + bn) * sizeof(*to));
}

/* Sorts bottom-up by merging, in n log n whatever keys a client chose. Returns m or spare, whichever
 * has the result. */
static struct member *sort(struct member *m, struct member *spare, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += RUN)
        sort_run(m + i, n - i < RUN ? n - i : RUN);
    for (uint32_t run = RUN; run < n; run *= 2) {
        struct member *sorted = spare;

        for (uint32_t i = 0; i < n; i += 2 * run) {
            uint32_t an = n - i < run ? n - i : run;
            uint32_t bn = n - i - an < run ? n - i - an : run;

            merge(m + i, an, m + i + an, bn, sorted + i);
        }
        spare = m;
        m = sorted;
    }
    return m;
}

static bool is_among(const struct tk_str *names, struct tk_val member)
{
    for (; names && names->p; names++)
        if (tk_has_key(member.doc, member.node, *names))
            return true;
    return false;
}

static bool is_lost(const struct walk *w, const struct level *level, struct tk_val member)
{
    bool outermost = w->depth == 1;

    if (outermost && (is_among(w->rules->without, member) ||
                      (w->rules->only && !is_among(w->rules->only, member))))
        return true;
    return w->rules->loses && !level->whole && w->rules->loses(member, outermost);
}

static bool open_object(struct walk *w, struct level *level)
{
    uint32_t count = tk_count(level->container);
    struct member *m = tk_arena_alloc(w->c->arena, 2 * (size_t)count * sizeof(*m));
    uint32_t n = 0;

    if (!m)
        return false;
    for (struct tk_val v = tk_first(level->container); tk_exists(v);
         v = tk_after(level->container, v))
        if (!is_lost(w, level, v))
            m[n++] = (struct member){tk_key(v, w->c->arena), v.node};
    level->members = sort(m, m + count, n);
    level->count = n;
    return !tk_arena_failed(w->c->arena);
}

/* ---- the walk ---- */

static bool push(struct walk *w, struct tk_val v, bool whole)
{
    struct level *level;

    if (!TK_GROW(w->c->arena, w->levels, w->depth, w->capacity))
        return false;
    level = &w->levels[w->depth++];
    *level = (struct level){.container = v, .next = tk_first(v), .whole = whole};
    put(w->c, tk_is(v, TK_OBJECT) ? TK_STR("{") : TK_STR("["));
    return tk_is(v, TK_ARRAY) || open_object(w, level);
}

static bool put_value(struct walk *w, struct tk_val v, bool whole)
{
    if (tk_is(v, TK_OBJECT) || tk_is(v, TK_ARRAY))
        return push(w, v, whole);
    put_scalar(w->c, v);
    return true;
}

static bool is_named(struct tk_val member, struct tk_str name)
{
    return name.p && tk_has_key(member.doc, member.node, name);
}

/* Puts the next child of the innermost container, or its end. */
static bool step(struct walk *w)
{
    struct level *level = &w->levels[w->depth - 1];
    bool object = tk_is(level->container, TK_OBJECT), whole = level->whole;
    struct tk_val child = level->next;

    if (object ? level->at == level->count : !tk_exists(child)) {
        put(w->c, object ? TK_STR("}") : TK_STR("]"));
        w->depth--;
        return true;
    }
    if (!object) {
        level->next = tk_after(level->container, child);
        return put_value(w, child, whole);
    }
    child = (struct tk_val){level->container.doc, level->members[level->at].node};
    put_string(w->c, level->members[level->at++].key);
    if (w->depth == 1 && is_named(child, w->rules->emptied)) {
        put_string(w->c, TK_STR(""));
        return true;
    }
    return put_value(w, child, whole || is_named(child, w->rules->whole));
}

void tk_canon_by(const struct tk_canon *c, struct tk_val v, const struct tk_canon_rules *rules)
{
    struct walk w = {.c = c, .rules = rules};
    bool ok = put_value(&w, v, false);

    while (ok && w.depth > 0)
        ok = step(&w);
}

void tk_canon_value(const struct tk_canon *c, struct tk_val v)
{
    static const struct tk_canon_rules all = {0};

    tk_canon_by(c, v, &all);
}

void tk_canon_without(const struct tk_canon *c, struct tk_val object, const struct tk_str *names)
{
    const struct tk_canon_rules rules = {.without = names};

    tk_canon_by(c, object, &rules);
}

void tk_canon_only(const struct tk_canon *c, struct tk_val object, const struct tk_str *names)
{
    const struct tk_canon_rules rules = {.only = names};

    tk_canon_by(c, object, &rules);
}

/* ---- digests ---- */

struct tk_digest tk_values_digest(struct tk_str tag, const struct tk_val *values, size_t n,
                                  struct tk_arena *arena)
{
    struct tk_hasher hasher;
    struct tk_canon canon = {tk_hash_put, &hasher, arena};

    tk_hash_begin(&hasher, tag);
    for (size_t i = 0; i < n; i++)
        tk_canon_value(&canon, values[i]);
    return tk_hash_end(&hasher);
}

struct tk_digest tk_value_digest(struct tk_str tag, struct tk_val v, struct tk_arena *arena)
{
    return tk_values_digest(tag, &v, 1, arena);
}
