/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs of calls and tool messages (PROVIDERS.md 3), as a text: of each call what became of it, then
 * of each tool message. Calls are named by message and place, tool messages by their message.
 *
 *     1.0=2      message 2 answers the first call of message 1
 *     1.1<4      message 4, which is a stray, claims it
 *     1.2        nothing answers it
 *     1.2/1.0    nothing answers it; 1.0 is the first call of the message with its id
 *     2          tool message 2 is an answer; 3! is a second one, 4? a stray
 */
#include "../../../tap.h"
#include "../openai_histories.h"
#include "providers/openai/chat/provider.h"
#include "providers/openai/chat/state.h"

#define CALL(id)                                                                                   \
    "{\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}"
#define NAMELESS     "{\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}"
#define ASKS(list)   "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[" list "]}"
#define SAYS(id)     "{\"role\":\"tool\",\"tool_call_id\":\"" id "\",\"content\":\"x\"}"
#define MUTE         "{\"role\":\"tool\",\"content\":\"x\"}"
#define USER         "{\"role\":\"user\",\"content\":\"q\"}"
#define FOUR_CALLS   CALL("a") "," CALL("b") "," CALL("c") "," CALL("d")
#define FIVE_CALLS   CALL("e") "," CALL("f") "," CALL("g") "," CALL("h") "," CALL("i")
#define FOUR_ANSWERS SAYS("a") "," SAYS("b") "," SAYS("c") "," SAYS("d")
#define FIVE_ANSWERS SAYS("e") "," SAYS("f") "," SAYS("g") "," SAYS("h") "," SAYS("i")

static const struct row {
    const char *history, *pairs;
} rows[] = {
    {"[]", ""},
    {"[" USER "]", ""},
    {"[" ASKS(CALL("a")) "," SAYS("a") "]", "0.0=1 1"},
    {"[" ASKS(CALL("a") "," CALL("b")) "," SAYS("a") "," SAYS("b") "]", "0.0=1 0.1=2 1 2"},
    {"[" ASKS(CALL("a") "," CALL("b")) "," SAYS("b") "," SAYS("a") "]", "0.0=2 0.1=1 1 2"},
    {"[" ASKS(FOUR_CALLS "," FIVE_CALLS) "," FOUR_ANSWERS "," FIVE_ANSWERS "]",
     "0.0=1 0.1=2 0.2=3 0.3=4 0.4=5 0.5=6 0.6=7 0.7=8 0.8=9 1 2 3 4 5 6 7 8 9"},
    {"[" ASKS(CALL("a")) "]", "0.0"},
    {"[" SAYS("a") "]", "0?"},
    /* A result before its call, or after a message of someone else, isn't in its run. */
    {"[" SAYS("a") "," ASKS(CALL("a")) "]", "1.0 0?"},
    {"[" ASKS(CALL("a")) "," USER "," SAYS("a") "]", "0.0<2 2?"},
    /* Two calls of one id: answers go to them in order. */
    {"[" ASKS(CALL("a") "," CALL("a")) "," SAYS("a") "]", "0.0=1 0.1/0.0 1"},
    {"[" ASKS(CALL("a") "," CALL("a")) "," SAYS("a") "," SAYS("a") "]", "0.0=1 0.1=2/0.0 1 2"},
    {"[" ASKS(CALL("a")) "," SAYS("a") "," SAYS("a") "]", "0.0=1 1 2!"},
    /* Without an id, or with one that no call has: by the place. */
    {"[" ASKS(CALL("a")) "," MUTE "]", "0.0=1 1"},
    {"[" ASKS(NAMELESS) "," SAYS("a") "]", "0.0=1 1"},
    {"[" ASKS(CALL("a") "," NAMELESS) "," SAYS("z") "]", "0.0 0.1=1 1"},
    {"[" ASKS(CALL("a")) "," SAYS("z") "]", "0.0 1?"},
    {"[" ASKS(CALL("a") "," NAMELESS) "," SAYS("z") "," MUTE "]", "0.0=2 0.1=1 1 2"},
    {"[" ASKS(CALL("a") "," CALL("b")) "," MUTE "," SAYS("a") "]", "0.0=2 0.1=1 1 2"},
    {"[" ASKS(NAMELESS "," NAMELESS) "," MUTE "," SAYS("y") "," SAYS("z") "]",
     "0.0=1 0.1=2 1 2 3?"},
    /* Strays claim the newest open call with their id; of two in one message the later one. */
    {"[" ASKS(CALL("a")) "," ASKS(CALL("a")) "," USER "," SAYS("a") "," SAYS("a") "," SAYS("a") "]",
     "0.0<4 1.0<3 3? 4? 5?"},
    {"[" ASKS(CALL("a") "," CALL("a")) "," USER "," SAYS("a") "]", "0.0 0.1<2/0.0 2?"},
    {"[" ASKS(CALL("a")) "," USER "," ASKS(CALL("b")) "," SAYS("b") "," SAYS("a") "]",
     "0.0<4 2.0=3 3 4?"},
    /* An id of an earlier message counts again. */
    {"[" ASKS(CALL("a")) "," SAYS("a") "," ASKS(CALL("a")) "," SAYS("a") "]", "0.0=1 2.0=3 1 3"},
    /* Only an assistant's calls are ones. */
    {"[{\"role\":\"user\",\"content\":\"q\",\"tool_calls\":[" CALL("a") "]}," SAYS("a") "]", "1?"},
};

