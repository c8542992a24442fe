/* SPDX-License-Identifier: Apache-2.0 */
/* Operations and their ids: what is remembered, and which result answers which call. */
#include "../memory.h"
#include "../tap.h"
#include "providers/anthropic/stream/format.h"
#include "stream/operation.h"

#include <stdio.h>

static const uint64_t key[2] = {1, 2};

struct fixture {
    struct memory memory;
    struct tk_arena arena;
    struct tk_operations ops;
};

static void begin(struct fixture *f)
{
    *f = (struct fixture){.memory = {0}};
    tk_arena_init(&f->arena, memory_allocator(&f->memory));
    tk_operations_init(&f->ops, tk_anthropic_stream.blocks, &f->arena, key);
}

static void end(struct fixture *f)
{
    tk_arena_done(&f->arena);
    CU_ASSERT(f->memory.blocks == 0 && !f->memory.confused);
}

static struct tk_operation *add(struct fixture *f, const char *id, const char *name,
                                const char *type, enum tk_operation_state state)
{
    struct tk_operation *op = tk_operation_new(&f->ops, tk_str_of(id), state);

    tk_operation_describe(&f->ops, op, tk_str_of(name), tk_str_of(type));
    if (state != TK_OP_CARRIED)
        op->call = 0;
    return op;
}

static void test_ids_are_remembered(void)
{
    struct fixture f;

    begin(&f);
    CU_ASSERT_PTR_NULL(tk_id_known(&f.ops, TK_STR("a")));
    tk_id_use(&f.ops, TK_STR("a"))->answered = true;
    CU_ASSERT_TRUE(tk_id_known(&f.ops, TK_STR("a"))->answered);
    CU_ASSERT_FALSE(tk_id_known(&f.ops, TK_STR("a"))->seen);
    CU_ASSERT_PTR_NULL(tk_operation_awaiting(&f.ops, TK_STR("a")));
    add(&f, "b", "web_search", "server_tool_use", TK_OP_OPENING)->state = TK_OP_COMPLETED;
    CU_ASSERT_TRUE(tk_id_known(&f.ops, TK_STR("b"))->seen);
    CU_ASSERT_PTR_NULL(tk_id_known(&f.ops, TK_STR("")));
    end(&f);
}

static void test_who_awaits_a_result(void)
{
    static const struct {
        enum tk_operation_state state;
        bool awaits, left;
    } states[] = {
        {TK_OP_OPENING, true, true},   {TK_OP_INPUT_COMPLETE, true, true},
        {TK_OP_CARRIED, true, true},   {TK_OP_COMPLETED, false, false},
        {TK_OP_DEFERRED, false, true}, {TK_OP_ABANDONED, false, false},
    };
    struct fixture f;

    begin(&f);
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++) {
        char id[8];
        struct tk_operation *op;

        snprintf(id, sizeof(id), "id%zu", i);
        op = add(&f, id, "web_search", "server_tool_use", states[i].state);
        CU_ASSERT_EQUAL(tk_operation_awaiting(&f.ops, tk_str_of(id)) == op, states[i].awaits);
        CU_ASSERT_EQUAL(tk_operation_is_left(op), states[i].left);
    }
    end(&f);
}

static void test_which_results_answer(void)
{
    static const struct {
        enum tk_operation_state state;
        const char *type, *name, *result, *expected;
        bool takes;
    } rows[] = {
#define SERVER TK_OP_OPENING, "server_tool_use"
        {SERVER, "web_search", "web_search_tool_result", "web_search_tool_result", true},
        {SERVER, "web_search", "web_fetch_tool_result", "web_search_tool_result", false},
        {SERVER, "tool_search_tool_bm25", "tool_search_tool_result", "tool_search_tool_result",
         true},
        {SERVER, "next", "next_tool_result", NULL, true},
        {SERVER, "next", "anything_tool_result", NULL, true},
        {SERVER, "next", "web_search_tool_result", NULL, false},
        {SERVER, "next", "mcp_tool_result", NULL, false},
        {TK_OP_OPENING, "mcp_tool_use", "web_search", "mcp_tool_result", "mcp_tool_result", true},
        {TK_OP_OPENING, "mcp_tool_use", "x", "x_tool_result", "mcp_tool_result", false},
        {TK_OP_OPENING, "next_tool_use", "web_search", "web_search_tool_result",
         "web_search_tool_result", true},
        {TK_OP_OPENING, "next_tool_use", "x", "web_search_tool_result", NULL, false},
        {TK_OP_CARRIED, NULL, NULL, "web_search_tool_result", NULL, true},
        {TK_OP_CARRIED, "server_tool_use", NULL, "mcp_tool_result", NULL, true},
        {TK_OP_CARRIED, NULL, "web_search", "web_fetch_tool_result", "web_search_tool_result",
         false},
        {TK_OP_CARRIED, NULL, "next", "web_fetch_tool_result", NULL, false},
        {TK_OP_CARRIED, "mcp_tool_use", NULL, "mcp_tool_result", "mcp_tool_result", true},
#undef SERVER
    };
    struct fixture f;

    begin(&f);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char id[8];
        struct tk_operation *op;

        snprintf(id, sizeof(id), "%zu", i);
        op = add(&f, id, rows[i].name, rows[i].type, rows[i].state);
        CU_ASSERT_EQUAL(tk_operation_takes(&f.ops, op, tk_str_of(rows[i].result)), rows[i].takes);
        CU_ASSERT(rows[i].expected ? tk_str_is(op->result_type, rows[i].expected)
                                   : !op->result_type.p);
    }
    end(&f);
}

/* Facts that come later about a carried call replace earlier ones, and change nothing else. */
static void test_describing_again(void)
{
    struct fixture f;
    struct tk_operation *op;

    begin(&f);
    op = add(&f, "a", "web_search", "server_tool_use", TK_OP_CARRIED);
    tk_operation_describe(&f.ops, op, TK_STR("web_fetch"), (struct tk_str){NULL, 0});
    CU_ASSERT(tk_str_is(op->name, "web_fetch") && tk_str_is(op->type, "server_tool_use"));
    CU_ASSERT(tk_str_is(op->result_type, "web_fetch_tool_result"));
    tk_operation_describe(&f.ops, op, (struct tk_str){NULL, 0}, TK_STR("mcp_tool_use"));
    CU_ASSERT(tk_str_is(op->name, "web_fetch"));
    CU_ASSERT(tk_str_is(op->result_type, "mcp_tool_result"));
    end(&f);
}

static void test_many_and_no_memory(void)
{
    for (size_t fail_at = 0; fail_at < 40; fail_at++) {
        struct fixture f;
        char id[16];
        bool ok = true;

        begin(&f);
        f.memory.fail_at = fail_at;
        for (int i = 0; i < 3000 && ok; i++) {
            snprintf(id, sizeof(id), "op_%d", i);
            ok = tk_operation_new(&f.ops, tk_str_of(id), TK_OP_OPENING) != NULL;
        }
        CU_ASSERT(ok != tk_arena_failed(&f.arena));
        if (fail_at == 0)
            CU_ASSERT(ok && f.ops.count == 3000);
        for (uint32_t i = 0; i < f.ops.count; i += 100)
            CU_ASSERT_PTR_EQUAL(tk_operation_awaiting(&f.ops, f.ops.all[i].id), &f.ops.all[i]);
        end(&f);
    }
}

TAP_MAIN("operations", TAP_TEST(test_ids_are_remembered), TAP_TEST(test_who_awaits_a_result),
         TAP_TEST(test_which_results_answer), TAP_TEST(test_describing_again),
         TAP_TEST(test_many_and_no_memory))
