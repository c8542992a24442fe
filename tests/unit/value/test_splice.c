/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Splicing at every position of many documents, in both codecs: the new bytes can be read and have
 * the change at that place, everything else is as it was, and the bytes before and after are the
 * old ones.
 */
#include "../documents.h"
#include "../tap.h"
#include "../transcripts.h"
#include "value/splice.h"
#include "value/writer.h"

#include <stdlib.h>

enum {
    DOCUMENTS = 60
};

/* The kind of change. */
enum deed {
    REPLACED, /* target has other bytes */
    REMOVED,  /* target is gone */
    ADDED     /* target, an object, has one member more */
};

static struct tk_str fresh(enum tk_codec codec)
{
    return codec == TK_JSON ? TK_STR("{\"new\":[1]}") : TK_STR("\x81\xa3new\x91\x01");
}

static bool is_fresh(struct tk_val v)
{
    struct tk_val list = tk_get(v, TK_STR("new"));

    return tk_count(v) == 1 && tk_count(list) == 1 && tk_is(tk_first(list), TK_INT);
}

static bool same_key(struct tk_val a, struct tk_val b, struct tk_arena *arena)
{
    return tk_str_eq(tk_key(a, arena), tk_key(b, arena));
}

static bool same_but(struct tk_val a, struct tk_val b, uint32_t target, enum deed deed,
                     struct tk_arena *arena);

/*
 * Compares children one by one; in b the target may be missing, or a member may be added at the
 * end.
 */
static bool same_children(struct tk_val a, struct tk_val b, uint32_t target, enum deed deed,
                          struct tk_arena *arena)
{
    struct tk_val y = tk_first(b);

    for (struct tk_val x = tk_first(a); tk_exists(x); x = tk_after(a, x)) {
        if (deed == REMOVED && x.node == target)
            continue;
        if (!tk_exists(y) || (tk_is(a, TK_OBJECT) && !same_key(x, y, arena)) ||
            !same_but(x, y, target, deed, arena))
            return false;
        y = tk_after(b, y);
    }
    if (deed == ADDED && a.node == target) {
        if (!tk_exists(y) || !tk_key_is(y, TK_STR("added")) || !is_fresh(y))
            return false;
        y = tk_after(b, y);
    }
    return !tk_exists(y);
}

static bool same_but(struct tk_val a, struct tk_val b, uint32_t target, enum deed deed,
                     struct tk_arena *arena)
{
    if (deed == REPLACED && a.node == target)
        return is_fresh(b);
    if (tk_node(a)->kind != tk_node(b)->kind)
        return false;
    if (tk_is(a, TK_ARRAY) || tk_is(a, TK_OBJECT))
        return same_children(a, b, target, deed, arena);
    return tk_str_eq(tk_span(a), tk_span(b));
}

static struct tk_val parent_of(struct tk_val v)
{
    struct tk_val parent = {v.doc, v.node};

    while (parent.node-- > 0)
        if (tk_node(parent)->next > v.node)
            break;
    return parent;
}

static void expect(const struct tk_doc *doc, struct tk_str spliced, uint32_t target, enum deed deed)
{
    struct tk_read_error error;
    struct tk_arena arena;
    struct tk_doc after;
    bool good;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_doc_init(&after, tk_libc_allocator);
    good = spliced.p &&
           tk_doc_read(&after, spliced.p, spliced.n, &(struct tk_read_limits){256, 1 << 20, {1, 2}},
                       &arena, &error) == 0;
    if (good)
        good = broken_tape(&after) == NULL &&
               same_but(tk_root(doc), tk_root(&after), target, deed, &arena);
    if (!good)
        printf("# deed %d at node %u of %.*s\n# gave %.*s\n", (int)deed, target,
               doc->codec == TK_JSON ? (int)doc->size : 0, (const char *)doc->base,
               doc->codec == TK_JSON ? (int)spliced.n : 0, spliced.p ? spliced.p : "");
    CU_ASSERT(good);
    tk_doc_done(&after);
    tk_arena_done(&arena);
}

