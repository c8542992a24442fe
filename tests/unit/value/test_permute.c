/* SPDX-License-Identifier: Apache-2.0 */
/* The permutation of texts: it is one, it keeps kinds and sizes, and spelling changes nothing. */
#include "../documents.h"
#include "../tap.h"
#include "value/letters.h"
#include "value/permute.h"
#include "value/unicode.h"

static const uint64_t key[2] = {0x0123456789abcdef, 0xfedcba9876543210};

/* Permutes a copy, which the next call overwrites. */
static struct tk_str permuted(const uint64_t by[2], const char *text, unsigned depth)
{
    static char copy[256];
    size_t n = strlen(text);

    memcpy(copy, text, n + 1);
    tk_permute(by, (struct tk_spelled){(uint8_t *)copy, (uint8_t *)copy + n, depth});
    return (struct tk_str){copy, n};
}

/* Fills a text with the letters that a number spells, and returns the number that a text spells. */
static void spell(char *text, size_t n, unsigned number)
{
    for (size_t i = 0; i < n; i++, number /= 26)
        text[i] = (char)('a' + number % 26);
    text[n] = '\0';
}

static unsigned number_of(struct tk_str text)
{
    unsigned number = 0;

    for (size_t i = text.n; i > 0; i--)
        number = 26 * number + (unsigned)(text.p[i - 1] - 'a');
    return number;
}

static void test_no_two_become_one(void)
{
    enum {
        MOST = 26 * 26 * 26 * 26
    };
    static bool reached[MOST];
    unsigned count = 1;

    for (size_t n = 1; n <= 4; n++) {
        bool twice = false;

        count *= 26;
        memset(reached, 0, sizeof(reached));
        for (unsigned i = 0; i < count; i++) {
            char text[8];
            unsigned image;

            spell(text, n, i);
            image = number_of(permuted(key, text, 0));
            twice |= image >= count || reached[image];
            reached[image < count ? image : 0] = true;
        }
        CU_ASSERT_FALSE(twice);
    }
}

static void test_kinds_stay(void)
{
    static const char text[] =
        "Aa0 _-./\xc3\xa9\xd0\x96\xe4\xbd\xa0\xef\xbb\xbf\xe3\x80\x80\xf0\x9f\x98\x80\n";
    struct tk_str got;

    for (uint64_t i = 0; i < 2000; i++) {
        const uint64_t by[2] = {i, ~i};
        const uint8_t *p = (const uint8_t *)text, *q, *end;

        got = permuted(by, text, 0);
        q = (const uint8_t *)got.p;
        end = q + got.n;
        CU_ASSERT_EQUAL_FATAL(tk_utf8_valid(got.p, got.n), got.n);
        while (q < end) {
            uint32_t old, new;
            size_t n = tk_spelled_read(p, p + got.n, 0, &old);

            CU_ASSERT_EQUAL_FATAL(tk_spelled_read(q, end, 0, &new), n);
            CU_ASSERT_EQUAL_FATAL(tk_letters_of(old).first, tk_letters_of(new).first);
            CU_ASSERT_FATAL(tk_letters_of(old).count > 0 || old == new);
            p += n;
            q += n;
        }
    }
}

/* Every character is in at most one set, with others of its length in UTF-8 and in UTF-16, and none of
 * them is white space. */
static void test_sets(void)
{
    for (uint32_t c = 0; c <= 0x10FFFF; c++) {
        struct tk_letters set = tk_letters_of(c);
        uint32_t last = set.first + set.count - 1;
        uint8_t bytes[4] = {0};

        if (set.count == 0) {
            CU_ASSERT_EQUAL(set.first, c);
            continue;
        }
        CU_ASSERT_FATAL(c >= set.first && c <= last && set.count > 1);
        CU_ASSERT_FATAL((c < 0x80) == (last < 0x80) && (c < 0x800) == (last < 0x800) &&
                        (c < 0x10000) == (last < 0x10000) &&
                        (c < 0x10000) == (set.first < 0x10000));
        CU_ASSERT_FATAL(c < 0xD800 || c > 0xDFFF);
        if (c < 0x80)
            continue;
        tk_spelled_write(bytes, c < 0x800 ? 2 : c < 0x10000 ? 3 : 4, 0, c);
        CU_ASSERT_EQUAL_FATAL(tk_white_space_at((struct tk_str){(char *)bytes, 4}), 0);
    }
    CU_ASSERT_EQUAL(tk_letters_of(0xD800).count, 0);
    CU_ASSERT_EQUAL(tk_letters_of('_').count, 0);
}

