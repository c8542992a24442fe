/* SPDX-License-Identifier: Apache-2.0 */
#include "../documents.h"
#include "../tap.h"

#include <stdlib.h>

/* Reads a copy of exactly the bytes' size, so that sanitizers see a step beyond it. */
static int read_copy(struct reading *r, struct tk_str bytes, char **ret_copy)
{
    *ret_copy = malloc(bytes.n > 0 ? bytes.n : 1);
    memcpy(*ret_copy, bytes.p, bytes.n);
    reading_init(r);
    return reading_msgpack(r, (struct tk_str){*ret_copy, bytes.n});
}

/* ---- every first byte ---- */

/* The specification's table of first bytes, typed from its own list. */
struct format {
    unsigned first, last;
    int kind;       /* enum tk_kind, -1: never used */
    size_t payload; /* bytes after the header in the smallest whole value */
    bool foreign;
};

static const struct format formats[] = {
    {0x00, 0x7f, TK_INT, 0, false},    {0x80, 0x80, TK_OBJECT, 0, false},
    {0x90, 0x90, TK_ARRAY, 0, false},  {0xa0, 0xa0, TK_STRING, 0, false},
    {0xc0, 0xc0, TK_NULL, 0, false},   {0xc1, 0xc1, -1, 0, false},
    {0xc2, 0xc2, TK_FALSE, 0, false},  {0xc3, 0xc3, TK_TRUE, 0, false},
    {0xc4, 0xc4, TK_BIN, 1, true},     {0xc5, 0xc5, TK_BIN, 2, true},
    {0xc6, 0xc6, TK_BIN, 4, true},     {0xc7, 0xc7, TK_EXT, 2, true},
    {0xc8, 0xc8, TK_EXT, 3, true},     {0xc9, 0xc9, TK_EXT, 5, true},
    {0xca, 0xca, TK_REAL, 4, false},   {0xcb, 0xcb, TK_REAL, 8, false},
    {0xcc, 0xcc, TK_INT, 1, false},    {0xcd, 0xcd, TK_INT, 2, false},
    {0xce, 0xce, TK_INT, 4, false},    {0xcf, 0xcf, TK_INT, 8, false},
    {0xd0, 0xd0, TK_INT, 1, false},    {0xd1, 0xd1, TK_INT, 2, false},
    {0xd2, 0xd2, TK_INT, 4, false},    {0xd3, 0xd3, TK_INT, 8, false},
    {0xd4, 0xd4, TK_EXT, 2, true},     {0xd5, 0xd5, TK_EXT, 3, true},
    {0xd6, 0xd6, TK_EXT, 5, true},     {0xd7, 0xd7, TK_EXT, 9, true},
    {0xd8, 0xd8, TK_EXT, 17, true},    {0xd9, 0xd9, TK_STRING, 1, false},
    {0xda, 0xda, TK_STRING, 2, false}, {0xdb, 0xdb, TK_STRING, 4, false},
    {0xdc, 0xdc, TK_ARRAY, 2, false},  {0xdd, 0xdd, TK_ARRAY, 4, false},
    {0xde, 0xde, TK_OBJECT, 2, false}, {0xdf, 0xdf, TK_OBJECT, 4, false},
    {0xe0, 0xff, TK_INT, 0, false},
};