/* All bytes before the first that differs, and after the last, are copied. */
static void expect_replaced_bytes(struct tk_val target, struct tk_str spliced)
{
    struct tk_str all = tk_span(tk_root(target.doc)), value = fresh(target.doc->codec);
    size_t from = tk_node(target)->off - tk_node(tk_root(target.doc))->off;
    size_t behind = from + tk_node(target)->len;

    CU_ASSERT_EQUAL_FATAL(spliced.n, all.n - tk_node(target)->len + value.n);
    CU_ASSERT(memcmp(spliced.p, all.p, from) == 0);
    CU_ASSERT(memcmp(spliced.p + from, value.p, value.n) == 0);
    CU_ASSERT(memcmp(spliced.p + from + value.n, all.p + behind, all.n - behind) == 0);
}

/* An object with a member of that key, as it is sent. */
static struct tk_str with_member(struct tk_arena *arena, struct tk_val object, struct tk_str key,
                                 struct tk_val value)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, arena);
    tk_writer_init(&w, (enum tk_codec)object.doc->codec, &out);
    tk_write_with_member(&w, object, key, value);
    return tk_out_join(&out);
}

/* Written with a member more, and with each of its members replaced. */
static void write_members(struct reading *r, struct tk_val object, struct tk_val value)
{
    struct tk_val root = tk_root(&r->doc);
    struct tk_str written = with_member(&r->arena, object, TK_STR("added"), value);

    expect(&r->doc, tk_splice_replace(&r->arena, root, object, written), object.node, ADDED);
    for (struct tk_val v = tk_first(object); tk_exists(v); v = tk_after(object, v)) {
        written = with_member(&r->arena, object, tk_key(v, &r->arena), value);
        expect(&r->doc, tk_splice_replace(&r->arena, root, object, written), v.node, REPLACED);
        CU_ASSERT(tk_str_eq(tk_span_before(object, v),
                            (struct tk_str){written.p, tk_span_before(object, v).n}));
        CU_ASSERT(tk_str_ends(written, tk_span_after(object, v)));
    }
}

static void write_given(struct tk_writer *w, const void *arg)
{
    const struct tk_val *value = arg;

    tk_write_val(w, *value);
}

/* Every second member replaced at once, and one that is new. */
static void write_changes(struct reading *r, struct tk_val object, struct tk_val value, bool grows)
{
    struct tk_member_change changes[16];
    struct reading made;
    struct tk_writer w;
    struct tk_out out;
    struct tk_str written;
    struct tk_val now;
    size_t n = 0, i = 0;

    for (struct tk_val v = tk_first(object); tk_exists(v) && n < 15; v = tk_after(object, v))
        if (i++ % 2 == 0)
            changes[n++] = (struct tk_member_change){tk_key(v, &r->arena), write_given, &value};
    if (grows)
        changes[n++] = (struct tk_member_change){TK_STR("added"), write_given, &value};
    tk_out_init(&out, &r->arena);
    tk_writer_init(&w, (enum tk_codec)object.doc->codec, &out);
    tk_write_with_changes(&w, object, changes, n);
    written = tk_out_join(&out);
    reading_init(&made);
    CU_ASSERT_EQUAL_FATAL(
        tk_doc_read(&made.doc, written.p, written.n, &made.limits, &made.arena, &made.error), 0);
    CU_ASSERT_EQUAL(tk_count(tk_root(&made.doc)), tk_count(object) + grows);
    now = tk_first(tk_root(&made.doc));
    i = 0;
    for (struct tk_val v = tk_first(object); tk_exists(v); v = tk_after(object, v)) {
        bool replaced = i++ % 2 == 0 && i < 30;

        CU_ASSERT(tk_str_eq(tk_raw_key(now), tk_raw_key(v)));
        CU_ASSERT(tk_str_eq(tk_span(now), tk_span(replaced ? value : v)));
        now = tk_after(tk_root(&made.doc), now);
    }
    if (grows)
        CU_ASSERT(tk_str_eq(tk_span(now), tk_span(value)));
    CU_ASSERT(reading_done(&made));
}

