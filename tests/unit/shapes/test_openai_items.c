/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the Responses API's items, and how an item finds its row. */
#include "../tap.h"
#include "../transcripts.h"
#include "shapes/openai_items.h"

static void test_types_find_their_rows(void)
{
    for (uint8_t row = TK_ITEM_NONE + 1; row < TK_ITEM_UNTYPED; row++) {
        CU_ASSERT_PTR_NOT_NULL_FATAL(tk_items[row].type.p);
        CU_ASSERT_EQUAL(tk_item_of(tk_items[row].type), row);
    }
    CU_ASSERT_EQUAL(tk_item_of(TK_STR("function_cal")), TK_ITEM_NONE);
    CU_ASSERT_EQUAL(tk_item_of(TK_STR("")), TK_ITEM_NONE);
    CU_ASSERT_EQUAL(tk_item_of((struct tk_str){0}), TK_ITEM_NONE);
}

/* Each output that repair writes for a call answers it, and outputs answer calls only. */
static void test_outputs_answer_their_calls(void)
{
    for (unsigned row = TK_ITEM_NONE + 1; row < TK_ITEM_ROWS; row++) {
        const struct tk_item *item = &tk_items[row];

        if (item->output != TK_ITEM_NONE)
            CU_ASSERT(tk_items[item->output].answers >> row & 1);
        CU_ASSERT_EQUAL(item->answers != 0,
                        row < TK_ITEM_CALLS_END && item->kind == TK_PART_RESULT);
        for (unsigned call = 0; call < 16; call++)
            if (item->answers >> call & 1)
                CU_ASSERT_EQUAL(tk_items[call].kind, TK_PART_CALL);
    }
}

/* An item may lose its id or needs it, or neither, but not both. */
static void test_ids_are_free_or_needed(void)
{
    const uint8_t both = TK_ITEM_NEEDS_ID | TK_ITEM_FREE;

    for (unsigned row = 0; row < TK_ITEM_ROWS; row++) {
        CU_ASSERT((tk_items[row].flags & both) != both);
        if (tk_items[row].flags & TK_ITEM_FOREIGN)
            CU_ASSERT(tk_items[row].flags & TK_ITEM_OPEN);
    }
}

static void test_defaults_are_of_required_members(void)
{
    int found = 0;

    for (uint8_t row = 0; row < TK_ITEM_ROWS; row++)
        for (int member = 0; member < TK_IM_COUNT; member++) {
            struct tk_str json = tk_item_default(row, (enum tk_item_member)member);

            if (json.p)
                CU_ASSERT(tk_items[row].required >> member & 1);
            found += json.p != NULL;
        }
    CU_ASSERT_EQUAL(found, 8);
}

static uint8_t row_of(const char *json)
{
    struct tk_read_limits limits = {256, 1000, {1, 2}};
    struct tk_read_error error;
    struct tk_arena arena;
    struct tk_doc doc;
    uint32_t type;
    uint8_t row;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_doc_init(&doc, tk_libc_allocator);
    CU_ASSERT_EQUAL_FATAL(tk_json_read(&doc, json, strlen(json), &limits, &arena, &error), 0);
    row = tk_item_row_of(tk_root(&doc), &arena, &type);
    tk_doc_done(&doc);
    tk_arena_done(&arena);
    return row;
}

static void test_items_find_their_rows(void)
{
    CU_ASSERT_EQUAL(row_of("{\"type\":\"reasoning\"}"), TK_ITEM_REASONING);
    CU_ASSERT_EQUAL(row_of("{\"type\":\"reason\\u0069ng\"}"), TK_ITEM_REASONING);
    CU_ASSERT_EQUAL(row_of("{\"role\":\"user\"}"), TK_ITEM_MESSAGE);
    CU_ASSERT_EQUAL(row_of("{\"role\":\"user\",\"type\":null}"), TK_ITEM_MESSAGE);
    CU_ASSERT_EQUAL(row_of("{\"role\":\"user\",\"type\":\"text\"}"), TK_ITEM_TEXT);
    CU_ASSERT_EQUAL(row_of("{\"id\":\"msg_1\"}"), TK_ITEM_REFERENCE);
    CU_ASSERT_EQUAL(row_of("{\"id\":\"msg_1\",\"content\":\"x\"}"), TK_ITEM_UNTYPED);
    CU_ASSERT_EQUAL(row_of("{\"role\":null,\"content\":\"x\"}"), TK_ITEM_UNTYPED);
    CU_ASSERT_EQUAL(row_of("{}"), TK_ITEM_UNTYPED);
    CU_ASSERT_EQUAL(row_of("{\"type\":\"future_call\"}"), TK_ITEM_NONE);
}

TAP_MAIN("openai_items", TAP_TEST(test_types_find_their_rows),
         TAP_TEST(test_outputs_answer_their_calls), TAP_TEST(test_ids_are_free_or_needed),
         TAP_TEST(test_defaults_are_of_required_members), TAP_TEST(test_items_find_their_rows))
