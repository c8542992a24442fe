/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kit for pairing, and new ids. A history is written as a text: `(` begins a scope and `)` ends its calls; a
 * small letter is a call with that id, a capital letter a result. A result after the `)` may answer a call of
 * the scope. At the end of the results, strays claim calls; a small letter that is repeated in its scope can't be
 * claimed. Wanted is a text, too, with one word for each call and result:
 *
 *     =2    its partner is number 2      <2    a call that number 2 claims     >2   a stray that claims 2
 *     .     an open call                 !0    a second result; 0 has one      ?    a stray
 */
#include "../documents.h"
#include "../tap.h"
#include "engine/pairs/new_id.h"

struct kit {
    struct reading reading;
    struct tk_transcript t;
    struct tk_pairs pairs;
};

static void open_kit(struct kit *kit, uint32_t parts)
{
    memset(kit, 0, sizeof(*kit));
    reading_init(&kit->reading);
    kit->t.arena = &kit->reading.arena;
    kit->t.hash_key = kit->reading.limits.hash_key;
    kit->t.part_count = parts;
    CU_ASSERT_EQUAL_FATAL(tk_pairs_begin(&kit->pairs, &kit->t, false), 0);
}

static void close_kit(struct kit *kit)
{
    CU_ASSERT(reading_done(&kit->reading));
}

/* ---- links ---- */

static const struct row {
    const char *history, *first, *last; /* as claims take the first or the last call of a scope */
} rows[] = {
    {"", "", ""},
    {"(a)A", "=1 =0", NULL},
    {"(ab)BA", "=3 =2 =1 =0", NULL},
    {"(a)AA", "=1 =0 !0", NULL},
    {"(aa)AA", "=2 =3 =0 =1", NULL},
    {"(aa)A", "=2 . =0", NULL},
    {"(a)", ".", NULL},
    {"A(a)", "? .", NULL},
    /* A result of another scope is a stray, which claims the newest open call. */
    {"(a)(b)A", "<2 . >0", NULL},
    {"(a)(a)()A", ". <2 >1", NULL},
    {"(a)(a)()AAA", "<3 <2 >1 >0 ?", NULL},
    {"(a)A(b)A", "=1 =0 . ?", NULL},
    /* A result of a call that has an answer in its scope is no stray. */
    {"(a)(a)AA", ". =2 =1 !1", NULL},
    /* In the scope of its calls a stray claims those before it, or an older one. */
    {"(aA)", "<1 >0", NULL},
    {"(Aa)", "? .", ">1 <0"},
    {"(a)(Aa)", "<1 >0 .", ". >2 <1"},
    {"(a)(a)(AAAa)", "<3 <2 >1 >0 ? .", "<4 <3 >5 >1 >0 <2"},
    {"(aA)A", "=2 ? =0", NULL},
    /* Of several lists of one scope. */
    {"(ab)()BA", "<3 <2 >1 >0", NULL},
    /* A repeated call isn't claimed. */
    {"(aa)()AA", "<2 . >0 ?", NULL},
    /* Calls of many scopes. */
    {"(a)(b)(c)(a)(b)(c)()CBAABC", "<9 <10 <11 <8 <7 <6 >5 >4 >3 >0 >1 >2", NULL},
};

/* Lets the strays from the end `from` on claim calls. */
static void claim(struct tk_pairs *pairs, uint32_t from, uint32_t end, bool last)
{
    for (uint32_t i = from; i < end; i++) {
        uint32_t key = pairs->links[i].key, call;

        if (pairs->links[i].match != TK_MATCH_STRAY)
            continue;
        call = last ? tk_last_open(pairs, 0, key) : tk_first_open_before(pairs, 0, key, i);
        if (call != TK_NONE)
            tk_pair_up(pairs, call, i, TK_MATCH_CLAIM);
    }
}

static void add(struct tk_pairs *pairs, uint32_t end, const char *letter, const char *ids,
                bool inside)
{
    uint32_t call;

    if (*letter >= 'a') {
        CU_ASSERT_EQUAL(tk_add_call(pairs, end, (struct tk_str){letter, 1}), 0);
        CU_ASSERT_EQUAL(tk_open_call(pairs, end, 0, pairs->links[end].key), 0);
        return;
    }
    CU_ASSERT_EQUAL(tk_add_result(pairs, end, (struct tk_str){&ids[*letter - 'A'], 1}), 0);
    if (inside)
        return;
    call = tk_first_open_in_scope(pairs, 0, pairs->links[end].key);
    if (call != TK_NONE)
        tk_pair_up(pairs, call, end, TK_MATCH_PAIR);
    else if (tk_scope_has_key(pairs, end))
        tk_match_second(pairs, end);
}

