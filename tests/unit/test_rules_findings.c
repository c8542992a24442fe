/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings are met in report order, however they were found: by message, then part (the message
 * itself first), then the catalogue's order; counted by code and severity; and forgotten whole.
 */
#include "providers/anthropic/provider.h"
#include "rules/finding.h"
#include "rules/fix.h"
#include "tap.h"
#include "transcripts.h"

#define TEXT     "{\"type\":\"text\",\"text\":\"t\"}"
#define MESSAGE  "{\"role\":\"user\",\"content\":[" TEXT "," TEXT "," TEXT "]}"
#define MESSAGES "[" MESSAGE "," MESSAGE "," MESSAGE "," MESSAGE "]"

enum {
    MESSAGE_COUNT = 4,
    PART_COUNT = 3
};

/* What was met so far. */
struct met {
    const struct history *h;
    uint32_t count, last;
    bool in_order;
    uint32_t stop_at;
};

/* One number that grows in report order; parts are numbered through. */
static uint32_t rank(const struct tk_finding *f)
{
    uint32_t part = f->part == TK_NONE ? 0 : f->part % PART_COUNT + 1;

    return (f->message * (PART_COUNT + 1) + part) * TK_CODE_COUNT + f->code;
}

static int meet(void *arg, const struct tk_finding *f)
{
    struct met *met = arg;

    met->in_order = met->in_order && (met->count == 0 || rank(f) >= met->last);
    met->last = rank(f);
    met->count++;
    return met->count == met->stop_at ? 7 : 0;
}

static struct met walk(const struct tk_findings *f, const struct history *h, uint32_t stop_at,
                       int *ret)
{
    struct met met = {.h = h, .in_order = true, .stop_at = stop_at};

    *ret = tk_findings_walk(f, &h->t, meet, &met);
    return met;
}

static void find_something(struct tk_findings *f, struct history *h, uint64_t *seed)
{
    enum tk_code code = (enum tk_code)random_below(seed, TK_CODE_COUNT);
    enum tk_severity severity = random_below(seed, 3) ? TK_ERROR : TK_WARNING;
    uint32_t part = random_below(seed, MESSAGE_COUNT * PART_COUNT);
    bool about_message = random_below(seed, 4) == 0;

    CU_ASSERT_EQUAL(
        tk_find(f, &h->t, code, severity, part / PART_COUNT, about_message ? TK_NONE : part), 0);
}

static void test_random_order(void)
{
    uint64_t seed = 7;

    for (int round = 0; round < 300; round++) {
        struct tk_findings f = {0};
        uint32_t n = random_below(&seed, 60);
        struct history h;
        struct met met;
        int r;

        history_open(&h, "anthropic", &tk_policy_conservative, TK_JSON, MESSAGES);
        tk_findings_reset(&f, &h.t);
        for (int again = 0; again < 2; again++) {
            for (uint32_t i = 0; i < n; i++)
                find_something(&f, &h, &seed);
            met = walk(&f, &h, 0, &r);
            CU_ASSERT_EQUAL(r, 0);
            CU_ASSERT_EQUAL(met.count, n);
            CU_ASSERT(met.in_order);
            CU_ASSERT_EQUAL(f.count, n);
            tk_findings_reset(&f, &h.t);
            met = walk(&f, &h, 0, &r);
            CU_ASSERT_EQUAL(met.count, 0);
        }
        CU_ASSERT(history_close(&h));
    }
}

static void test_counts(void)
{
    struct tk_findings f = {0};
    struct history h;

    history_open(&h, "anthropic", &tk_policy_conservative, TK_JSON, MESSAGES);
    tk_findings_reset(&f, &h.t);
    for (uint32_t i = 0; i < 5; i++)
        tk_find(&f, &h.t, TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN, i < 2 ? TK_ERROR : TK_WARNING, 0,
                i % PART_COUNT);
    tk_find_part(&f, &h.t, TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID, 4);
    CU_ASSERT_EQUAL(f.count, 6);
    CU_ASSERT_EQUAL(f.errors, 3);
    CU_ASSERT_EQUAL(f.by_code[TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN], 5);
    CU_ASSERT_EQUAL(f.errors_by_code[TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN], 2);
    CU_ASSERT_EQUAL(f.by_code[TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID], 1);
    CU_ASSERT_EQUAL(f.list[5].message, 1);
    tk_findings_reset(&f, &h.t);
    CU_ASSERT_EQUAL(f.count + f.errors + f.by_code[TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN], 0);
    CU_ASSERT(history_close(&h));
}

static void test_walk_stops(void)
{
    struct tk_findings f = {0};
    struct history h;
    struct met met;
    int r;

    history_open(&h, "anthropic", &tk_policy_conservative, TK_JSON, MESSAGES);
    for (uint32_t i = 0; i < 6; i++)
        tk_find_part(&f, &h.t, TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID, i);
    met = walk(&f, &h, 3, &r);
    CU_ASSERT_EQUAL(met.count, 3);
    CU_ASSERT_EQUAL(r, 7);
    CU_ASSERT(history_close(&h));
}

/* RULES.md section 6.2 lists what waits for a round that makes no other edit. */
static void test_what_waits(void)
{
    static const char *const waiting[] = {
        "provider_executed_call_without_result",
        "caller_reference_dangling",
        "system_message_position",
        "thinking_final_block",
        "image_many_dimensions",
        "citations_all_or_none",
        "cache_control_too_many",
        "cache_ttl_order",
        "first_message_not_user",
        "assistant_prefill_unsupported",
        "thinking_disabled_final",
        "image_count",
        "request_too_large",
        "cache_auto_conflict",
    };
    uint32_t fixed = 0;

    for (int code = 0; code < TK_CODE_COUNT; code++) {
        bool listed = false;

        for (size_t i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++)
            listed = listed || tk_str_is(tk_str_of(waiting[i]), tk_catalogue[code].code);
        if (tk_anthropic_fixes[code].act)
            CU_ASSERT_EQUAL(tk_anthropic_fixes[code].waits, listed);
        fixed += tk_anthropic_fixes[code].act && listed;
    }
    CU_ASSERT(fixed >= 8);
}

TAP_MAIN("rules_findings", TAP_TEST(test_random_order), TAP_TEST(test_counts),
         TAP_TEST(test_walk_stops), TAP_TEST(test_what_waits))
