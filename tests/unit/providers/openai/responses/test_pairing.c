/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of calls and outputs (PROVIDERS.md 4.2), as a text: of each call and output how it is matched
 * and with which item.
 *
 *     0=2    calls and outputs that are a pair        0     a call that nothing answers
 *     0>2    a call that is claimed by item 2         2<0   that output, of the wrong type
 *     3!     a second output                          3?    one without a call
 *     3@     one whose call may be a reference        3~    one whose call the server has
 *     0+     after it: an earlier call has its id
 */
#include "../../../tap.h"
#include "../openai_histories.h"
#include "providers/openai/responses/provider.h"
#include "providers/openai/responses/state.h"

#define CALL(id)                                                                                   \
    "{\"type\":\"function_call\",\"call_id\":\"" id "\",\"name\":\"f\",\"arguments\":\"{}\"}"
#define OUTPUT(id) "{\"type\":\"function_call_output\",\"call_id\":\"" id "\",\"output\":\"x\"}"
#define CUSTOM(id)                                                                                 \
    "{\"type\":\"custom_tool_call\",\"call_id\":\"" id "\",\"name\":\"f\",\"input\":\"\"}"
#define GIVEN(id)  "{\"type\":\"custom_tool_call_output\",\"call_id\":\"" id "\",\"output\":\"x\"}"
#define SHELL(id)  "{\"type\":\"shell_call\",\"call_id\":\"" id "\",\"action\":{}}"
#define SHOWN(id)  "{\"type\":\"shell_call_output\",\"call_id\":\"" id "\",\"output\":[]}"
#define LOCAL      "{\"type\":\"local_shell_call\",\"id\":\"lsh_1\",\"action\":{}}"
#define RAN        "{\"type\":\"local_shell_call_output\",\"id\":\"lsh_1\",\"output\":\"x\"}"
#define REFERS(id) "{\"type\":\"item_reference\",\"id\":\"" id "\"}"
#define USER       "{\"role\":\"user\",\"content\":\"q\"}"

static const struct row {
    const char *items, *pairs;
    bool stored; /* the server has the items of an earlier response */
} rows[] = {
    {"[]", "", false},
    {"[" USER "]", "", false},
    {"[" CALL("a") "," OUTPUT("a") "]", "0=1 1=0", false},
    {"[" CALL("a") "," CALL("b") "," OUTPUT("b") "," OUTPUT("a") "]", "0=3 1=2 2=1 3=0", false},
    {"[" CALL("a") "]", "0", false},
    {"[" OUTPUT("a") "]", "0?", false},
    {"[" OUTPUT("a") "," CALL("a") "]", "0? 1", false},
    /* Other items between the two don't matter. */
    {"[" CALL("a") "," USER "," OUTPUT("a") "]", "0=2 2=0", false},
    {"[" CALL("a") "," OUTPUT("a") "," OUTPUT("a") "]", "0=1 1=0 2!0", false},
    {"[" CALL("a") "," CALL("a") "," OUTPUT("a") "," OUTPUT("a") "]", "0=2 1=3+ 2=0 3=1", false},
    /* The newest batch with such a call, there the first one. */
    {"[" CALL("a") "," USER "," CALL("a") "," CALL("b") "," CALL("a") "," OUTPUT("a") "," OUTPUT(
         "a") "," OUTPUT("a") "," OUTPUT("a") "]",
     "0=7 2=5+ 3 4=6+ 5=2 6=4 7=0 8!0", false},
    /* Of the other type of these two it claims the newest call; of a third it doesn't. */
    {"[" CALL("a") "," GIVEN("a") "]", "0>1 1<0", false},
    {"[" CUSTOM("a") "," OUTPUT("a") "]", "0>1 1<0", false},
    {"[" SHELL("a") "," OUTPUT("a") "]", "0 1?", false},
    {"[" SHELL("a") "," SHOWN("a") "]", "0=1 1=0", false},
    {"[" CUSTOM("a") "," CALL("a") "," OUTPUT("a") "," GIVEN("a") "]", "0=3 1=2+ 2=1 3=0", false},
    /* A local shell call pairs by its id. */
    {"[" LOCAL "," RAN "]", "0=1 1=0", false},
    /* Calls that the list lacks may be on the server. */
    {"[" REFERS("fc_1") "," OUTPUT("a") "]", "1@", false},
    {"[" REFERS("msg_1") "," OUTPUT("a") "]", "1?", false},
    {"[" OUTPUT("a") "," REFERS("fc_1") "]", "0?", false},
    {"[" OUTPUT("a") "]", "0~", true},
    {"[" CALL("a") "," GIVEN("a") "]", "0 1~", true},
    {"[" CALL("a") "," OUTPUT("a") "," OUTPUT("a") "]", "0=1 1=0 2!0", true},
};