/* Pairs a history. Returns the number of its calls and results. */
static uint32_t pair(struct tk_pairs *pairs, const char *history, bool last)
{
    static const char ids[] = "abcdefghijklmnopqrstuvwxyz";
    uint32_t end = 0, from = 0;
    bool inside = false;

    for (const char *at = history; *at; at++) {
        if (*at == '(') {
            for (uint32_t i = from; i < end; i++)
                if (pairs->links[i].match == TK_MATCH_OPEN && pairs->links[i].first != TK_NONE)
                    tk_withdraw(pairs, i);
            claim(pairs, from, end, last);
            from = end;
            tk_begin_scope(pairs);
        }
        if (*at == '(' || *at == ')')
            inside = *at == '(';
        else
            add(pairs, end++, at, ids, inside);
    }
    claim(pairs, from, end, last);
    return end;
}

static const char *paired(struct kit *kit, const char *history, bool last)
{
    uint32_t n = pair(&kit->pairs, history, last);
    struct tk_str text = TK_STR("");

    for (uint32_t i = 0; i < n; i++) {
        const struct tk_link *link = tk_part_link(&kit->pairs, i);
        static const char marks[] = {
            [TK_MATCH_OPEN] = '.',  [TK_MATCH_PAIR] = '=',   [TK_MATCH_CLAIMED] = '<',
            [TK_MATCH_CLAIM] = '>', [TK_MATCH_SECOND] = '!', [TK_MATCH_STRAY] = '?',
        };
        struct tk_str word =
            link->partner == TK_NONE
                ? (struct tk_str){&marks[link->match], 1}
                : tk_arena_printf(kit->pairs.arena, "%c%u", marks[link->match], link->partner);

        text = tk_arena_concat(kit->pairs.arena,
                               (struct tk_str[]){text, i ? TK_STR(" ") : TK_STR(""), word}, 3);
    }
    return tk_arena_printf(kit->pairs.arena, "%.*s", (int)text.n, text.p).p;
}

static void test_links(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        for (int last = 0; last < 2; last++) {
            const char *wanted = last && rows[i].last ? rows[i].last : rows[i].first, *got;
            struct kit kit;

            open_kit(&kit, 16);
            got = paired(&kit, rows[i].history, last);
            if (strcmp(got, wanted) != 0)
                printf("# %s: %s, not %s\n", rows[i].history, got, wanted);
            CU_ASSERT_STRING_EQUAL(got, wanted);
            close_kit(&kit);
        }
}

/* Facts that a provider may ask for: the first end with the key in the scope, the call before with it. */
static void test_facts(void)
{
    struct kit kit;

    open_kit(&kit, 16);
    pair(&kit.pairs, "(aba)AA(a)A", false);
    CU_ASSERT_EQUAL(kit.pairs.links[0].first, TK_NONE);
    CU_ASSERT_EQUAL(kit.pairs.links[0].before, TK_NONE);
    CU_ASSERT_EQUAL(kit.pairs.links[2].first, 0);
    CU_ASSERT_EQUAL(kit.pairs.links[2].before, 0);
    CU_ASSERT_EQUAL(kit.pairs.links[3].first, TK_NONE);
    CU_ASSERT_EQUAL(kit.pairs.links[4].first, 3);
    CU_ASSERT_EQUAL(kit.pairs.links[5].first, TK_NONE);
    CU_ASSERT_EQUAL(kit.pairs.links[5].before, 2);
    CU_ASSERT_EQUAL(kit.pairs.links[5].at, 5);
    CU_ASSERT_EQUAL(tk_get_key(&kit.pairs, TK_STR("b"))->first_at, 1);
    CU_ASSERT_PTR_NULL(tk_get_key(&kit.pairs, TK_STR("c")));
    CU_ASSERT_EQUAL(tk_part_link(&kit.pairs, 7)->match, TK_MATCH_NONE);
    CU_ASSERT_EQUAL(tk_part_link(&kit.pairs, 16)->match, TK_MATCH_NONE);
    CU_ASSERT_EQUAL(tk_part_link(&kit.pairs, TK_NONE)->partner, TK_NONE);
    close_kit(&kit);
}

