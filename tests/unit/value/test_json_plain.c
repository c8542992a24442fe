/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast ways through JSON (json_plain.h) against the reader without one: documents that are
 * nearly plain, whole, cut and damaged, give the same tape, or the same refusal at the same place.
 */
#include "../documents.h"
#include "../tap.h"
#include "value/json_plain.h"

#include <stdlib.h>

#define DOCUMENTS 3000
#define TEXT_MAX  40000u

/* A document that is being written. */
struct text {
    uint64_t *seed;
    char p[TEXT_MAX];
    size_t n;
    uint32_t odd; /* one of so many pieces isn't plain */
};

static void put(struct text *t, const char *s)
{
    size_t n = strlen(s);

    if (t->n + n <= sizeof(t->p)) {
        memcpy(t->p + t->n, s, n);
        t->n += n;
    }
}

static void put_one(struct text *t, const char *const *of, size_t n)
{
    put(t, of[random_below(t->seed, (uint32_t)n)]);
}

#define PUT_ONE(t, of) put_one(t, of, sizeof(of) / sizeof((of)[0]))

static void put_space(struct text *t)
{
    static const char *const spaces[] = {" ", " ", "  ", "\n", "\t ", " \r\n"};

    if (random_below(t->seed, t->odd) == 0)
        PUT_ONE(t, spaces);
}

static void put_string(struct text *t)
{
    static const char *const odd[] = {"\\n",      "\\\"",         "\\u00e9", "\\ud800",
                                      "\xc3\xa9", "\xe6\x97\xa5", "\x7f",    "\\ud83d\\ude00"};
    static const char *const broken[] = {"\xff", "\\x", "\x01", "\t", "\xe6\x97", "\\u12"};
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_ ,:{}[]";
    uint32_t n = random_below(t->seed, random_below(t->seed, 8) == 0 ? 700 : 20);

    put(t, "\"");
    for (uint32_t i = 0; i < n; i++) {
        char letter[2] = {letters[random_below(t->seed, sizeof(letters) - 1)], 0};

        put(t, letter);
        if (random_below(t->seed, 30 * t->odd) == 0)
            PUT_ONE(t, odd);
        if (random_below(t->seed, 4000) == 0)
            PUT_ONE(t, broken);
    }
    put(t, "\"");
}

/* Now and then a key twice in an object, and the watched one. */
static void put_key(struct text *t, uint32_t index)
{
    static const char *const keys[] = {"\"\"",     "\"a\"",   "\"watched\"", "\"w\\u0061tched\"",
                                       "\"type\"", "\"type\""};
    char unique[16];

    if (random_below(t->seed, t->odd) == 0) {
        PUT_ONE(t, keys);
        return;
    }
    snprintf(unique, sizeof(unique), "\"k%u\"", (unsigned)index);
    put(t, unique);
}

static void put_value(struct text *t, uint32_t depth)
{
    static const char *const scalars[] = {
        "0",
        "-12",
        "1.5e3",
        "true",
        "false",
        "null",
        "01",
        "tru",
        "-",
        "\"\"",
        "1234567890123456789012345678901234567890123456789012345678901234567890123456789"};
    uint32_t kind = random_below(t->seed, depth == 0 ? 1 : 9), n;
    bool object = kind == 0 || kind > 6;

    if (depth > 6 || (kind > 0 && kind < 5)) {
        put_string(t);
    } else if (kind == 5) {
        PUT_ONE(t, scalars);
    } else {
        n = random_below(t->seed, depth == 0 ? 20 : 5);
        put(t, object ? "{" : "[");
        for (uint32_t i = 0; i < n; i++) {
            put_space(t);
            if (object) {
                put_key(t, i);
                put_space(t);
                put(t, ":");
                put_space(t);
            }
            put_value(t, depth + 1);
            put_space(t);
            if (i + 1 < n)
                put(t, ",");
        }
        put_space(t);
        put(t, object ? "}" : "]");
    }
}

/* Cuts the text, or changes one byte of it, but not of every text. */
static void damage(struct text *t)
{
    static const char bytes[] = "\"\\{}[],: \n\x01\x80\xc3z0";
    uint32_t how = random_below(t->seed, 6);

    if (how == 0)
        t->n = random_below(t->seed, (uint32_t)t->n + 1);
    if (how == 1 && t->n > 0)
        t->p[random_below(t->seed, (uint32_t)t->n)] =
            bytes[random_below(t->seed, sizeof(bytes) - 1)];
}

static int read_by(const struct tk_json_plain *plain, struct reading *r, struct tk_str text,
                   uint32_t max_values, uint32_t max_depth)
{
    reading_init(r);
    r->limits.max_values = max_values;
    r->limits.max_depth = max_depth;
    r->doc.watched = TK_STR("watched");
    return tk_json_read_by(plain, &r->doc, text.p, text.n, &r->limits, &r->arena, &r->error);
}

