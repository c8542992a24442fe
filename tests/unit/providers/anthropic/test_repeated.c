/* SPDX-License-Identifier: Apache-2.0 */
/* Tools whose name an earlier one has, in lists of many sizes and with names of every kind. */
#include "../../documents.h"
#include "../../tap.h"
#include "providers/anthropic/request.h"
#include "providers/anthropic/tools/repeated.h"
#include "value/out.h"

static const uint64_t key[2] = {1, 2};

static void put(struct tk_out *out, struct tk_str s)
{
    tk_out_put(out, s.p, s.n);
}

/* Writes a name: one of `kinds`, so that many are repeated. Two spellings of one name are equal. */
static void put_tool(struct tk_out *out, uint32_t kind)
{
    static const char *const odd[] = {"{\"name\":\"\"}",
                                      "{}",
                                      "7",
                                      "{\"name\":7}",
                                      "{\"name\":\"a_tool\"}",
                                      "{\"name\":\"\\u0061_tool\"}",
                                      "{\"name\":\"\\ud800\"}"};
    char text[400], end[500];

    if (kind < sizeof(odd) / sizeof(odd[0])) {
        put(out, tk_str_of(odd[kind]));
        return;
    }
    /* Sizes on both sides of those that the hash tells apart, and of those that are short. */
    memset(text, 'n', sizeof(text));
    text[kind % 7 == 0 ? 250 + kind % 20 : kind % 30] = 0;
    snprintf(end, sizeof(end), "{\"name\":\"%s%u\"}", text, (unsigned)(kind % 5));
    put(out, tk_str_of(end));
}

static struct tk_str body_of(struct tk_arena *arena, uint64_t *seed, uint32_t count, uint32_t kinds)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    put(&out, TK_STR("{\"tools\":["));
    for (uint32_t i = 0; i < count; i++) {
        put(&out, i > 0 ? TK_STR(",") : TK_STR(""));
        put_tool(&out, random_below(seed, kinds));
    }
    put(&out, TK_STR("]}"));
    return tk_out_join(&out);
}

/* Compares each name with all before it. */
static uint32_t repeated_by_pairs(const struct tk_request_view *view, struct tk_arena *arena,
                                  uint32_t *ret)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < view->tool_count; i++) {
        struct tk_str name = tk_text(tk_request_val(view, view->tools[i].name), arena);
        bool found = false;

        for (uint32_t k = 0; k < i && name.p && !found; k++) {
            struct tk_str other = tk_text(tk_request_val(view, view->tools[k].name), arena);

            found = other.p && tk_str_eq(other, name);
        }
        if (found)
            ret[count++] = i;
    }
    return count;
}

static uint32_t check(uint64_t *seed, uint32_t count, uint32_t kinds)
{
    uint32_t want[400], n;
    struct reading r;
    struct tk_request_view view;
    struct tk_repeated repeated = {0};
    struct tk_map map;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, body_of(&r.arena, seed, count, kinds)), 0);
    CU_ASSERT_EQUAL_FATAL(tk_anthropic_read_request(&view, tk_root(&r.doc), &r.arena), 0);
    tk_map_init(&map, &r.arena, key);
    CU_ASSERT_EQUAL(tk_repeated_read(&repeated, &view, &map), 0);
    n = repeated_by_pairs(&view, &r.arena, want);
    CU_ASSERT_EQUAL_FATAL(repeated.count, n);
    CU_ASSERT(n == 0 || memcmp(repeated.list, want, n * sizeof(*want)) == 0);
    CU_ASSERT_TRUE(reading_done(&r));
    return n;
}

static void test_lists_of_every_size(void)
{
    static const uint32_t counts[] = {0, 1, 2, 7, 50, 127, 128, 129, 400};
    uint64_t seed = 11;
    uint32_t found = 0;

    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
        for (uint32_t kinds = 4; kinds < 3000; kinds *= 3)
            for (int times = 0; times < 20; times++)
                found += check(&seed, counts[i], kinds);
    CU_ASSERT(found > 1000);
}

TAP_MAIN("repeated", TAP_TEST(test_lists_of_every_size))
