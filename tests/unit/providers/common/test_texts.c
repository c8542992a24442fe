/* SPDX-License-Identifier: Apache-2.0 */
/* Texts that rules measure, and texts that take the place of structures. */
#include "../../documents.h"
#include "../../tap.h"
#include "providers/common/texts.h"

#define E_ACUTE "\xc3\xa9"
#define EURO    "\xe2\x82\xac"
#define SMILE   "\xf0\x9f\x98\x80"

static bool is(struct tk_str text, const char *want)
{
    if (tk_str_is(text, want))
        return true;
    printf("# %.*s, want %s\n", (int)text.n, text.p, want);
    return false;
}

/* ---- characters ---- */

static const struct {
    const char *text;
    size_t characters;
    const char *first_two;
} rows[] = {
    {"", 0, ""},
    {"a", 1, "a"},
    {"abc", 3, "ab"},
    {E_ACUTE EURO, 2, E_ACUTE EURO},
    {SMILE "!?", 3, SMILE "!"},
    {"a" EURO EURO, 3, "a" EURO},
    {"\xed\xa0\x80x", 2, "\xed\xa0\x80x"}, /* a lone surrogate */
};

static void test_characters_are_code_points(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tk_str text = tk_str_of(rows[i].text);

        CU_ASSERT_EQUAL(tk_characters(text), rows[i].characters);
        CU_ASSERT(is(tk_first_characters(text, 2), rows[i].first_two));
        CU_ASSERT(is(tk_first_characters(text, 9), rows[i].text));
        CU_ASSERT(is(tk_first_characters(text, 0), ""));
    }
}

/* Spelled with escapes, a string has fewer characters than bytes. */
static void test_long_strings_are_counted(void)
{
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(
        reading_json(&r, TK_STR("[\"abcd\",\"\\u0061\\u0061\\u0061\",\"" E_ACUTE E_ACUTE "\",17]")),
        0);
    for (size_t most = 0; most < 6; most++) {
        struct tk_val v = tk_first(tk_root(&r.doc));

        CU_ASSERT_EQUAL(tk_characters_exceed(v, most, &r.arena), most < 4);
        v = tk_after(tk_root(&r.doc), v);
        CU_ASSERT_EQUAL(tk_characters_exceed(v, most, &r.arena), most < 3);
        v = tk_after(tk_root(&r.doc), v);
        CU_ASSERT_EQUAL(tk_characters_exceed(v, most, &r.arena), most < 2);
        v = tk_after(tk_root(&r.doc), v);
        CU_ASSERT_FALSE(tk_characters_exceed(v, most, &r.arena));
    }
    CU_ASSERT(reading_done(&r));
}

/* ---- pieces ---- */

static void test_empty_pieces_leave_no_separator(void)
{
    static const char *const pieces[] = {"", "one", "", "", "two", ""};
    struct reading r;
    struct tk_words w;

    reading_init(&r);
    w = tk_words_begin(&r.arena, "\n");
    CU_ASSERT(is(tk_words_end(&w), ""));
    for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
        tk_words_add(&w, tk_str_of(pieces[i]));
    CU_ASSERT(is(tk_words_end(&w), "one\ntwo"));
    w.separator = ", ";
    tk_words_add(&w, TK_STR("three"));
    CU_ASSERT(is(tk_words_end(&w), "one\ntwo, three"));
    CU_ASSERT(reading_done(&r));
}

/* ---- values ---- */

/* A value, as JSON and as what a model may read of it. */
static const struct {
    const char *value, *json, *readable;
} values[] = {
    {"{ \"a\" : [1, 2.50] }", "{\"a\":[1,2.50]}", "{\"a\":[1,2.50]}"},
    {"\"\\u0061\"", "\"\\u0061\"", "\"\\u0061\""},
    {"{\"signature\":\"s\",\"a\":1}", "{\"signature\":\"s\",\"a\":1}", "{\"a\":1}"},
    {"{\"a\":{\"encrypted_content\":1}}", "{\"a\":{\"encrypted_content\":1}}", "{\"a\":{}}"},
    {"[{\"EncryptedIndex\":1,\"b\":2}]", "[{\"EncryptedIndex\":1,\"b\":2}]", "[{\"b\":2}]"},
    {"{\"encrypt\":1,\"signatures\":2}", "{\"encrypt\":1,\"signatures\":2}",
     "{\"encrypt\":1,\"signatures\":2}"},
};

static void test_ciphertext_stays_out(void)
{
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        struct reading r;

        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_str_of(values[i].value)), 0);
        CU_ASSERT(is(tk_json_text(tk_root(&r.doc), &r.arena), values[i].json));
        CU_ASSERT(is(tk_readable_json(tk_root(&r.doc), &r.arena), values[i].readable));
        CU_ASSERT(reading_done(&r));
    }
}

/* ---- marks ---- */

static void test_marks(void)
{
    static const struct {
        const char *name, *text, *marked;
    } marks[] = {
        {"search", "found", "[search result]\nfound"},
        {"", "found", "[tool result]\nfound"},
        {"search", "", "[search result]"},
        {"search", " \n", "[search result]"},
        {"search", " x ", "[search result]\n x "},
    };
    char name[400];
    struct reading r;
    struct tk_str text;

    reading_init(&r);
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        CU_ASSERT(is(tk_marked_text(&r.arena, tk_str_of(marks[i].name), tk_str_of(marks[i].text)),
                     marks[i].marked));
    memset(name, 'n', sizeof(name));
    text = tk_marked_text(&r.arena, (struct tk_str){name, sizeof(name)}, TK_STR("x"));
    CU_ASSERT(tk_str_ends(text, TK_STR("n\xe2\x80\xa6 result]\nx")));
    CU_ASSERT(text.n < sizeof(name));
    CU_ASSERT(reading_done(&r));
}

TAP_MAIN("text", TAP_TEST(test_characters_are_code_points), TAP_TEST(test_long_strings_are_counted),
         TAP_TEST(test_empty_pieces_leave_no_separator), TAP_TEST(test_ciphertext_stays_out),
         TAP_TEST(test_marks))
