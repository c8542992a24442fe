/* SPDX-License-Identifier: Apache-2.0 */
/* Words in the names of models. */
#include "../../tap.h"
#include "providers/common/models.h"

static const struct {
    const char *name, *word;
    size_t at; /* SIZE_MAX: nowhere */
    bool ends;
} rows[] = {
    {"", "gemma", SIZE_MAX, false},
    {"gemma", "gemma", 0, true},
    {"google/Gemma-3", "gemma", 7, false},
    {"GEM-gemm", "gemma", SIZE_MAX, false},
    {"mistral-large-LATEST", "-latest", 13, true},
    {"-latest-2", "-latest", 0, false},
    {"kimi-k2.5", "2.5", 6, true},
};

static void test_words_are_found_in_any_case(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct tk_str name = tk_str_of(rows[i].name), word = tk_str_of(rows[i].word);

        CU_ASSERT_EQUAL(tk_find_name_word(name, 0, word), rows[i].at);
        CU_ASSERT_EQUAL(tk_name_ends(name, word), rows[i].ends);
        CU_ASSERT_EQUAL(tk_word_is_at(name, 0, word), rows[i].at == 0);
    }
    CU_ASSERT_EQUAL(tk_find_name_word(TK_STR("a.a"), 1, TK_STR("a")), 2);
}

TAP_MAIN("model_words", TAP_TEST(test_words_are_found_in_any_case))