static void check_format(const struct format *format, unsigned byte)
{
    char bytes[32] = {(char)byte};
    struct reading r;
    char *copy;

    for (size_t n = 1; n <= format->payload + 1; n++) {
        int result = read_copy(&r, (struct tk_str){bytes, n}, &copy);

        if (format->kind < 0 || n <= format->payload) {
            CU_ASSERT_EQUAL(result, TK_READ_PARSE_ERROR);
            CU_ASSERT(r.error.offset <= n);
        } else {
            CU_ASSERT_EQUAL_FATAL(result, 0);
            CU_ASSERT(tk_is(tk_root(&r.doc), (enum tk_kind)format->kind));
            CU_ASSERT_EQUAL(tk_span(tk_root(&r.doc)).n, n);
            CU_ASSERT_EQUAL((tk_node(tk_root(&r.doc))->flags & TK_NODE_FOREIGN) != 0,
                            format->foreign);
            CU_ASSERT_EQUAL(r.doc.foreign, format->foreign ? 0 : TK_NO_NODE);
            CU_ASSERT_PTR_NULL(broken_tape(&r.doc));
        }
        CU_ASSERT_TRUE(reading_done(&r));
        free(copy);
    }
    /* One more byte after it. */
    if (format->kind >= 0) {
        CU_ASSERT_EQUAL(read_copy(&r, (struct tk_str){bytes, format->payload + 2}, &copy),
                        TK_READ_TRAILING_BYTES);
        CU_ASSERT_EQUAL(r.error.offset, format->payload + 1);
        CU_ASSERT_TRUE(reading_done(&r));
        free(copy);
    }
}

static void test_every_first_byte(void)
{
    unsigned seen = 0;

    for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
        for (unsigned byte = formats[i].first; byte <= formats[i].last; byte++, seen++)
            check_format(&formats[i], byte);
    CU_ASSERT_EQUAL(seen, 256 - 15 - 15 - 31); /* fix maps, arrays and strs have their own test */
}

static void test_fix_formats_of_every_size(void)
{
    char bytes[64];
    struct reading r;
    char *copy;

    for (unsigned n = 0; n < 32; n++) {
        memset(bytes, 'x', sizeof(bytes));
        bytes[0] = (char)(0xa0 | n);
        CU_ASSERT_EQUAL(read_copy(&r, (struct tk_str){bytes, n + 1}, &copy), 0);
        CU_ASSERT_EQUAL(tk_raw(tk_root(&r.doc)).n, n);
        CU_ASSERT_TRUE(reading_done(&r));
        free(copy);
        if (n > 0) {
            CU_ASSERT_EQUAL(read_copy(&r, (struct tk_str){bytes, n}, &copy), TK_READ_PARSE_ERROR);
            CU_ASSERT_TRUE(reading_done(&r));
            free(copy);
        }
        if (n > 15)
            continue;
        memset(bytes, 1, sizeof(bytes));
        bytes[0] = (char)(0x90 | n);
        CU_ASSERT_EQUAL(read_copy(&r, (struct tk_str){bytes, n + 1}, &copy), 0);
        CU_ASSERT_EQUAL(tk_count(tk_root(&r.doc)), n);
        CU_ASSERT_TRUE(reading_done(&r));
        free(copy);
        bytes[0] = (char)(0x80 | n);
        for (unsigned i = 0; i < n; i++) {
            bytes[1 + 3 * i] = (char)0xa1;
            bytes[2 + 3 * i] = (char)('a' + (char)i);
        }
        CU_ASSERT_EQUAL(read_copy(&r, (struct tk_str){bytes, 3 * n + 1}, &copy), 0);
        CU_ASSERT_EQUAL(tk_count(tk_root(&r.doc)), n);
        CU_ASSERT_PTR_NULL(broken_tape(&r.doc));
        CU_ASSERT_TRUE(reading_done(&r));
        free(copy);
    }
}

/* ---- refusals ---- */

struct refusal {
    struct tk_str bytes;
    int result;
    size_t offset;
    const char *pointer;
    const char *why;
};

#define B(lit) TK_STR(lit)

