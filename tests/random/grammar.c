/* SPDX-License-Identifier: Apache-2.0 */
#include "grammar.h"

#include "../fuzz/must.h"
#include "value/hash.h"

enum {
    MAX_DEPTH = 24,
    PLACES = 26,
};

enum item_kind {
    PLAIN,
    NAME,
    PUT,
    GET,
    SERIAL,
    CHARACTER,
};

/* A piece of a row's text. */
struct item {
    enum item_kind kind;
    struct tk_str plain;
    uint32_t name;
    uint8_t place;
};

struct row {
    uint32_t weight, first, count; /* its items */
    struct row *next;
};

struct name {
    struct tk_str text;
    struct row *rows, **tail;
    uint32_t weight;
    bool reached;
};

struct grammar {
    struct tk_arena arena;
    struct tk_map numbers; /* of names, from 1 */
    struct name *names;
    struct item *items;
    uint32_t name_count, item_count, item_capacity;
};

/* ---- reading the tables ---- */

static bool is_name(char c)
{
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static struct name *name_of(struct grammar *g, struct tk_str text)
{
    bool is_new;
    uint32_t *number = tk_map_put(&g->numbers, text, &is_new);

    if (is_new) {
        *number = ++g->name_count;
        g->names = tk_arena_grow(&g->arena, g->names, (*number - 1) * sizeof(*g->names),
                                 *number * sizeof(*g->names));
        MUST(g->names);
        g->names[*number - 1] = (struct name){text, NULL, NULL, 0, false};
    }
    return &g->names[*number - 1];
}

static struct item *add_item(struct grammar *g, enum item_kind kind)
{
    if (g->item_count == g->item_capacity) {
        uint32_t more = g->item_capacity > 0 ? 2 * g->item_capacity : 1024;

        g->items = tk_arena_grow(&g->arena, g->items, g->item_capacity * sizeof(*g->items),
                                 more * sizeof(*g->items));
        MUST(g->items);
        g->item_capacity = more;
    }
    g->items[g->item_count] = (struct item){.kind = kind};
    return &g->items[g->item_count++];
}

static const char *read_name(struct grammar *g, struct item *item, const char *at)
{
    const char *from = at;

    while (is_name(*at))
        at++;
    MUST(at > from);
    item->name = (uint32_t)(name_of(g, (struct tk_str){from, (size_t)(at - from)}) - g->names);
    return at;
}

/* Behind `$`. */
static const char *read_place(struct grammar *g, const char *at)
{
    bool puts = at[1] == '=';
    struct item *item = add_item(g, puts ? PUT : GET);

    MUST(*at >= 'a' && *at <= 'z');
    item->place = (uint8_t)(*at - 'a');
    if (!puts)
        return at + 1;
    at = read_name(g, item, at + 2);
    MUST(*at == ';');
    return at + 1;
}

static void read_text(struct grammar *g, const char *at)
{
    while (*at) {
        size_t n = strcspn(at, "@$#%");

        if (n > 0)
            add_item(g, PLAIN)->plain = (struct tk_str){at, n};
        at += n;
        if (*at == '@')
            at = read_name(g, add_item(g, NAME), at + 1);
        else if (*at == '$')
            at = read_place(g, at + 1);
        else if (*at == '#' || *at == '%')
            add_item(g, *at++ == '#' ? SERIAL : CHARACTER);
        else
            break;
    }
}

static const char *with_quotes(struct grammar *g, const char *text)
{
    size_t n = strlen(text) + 1;
    char *copy = tk_arena_alloc(&g->arena, n);

    MUST(copy);
    for (size_t i = 0; i < n; i++)
        copy[i] = text[i] == '\'' ? '"' : text[i];
    return copy;
}

static void read_row(struct grammar *g, const struct grammar_row *from)
{
    struct row *row = tk_arena_zalloc(&g->arena, 1, sizeof(*row));
    struct name *name;

    MUST(row && from->weight > 0);
    row->weight = from->weight;
    row->first = g->item_count;
    read_text(g, with_quotes(g, from->text));
    row->count = g->item_count - row->first;
    name = name_of(g, tk_str_of(from->name));
    if (!name->rows)
        name->rows = row;
    else
        *name->tail = row;
    name->weight += row->weight;
    name->tail = &row->next; /* rows never move, names do */
}

static void reach(struct grammar *g, struct name *name)
{
    if (name->reached)
        return;
    name->reached = true;
    if (!name->rows)
        fprintf(stderr, "%.*s has no row\n", (int)name->text.n, name->text.p);
    MUST(name->rows);
    for (const struct row *row = name->rows; row; row = row->next)
        for (uint32_t i = row->first; i < row->first + row->count; i++)
            if (g->items[i].kind == NAME || g->items[i].kind == PUT)
                reach(g, &g->names[g->items[i].name]);
}

struct grammar *grammar_new(const struct grammar_row *const *tables, size_t count,
                            unsigned language, const char *start)
{
    static const uint64_t key[2] = {7, 8};
    struct grammar *g = calloc(1, sizeof(*g));

    MUST(g);
    tk_arena_init(&g->arena, tk_libc_allocator);
    tk_map_init(&g->numbers, &g->arena, key);
    for (size_t i = 0; i < count; i++)
        for (const struct grammar_row *row = tables[i]; row->name; row++)
            if (row->languages & language)
                read_row(g, row);
    reach(g, name_of(g, tk_str_of(start)));
    for (uint32_t i = 0; i < g->name_count; i++)
        if (!g->names[i].reached) {
            fprintf(stderr, "nothing leads to %.*s\n", (int)g->names[i].text.n, g->names[i].text.p);
            MUST(g->names[i].reached);
        }
    return g;
}

void grammar_free(struct grammar *grammar)
{
    tk_arena_done(&grammar->arena);
    free(grammar);
}

/* ---- drawing ---- */

struct drawing {
    const struct grammar *g;
    struct choices *choices;
    struct tk_arena *arena;
    struct tk_str places[PLACES];
    uint32_t serial;
    int depth;
};

static const struct row *draw_row(struct drawing *d, const struct name *name)
{
    const struct row *row = name->rows;
    uint32_t at = d->depth < MAX_DEPTH && row->next ? choose(d->choices, name->weight) : 0;

    while (at >= row->weight) {
        at -= row->weight;
        row = row->next;
    }
    return row;
}

static void draw(struct drawing *d, uint32_t name, struct tk_out *out);

static struct tk_str draw_apart(struct drawing *d, uint32_t name)
{
    struct tk_out out;

    tk_out_init(&out, d->arena);
    draw(d, name, &out);
    return tk_out_join(&out);
}

static void put_serial(struct drawing *d, struct tk_out *out)
{
    char digits[16];
    int n = snprintf(digits, sizeof(digits), "%04u", ++d->serial);

    tk_out_put(out, digits, (size_t)n);
}

/* Writes a code point from U+0080 on. Returns its bytes. */
static size_t write_character(uint32_t c, uint8_t *to)
{
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        to[i] = (uint8_t)(0x80 | (c & 0x3F));
    to[0] = (uint8_t)((0xF00u >> n & 0xFF) | c);
    return n;
}

/*
 * Puts one character, half the time one of three bytes whose last two would be white space if they began
 * a character: code that looks into its middle is wrong about them.
 */
static void put_character(struct drawing *d, struct tk_out *out)
{
    static const uint8_t second[] = {0x80, 0x82, 0xA0, 0xA2};
    static const uint8_t third[] = {0x85, 0x89, 0x8B, 0x8D, 0xA0};
    uint8_t bytes[4];
    uint32_t c;

    if (choose(d->choices, 2) == 0) {
        bytes[0] = (uint8_t)(0xE1 + choose(d->choices, 12));
        bytes[1] = second[choose(d->choices, sizeof(second))];
        bytes[2] = third[choose(d->choices, sizeof(third))];
        tk_out_put(out, bytes, 3);
        return;
    }
    c = choose(d->choices, 17) << 16;
    c |= choose(d->choices, 0x10000);
    tk_out_put(out, bytes,
               write_character(c < 0x80 || (c >= 0xD800 && c < 0xE000) ? 0xFFFD : c, bytes));
}

static void draw_item(struct drawing *d, const struct item *item, struct tk_out *out)
{
    switch (item->kind) {
    case PLAIN:
        tk_out_put(out, item->plain.p, item->plain.n);
        break;
    case NAME:
        draw(d, item->name, out);
        break;
    case PUT:
        d->places[item->place] = draw_apart(d, item->name);
        break;
    case GET:
        tk_out_put(out, d->places[item->place].p, d->places[item->place].n);
        break;
    case SERIAL:
        put_serial(d, out);
        break;
    case CHARACTER:
        put_character(d, out);
        break;
    }
}

static void draw(struct drawing *d, uint32_t name, struct tk_out *out)
{
    const struct row *row = draw_row(d, &d->g->names[name]);
    struct tk_str before[PLACES];
    bool puts = false;

    d->depth++;
    for (uint32_t i = row->first; i < row->first + row->count; i++) {
        const struct item *item = &d->g->items[i];

        if (item->kind == PUT && !puts) {
            memcpy(before, d->places, sizeof(before));
            puts = true;
        }
        draw_item(d, item, out);
    }
    if (puts)
        memcpy(d->places, before, sizeof(before));
    d->depth--;
}

struct tk_str grammar_draw(const struct grammar *grammar, const char *name, struct choices *choices,
                           struct tk_arena *arena)
{
    const uint32_t *number = tk_map_get(&grammar->numbers, tk_str_of(name));
    struct drawing d = {.g = grammar, .choices = choices, .arena = arena};

    MUST(number);
    return draw_apart(&d, *number - 1);
}
