/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests where a repaired history begins to differ from its input, and which thinking comes after:
 * the first change of what a model reads. Thinking, markers, empty messages and merges don't count;
 * nor does anything before the newest compaction block.
 */
#include "../../tap.h"
#include "../../transcripts.h"
#include "providers/anthropic/thinking/changed_prefix.h"

#define CODE TK_CODE_PROVIDER_EXECUTED_RESULT_WITHOUT_CALL

#define U(parts) "{\"role\":\"user\",\"content\":[" parts "]}"
#define A(parts) "{\"role\":\"assistant\",\"content\":[" parts "]}"
#define P(n)     "{\"type\":\"text\",\"text\":\"" #n "\"}"
#define THINK    "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"S\"}"
#define COMPACT  "{\"type\":\"compaction\",\"content\":\"c\"}"

/* message 0: 0 1 2, message 1: think 4 think 6, message 2: 7, message 3: think 9 */
#define INPUT                                                                                      \
    "[" U(P(0) "," P(1) "," P(2)) "," A(THINK "," P(4) "," THINK "," P(6)) "," U(P(7)) "," A(      \
        THINK "," P(9)) "]"

static int drop(struct history *h, uint32_t message, uint32_t index)
{
    return tk_edit_drop(&h->edits, history_part(h, message, index), CODE);
}

static int nothing(struct history *h)
{
    (void)h;
    return 0;
}

static int drop_first(struct history *h)
{
    return drop(h, 0, 0);
}

static int drop_last_of_user(struct history *h)
{
    return drop(h, 0, 2);
}

static int drop_between_thinking(struct history *h)
{
    return drop(h, 1, 1);
}

static int drop_last(struct history *h)
{
    return drop(h, 3, 1);
}

static int drop_thinking(struct history *h)
{
    return drop(h, 1, 0);
}

static int drop_message(struct history *h)
{
    int r = drop(h, 2, 0);

    return r < 0 ? r : tk_edit_drop_message(&h->edits, 2, CODE);
}

static int put_text_at_end_of_user(struct history *h)
{
    return tk_edit_append(&h->edits, 0, CODE, TK_ACTION_APPEND, TK_STR("t"));
}

static int put_text_at_end_of_assistant(struct history *h)
{
    return tk_edit_append(&h->edits, 1, CODE, TK_ACTION_APPEND, TK_STR("t"));
}

static int put_text_at_the_end(struct history *h)
{
    return tk_edit_append(&h->edits, 3, CODE, TK_ACTION_APPEND, TK_STR("t"));
}

static int textify(struct history *h)
{
    return tk_edit_textify(&h->edits, history_part(h, 1, 1), CODE, TK_STR("t"));
}

static int text_goes_back(struct history *h)
{
    return history_textify_into(h, history_part(h, 2, 0), CODE, TK_STR("t"), 0);
}

static int move_back(struct history *h)
{
    return history_move(h, history_part(h, 2, 0), CODE, history_part(h, 0, 0));
}

static int move_within(struct history *h)
{
    return history_move(h, history_part(h, 0, 2), CODE, history_part(h, 0, 0));
}

static int set_marker(struct history *h)
{
    static const struct tk_path marker = {{"cache_control"}};

    return tk_change_set(&h->edits, history_part(h, 0, 1), &marker,
                         tk_encode_text(&h->edits, TK_STR("m")));
}

static int rewrite(struct history *h)
{
    static const struct tk_path x = {{"x"}};
    int r = tk_edit_rewritten(&h->edits, history_part(h, 2, 0), CODE);

    return r < 0 ? r
                 : tk_change_set(&h->edits, history_part(h, 2, 0), &x,
                                 tk_encode_text(&h->edits, TK_STR("v")));
}

static int merge(struct history *h)
{
    return tk_edit_merge(&h->edits, 1, CODE, NULL);
}

/* The part that follows the change is in the message that took over the parts. */
static int merge_and_drop(struct history *h)
{
    int r = tk_edit_drop(&h->edits, history_part(h, 1, 0), CODE);

    return r < 0 ? r : merge(h);
}

