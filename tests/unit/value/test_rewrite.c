/* SPDX-License-Identifier: Apache-2.0 */
/*
 * New versions of random bytes: put together from pieces of the old ones, in any order, and new ones, in
 * one step or in two. The changes that are told, applied to the old bytes, must give the new version.
 */
#include "../documents.h"
#include "../tap.h"
#include "value/rewrite.h"

#include <stdlib.h>

enum {
    ROUNDS = 3000,
};

/* Texts of one, two, three and four bytes a character, and bytes that a JSON string escapes. */
static const char *const words[] = {"a", "b",  "ab", "\"", "\\", "é", "è",
                                    "ü", "漢", "字", "𝄞",  "𝄢",  " "};

static struct tk_str random_text(uint64_t *seed, uint32_t most, struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    tk_out_put(&out, "", 0);
    for (uint32_t n = random_below(seed, most + 1); n > 0; n--) {
        struct tk_str word = tk_str_of(words[random_below(seed, sizeof(words) / sizeof(words[0]))]);

        tk_out_put(&out, word.p, word.n);
    }
    return tk_out_join(&out);
}

/* Returns the text as a JSON string of its own document: a value like any other. */
static struct tk_val as_value(struct reading *r, struct tk_str text)
{
    struct tk_encoding e;

    tk_encode_begin(&e, TK_JSON, &r->arena);
    tk_write_str(&e.w, text);
    CU_ASSERT_EQUAL_FATAL(reading_json(r, tk_encode_end(&e)), 0);
    return tk_root(&r->doc);
}

static bool is_first_byte(struct tk_str s, size_t at)
{
    return at >= s.n || ((unsigned char)s.p[at] & 0xc0) != 0x80;
}

/* Returns a piece of the old version that consists of whole characters. */
static struct tk_str random_piece(uint64_t *seed, struct tk_str old)
{
    size_t a = random_below(seed, (uint32_t)old.n + 1), b = random_below(seed, (uint32_t)old.n + 1);
    size_t from = a < b ? a : b, to = a < b ? b : a;

    while (!is_first_byte(old, from))
        from--;
    while (!is_first_byte(old, to))
        to--;
    return (struct tk_str){old.p + from, to - from};
}

/* Writes a new version of `old`: its pieces, mostly in their order, and new text between them. */
static void write_version(struct tk_rewrite *r, uint64_t *seed, struct tk_str old)
{
    struct tk_arena *arena = r->out.arena;

    for (uint32_t n = random_below(seed, 6); n > 0; n--) {
        struct tk_str fresh = random_text(seed, 4, arena);

        if (random_below(seed, 3) > 0)
            tk_out_ref(&r->out, random_piece(seed, old));
        tk_out_put(&r->out, fresh.p, fresh.n);
    }
}

/* Applies changes as anybody would, who holds the bytes. Fails if they aren't in order. */
static struct tk_str applied(struct tk_str old, struct tk_val changes, struct tk_arena *arena)
{
    struct tk_out out;
    size_t at = 0;

    tk_out_init(&out, arena);
    for (struct tk_val c = tk_first(changes); tk_exists(c); c = tk_after(changes, c)) {
        struct tk_val offset = tk_first(c), length = tk_after(c, offset);
        struct tk_str text = tk_text(tk_after(c, length), arena);
        int64_t from = -1, n = -1;

        CU_ASSERT_FATAL(tk_int64(offset, &from) && tk_int64(length, &n));
        CU_ASSERT_FATAL(from >= (int64_t)at && n >= 0 && (size_t)(from + n) <= old.n);
        CU_ASSERT(is_first_byte(old, (size_t)from) && is_first_byte(old, (size_t)(from + n)));
        tk_out_put(&out, old.p + at, (size_t)from - at);
        tk_out_put(&out, text.p, text.n);
        at = (size_t)(from + n);
    }
    tk_out_put(&out, old.p + at, old.n - at);
    return tk_out_join(&out);
}

/* Checks that the changes of a version, whose bytes are `want`, make it of `old`. */
static void expect_changes(const struct tk_rewrite *r, struct tk_str old, struct tk_str want)
{
    struct tk_encoding e;
    struct reading told;
    struct tk_val changes;

    tk_encode_begin(&e, TK_JSON, r->out.arena);
    tk_write_map(&e.w);
    tk_rewrite_write(r, &e.w, "changes");
    tk_write_end(&e.w);
    reading_init(&told);
    CU_ASSERT_EQUAL_FATAL(reading_json(&told, tk_encode_end(&e)), 0);
    changes = tk_get(tk_root(&told.doc), TK_STR("changes"));
    CU_ASSERT_EQUAL(tk_exists(changes), !tk_str_eq(old, want));
    CU_ASSERT(tk_str_eq(applied(old, changes, &told.arena), want));
    reading_done(&told);
}

