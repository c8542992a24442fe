/* SPDX-License-Identifier: Apache-2.0 */
#include "../drawn.h"
#include "../tap.h"
#include "value/scan.h"
#include "value/unicode.h"

#include <stdlib.h>

/* UTF-8 by the letter of its definition: decode, then encode again and compare. */
static size_t one_by_definition(const uint8_t *p, size_t n)
{
    size_t length = p[0] < 0x80 ? 1 : p[0] < 0xC0 ? 0 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    uint32_t c;

    if (length <= 1 || p[0] >= 0xF8 || n < length)
        return length == 1 ? 1 : 0;
    c = p[0] & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        c = c << 6 | (p[i] & 0x3F);
    }
    if ((length == 2 && c < 0x80) || (length == 3 && c < 0x800) || (length == 4 && c < 0x10000))
        return 0;
    return c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF) ? 0 : length;
}

static size_t by_definition(const uint8_t *p, size_t n)
{
    size_t i = 0, length;

    while (i < n && (length = one_by_definition(p + i, n - i)) > 0)
        i += length;
    return i;
}

/* Calls check with every variant that runs here, and a copy of the bytes of exactly their size. */
static void with_each_variant(const uint8_t *bytes, size_t n,
                              void (*check)(const struct tk_scan_variant *, const uint8_t *,
                                            size_t))
{
    uint8_t *copy = malloc(n + 1);

    memcpy(copy + 1, bytes, n); /* an odd place: nothing may depend on alignment */
    for (size_t i = 0; i < tk_scan_variant_count; i++)
        if (tk_scan_variants[i]->supported())
            check(tk_scan_variants[i], copy + 1, n);
    free(copy);
}

static void check_utf8(const struct tk_scan_variant *variant, const uint8_t *p, size_t n)
{
    if (variant->utf8_valid(p, n) != by_definition(p, n)) {
        printf("# %s: %zu bytes:", variant->name, n);
        for (size_t i = 0; i < n && i < 200; i++)
            printf(" %02x", p[i]);
        printf("\n");
        CU_FAIL("utf8_valid differs from the definition");
    }
}