static void test_another_key_and_another_letter(void)
{
    static const uint64_t other[2] = {0x0123456789abcdef, 0xfedcba9876543211};
    char one[256];
    struct tk_str got = permuted(key, "the quick brown fox", 0);
    size_t same = 0;

    snprintf(one, sizeof(one), "%.*s", (int)got.n, got.p);
    CU_ASSERT_STRING_NOT_EQUAL(permuted(other, "the quick brown fox", 0).p, one);
    CU_ASSERT_STRING_EQUAL(permuted(key, "the quick brown fox", 0).p, one);
    got = permuted(key, "the quick brown fax", 0);
    for (size_t i = 0; i < got.n; i++)
        same += got.p[i] == one[i] && one[i] != ' ';
    CU_ASSERT(same <= 4);
}

/* Reads all characters of a spelled text. */
static size_t characters(struct tk_str text, unsigned depth, uint32_t ret[64])
{
    const uint8_t *p = (const uint8_t *)text.p, *end = p + text.n;
    size_t n = 0;

    while (p < end)
        p += tk_spelled_read(p, end, depth, &ret[n++]);
    return n;
}

static void test_spelling_changes_nothing(void)
{
    static const struct {
        const char *text;
        unsigned depth;
    } forms[] = {
        {"Na\xc3\xafve \xf0\x9f\x98\x80\n/\"x\\", 0},
        {"Na\xc3\xafve \xf0\x9f\x98\x80\\n/\\\"x\\\\", 1},
        {"\\u004e\\u0061\\u00EFve \\ud83d\\uDE00\\n\\/\\u0022x\\u005c", 1},
        {"Na\\u00efve \\\\ud83d\\\\ude00\\\\n/\\\\\\\"x\\\\\\\\", 2},
        {"\\\\u00\\u0034eav\\u0065 ", 2},
    };
    uint32_t want[64], got[64];
    size_t n = characters(permuted(key, forms[0].text, 0), 0, want);

    CU_ASSERT_EQUAL(n, 12);
    for (size_t i = 1; i < 4; i++) {
        struct tk_str text = permuted(key, forms[i].text, forms[i].depth);

        CU_ASSERT_EQUAL(text.n, strlen(forms[i].text));
        CU_ASSERT_EQUAL_FATAL(characters(text, forms[i].depth, got), n);
        CU_ASSERT_EQUAL(memcmp(got, want, n * sizeof(*got)), 0);
    }
    n = characters(permuted(key, "Nave ", 0), 0, want);
    CU_ASSERT_EQUAL(characters(permuted(key, forms[4].text, 2), 2, got), n);
    CU_ASSERT_EQUAL(memcmp(got, want, n * sizeof(*got)), 0);
}

/* A broken escape is one afterwards, and nothing is read beyond the end. */
static void test_broken_escapes(void)
{
    static const char *const texts[] = {
        "\\",           "a\\",     "\\x41",          "\\u",    "\\u12", "\\u12g4",
        "\\ud83d\\u12", "\\ud83d", "\\udc00\\ud83d", "\\users"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        uint32_t before[64], after[64];
        size_t n = characters(tk_str_of(texts[i]), 1, before);
        struct tk_str got = permuted(key, texts[i], 1);

        CU_ASSERT_EQUAL_FATAL(characters(got, 1, after), n);
        for (size_t k = 0; k < n; k++)
            CU_ASSERT_EQUAL(tk_letters_of(after[k]).first, tk_letters_of(before[k]).first);
    }
}

TAP_MAIN("permute", TAP_TEST(test_no_two_become_one), TAP_TEST(test_kinds_stay),
         TAP_TEST(test_sets), TAP_TEST(test_another_key_and_another_letter),
         TAP_TEST(test_spelling_changes_nothing), TAP_TEST(test_broken_escapes))