static void put_call(const struct openai_history *h, struct tk_out *out, uint32_t part,
                     const uint32_t *places)
{
    const struct tk_link *link = tk_chat_call(&h->repair.judge, part);
    const struct tk_pairs *pairs = &tk_chat(&h->repair.judge)->pairs;
    char text[96];
    int n = snprintf(text, sizeof(text), "%u.%u", h->t.parts[part].message, places[part]);

    if (link->partner != TK_NONE)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "%c%u",
                      link->match == TK_MATCH_PAIR ? '=' : '<',
                      tk_end_message(pairs, link->partner));
    if (link->first != TK_NONE)
        n += snprintf(text + n, sizeof(text) - (size_t)n, "/%u.%u", h->t.parts[link->first].message,
                      places[link->first]);
    tk_out_put(out, text, (size_t)n);
    tk_out_put(out, " ", 1);
}

static void put_result(const struct openai_history *h, struct tk_out *out, uint32_t message)
{
    uint8_t match = tk_chat_result(&h->repair.judge, message)->match;
    const char *mark = match == TK_MATCH_SECOND ? "! " : match == TK_MATCH_PAIR ? " " : "? ";
    char text[32];
    int n = snprintf(text, sizeof(text), "%u%s", message, mark);

    tk_out_put(out, text, (size_t)n);
}

static struct tk_str pairs_of(struct openai_history *h, bool stored)
{
    struct tk_arena *arena = &h->reading.arena;
    uint32_t *places = tk_arena_zalloc(arena, h->t.part_count + 1, sizeof(*places));
    struct tk_out out;
    struct tk_str text;

    (void)stored; /* there is no server state in this API */
    CU_ASSERT_EQUAL_FATAL(tk_chat_find_pairs(&h->repair.judge), 0);
    tk_out_init(&out, arena);
    for (uint32_t m = 0; m < h->t.message_count; m++) {
        uint32_t call = tk_first_call(&h->t, &h->t.messages[m]);

        for (uint32_t place = 0; call != TK_NONE; call = h->t.parts[call].next) {
            places[call] = place++;
            put_call(h, &out, call, places);
        }
    }
    for (uint32_t m = 0; m < h->t.message_count; m++)
        if (tk_is_tool_message(&h->t.messages[m]))
            put_result(h, &out, m);
    text = tk_out_join(&out);
    return text.n > 0 ? (struct tk_str){text.p, text.n - 1} : TK_STR("");
}

static void test_pairs(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        openai_expect(&tk_provider_openai_chat, rows[i].history, false, pairs_of, rows[i].pairs);
}

/* A call or message that an edit added, which pairing doesn't know, has no link. */
static void test_what_was_added_is_unknown(void)
{
    struct openai_history h;

    openai_open(&h, &tk_provider_openai_chat, TK_JSON, rows[2].history);
    CU_ASSERT_EQUAL_FATAL(tk_chat_find_pairs(&h.repair.judge), 0);
    CU_ASSERT_EQUAL(tk_chat_call(&h.repair.judge, h.t.part_count)->match, TK_MATCH_NONE);
    CU_ASSERT_EQUAL(tk_chat_answer(&h.repair.judge, h.t.part_count), TK_NONE);
    CU_ASSERT_EQUAL(tk_chat_result(&h.repair.judge, h.t.message_count)->match, TK_MATCH_NONE);
    CU_ASSERT_EQUAL(tk_chat_result(&h.repair.judge, TK_NONE)->match, TK_MATCH_NONE);
    openai_close(&h);
}

TAP_MAIN("chat_pairs", TAP_TEST(test_pairs), TAP_TEST(test_what_was_added_is_unknown))