static void put(struct tk_out *out, const struct openai_history *h, uint32_t item,
                const struct tk_item_link *link)
{
    static const char marks[] = {
        [TK_MATCH_PAIR] = '=',      [TK_MATCH_OPEN] = 0,      [TK_MATCH_SECOND] = '!',
        [TK_MATCH_CLAIM] = '<',     [TK_MATCH_CLAIMED] = '>', [TK_MATCH_STORED] = '~',
        [TK_MATCH_REFERENCE] = '@', [TK_MATCH_ORPHAN] = '?',
    };
    char text[48];
    int n = snprintf(text, sizeof(text), "%u", item);

    if (marks[link->match])
        text[n++] = marks[link->match];
    if (link->partner != TK_NONE)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%u", h->t.parts[link->partner].message);
    if (link->repeated)
        text[n++] = '+';
    text[n++] = ' ';
    tk_out_put(out, text, (size_t)n);
}

static struct tk_str pairs_of(struct openai_history *h, bool stored)
{
    const struct tk_item_pairs *pairs = &tk_responses(&h->repair.judge)->pairs;
    struct tk_out out;
    struct tk_str text;

    tk_responses(&h->repair.judge)->previous = stored;
    CU_ASSERT_EQUAL_FATAL(tk_pair_items(&h->repair.judge), 0);
    tk_out_init(&out, &h->reading.arena);
    for (uint32_t i = 0; i < h->t.part_count; i++)
        if (tk_item_link(pairs, i)->match != TK_MATCH_NONE)
            put(&out, h, h->t.parts[i].message, tk_item_link(pairs, i));
    text = tk_out_join(&out);
    return text.n > 0 ? (struct tk_str){text.p, text.n - 1} : TK_STR("");
}

static void test_pairs(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        openai_expect(&tk_provider_openai_responses, rows[i].items, rows[i].stored, pairs_of,
                      rows[i].pairs);
}

static void test_used_ids(void)
{
    struct openai_history h;
    struct tk_item_pairs *pairs;

    openai_open(&h, &tk_provider_openai_responses, TK_JSON, "[" CALL("a") "," OUTPUT("b") "]");
    pairs = &tk_responses(&h.repair.judge)->pairs;
    CU_ASSERT_EQUAL_FATAL(tk_pair_items(&h.repair.judge), 0);
    CU_ASSERT_FALSE(tk_call_id_is_used(pairs, TK_STR("a"), 0));
    CU_ASSERT_TRUE(tk_call_id_is_used(pairs, TK_STR("a"), 1));
    CU_ASSERT_FALSE(tk_call_id_is_used(pairs, TK_STR("b"), 1));
    CU_ASSERT_TRUE(tk_call_id_is_used(pairs, TK_STR("b"), 2));
    CU_ASSERT_FALSE(tk_call_id_is_used(pairs, TK_STR("c"), 9));
    CU_ASSERT_EQUAL(tk_call_id_note(pairs, TK_STR("c"), 1), 0);
    CU_ASSERT_TRUE(tk_call_id_is_used(pairs, TK_STR("c"), 2));
    openai_close(&h);
}

TAP_MAIN("responses_pairing", TAP_TEST(test_pairs), TAP_TEST(test_used_ids))
