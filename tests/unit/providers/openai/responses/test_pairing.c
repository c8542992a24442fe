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

static char mark_of(const struct openai_history *h, const struct tk_link *link)
{
    static const char marks[] = {
        [TK_MATCH_PAIR] = '=',
        [TK_MATCH_SECOND] = '!',
        [TK_MATCH_CLAIM] = '<',
        [TK_MATCH_CLAIMED] = '>',
    };
    static const char of_lone[] = {
        [TK_OUTPUT_STORED] = '~',
        [TK_OUTPUT_REFERENCE] = '@',
        [TK_OUTPUT_ORPHAN] = '?',
    };

    return link->match == TK_MATCH_STRAY ? of_lone[tk_lone_output(&h->repair.judge, link)]
                                         : marks[link->match];
}

static void put(struct tk_out *out, const struct openai_history *h, uint32_t item,
                const struct tk_link *link)
{
    char text[48];
    int n = snprintf(text, sizeof(text), "%u", item);

    if (mark_of(h, link))
        text[n++] = mark_of(h, link);
    if (link->partner != TK_NONE)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%u", h->t.parts[link->partner].message);
    if (link->before != TK_NONE)
        text[n++] = '+';
    text[n++] = ' ';
    tk_out_put(out, text, (size_t)n);
}

static struct tk_str pairs_of(struct openai_history *h, bool stored)
{
    const struct tk_pairs *pairs = &tk_responses(&h->repair.judge)->pairs;
    struct tk_out out;
    struct tk_str text;

    tk_responses(&h->repair.judge)->previous = stored;
    CU_ASSERT_EQUAL_FATAL(tk_pair_items(&h->repair.judge), 0);
    tk_out_init(&out, &h->reading.arena);
    for (uint32_t i = 0; i < h->t.part_count; i++)
        if (tk_part_link(pairs, i)->match != TK_MATCH_NONE)
            put(&out, h, h->t.parts[i].message, tk_part_link(pairs, i));
    text = tk_out_join(&out);
    return text.n > 0 ? (struct tk_str){text.p, text.n - 1} : TK_STR("");
}

static void test_pairs(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        openai_expect(&tk_provider_openai_responses, rows[i].items, rows[i].stored, pairs_of,
                      rows[i].pairs);
}

TAP_MAIN("responses_pairing", TAP_TEST(test_pairs))
