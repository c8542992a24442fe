/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of the client's calls and results (CATALOGUE 3.2), as a text: of each call and result its message and
 * place, how it is matched, and with which part.
 *
 *     1.0=2.0    a pair                      1.0          a call that nothing answers
 *     1.0<4.0    a call that 4.0 claims      4.0>1.0      the result that claims it
 *     2.1!       a second result             2.0?         one without a call
 *     1.1/1.0    1.0 is the call of its id before it
 */
#include "../../tap.h"
#include "../../transcripts.h"
#include "providers/anthropic/state.h"

#define CALL(id) "{\"type\":\"tool_use\",\"id\":\"" id "\",\"name\":\"f\",\"input\":{}}"
#define SERVER(id)                                                                                 \
    "{\"type\":\"server_tool_use\",\"id\":\"" id "\",\"name\":\"web_search\",\"input\":{}}"
#define RESULT(id)    "{\"type\":\"tool_result\",\"tool_use_id\":\"" id "\",\"content\":\"x\"}"
#define ASKS(list)    "{\"role\":\"assistant\",\"content\":[" list "]}"
#define ANSWERS(list) "{\"role\":\"user\",\"content\":[" list "]}"
#define USER          "{\"role\":\"user\",\"content\":\"q\"}"

static const struct row {
    const char *messages, *pairs;
} rows[] = {
    {"[" USER "]", ""},
    {"[" USER "," ASKS(CALL("a")) "," ANSWERS(RESULT("a")) "]", "1.0=2.0 2.0=1.0"},
    {"[" USER "," ASKS(CALL("a") "," CALL("b")) "," ANSWERS(RESULT("b") "," RESULT("a")) "]",
     "1.0=2.1 1.1=2.0 2.0=1.1 2.1=1.0"},
    {"[" USER "," ASKS(CALL("a")) "]", "1.0"},
    {"[" ANSWERS(RESULT("a")) "," ASKS(CALL("a")) "]", "0.0? 1.0"},
    {"[" USER "," ASKS(CALL("a")) "," ANSWERS(RESULT("a") "," RESULT("a")) "]",
     "1.0=2.0 2.0=1.0 2.1!"},
    /* Messages of one role are one turn. */
    {"[" USER
     "," ASKS(CALL("a")) "," ASKS(CALL("b")) "," ANSWERS(RESULT("a")) "," ANSWERS(RESULT("b")) "]",
     "1.0=3.0 2.0=4.0 3.0=1.0 4.0=2.0"},
    /* The results of one id answer its calls in order; a repeated call isn't claimed. */
    {"[" USER "," ASKS(CALL("a") "," CALL("a")) "," ANSWERS(RESULT("a")) "]",
     "1.0=2.0 1.1/1.0 2.0=1.0"},
    {"[" USER "," ASKS(CALL("a") "," CALL("a")) "," USER "," ASKS(CALL("b")) "," ANSWERS(
         RESULT("b") "," RESULT("a") "," RESULT("a")) "]",
     "1.0<4.1 1.1/1.0 3.0=4.0 4.0=3.0 4.1>1.0 4.2?"},
    /* A stray claims the newest unanswered call. In an assistant turn it claims one of its own turn, too. */
    {"[" USER "," ASKS(CALL("a")) "," USER "," ASKS(CALL("a")) "," USER "," ASKS(
         CALL("b")) "," ANSWERS(RESULT("a") "," RESULT("b")) "]",
     "1.0 3.0<6.0/1.0 5.0=6.1 6.0>3.0 6.1=5.0"},
    {"[" USER "," ASKS(RESULT("a") "," CALL("a")) "]", "1.0>1.1 1.1<1.0"},
    {"[" USER "," ASKS(CALL("a") "," RESULT("a")) "," ANSWERS(RESULT("a")) "]",
     "1.0=2.0 1.1? 2.0=1.0"},
    /* The provider's calls and the user's take no part. */
    {"[" USER "," ASKS(SERVER("a")) "," ANSWERS(RESULT("a")) "]", "2.0?"},
    {"[" ANSWERS(CALL("a")) "," ASKS(CALL("b")) "," ANSWERS(RESULT("a") "," RESULT("b")) "]",
     "1.0=2.1 2.0? 2.1=1.0"},
};

/* Adds the message and place of a part. */
static void put_place(struct tk_out *out, const struct history *h, const char *mark, uint32_t part)
{
    uint32_t message = h->t.parts[part].message, place = 0;
    char text[32];

    for (uint32_t i = h->t.messages[message].first; i != part; i = h->t.parts[i].next)
        place++;
    tk_out_put(out, text, (size_t)snprintf(text, sizeof(text), "%s%u.%u", mark, message, place));
}

static struct tk_str pairs_of(struct history *h)
{
    static const char *const marks[] = {
        [TK_MATCH_OPEN] = "",   [TK_MATCH_PAIR] = "=",   [TK_MATCH_CLAIMED] = "<",
        [TK_MATCH_CLAIM] = ">", [TK_MATCH_SECOND] = "!", [TK_MATCH_STRAY] = "?",
    };
    const struct tk_pairs *pairs = &tk_anthropic(&h->judge)->clients.pairs;
    const char *gap = "";
    struct tk_out out;

    CU_ASSERT_EQUAL_FATAL(tk_judge(&h->judge), 0);
    tk_out_init(&out, &h->reading.arena);
    for (uint32_t i = 0; i < h->t.part_count; i++) {
        const struct tk_link *link = tk_part_link(pairs, i);
        uint32_t partner = tk_client_partner(&h->judge, i);

        if (link->match == TK_MATCH_NONE)
            continue;
        put_place(&out, h, gap, i);
        gap = " ";
        if (partner != TK_NONE)
            put_place(&out, h, marks[link->match], partner);
        else
            tk_out_put(&out, marks[link->match], strlen(marks[link->match]));
        if (link->before != TK_NONE)
            put_place(&out, h, "/", link->before);
    }
    return tk_out_join(&out);
}

static void test_pairs(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (int codec = 0; codec < 2; codec++) {
            struct history h;
            struct tk_str got;

            history_open(&h, "anthropic", &tk_policy_conservative, codec ? TK_MSGPACK : TK_JSON,
                         rows[i].messages);
            got = pairs_of(&h);
            if (!tk_str_is(got, rows[i].pairs))
                printf("# %s\n# %.*s, not %s\n", rows[i].messages, (int)got.n,
                       got.n > 0 ? got.p : "", rows[i].pairs);
            CU_ASSERT(tk_str_is(got, rows[i].pairs));
            CU_ASSERT(history_close(&h));
        }
}

/* A part that an edit added has no partner. */
static void test_what_was_added_is_unknown(void)
{
    struct history h;

    history_open(&h, "anthropic", &tk_policy_conservative, TK_JSON, rows[1].messages);
    CU_ASSERT_EQUAL_FATAL(tk_judge(&h.judge), 0);
    CU_ASSERT_EQUAL(tk_client_partner(&h.judge, h.t.part_count), TK_NONE);
    CU_ASSERT_EQUAL(tk_client_partner(&h.judge, TK_NONE), TK_NONE);
    CU_ASSERT(history_close(&h));
}

TAP_MAIN("client_pairs", TAP_TEST(test_pairs), TAP_TEST(test_what_was_added_is_unknown))
