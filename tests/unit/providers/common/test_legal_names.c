/* SPDX-License-Identifier: Apache-2.0 */
/* Legal names and ids in the place of others. */
#include "../../documents.h"
#include "../../tap.h"
#include "providers/common/legal_names.h"
#include "value/digest.h"

#define MANY 70

static bool is(struct tk_str text, const char *want)
{
    if (tk_str_is(text, want))
        return true;
    printf("# %.*s, want %s\n", (int)text.n, text.p, want);
    return false;
}

/* Every byte by itself, and every length around the limit. */
static void test_plain_names(void)
{
    char name[MANY];

    for (int c = 0; c < 256; c++) {
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '_' || c == '-';

        name[0] = 'x';
        name[1] = (char)c;
        CU_ASSERT_EQUAL(tk_is_plain_name((struct tk_str){name, 2}, 64), plain);
    }
    memset(name, 'n', sizeof(name));
    for (size_t n = 0; n < MANY; n++)
        CU_ASSERT_EQUAL(tk_is_plain_name((struct tk_str){name, n}, 64), n > 0 && n <= 64);
}

/* The digest is that of the old name. */
static const struct {
    const char *name, *clean, *brief;
} rows[] = {
    {"", "unknown_tool", "unknown_tool"},
    {"read", "read", "read"},
    {"mcp.read file", "mcp_read_file", "mcp.read file"},
    {"\xc3\xa9t\xc3\xa9", "_t_", "\xc3\xa9t\xc3\xa9"},
    {"0123456789abcdef", "0123456789abcdef", "0123456789abcdef"},
    {"0123456789abcdefg", "0123456_9ad6e4c8", "0123456_9ad6e4c8"},
    {"\xc3\xa9.23456789abcdefg", "__23456_", "\xc3\xa9.23456_"},
};

static void test_names_are_cleaned_and_cut(void)
{
    struct reading r;
    char hex[TK_SHA256_HEX];

    reading_init(&r);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tk_str name = tk_str_of(rows[i].name);
        struct tk_str clean = tk_clean_name(&r.arena, name, 16);
        struct tk_str brief = tk_short_name(&r.arena, name, 16);

        tk_sha256_hex(name, hex);
        if (name.n > 16) {
            CU_ASSERT_EQUAL(memcmp(clean.p + clean.n - 8, hex, 8), 0);
            CU_ASSERT_EQUAL(memcmp(brief.p + brief.n - 8, hex, 8), 0);
            CU_ASSERT(tk_str_starts(clean, (struct tk_str){rows[i].clean, 8}));
            CU_ASSERT(tk_str_starts(brief, (struct tk_str){rows[i].brief, 8}));
        } else {
            CU_ASSERT(is(clean, rows[i].clean));
            CU_ASSERT(is(brief, rows[i].brief));
        }
        CU_ASSERT(tk_is_plain_name(clean, 16));
    }
    CU_ASSERT(reading_done(&r));
}

static void test_a_digest_is_cut(void)
{
    struct reading r;
    char hex[TK_SHA256_HEX];

    reading_init(&r);
    tk_sha256_hex(TK_STR("an id"), hex);
    for (int digits = 1; digits <= 32; digits++) {
        struct tk_str id = tk_digest_id(&r.arena, "call_", TK_STR("an id"), digits);

        CU_ASSERT_EQUAL(id.n, strlen("call_") + (size_t)digits);
        CU_ASSERT(tk_str_starts(id, TK_STR("call_")));
        CU_ASSERT_EQUAL(memcmp(id.p + strlen("call_"), hex, (size_t)digits), 0);
    }
    CU_ASSERT(reading_done(&r));
}

TAP_MAIN("legal_names", TAP_TEST(test_plain_names), TAP_TEST(test_names_are_cleaned_and_cut),
         TAP_TEST(test_a_digest_is_cut))