static int drop_empty(struct history *h)
{
    return tk_edit_drop_message(&h->edits, 1, CODE);
}

/* Signed blocks by place in the repaired history, "1.0 3.0"; from -1: nothing is told. */
struct row {
    const char *input;
    int (*edit)(struct history *h);
    int from;
    const char *behind;
};

#define NEIGHBOURS  "[" U(P(0)) "," U(P(1)) "," A(THINK "," P(3)) "]"
#define TWO_OF_USER "[" U(P(0)) "," U(P(1) "," P(2)) "," A(THINK "," P(4)) "]"
#define WITH_EMPTY  "[" U(P(0)) "," U("") "," A(THINK "," P(2)) "]"
#define COMPACTED                                                                                  \
    "[" U(P(0) "," P(1)) "," A(COMPACT "," THINK "," P(4)) "," U(P(5)) "," A(THINK "," P(7)) "]"

static const struct row rows[] = {
    {INPUT, nothing, -1, ""},
    {INPUT, drop_first, 0, "1.0 1.2 3.0"},
    {INPUT, drop_last_of_user, 0, "1.0 1.2 3.0"},
    {INPUT, drop_between_thinking, 1, "1.1 3.0"},
    {INPUT, drop_last, -1, ""},
    {INPUT, drop_thinking, -1, ""},
    {INPUT, drop_message, 2, "2.0"},
    {INPUT, put_text_at_end_of_user, 0, "1.0 1.2 3.0"},
    {INPUT, put_text_at_end_of_assistant, 1, "3.0"},
    {INPUT, put_text_at_the_end, -1, ""},
    {INPUT, textify, 1, "1.2 3.0"},
    {INPUT, text_goes_back, 0, "1.0 1.2 3.0"},
    {INPUT, move_back, 0, "1.0 1.2 3.0"},
    {INPUT, move_within, 0, "1.0 1.2 3.0"},
    {INPUT, set_marker, -1, ""},
    {INPUT, rewrite, 2, "3.0"},
    {NEIGHBOURS, merge, -1, ""},
    {TWO_OF_USER, merge_and_drop, 0, "1.0"},
    {WITH_EMPTY, drop_empty, -1, ""},
    {COMPACTED, drop_first, -1, ""},
    {COMPACTED, put_text_at_end_of_user, -1, ""},
    {COMPACTED, rewrite, 2, "3.0"},
};

/* Lists the places of signed blocks after the change, as the report does. */
static void list_behind(const struct history *h, struct tk_unbound u, char *text, size_t room)
{
    uint32_t index = 0;
    bool behind = false;
    size_t at = 0;

    text[0] = '\0';
    for (uint32_t m = h->t.first_message; m != TK_NONE; m = h->t.messages[m].next, index++) {
        uint32_t k = 0;

        for (uint32_t p = h->t.messages[m].first; p != TK_NONE; p = h->t.parts[p].next, k++) {
            behind = behind || p == u.part;
            if (behind && h->t.parts[p].flags & TK_PART_SIGNED)
                at += (size_t)snprintf(text + at, room - at, "%s%u.%u", at ? " " : "", index, k);
        }
        behind = behind || m == u.message;
    }
}

static void check(const struct row *row)
{
    struct history h;
    struct tk_unbound u;
    char behind[256];
    int from;

    history_open(&h, "anthropic", &tk_policy_conservative, TK_JSON, row->input);
    CU_ASSERT_EQUAL(row->edit(&h), 0);
    u = tk_unbound_of(&h.t);
    list_behind(&h, u, behind, sizeof(behind));
    from = u.message == TK_NONE || behind[0] == '\0' ? -1 : (int)u.index;
    if (from != row->from || strcmp(behind, row->behind) != 0)
        printf("# row %d: from %d, behind it %s\n", (int)(row - rows), from, behind);
    CU_ASSERT_EQUAL(from, row->from);
    CU_ASSERT_STRING_EQUAL(behind, row->behind);
    CU_ASSERT(history_close(&h));
}

static void test_rows(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        check(&rows[i]);
}

TAP_MAIN("rules_unbound", TAP_TEST(test_rows))