static void test_utf8_every_sequence_of_up_to_three_bytes(void)
{
    /* Places before, at and after the border of two blocks. */
    static const size_t places[] = {0, 1, 5, 61, 62, 63, 64, 66, 125};
    uint8_t bytes[192];
    unsigned long wrong = 0;

    for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++) {
        for (uint32_t x = 0; x < 1 << 24; x += (x & 0xffff) == 0xffff ? 1 : 13) {
            size_t at = places[k], want;

            if (x < 0x800000 && (x & 0xff) != 0)
                x |= 0xff; /* ASCII first: one round is enough */
            memset(bytes, 'a', sizeof(bytes));
            bytes[at] = (uint8_t)(x >> 16);
            bytes[at + 1] = (uint8_t)(x >> 8);
            bytes[at + 2] = (uint8_t)x;
            want = by_definition(bytes, sizeof(bytes));
            for (size_t i = 0; i < tk_scan_variant_count; i++)
                if (tk_scan_variants[i]->supported())
                    wrong += tk_scan_variants[i]->utf8_valid(bytes, sizeof(bytes)) != want;
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Bytes at the limits of table 3-7; all sequences of five of them. */
static void test_utf8_all_combinations_of_limits(void)
{
    static const uint8_t limits[] = {0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF,
                                     0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE,
                                     0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF};
    enum {
        COUNT = sizeof(limits)
    };
    uint8_t bytes[130];
    unsigned long wrong = 0;

    for (uint32_t x = 0; x < COUNT * COUNT * COUNT * COUNT * 8; x++) {
        size_t at = 58 + x % 8, want;
        uint32_t rest = x / 8;

        memset(bytes, 'a', sizeof(bytes));
        for (size_t k = 0; k < 4; k++, rest /= COUNT)
            bytes[at + k] = limits[rest % COUNT];
        want = by_definition(bytes, sizeof(bytes));
        for (size_t i = 0; i < tk_scan_variant_count; i++)
            if (tk_scan_variants[i]->supported())
                wrong += tk_scan_variants[i]->utf8_valid(bytes, sizeof(bytes)) != want;
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Text of characters of all lengths. */
static size_t random_text(uint8_t *to, size_t room)
{
    static const char *const characters[] = {"a",  " ", "\n", "é", "ß", "日",  "本",
                                             "テ", "😀", "𝄞",  "€", "“", "\x7f"};
    size_t n = 0;

    while (n + 4 <= room) {
        uint32_t run = 1 + random_below(40), which = random_below(13);

        while (run-- > 0 && n + 4 <= room) {
            memcpy(to + n, characters[which], strlen(characters[which]));
            n += strlen(characters[which]);
        }
    }
    return n;
}

static void test_utf8_random_text_whole_cut_and_damaged(void)
{
    uint8_t bytes[400];

    for (int round = 0; round < 3000; round++) {
        size_t n = random_text(bytes, 4 + random_below(396));

        with_each_variant(bytes, n, check_utf8);
        with_each_variant(bytes, random_below((uint32_t)n + 1), check_utf8);
        for (int damage = 0; damage < 5; damage++) {
            bytes[random_below((uint32_t)n)] = (uint8_t)random_below(256);
            with_each_variant(bytes, n, check_utf8);
        }
    }
}

static void test_utf8_every_length_of_ascii(void)
{
    uint8_t bytes[300];

    memset(bytes, 'x', sizeof(bytes));
    for (size_t n = 0; n < sizeof(bytes); n++) {
        with_each_variant(bytes, n, check_utf8);
        bytes[n] = 0x80;
        with_each_variant(bytes, n + 1, check_utf8);
        with_each_variant(bytes, sizeof(bytes), check_utf8);
        bytes[n] = 'x';
    }
    CU_ASSERT_EQUAL(tk_utf8_valid("", 0), 0);
    CU_ASSERT_EQUAL(tk_utf8_valid("ab\xff", 3), 2);
}

/* ---- scans ---- */

static void check_scans(const struct tk_scan_variant *variant, const uint8_t *p, size_t n)
{
    struct tk_scan plain = variant->plain(p, n), want_plain = tk_scan_portable.plain(p, n);
    struct tk_scan string = variant->string(p, n), want_string = tk_scan_portable.string(p, n);

    CU_ASSERT_EQUAL(variant->base64(p, n), tk_scan_portable.base64(p, n));
    if (plain.n != want_plain.n || plain.ascii != want_plain.ascii || string.n != want_string.n ||
        string.ascii != want_string.ascii || string.escaped != want_string.escaped) {
        printf("# %s: %zu bytes: plain %zu/%d, string %zu/%d/%d, wanted %zu/%d, %zu/%d/%d\n",
               variant->name, n, plain.n, plain.ascii, string.n, string.ascii, string.escaped,
               want_plain.n, want_plain.ascii, want_string.n, want_string.ascii,
               want_string.escaped);
        CU_FAIL("a scan differs from the portable one");
    }
}

static void test_scans_stop_at_each_byte(void)
{
    uint8_t bytes[140];

    for (unsigned c = 0; c < 256; c++) {
        for (size_t at = 0; at<sizeof(bytes); at += at> 2 && at < 60 ? 8 : 1) {
            bool ascii;
            bool stops = c < 0x20 || c == '"' || c == '\\';

            memset(bytes, 'a', sizeof(bytes));
            bytes[at] = (uint8_t)c;
            CU_ASSERT_EQUAL(tk_scan_plain(bytes, sizeof(bytes), &ascii),
                            stops ? at : sizeof(bytes));
            CU_ASSERT_EQUAL(ascii, c < 0x80);
            with_each_variant(bytes, sizeof(bytes), check_scans);
            if (at > 0) {
                bytes[at - 1] = '\\';
                with_each_variant(bytes, sizeof(bytes), check_scans);
            }
        }
    }
}

static void test_scans_of_runs_of_backslashes(void)
{
    uint8_t bytes[260];

    for (size_t run = 0; run < 140; run++) {
        for (size_t at = 0; at < 70; at++) {
            memset(bytes, 'a', sizeof(bytes));
            memset(bytes + at, '\\', run);
            bytes[at + run] = (uint8_t) "\"nub\n"[run % 5];
            bytes[at + run + 1] = '"';
            with_each_variant(bytes, at + run + 2, check_scans);
            with_each_variant(bytes, at + run, check_scans);
        }
    }
}

static void test_scans_of_random_bytes(void)
{
    static const char alphabet[] =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaabfnrtu\\\\\\\\\\\\//\"\x80\xff\x1f ";
    uint8_t bytes[300];

    for (int round = 0; round < 40000; round++) {
        size_t n = random_below(sizeof(bytes));
        uint32_t letters = 1 + random_below(sizeof(alphabet) - 1);

        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)alphabet[random_below(letters)];
        with_each_variant(bytes, n, check_scans);
    }
}

static void test_portable_scan_of_strings(void)
{
    static const struct {
        const char *text;
        size_t n;
        bool escaped;
    } rows[] = {
        {"", 0, false},         {"abc", 3, false},    {"ab\"c", 2, false},
        {"\\\"", 2, true},      {"\\\\\"", 2, true},  {"\\b\\f\\n\\r\\t\\/", 12, true},
        {"a\\u0061", 1, false}, {"\\na\\x", 3, true}, {"a\\", 1, false},
        {"\\\\\\", 2, true},    {"a\x1f", 1, false},  {"\x7f\x20", 2, false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tk_scan scan =
            tk_scan_portable.string((const uint8_t *)rows[i].text, strlen(rows[i].text));

        CU_ASSERT_EQUAL(scan.n, rows[i].n);
        CU_ASSERT_EQUAL(scan.escaped, rows[i].escaped);
    }
}

static void test_short_strings(void)
{
    uint8_t bytes[48];
    size_t n;

    for (size_t at = 0; at < sizeof(bytes); at++) {
        memset(bytes, 'a', sizeof(bytes));
        bytes[at] = '"';
        /* It may leave a string to the others, but never be wrong. */
        if (tk_scan_short_string(bytes, sizeof(bytes), &n))
            CU_ASSERT_EQUAL(n, at);
        if (at > 0) {
            bytes[at - 1] = (uint8_t) "\\\x1f\x80\xff"[at % 4];
            CU_ASSERT_FALSE(tk_scan_short_string(bytes, sizeof(bytes), &n));
        }
    }
    CU_ASSERT_FALSE(tk_scan_short_string(bytes, 0, &n));
}

/* ---- white space ---- */

static void test_blank(void)
{
    static const uint32_t white[] = {0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x20,   0x85,
                                     0xA0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
                                     0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028,
                                     0x2029, 0x202F, 0x205F, 0x3000};
    size_t found = 0;

    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        uint8_t text[4];
        size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        bool want = false;

        for (size_t i = 0; i < sizeof(white) / sizeof(white[0]); i++)
            want |= white[i] == c;
        for (size_t i = n; i-- > 1;)
            text[i] = (uint8_t)(0x80 | (c >> (6 * (n - 1 - i)) & 0x3F));
        text[0] = (uint8_t)(n == 1 ? c : (0xF00u >> n & 0xFF) | c >> (6 * (n - 1)));
        found += want;
        if (tk_is_blank((struct tk_str){(const char *)text, n}) != want)
            CU_FAIL("a character is taken for what it isn't");
    }
    CU_ASSERT_EQUAL(found, 25);
    CU_ASSERT_TRUE(tk_is_blank(TK_STR("")));
    CU_ASSERT_TRUE(tk_is_blank(TK_STR(" \n\t\xc2\xa0\xe3\x80\x80 ")));
    CU_ASSERT_FALSE(tk_is_blank(TK_STR(" \n\xe3\x80\x80.")));
    CU_ASSERT_FALSE(tk_is_blank(TK_STR("\xe3\x80")));     /* cut */
    CU_ASSERT_FALSE(tk_is_blank(TK_STR("\xe2\x80\x8b"))); /* zero width space isn't White_Space */
}

static size_t bytes_of(uint32_t c, char *to)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

    for (size_t i = n; i-- > 1; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3F));
    to[0] = (char)(n == 1 ? c : (0xF00u >> n & 0xFF) | c);
    return n;
}

/* Looks at every byte of a text whose character at `at` has n bytes. Returns true if white space is found
 * exactly where it begins. */
static bool is_found_where_it_begins(struct tk_str text, size_t at, size_t n, bool white)
{
    for (size_t i = 0; i < text.n; i++) {
        size_t found = tk_white_space_at((struct tk_str){text.p + i, text.n - i});

        if (found != (i == at && white ? n : 0))
            return false;
    }
    return true;
}

/* Each code point at the start, between others and at the end, alone and next to characters whose bytes
 * could be read together with its own. */
static void test_every_code_point_at_every_byte(void)
{
    static const char *const around[] = {"", "a", "\xc3\xa9", "\xe5\x80\x8b", "\xf0\x9f\x80\x8b"};
    enum {
        COUNT = sizeof(around) / sizeof(around[0])
    };

    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        char character[4], text[16];
        size_t n = bytes_of(c, character);
        bool white = tk_is_blank((struct tk_str){character, n});

        for (size_t k = 0; k < COUNT * COUNT; k++) {
            size_t before = strlen(around[k / COUNT]), after = strlen(around[k % COUNT]);
            struct tk_str all = {text, before + n + after};

            memcpy(text, around[k / COUNT], before);
            memcpy(text + before, character, n);
            memcpy(text + before + n, around[k % COUNT], after);
            if (!is_found_where_it_begins(all, before, n, white) || !tk_is_text(all))
                CU_FAIL("a character is taken for what it isn't");
            if (tk_trim(all).n != (white && (before == 0 || after == 0) ? all.n - n : all.n))
                CU_FAIL("a character is trimmed that isn't white space");
        }
    }
}