static void splice_everywhere(struct reading *r, uint64_t *seed)
{
    struct tk_val root = tk_root(&r->doc);
    struct tk_str value = fresh(r->doc.codec);
    struct reading made;

    (void)seed;
    reading_init(&made);
    CU_ASSERT_EQUAL_FATAL(
        tk_doc_read(&made.doc, value.p, value.n, &made.limits, &made.arena, &made.error), 0);
    for (uint32_t node = 0; node < r->doc.count; node++) {
        struct tk_val target = {&r->doc, node};
        struct tk_str spliced = tk_splice_replace(&r->arena, root, target, value);

        expect(&r->doc, spliced, node, REPLACED);
        expect_replaced_bytes(target, spliced);
        if (node > 0)
            expect(&r->doc, tk_splice_remove(&r->arena, root, parent_of(target), target), node,
                   REMOVED);
        if (tk_is(target, TK_OBJECT)) {
            expect(&r->doc, tk_splice_add(&r->arena, root, target, "added", value), node, ADDED);
            write_members(r, target, tk_root(&made.doc));
            write_changes(r, target, tk_root(&made.doc), false);
            write_changes(r, target, tk_root(&made.doc), true);
        }
    }
    CU_ASSERT(reading_done(&made));
}

/* Documents in both codecs, drawn from a seed. */
static void each_document(uint64_t seed, void (*visit)(struct reading *r, uint64_t *seed))
{
    for (int i = 0; i < DOCUMENTS; i++) {
        struct tk_arena arena;
        struct tk_str text;
        struct reading r;
        enum tk_codec codec;

        tk_arena_init(&arena, tk_libc_allocator);
        text = i % 2 ? generate_msgpack(&seed, &arena) : generate_json(&seed, &arena);
        reading_init(&r);
        if (tk_codec_of(text.p, text.n, &codec) &&
            tk_doc_read(&r.doc, text.p, text.n, &r.limits, &r.arena, &r.error) == 0)
            visit(&r, &seed);
        CU_ASSERT(reading_done(&r));
        tk_arena_done(&arena);
    }
}

static void test_every_position(void)
{
    each_document(42, splice_everywhere);
}

/* ---- many at once ---- */

enum {
    STAYS,
    GOES,
    BECOMES_FRESH,
};

/* Children side by side; fate says of each node what became of it. */
static bool same_by_fate(struct tk_val a, struct tk_val b, const uint8_t *fate,
                         struct tk_arena *arena)
{
    struct tk_val y = tk_first(b);

    if (fate[a.node] == BECOMES_FRESH)
        return is_fresh(b);
    if (!tk_is(a, TK_ARRAY) && !tk_is(a, TK_OBJECT))
        return tk_str_eq(tk_span(a), tk_span(b));
    for (struct tk_val x = tk_first(a); tk_exists(x); x = tk_after(a, x)) {
        if (fate[x.node] == GOES)
            continue;
        if (!tk_exists(y) || (tk_is(a, TK_OBJECT) && !same_key(x, y, arena)) ||
            !same_by_fate(x, y, fate, arena))
            return false;
        y = tk_after(b, y);
    }
    return !tk_exists(y);
}

/*
 * Draws cuts in the order of the tape: at most one child of each container is removed, and some
 * others are replaced. Nothing inside these is touched.
 */
static size_t draw_cuts(struct reading *r, struct tk_val parent, uint64_t *seed, uint8_t *fate,
                        struct tk_cut *cuts)
{
    uint32_t count = tk_count(parent), goes = count ? random_below(seed, count + 2) : 0, i = 0;
    size_t n = 0;

    for (struct tk_val v = tk_first(parent); tk_exists(v); v = tk_after(parent, v), i++) {
        if (i == goes) {
            fate[v.node] = GOES;
            n += tk_cut_remove(&r->arena, parent, v, cuts + n);
        } else if (random_below(seed, 4) == 0) {
            fate[v.node] = BECOMES_FRESH;
            cuts[n++] = tk_cut_replace(v, fresh(r->doc.codec));
        } else {
            n += draw_cuts(r, v, seed, fate, cuts + n);
        }
    }
    return n;
}

static void cut_often(struct reading *r, uint64_t *seed)
{
    struct tk_val root = tk_root(&r->doc);
    struct tk_cut *cuts = tk_arena_alloc(&r->arena, 2 * r->doc.count * sizeof(*cuts));

    for (int i = 0; i < 20; i++) {
        uint8_t *fate = tk_arena_zalloc(&r->arena, r->doc.count, sizeof(*fate));
        size_t n = draw_cuts(r, root, seed, fate, cuts);
        struct tk_str got = tk_splice_cuts(&r->arena, root, cuts, n);
        struct reading after;

        reading_init(&after);
        CU_ASSERT_EQUAL_FATAL(
            tk_doc_read(&after.doc, got.p, got.n, &after.limits, &after.arena, &after.error), 0);
        CU_ASSERT(same_by_fate(root, tk_root(&after.doc), fate, &after.arena));
        CU_ASSERT(reading_done(&after));
    }
}