/* A call on several lists leaves all of them; the better one of two is of the newer scope, or comes first. */
static void test_several_lists(void)
{
    enum {
        BY_ID,
        BY_NAME
    };
    struct kit kit;
    struct tk_pairs *p = &kit.pairs;
    uint32_t x, f;

    open_kit(&kit, 4);
    x = tk_put_key(p, TK_STR("x"));
    f = tk_put_key(p, TK_STR("f"));
    for (uint32_t call = 0; call < 3; call++) {
        if (call != 2)
            tk_begin_scope(p);
        CU_ASSERT_EQUAL(tk_add_call(p, call, call == 1 ? TK_STR("x") : (struct tk_str){0}), 0);
        CU_ASSERT_EQUAL(tk_open_call(p, call, BY_NAME, f), 0);
        if (call == 1)
            CU_ASSERT_EQUAL(tk_open_call(p, call, BY_ID, x), 0);
    }
    CU_ASSERT_EQUAL(tk_add_result(p, 3, (struct tk_str){0}), 0);
    CU_ASSERT_EQUAL(tk_first_open_before(p, BY_ID, f, 3), TK_NONE);
    CU_ASSERT_EQUAL(tk_first_open_before(p, BY_NAME, TK_NONE, 3), TK_NONE);
    CU_ASSERT_EQUAL(tk_first_open_before(p, BY_NAME, f, 3), 1);
    CU_ASSERT_EQUAL(tk_last_open(p, BY_NAME, f), 2);
    tk_pair_up(p, tk_first_open_before(p, BY_ID, x, 3), 3, TK_MATCH_PAIR);
    CU_ASSERT_EQUAL(tk_first_open_before(p, BY_ID, x, 3), TK_NONE);
    CU_ASSERT_EQUAL(tk_first_open_before(p, BY_NAME, f, 3), 2);
    CU_ASSERT_EQUAL(tk_lists_of(p, x), 1u << BY_ID);
    CU_ASSERT_EQUAL(tk_lists_of(p, f), 1u << BY_NAME);
    CU_ASSERT_EQUAL(tk_lists_of(p, TK_NONE), 0);
    CU_ASSERT_EQUAL(tk_better_open(p, 0, 2), 2);
    CU_ASSERT_EQUAL(tk_better_open(p, 2, 1), 1);
    CU_ASSERT_EQUAL(tk_better_open(p, TK_NONE, 1), 1);
    CU_ASSERT_EQUAL(tk_better_open(p, TK_NONE, TK_NONE), TK_NONE);
    close_kit(&kit);
}

/* Messages are ends with numbers after those of the parts. */
static void test_messages(void)
{
    struct kit kit;
    uint32_t end;

    open_kit(&kit, 1);
    kit.t.message_count = 2;
    CU_ASSERT_EQUAL(tk_pairs_begin(&kit.pairs, &kit.t, true), 0);
    end = tk_message_end(&kit.pairs, 1);
    CU_ASSERT_EQUAL(tk_end_message(&kit.pairs, end), 1);
    CU_ASSERT_EQUAL(tk_add_result(&kit.pairs, end, (struct tk_str){0}), 0);
    CU_ASSERT_EQUAL(tk_message_link(&kit.pairs, 1)->match, TK_MATCH_STRAY);
    CU_ASSERT_EQUAL(tk_message_link(&kit.pairs, 0)->match, TK_MATCH_NONE);
    CU_ASSERT_EQUAL(tk_message_link(&kit.pairs, 2)->match, TK_MATCH_NONE);
    CU_ASSERT_EQUAL(tk_part_link(&kit.pairs, 2)->match, TK_MATCH_NONE);
    close_kit(&kit);
}

/* ---- new ids ---- */

