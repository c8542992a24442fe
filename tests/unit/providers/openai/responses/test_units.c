/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units of reasoning (PROVIDERS.md 4.3): where the fix of a reasoning item deletes its id, the items of
 * its unit that need none lose theirs, and no others.
 */
#include "../../../tap.h"
#include "../openai_histories.h"
#include "providers/openai/responses/provider.h"

#define REASONING(id) "{\"type\":\"reasoning\",\"id\":\"" id "\",\"summary\":[]}"
#define THOUGHT       "{\"type\":\"reasoning\",\"summary\":[]}"
#define SAYS(more)    "{\"role\":\"assistant\",\"content\":\"a\"" more "}"
#define MESSAGE(id)   SAYS(",\"id\":\"" id "\"")
#define CALL(more)                                                                                 \
    "{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\"" more "}"
#define OUTPUT(more)                                                                               \
    "{\"type\":\"function_call_output\",\"call_id\":\"c\",\"output\":\"x\"" more "}"
#define SEARCH                                                                                     \
    "{\"type\":\"web_search_call\",\"id\":\"ws_1\",\"status\":\"completed\",\"action\":{}}"
#define USER(more) "{\"role\":\"user\",\"content\":\"q\"" more "}"

/* The first reasoning item of each row has an id that isn't one of a reasoning item. */
static const struct {
    const char *items, *repaired;
} rows[] = {
    {"[" REASONING("x_1") "," MESSAGE("msg_1") "]", "[" THOUGHT "," SAYS("") "]"},
    {"[" REASONING("x_1") "," MESSAGE("msg_1") "," CALL(",\"id\":\"fc_1\"") "," OUTPUT("") "]",
     "[" THOUGHT "," SAYS("") "," CALL("") "," OUTPUT("") "]"},
    /* The reasoning directly after it is of its unit: what follows both loses its id. So the second one
     * has no next item any more, and goes, since it says nothing. */
    {"[" REASONING("x_1") "," REASONING("rs_2") "," MESSAGE("msg_1") "]",
     "[" THOUGHT "," SAYS("") "]"},
    /* An item that needs its id keeps it, and the unit goes on after it. */
    {"[" REASONING("x_1") "," SEARCH "," MESSAGE("msg_1") "]",
     "[" THOUGHT "," SEARCH "," SAYS("") "]"},
    /* The unit ends where someone else speaks, and at the next reasoning. */
    {"[" REASONING("x_1") "," MESSAGE("msg_1") "," USER("") "," MESSAGE("msg_2") "]",
     "[" THOUGHT "," SAYS("") "," USER("") "," MESSAGE("msg_2") "]"},
    {"[" REASONING("x_1") "," CALL(",\"id\":\"fc_1\"") "," OUTPUT(",\"id\":\"fc_9\"") "," MESSAGE(
         "msg_2") "]",
     "[" THOUGHT "," CALL("") "," OUTPUT(",\"id\":\"fc_9\"") "," MESSAGE("msg_2") "]"},
    {"[" REASONING("x_1") "," MESSAGE("msg_1") "," REASONING("rs_2") "," MESSAGE("msg_2") "]",
     "[" THOUGHT "," SAYS("") "," REASONING("rs_2") "," MESSAGE("msg_2") "]"},
    /* The items before it aren't of the unit. */
    {"[" MESSAGE("msg_0") "," REASONING("x_1") "," MESSAGE("msg_1") "]",
     "[" MESSAGE("msg_0") "," THOUGHT "," SAYS("") "]"},
    /* Two of one unit, and two units. */
    {"[" REASONING("x_1") "," REASONING("x_2") "," MESSAGE("msg_1") "]",
     "[" THOUGHT "," THOUGHT "," SAYS("") "]"},
    {"[" REASONING("x_1") "," MESSAGE("msg_1") "," REASONING("x_2") "," MESSAGE("msg_2") "]",
     "[" THOUGHT "," SAYS("") "," THOUGHT "," SAYS("") "]"},
    /* A sound one stays as it is. */
    {"[" REASONING("rs_1") "," MESSAGE("msg_1") "]",
     "[" REASONING("rs_1") "," MESSAGE("msg_1") "]"},
};

static void test_units(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++) {
            struct openai_history h;
            const char *repaired;

            openai_open(&h, &tk_provider_openai_responses, (enum tk_codec)codec, rows[i].items);
            repaired = openai_repaired(&h);
            CU_ASSERT_PTR_NOT_NULL_FATAL(repaired);
            if (strcmp(repaired, rows[i].repaired))
                printf("# %s\n# %s, not %s\n", rows[i].items, repaired, rows[i].repaired);
            CU_ASSERT_STRING_EQUAL(repaired, rows[i].repaired);
            openai_close(&h);
        }
}

TAP_MAIN("responses_units", TAP_TEST(test_units))