static void test_changes_make_the_new_version(void)
{
    uint64_t seed = 3;

    for (int round = 0; round < ROUNDS; round++) {
        struct tk_rewrite first, second;
        struct reading r, made;
        struct tk_str old, middle, want;
        struct tk_val value, again;

        reading_init(&r);
        reading_init(&made);
        value = as_value(&r, random_text(&seed, 40, &r.arena));
        old = tk_span(value);
        tk_rewrite_begin(&first, value, NULL, &r.arena);
        tk_out_put(&first.out, "\"", 1);
        write_version(&first, &seed, (struct tk_str){old.p + 1, old.n - 2});
        tk_out_put(&first.out, "\"", 1);
        middle = tk_rewrite_join(&first);
        expect_changes(&first, old, middle);
        /* A string that ends in half an escape isn't read: no second version is made of it. */
        if (reading_json(&made, middle) == 0) {
            again = tk_root(&made.doc);
            tk_rewrite_begin(&second, again, &first, &r.arena);
            write_version(&second, &seed, tk_span(again));
            want = tk_rewrite_join(&second);
            expect_changes(&second, old, want);
        }
        reading_done(&made);
        reading_done(&r);
    }
}

/* Only what an edit wrote is told, also if the pieces around it are short. */
static void test_changes_are_short(void)
{
    struct tk_rewrite made;
    struct reading r;
    struct tk_encoding e;
    struct tk_val list;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, TK_STR("[1, {\"a\": \"x\"} ,3]")), 0);
    list = tk_root(&r.doc);
    tk_rewrite_begin(&made, list, NULL, &r.arena);
    tk_write_list(&made.w);
    tk_write_val(&made.w, tk_first(list));
    tk_write_raw(&made.w, TK_STR("{\"a\": \"y\"}"));
    tk_write_int(&made.w, 3);
    tk_write_end(&made.w);
    tk_encode_begin(&e, TK_JSON, &r.arena);
    tk_write_map(&e.w);
    tk_rewrite_write(&made, &e.w, "changes");
    tk_write_end(&e.w);
    CU_ASSERT(
        tk_str_eq(tk_encode_end(&e), TK_STR("{\"changes\":[[3,12,\"{\\\"a\\\": \\\"y\\\"}\"]]}")));
    reading_done(&r);
}

/* Bytes that were received stay where they are if the earlier version has them, too. */
static void test_two_steps_tell_one_change(void)
{
    struct tk_rewrite first, second;
    struct tk_str middle;
    struct reading r, made;
    struct tk_encoding e;

    reading_init(&r);
    reading_init(&made);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, TK_STR("[\"aaaa\",\"bbbb\",\"cccc\"]")), 0);
    tk_rewrite_begin(&first, tk_root(&r.doc), NULL, &r.arena);
    tk_out_ref(&first.out, (struct tk_str){tk_span(tk_root(&r.doc)).p, 7});
    tk_out_put(&first.out, ",1", 2);
    tk_out_ref(&first.out, (struct tk_str){tk_span(tk_root(&r.doc)).p + 7, 15});
    middle = tk_rewrite_join(&first);
    CU_ASSERT_EQUAL_FATAL(reading_json(&made, middle), 0);
    tk_rewrite_begin(&second, tk_root(&made.doc), &first, &r.arena);
    tk_out_ref(&second.out, (struct tk_str){middle.p, 8});
    tk_out_put(&second.out, "2", 1);
    tk_out_ref(&second.out, (struct tk_str){middle.p + 9, middle.n - 9});
    tk_encode_begin(&e, TK_JSON, &r.arena);
    tk_write_map(&e.w);
    tk_rewrite_write(&second, &e.w, "changes");
    tk_write_end(&e.w);
    CU_ASSERT(tk_str_eq(tk_encode_end(&e), TK_STR("{\"changes\":[[7,0,\",2\"]]}")));
    reading_done(&made);
    reading_done(&r);
}

TAP_MAIN("rewrite", TAP_TEST(test_changes_make_the_new_version), TAP_TEST(test_changes_are_short),
         TAP_TEST(test_two_steps_tell_one_change))