static const struct refusal refusals[] = {
    {B(""), TK_READ_PARSE_ERROR, 0, "", "nothing"},
    {B("\xc1"), TK_READ_PARSE_ERROR, 0, "", "a byte without meaning"},
    {B("\x92\x01\xc1"), TK_READ_PARSE_ERROR, 2, "", "the same in an array"},
    {B("\x81\xc1\x01"), TK_READ_PARSE_ERROR, 1, "", "the same as key"},
    {B("\x81\x01\x02"), TK_READ_PARSE_ERROR, 1, "", "integer as key"},
    {B("\x81\xc0\x02"), TK_READ_PARSE_ERROR, 1, "", "nil as key"},
    {B("\x81\xc4\x01\x61\x02"), TK_READ_PARSE_ERROR, 1, "", "bin as key"},
    {B("\x81\x90\x02"), TK_READ_PARSE_ERROR, 1, "", "array as key"},
    {B("\x81\xa1\x61"), TK_READ_PARSE_ERROR, 3, "", "no value"},
    {B("\x81\xa1"), TK_READ_PARSE_ERROR, 0, "", "a map of one byte can't be"},
    {B("\x81\xa5\x61\x62"), TK_READ_PARSE_ERROR, 1, "", "key beyond the end"},
    {B("\x81\xd9"), TK_READ_PARSE_ERROR, 0, "", "key's size beyond the end"},
    {B("\x81\xda\x01"), TK_READ_PARSE_ERROR, 3, "", "key's size cut"},
    {B("\x91\xcd\x01"), TK_READ_PARSE_ERROR, 1, "", "integer cut"},
    {B("\xdc\x00"), TK_READ_PARSE_ERROR, 2, "", "count cut"},
    {B("\xa1\xff"), TK_READ_PARSE_ERROR, 1, "", "str isn't UTF-8"},
    {B("\x91\xa3\x61\xc3\x28"), TK_READ_PARSE_ERROR, 3, "", "str isn't UTF-8, further on"},
    {B("\xa3\xed\xa0\x80"), TK_READ_PARSE_ERROR, 1, "", "a surrogate isn't UTF-8"},
    {B("\x81\xa2\x61\xff\x01"), TK_READ_PARSE_ERROR, 3, "", "key isn't UTF-8"},
    {B("\x92\xa1\xc3\xa1\xa9"), TK_READ_PARSE_ERROR, 2, "", "a sequence over two strs"},
    {B("\xdd\x10\x00\x00\x00"), TK_READ_PARSE_ERROR, 0, "", "five bytes that ask for 8 GB"},
    {B("\xdd\xff\xff\xff\xff\x01"), TK_READ_PARSE_ERROR, 0, "", "the largest count"},
    {B("\xdf\xff\xff\xff\xff\x01"), TK_READ_PARSE_ERROR, 0, "", "the largest count of members"},
    {B("\xdf\x80\x00\x00\x00\x01"), TK_READ_PARSE_ERROR, 0, "", "twice of it overflows 32 bits"},
    {B("\x83\xa1\x61\x01\xa1\x62"), TK_READ_PARSE_ERROR, 0, "", "three members in five bytes"},
    {B("\xc6\xff\xff\xff\xff"), TK_READ_PARSE_ERROR, 0, "", "the largest bin"},
    {B("\xc9\xff\xff\xff\xff\x01"), TK_READ_PARSE_ERROR, 0, "", "the largest ext: a byte more"},
    {B("\xdb\xff\xff\xff\xff\x61"), TK_READ_PARSE_ERROR, 0, "", "the largest str"},
    {B("\x90\x90"), TK_READ_TRAILING_BYTES, 1, "", "two documents"},
    {B("\x82\xa1\x61\x01\xa1\x61\x02"), TK_READ_DUPLICATE_KEY, 4, "/a", "duplicate key"},
    {B("\x82\xa1\x61\x01\xd9\x01\x61\x02"), TK_READ_DUPLICATE_KEY, 4, "/a", "in another width"},
    {B("\x91\x82\xa0\x93\x01\x02\x03\xa0\x02"), TK_READ_DUPLICATE_KEY, 7, "/0/", "empty keys"},
    {B("\x81\xa1\x61\x92\x01\x91\xa1\xff"), TK_READ_PARSE_ERROR, 7, "/a/1", "deeper"},
};