static void test_many_cuts(void)
{
    each_document(7, cut_often);
}

/* ---- exact bytes ---- */

struct row {
    const char *text;
    const char *path[3]; /* members and, as digits, elements; of the target */
    const char *removed;
};

static const struct row removals[] = {
    {"{\"a\":1}", {"a"}, "{}"},
    {"{ \"a\" : 1 }", {"a"}, "{  }"},
    {"{\"a\":1,\"b\":2}", {"a"}, "{\"b\":2}"},
    {"{\"a\":1,\"b\":2}", {"b"}, "{\"a\":1}"},
    {"{\"a\":1 , \"b\":2 , \"c\":3}", {"b"}, "{\"a\":1 , \"c\":3}"},
    {"{\"a\":1 , \"b\":2 }", {"b"}, "{\"a\":1 }"},
    {"{\"a\":1, \"\\u0062\" : 2}", {"b"}, "{\"a\":1}"},
    {"[1]", {"0"}, "[]"},
    {"[ 1 , 2 , 3 ]", {"0"}, "[ 2 , 3 ]"},
    {"[ 1 , 2 , 3 ]", {"1"}, "[ 1 , 3 ]"},
    {"[ 1 , 2 , 3 ]", {"2"}, "[ 1 , 2 ]"},
    {"{\"a\":{\"b\":[\"]\",\"}\"]}}", {"a", "b", "1"}, "{\"a\":{\"b\":[\"]\"]}}"},
};

static struct tk_val step(struct tk_val v, const char *name)
{
    struct tk_val e = tk_first(v);

    if (tk_is(v, TK_OBJECT))
        return tk_get(v, tk_str_of(name));
    for (int i = atoi(name); i > 0; i--)
        e = tk_after(v, e);
    return e;
}

static void test_json_bytes(void)
{
    for (size_t i = 0; i < sizeof(removals) / sizeof(removals[0]); i++) {
        struct reading r;
        struct tk_val parent, target;
        struct tk_str got;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(removals[i].text)), 0);
        parent = target = tk_root(&r.doc);
        for (int k = 0; k < 3 && removals[i].path[k]; k++) {
            parent = target;
            target = step(target, removals[i].path[k]);
        }
        got = tk_splice_remove(&r.arena, tk_root(&r.doc), parent, target);
        if (!tk_str_is(got, removals[i].removed))
            printf("# %s became %.*s\n", removals[i].text, (int)got.n, got.p);
        CU_ASSERT(tk_str_is(got, removals[i].removed));
        CU_ASSERT(reading_done(&r));
    }
}

/* ---- several members at once ---- */

static bool is_short(const void *arg, struct tk_val member)
{
    return tk_raw_key(member).n <= *(const size_t *)arg;
}

/* Members whose names have at most two bytes go. */
static void test_members_that_go(void)
{
    static const char *const rows[][2] = {
        {"{}", "{}"},
        {"{ \"a\": 1 }", "{ }"},
        {"{\"long\": 1}", "{\"long\": 1}"},
        {"{ \"a\" : 1,\n  \"long\" : [1] , \"b\":2, \"more\":{} }",
         "{\"long\" : [1], \"more\":{} }"},
        {"{\"long\":1, \"a\":2, \"b\":3}", "{\"long\":1}"},
        {"{\"long\":1, \"a\":2, \"more\":3}", "{\"long\":1, \"more\":3}"},
    };
    static const size_t two = 2;

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;
        struct tk_str got;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(rows[i][0])), 0);
        got = tk_splice_without(&r.arena, tk_root(&r.doc), is_short, &two);
        if (!tk_str_is(got, rows[i][1]))
            printf("# %s became %.*s\n", rows[i][0], (int)got.n, got.p);
        CU_ASSERT(tk_str_is(got, rows[i][1]));
        CU_ASSERT(reading_done(&r));
    }
}