static void test_unused_ids(void)
{
    struct kit kit;
    struct tk_pairs *p = &kit.pairs;

    /* By place: no call or result before it has the id. */
    open_kit(&kit, 4);
    CU_ASSERT_EQUAL(tk_note_id(p, TK_STR("a_2"), 5), 0);
    CU_ASSERT_EQUAL(tk_note_id(p, TK_STR("a_2"), 7), 0);
    CU_ASSERT_EQUAL(tk_note_id(p, TK_STR("a_4"), 5), 0);
    CU_ASSERT(tk_str_is(tk_unused_id(p, TK_STR("a"), tk_is_used_before, 6), "a_3"));
    CU_ASSERT(tk_str_is(tk_unused_id(p, TK_STR("a"), tk_is_used_before, 6), "a_5"));
    CU_ASSERT(tk_str_is(tk_unused_id(p, TK_STR("a_4"), tk_is_used_before, 6), "a_4_2"));
    close_kit(&kit);
    open_kit(&kit, 4);
    CU_ASSERT_EQUAL(tk_note_id(p, TK_STR("a_2"), 5), 0);
    CU_ASSERT(tk_str_is(tk_unused_id(p, TK_STR("a"), tk_is_used_before, 5), "a_2"));
    close_kit(&kit);

    /* By owner: another one may have the id, and counts from 2 again. */
    open_kit(&kit, 4);
    CU_ASSERT_EQUAL(tk_own_id(p, TK_STR("a"), 0), 0);
    CU_ASSERT_EQUAL(tk_own_id(p, TK_STR("a_2"), 0), 0);
    CU_ASSERT(tk_str_is(tk_unused_id(p, TK_STR("a"), tk_is_owned_by, 0), "a_3"));
    CU_ASSERT_EQUAL(tk_own_id(p, TK_STR("a"), 1), 0);
    CU_ASSERT(tk_str_is(tk_unused_id(p, TK_STR("a"), tk_is_owned_by, 1), "a_2"));
    close_kit(&kit);
}

static void test_id_forms(void)
{
    static const struct tk_id_form server = {
        .head = TK_STR_INIT("srv_"), .otherwise = TK_STR_INIT("none"), .kept = 5};
    static const struct {
        const char *id;
        bool is_clients, is_servers;
        const char *clients, *servers;
    } ids[] = {
        {"a-1_B", true, false, "a-1_B_5c3f0b3604", "srv_a_1_B_5c3f0b3604"},
        {"srv_a", true, true, "srv_a_aa99dce8ef", "srv_a_aa99dce8ef"},
        {"srv_a-b", true, false, "srv_a-b_d3d37fe5a9", "srv_a_b_d3d37fe5a9"},
        {"", false, false, "toolu_e3b0c44298", "srv_none_e3b0c44298"},
        {"srv_", true, false, "srv__34d7c6a4fc", "srv_none_34d7c6a4fc"},
        {"f.x:\xc3\xa9", false, false, "f_x___c49b20ead1", "srv_f_x___c49b20ead1"},
        {"0123456789012345678901234567890123456789012345678901234567", true, false,
         "01234567890123456789012345678901234567890123456789012_092b999797",
         "srv_01234_092b999797"},
    };

    for (size_t i = 0; i < sizeof(ids) / sizeof(ids[0]); i++) {
        struct tk_str id = tk_str_of(ids[i].id), client, made;
        struct kit kit;

        open_kit(&kit, 1);
        CU_ASSERT_EQUAL(tk_id_has_form(id, &tk_client_id_form), ids[i].is_clients);
        CU_ASSERT_EQUAL(tk_id_has_form(id, &server), ids[i].is_servers);
        client = tk_id_of_form(kit.pairs.arena, id, &tk_client_id_form);
        made = tk_id_of_form(kit.pairs.arena, id, &server);
        CU_ASSERT(tk_str_is(client, ids[i].clients));
        CU_ASSERT(tk_str_is(made, ids[i].servers));
        if (!tk_str_is(client, ids[i].clients) || !tk_str_is(made, ids[i].servers))
            printf("# %s: %.*s, %.*s\n", ids[i].id, (int)client.n, client.p, (int)made.n, made.p);
        close_kit(&kit);
    }
}

TAP_MAIN("links", TAP_TEST(test_links), TAP_TEST(test_facts), TAP_TEST(test_several_lists),
         TAP_TEST(test_messages), TAP_TEST(test_unused_ids), TAP_TEST(test_id_forms))