static void test_refusals(void)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        const struct refusal *row = &refusals[i];
        struct reading r;
        char *copy;
        int result = read_copy(&r, row->bytes, &copy);

        if (result != row->result || r.error.offset != row->offset ||
            !tk_str_is(r.error.pointer, row->pointer)) {
            printf("# %s: %d at %zu, %s\n", row->why, result, r.error.offset, r.error.what);
            CU_FAIL("refused otherwise");
        }
        CU_ASSERT(r.memory.peak < 65536);
        CU_ASSERT_TRUE(reading_done(&r));
        free(copy);
    }
}

static void test_counts_beyond_max_values(void)
{
    static const char array[] = "\xdc\x00\x03\x01\x02\x03";
    struct reading r;

    reading_init(&r);
    r.limits.max_values = 4;
    CU_ASSERT_EQUAL(reading_msgpack(&r, TK_STR(array)), 0);
    r.limits.max_values = 3;
    CU_ASSERT_EQUAL(reading_msgpack(&r, TK_STR(array)), TK_READ_TOO_MANY_VALUES);
    CU_ASSERT_EQUAL(r.error.offset, 0);
    CU_ASSERT_EQUAL(reading_msgpack(&r, TK_STR("\x92\x01\x91\x01")), TK_READ_TOO_MANY_VALUES);
    CU_ASSERT_EQUAL(r.error.offset, 2);
    CU_ASSERT_TRUE(reading_done(&r));
}

/* A claim that the bytes left would allow costs nothing before its values are there. */
static void test_a_large_count_takes_no_memory(void)
{
    size_t n = 1 << 22;
    char *bytes = calloc(1, n);
    struct reading r;

    memcpy(bytes, "\xdd\x00\x30\x00\x00\xc1", 6);
    reading_init(&r);
    r.limits.max_values = UINT32_MAX;
    CU_ASSERT_EQUAL(reading_msgpack(&r, (struct tk_str){bytes, n}), TK_READ_PARSE_ERROR);
    CU_ASSERT(r.memory.peak < 65536);
    CU_ASSERT_TRUE(reading_done(&r));
    free(bytes);
}

static void test_depth(void)
{
    size_t n = 1000000;
    char *bytes = malloc(n);
    struct reading r;

    memset(bytes, 0x91, n);
    bytes[n - 1] = (char)0x90;
    reading_init(&r);
    CU_ASSERT_EQUAL(reading_msgpack(&r, (struct tk_str){bytes, n}), TK_READ_TOO_DEEP);
    CU_ASSERT_EQUAL(r.error.offset, 256);
    CU_ASSERT(r.memory.peak < 65536);
    CU_ASSERT_EQUAL(reading_msgpack(&r, (struct tk_str){bytes + n - 256, 256}), 0);
    CU_ASSERT_PTR_NULL(broken_tape(&r.doc));
    r.limits.max_depth = UINT32_MAX;
    CU_ASSERT_EQUAL(reading_msgpack(&r, (struct tk_str){bytes, n}), 0);
    CU_ASSERT_EQUAL(r.doc.count, n);
    CU_ASSERT_TRUE(reading_done(&r));
    free(bytes);
}