static bool same_tape(const struct tk_doc *a, const struct tk_doc *b)
{
    return a->count == b->count && a->has_surrogate == b->has_surrogate &&
           a->watched_first == b->watched_first && a->watched_last == b->watched_last &&
           memcmp(a->nodes, b->nodes, a->count * sizeof(*a->nodes)) == 0;
}

static bool same_error(const struct tk_read_error *a, const struct tk_read_error *b)
{
    return a->offset == b->offset && strcmp(a->what, b->what) == 0 &&
           tk_str_eq(a->pointer, b->pointer);
}

/* Reads a text with all variants. Returns the result of the one without a fast way. */
static int check(struct tk_str text, uint32_t max_values, uint32_t max_depth)
{
    struct reading slow;
    int result = read_by(&tk_json_plain_none, &slow, text, max_values, max_depth);

    for (size_t i = 0; i < tk_json_plain_variant_count; i++) {
        const struct tk_json_plain *plain = tk_json_plain_variants[i];
        struct reading fast;
        int r;

        if (!plain->supported())
            continue;
        r = read_by(plain, &fast, text, max_values, max_depth);
        if (r != result || (r == 0 && !same_tape(&fast.doc, &slow.doc)) ||
            (r != 0 && !same_error(&fast.error, &slow.error))) {
            printf("# %s, %d for %d: %.*s\n", plain->name, r, result, (int)text.n, text.p);
            CU_FAIL("a variant reads otherwise than the reader without one");
        }
        CU_ASSERT_TRUE(reading_done(&fast));
    }
    CU_ASSERT_TRUE(reading_done(&slow));
    return result;
}

static void test_variants_agree(void)
{
    static struct text t;
    uint64_t seed = 7;
    uint32_t results[TK_READ_TRAILING_BYTES + 1] = {0};

    for (int i = 0; i < DOCUMENTS; i++) {
        uint32_t values = random_below(&seed, 4) == 0 ? 1 + random_below(&seed, 60) : UINT32_MAX;
        uint32_t depth = random_below(&seed, 8) == 0 ? 1 + random_below(&seed, 5) : 256;
        char *copy;
        int result;

        t.seed = &seed;
        t.n = 0;
        t.odd = i % 3 == 0 ? 2 : 60;
        put_value(&t, 0);
        damage(&t);
        /* A block of exactly the text's size, so that sanitizers see a step beyond it. */
        copy = malloc(t.n + 1);
        memcpy(copy + 1, t.p, t.n);
        result = check((struct tk_str){copy + 1, t.n}, values, depth);
        free(copy);
        CU_ASSERT_FATAL(result >= 0 && result <= TK_READ_TRAILING_BYTES);
        results[result]++;
    }
    /* The texts try all of it. */
    CU_ASSERT(results[TK_READ_OK] > DOCUMENTS / 10);
    CU_ASSERT(results[TK_READ_PARSE_ERROR] > DOCUMENTS / 10);
    CU_ASSERT(results[TK_READ_DUPLICATE_KEY] > 20);
    CU_ASSERT(results[TK_READ_TOO_DEEP] > 20);
    CU_ASSERT(results[TK_READ_TOO_MANY_VALUES] > 20);
}

/* Each byte at each place of the first window. */
static void test_every_byte(void)
{
    uint32_t accepted = 0;

    for (unsigned c = 0; c < 256; c++)
        for (size_t at = 0; at < 64; at++) {
            char text[] =
                "{\"key\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\","
                "\"a\":[\"\",\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"]}";

            text[at] = (char)c;
            accepted +=
                check((struct tk_str){text, sizeof(text) - 1}, UINT32_MAX, 256) == TK_READ_OK;
        }
    CU_ASSERT(accepted > 90 * 50);
}

/* The strings end at every place of a window, and the document at every place after it. */
static void test_every_place_of_a_window(void)
{
    char filler[141], spaces[81];

    memset(filler, 'x', sizeof(filler));
    memset(spaces, ' ', sizeof(spaces));
    for (int before = 0; before <= 140; before++)
        for (int after = 0; after <= 80; after += 4) {
            char text[600];
            int n = snprintf(text, sizeof(text),
                             "{\"%.*s\":\"y\",\"a\":\"%.*s\",\"b\": [\"\",{\"\":\"c\"}],"
                             "\"d\":{}, \"e\":1,\"f\":\"%.*s\\n\"}%.*s",
                             before, filler, 140 - before, filler, before, filler, after, spaces);
            char *copy = malloc((size_t)n);

            memcpy(copy, text, (size_t)n);
            CU_ASSERT_EQUAL(check((struct tk_str){copy, (size_t)n}, UINT32_MAX, 256), TK_READ_OK);
            free(copy);
        }
}

TAP_MAIN("json_plain", TAP_TEST(test_variants_agree), TAP_TEST(test_every_byte),
         TAP_TEST(test_every_place_of_a_window))