static void test_texts(void)
{
    static const struct {
        const char *bytes;
        bool is_text;
    } rows[] = {
        {"", true},
        {"a\xe5\x80\x8b", true},
        {"\xed\xa0\x80", true}, /* lone surrogates */
        {"a\xed\xbf\xbf\xed\xa0\x80z", true},
        {"\xe5_", false}, /* what a name became whose middle was replaced */
        {"\x80\x8b", false},
        {"a\xe5\x80", false},
        {"\xed\xa0", false},
        {"\xed\xa0z", false},
        {"\xed\xa0\x80\xc3", false},
        {"\xff", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        CU_ASSERT_EQUAL(tk_is_text(tk_str_of(rows[i].bytes)), rows[i].is_text);
}

static void test_trimming(void)
{
    static const struct {
        struct tk_str text, trimmed;
    } rows[] = {
        {TK_STR(""), TK_STR("")},
        {TK_STR(" \n"), TK_STR("")},
        {TK_STR("a"), TK_STR("a")},
        {TK_STR(" a \t"), TK_STR(" a")},
        {TK_STR("\xe3\x80\x80\xc2\x85 a b \t"), TK_STR("\xe3\x80\x80\xc2\x85 a b")},
        {TK_STR("a\xc2\xa0\xe3\x80\x80\x85"), TK_STR("a\xc2\xa0\xe3\x80\x80\x85")}, /* cut */
        {TK_STR("a\xc2\x85\xc2\xa0\xe3\x80\x80"), TK_STR("a")},
        {TK_STR("\xc3\xa9 "), TK_STR("\xc3\xa9")},
        {TK_STR("\xf0\x9f\x98\x80\xe2\x80\x83"), TK_STR("\xf0\x9f\x98\x80")},
        {TK_STR("a\xe2\x80\x8b "), TK_STR("a\xe2\x80\x8b")}, /* zero width space stays */
        {TK_STR("\xed\xa0\xbd "), TK_STR("\xed\xa0\xbd")},   /* a lone surrogate */
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        CU_ASSERT_TRUE(tk_str_eq(tk_trim_end(rows[i].text), rows[i].trimmed));
    CU_ASSERT_TRUE(tk_str_is(tk_trim(TK_STR("\xe3\x80\x80\xc2\x85 a b \t")), "a b"));
    CU_ASSERT_TRUE(tk_str_is(tk_trim(TK_STR("\xe2\x80\x8b ")), "\xe2\x80\x8b"));
    CU_ASSERT_EQUAL(tk_trim(TK_STR(" \xc2")).n, 1); /* cut */
    CU_ASSERT_EQUAL(tk_trim(TK_STR("\n\xe2\x80\xa9")).n, 0);
}

TAP_MAIN("unicode", TAP_TEST(test_utf8_every_sequence_of_up_to_three_bytes),
         TAP_TEST(test_utf8_all_combinations_of_limits),
         TAP_TEST(test_utf8_random_text_whole_cut_and_damaged),
         TAP_TEST(test_utf8_every_length_of_ascii), TAP_TEST(test_scans_stop_at_each_byte),
         TAP_TEST(test_scans_of_runs_of_backslashes), TAP_TEST(test_scans_of_random_bytes),
         TAP_TEST(test_portable_scan_of_strings), TAP_TEST(test_short_strings),
         TAP_TEST(test_blank), TAP_TEST(test_every_code_point_at_every_byte), TAP_TEST(test_texts),
         TAP_TEST(test_trimming))