static void test_msgpack_members_that_go(void)
{
    static const size_t two = 2;
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_msgpack(&r, TK_STR("\xde\x00\x03\xa1"
                                                     "a\x01\xa4long\x02\xa1"
                                                     "b\x03")),
                          0);
    CU_ASSERT(tk_str_eq(tk_splice_without(&r.arena, tk_root(&r.doc), is_short, &two),
                        TK_STR("\xde\x00\x01\xa4long\x02")));
    CU_ASSERT(reading_done(&r));
}

static void test_json_additions(void)
{
    static const char *const rows[][2] = {
        {"{}", "{\"k\":1}"},
        {"{ }", "{ \"k\":1}"},
        {"{\"a\":2 }", "{\"a\":2,\"k\":1 }"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;
        struct tk_str got;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(rows[i][0])), 0);
        got = tk_splice_add(&r.arena, tk_root(&r.doc), tk_root(&r.doc), "k", TK_STR("1"));
        if (strcmp(as_json(got, &r.arena), as_json(tk_str_of(rows[i][1]), &r.arena)) != 0)
            printf("# %s became %.*s\n", rows[i][0], (int)got.n, got.p);
        CU_ASSERT_STRING_EQUAL(as_json(got, &r.arena), as_json(tk_str_of(rows[i][1]), &r.arena));
        CU_ASSERT(reading_done(&r));
    }
}

/* A map or list of n small members, its count written in `header` bytes. */
static struct tk_str packed(struct tk_arena *arena, bool map, uint32_t n, size_t header)
{
    struct tk_out out;
    uint8_t head[5] = {map ? 0xdf : 0xdd, (uint8_t)(n >> 24), (uint8_t)(n >> 16), (uint8_t)(n >> 8),
                       (uint8_t)n};

    tk_out_init(&out, arena);
    if (header == 1)
        head[0] = (uint8_t)((map ? 0x80 : 0x90) | n);
    if (header == 3) {
        head[0] = map ? 0xde : 0xdc;
        head[1] = (uint8_t)(n >> 8);
        head[2] = (uint8_t)n;
    }
    tk_out_put(&out, head, header);
    for (uint32_t i = 0; i < n; i++) {
        char key[16];
        int length = snprintf(key, sizeof(key), "%c%06u", 0xa6, i);

        if (map)
            tk_out_put(&out, key, (size_t)length);
        tk_out_put(&out, "\x01", 1);
    }
    return tk_out_join(&out);
}

/* A count keeps its width where it can and grows where it must. */
static void test_msgpack_counts(void)
{
    static const struct {
        uint32_t n;
        size_t header, removed, added;
    } rows[] = {
        {1, 1, 1, 1},     {15, 1, 1, 3},    {15, 3, 3, 3},    {16, 3, 3, 3},  {15, 5, 5, 5},
        {65535, 3, 3, 5}, {65535, 5, 5, 5}, {65536, 5, 5, 5}, {300, 3, 3, 3},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        for (int map = 0; map < 2; map++) {
            struct reading r;
            struct tk_str bytes, got;
            struct tk_val root;

            reading_init(&r);
            bytes = packed(&r.arena, map, rows[i].n, rows[i].header);
            CU_ASSERT_EQUAL_FATAL(reading_msgpack(&r, bytes), 0);
            root = tk_root(&r.doc);
            got = tk_splice_remove(&r.arena, root, root, tk_first(root));
            CU_ASSERT_EQUAL(got.n, bytes.n - (map ? 8 : 1) - rows[i].header + rows[i].removed);
            expect(&r.doc, got, 1, REMOVED);
            if (map) {
                got = tk_splice_add(&r.arena, root, root, "added", fresh(TK_MSGPACK));
                CU_ASSERT_EQUAL(got.n, bytes.n - rows[i].header + rows[i].added + 6 + 7);
                expect(&r.doc, got, 0, ADDED);
            }
            CU_ASSERT(reading_done(&r));
        }
    }
}

TAP_MAIN("splice", TAP_TEST(test_every_position), TAP_TEST(test_many_cuts),
         TAP_TEST(test_json_bytes), TAP_TEST(test_json_additions), TAP_TEST(test_members_that_go),
         TAP_TEST(test_msgpack_members_that_go), TAP_TEST(test_msgpack_counts))