static void test_reals_that_json_has_not(void)
{
    static const struct {
        struct tk_str bytes;
        bool foreign;
    } rows[] = {
        {B("\xca\x7f\x80\x00\x00"), true},
        {B("\xca\xff\x80\x00\x00"), true},
        {B("\xca\x7f\xc0\x00\x00"), true},
        {B("\xca\x7f\x7f\xff\xff"), false},
        {B("\xca\x00\x00\x00\x01"), false},
        {B("\xcb\x7f\xf0\x00\x00\x00\x00\x00\x00"), true},
        {B("\xcb\xff\xf0\x00\x00\x00\x00\x00\x00"), true},
        {B("\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00"), true},
        {B("\xcb\x7f\xf0\x00\x00\x00\x00\x00\x01"), true},
        {B("\xcb\x7f\xef\xff\xff\xff\xff\xff\xff"), false},
        {B("\xcb\x80\x00\x00\x00\x00\x00\x00\x00"), false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct reading r;
        char *copy;

        CU_ASSERT_EQUAL(read_copy(&r, rows[i].bytes, &copy), 0);
        CU_ASSERT_EQUAL(r.doc.foreign == 0, rows[i].foreign);
        CU_ASSERT_TRUE(reading_done(&r));
        free(copy);
    }
}

static void test_the_first_foreign_value_is_named(void)
{
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL(reading_msgpack(&r, TK_STR("\x94\x01\x91\xc4\x01"
                                               "x\xd4\x01\x02\x01")),
                    0);
    CU_ASSERT_EQUAL(r.doc.foreign, 3);
    CU_ASSERT(r.doc.nodes[4].flags & TK_NODE_FOREIGN);
    CU_ASSERT_EQUAL(reading_msgpack(&r, TK_STR("\x90")), 0);
    CU_ASSERT_EQUAL(r.doc.foreign, TK_NO_NODE); /* nothing is left of the document before */
    CU_ASSERT_TRUE(reading_done(&r));
}

static void test_long_keys(void)
{
    static const size_t lengths[] = {65534, 65535, 65536, 100000};

    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        size_t n = lengths[i];
        char *bytes = malloc(n + 7);
        struct reading r;

        memset(bytes, 'k', n + 7);
        bytes[0] = (char)0x81;
        bytes[1] = (char)0xdb;
        for (size_t k = 0; k < 4; k++)
            bytes[2 + k] = (char)(n >> (24 - 8 * k));
        bytes[6 + n] = 1;
        reading_init(&r);
        CU_ASSERT_EQUAL(reading_msgpack(&r, (struct tk_str){bytes, n + 7}), 0);
        CU_ASSERT_EQUAL(tk_raw_key(tk_first(tk_root(&r.doc))).n, n);
        CU_ASSERT_PTR_NULL(broken_tape(&r.doc));
        CU_ASSERT_PTR_NULL(broken_round_trip(&r.doc));
        CU_ASSERT_TRUE(reading_done(&r));
        free(bytes);
    }
}

/* ---- generated documents ---- */

static void check_generated(struct tk_str bytes)
{
    struct reading r;
    const char *broken;

    reading_init(&r);
    if (reading_msgpack(&r, bytes) != 0)
        CU_FAIL_FATAL("a generated document is refused");
    broken = broken_tape(&r.doc);
    if (!broken)
        broken = broken_round_trip(&r.doc);
    if (broken) {
        printf("# %s\n", broken);
        CU_FAIL_FATAL("what always holds doesn't");
    }
    CU_ASSERT_TRUE(reading_done(&r));
}

/* Every truncation of a whole document is refused, and so is a byte more. */
static void check_cut(struct tk_str bytes)
{
    for (size_t n = 0; n < bytes.n; n++) {
        struct reading r;
        char *copy;

        CU_ASSERT_EQUAL(read_copy(&r, (struct tk_str){bytes.p, n}, &copy), TK_READ_PARSE_ERROR);
        CU_ASSERT(r.error.offset <= n);
        CU_ASSERT_TRUE(reading_done(&r));
        free(copy);
    }
}

static void test_generated_documents_whole_and_cut(void)
{
    uint64_t seed = 4242;

    for (int i = 0; i < 2000; i++) {
        struct tk_arena arena;
        struct tk_str bytes;

        tk_arena_init(&arena, tk_libc_allocator);
        bytes = generate_msgpack(&seed, &arena);
        check_generated(bytes);
        if (bytes.n < 500)
            check_cut(bytes);
        tk_arena_done(&arena);
    }
}

TAP_MAIN("msgpack_read", TAP_TEST(test_every_first_byte), TAP_TEST(test_fix_formats_of_every_size),
         TAP_TEST(test_refusals), TAP_TEST(test_counts_beyond_max_values),
         TAP_TEST(test_a_large_count_takes_no_memory), TAP_TEST(test_depth),
         TAP_TEST(test_reals_that_json_has_not), TAP_TEST(test_the_first_foreign_value_is_named),
         TAP_TEST(test_long_keys), TAP_TEST(test_generated_documents_whole_and_cut))
