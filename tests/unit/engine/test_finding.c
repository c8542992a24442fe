/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Findings are met in report order, however they were found: by message, then part (the message
 * itself first), then the catalogue's order; counted by code and severity; and forgotten whole.
 */
#include "../tap.h"
#include "../transcripts.h"
#include "engine/finding.h"
#include "engine/fix.h"
#include "engine/report.h"
#include "providers/anthropic/provider.h"
#include "value/pointer.h"

#define TEXT     "{\"type\":\"text\",\"text\":\"t\"}"
#define MESSAGE  "{\"role\":\"user\",\"content\":[" TEXT "," TEXT "," TEXT "]}"
#define MESSAGES "[" MESSAGE "," MESSAGE "," MESSAGE "," MESSAGE "]"

enum {
    MESSAGE_COUNT = 4,
    PART_COUNT = 3
};

/* The findings met so far. */
struct met {
    const struct history *h;
    uint32_t count, last;
    bool in_order;
    uint32_t stop_at;
};

/* One number that grows in report order; parts are numbered through. */
static uint32_t rank(const struct tk_finding *f)
{
    uint32_t part = f->site.part == TK_NONE ? 0 : f->site.part % PART_COUNT + 1;

    return (f->site.entry * (PART_COUNT + 1) + part) * TK_CODE_COUNT + f->code;
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

    CU_ASSERT_EQUAL(tk_find(f, &h->t, code, severity,
                            tk_site_of(part / PART_COUNT, about_message ? TK_NONE : part)),
                    0);
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
        tk_find(&f, &h.t, TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN, i < 2 ? TK_ERROR : TK_WARNING,
                tk_site_of(0, i % PART_COUNT));
    tk_find_part(&f, &h.t, TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID, 4);
    CU_ASSERT_EQUAL(f.count, 6);
    CU_ASSERT_EQUAL(f.errors, 3);
    CU_ASSERT_EQUAL(f.by_code[TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN], 5);
    CU_ASSERT_EQUAL(f.errors_by_code[TK_CODE_PROVIDER_EXECUTED_TOOL_UNKNOWN], 2);
    CU_ASSERT_EQUAL(f.by_code[TK_CODE_DUPLICATE_PROVIDER_EXECUTED_ID], 1);
    CU_ASSERT_EQUAL(f.list[5].site.entry, 1);
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
            CU_ASSERT_EQUAL(tk_anthropic_fixes[code].order == TK_ORDER_LAST, listed);
        fixed += tk_anthropic_fixes[code].act && listed;
    }
    CU_ASSERT(fixed >= 8);
}

/* A finding about the request says which value of it, from the body on; without one it says "". */
static void test_request_site(void)
{
    static const char json[] = "{\"params\":{\"request\":{\"tools\":[{\"name\":\"a\"},"
                               "{\"name\":\"b\"}],\"messages\":[]}}}";
    struct tk_request_view view;
    struct tk_findings *f;
    struct tk_val request;
    struct reading body;
    struct history h;
    struct tk_writer w;
    struct tk_out out;
    const char *text;

    history_open(&h, "anthropic", &tk_policy_conservative, TK_JSON, MESSAGES);
    f = &h.judge.findings;
    reading_init(&body);
    CU_ASSERT_EQUAL_FATAL(reading_json(&body, tk_str_of(json)), 0);
    request = tk_get(tk_get(tk_root(&body.doc), TK_STR("params")), TK_STR("request"));
    CU_ASSERT_EQUAL_FATAL(tk_read_request(&tk_provider_anthropic, request, h.t.arena, &view), 0);
    CU_ASSERT_EQUAL_FATAL(view.tool_count, 2);
    tk_judge_take_request(&h.judge, &view, &h.judge.target);
    tk_findings_reset(f, &h.t);
    CU_ASSERT_EQUAL(tk_find_request(f, &h.t, TK_CODE_CACHE_CONTROL_TOO_MANY, view.tools[1].node),
                    0);
    CU_ASSERT_EQUAL(tk_find_request(f, &h.t, TK_CODE_BLOCK_BINDING_BETA, TK_NO_NODE), 0);
    CU_ASSERT_EQUAL(f->list[0].site.what, TK_SITE_REQUEST);
    tk_out_init(&out, h.t.arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_write_map(&w);
    tk_report_findings(&w, &(struct tk_report){.judge = &h.judge, .max = 9});
    tk_write_end(&w);
    text = as_json(tk_out_join(&out), h.t.arena);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"code\":\"cache_control_too_many\",\"severity\":"
                                        "\"error\",\"message_index\":null,\"part_index\":null,"
                                        "\"pointer\":\"/tools/1\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "\"message_index\":null,\"part_index\":null,"
                                        "\"pointer\":\"\""));
    tk_findings_reset(f, &h.t);
    CU_ASSERT_TRUE(reading_done(&body));
    CU_ASSERT(history_close(&h));
}

/* Findings about the request are in the catalogue's order, then in that of the document, however
 * many there are of a code. A pointer leads back to its value, whichever was asked for before. */
static void test_request_order(void)
{
    static const char json[] = "{\"n\":[[1,{\"a/b\":[2]}]],\"tools\":[{\"name\":\"a\"},{\"name\":"
                               "\"b\"},{\"name\":\"c\"}],\"messages\":[]}";
    static const struct {
        uint16_t code;
        uint32_t tool;
    } found[] = {{TK_CODE_TOOL_NAME_PATTERN, 0},    {TK_CODE_TOOL_NAMES_DUPLICATE, 1},
                 {TK_CODE_TOOL_NAME_PATTERN, 1},    {TK_CODE_CACHE_DEFER_LOADING, 0},
                 {TK_CODE_TOOL_NAMES_DUPLICATE, 2}, {TK_CODE_TOOL_NAME_PATTERN, 2}},
      listed[] = {{TK_CODE_TOOL_NAMES_DUPLICATE, 1}, {TK_CODE_TOOL_NAMES_DUPLICATE, 2},
                  {TK_CODE_TOOL_NAME_PATTERN, 0},    {TK_CODE_TOOL_NAME_PATTERN, 1},
                  {TK_CODE_TOOL_NAME_PATTERN, 2},    {TK_CODE_CACHE_DEFER_LOADING, 0}};
    struct tk_site_walk walk = {.list = TK_NO_NODE};
    struct tk_request_view view;
    struct tk_findings *f;
    struct reading body;
    struct history h;
    uint32_t i = 0;

    history_open(&h, "anthropic", &tk_policy_conservative, TK_JSON, MESSAGES);
    f = &h.judge.findings;
    reading_init(&body);
    CU_ASSERT_EQUAL_FATAL(reading_json(&body, tk_str_of(json)), 0);
    CU_ASSERT_EQUAL_FATAL(
        tk_read_request(&tk_provider_anthropic, tk_root(&body.doc), h.t.arena, &view), 0);
    tk_findings_reset(f, &h.t);
    for (size_t k = 0; k < sizeof(found) / sizeof(found[0]); k++)
        CU_ASSERT_EQUAL(tk_find_request(f, &h.t, found[k].code, view.tools[found[k].tool].node), 0);
    for (uint32_t at = f->request; at != TK_NONE; at = f->list[at].next, i++) {
        CU_ASSERT_EQUAL(f->list[at].code, listed[i].code);
        CU_ASSERT_EQUAL(f->list[at].site.at, view.tools[listed[i].tool].node);
    }
    CU_ASSERT_EQUAL(i, f->count);
    for (uint32_t round = 0; round < 2; round++)
        for (uint32_t k = 0; k < body.doc.count; k++) {
            uint32_t node = round == 0 ? k : body.doc.count - 1 - k;
            struct tk_site site = tk_site_request(node);
            struct tk_str pointer = tk_site_pointer(&view, &site, &walk, h.t.arena);

            CU_ASSERT_PTR_NOT_NULL_FATAL(pointer.p);
            CU_ASSERT_EQUAL(tk_pointer_get(tk_root(&body.doc), pointer, h.t.arena).node, node);
        }
    tk_findings_reset(f, &h.t);
    CU_ASSERT_TRUE(reading_done(&body));
    CU_ASSERT(history_close(&h));
}

TAP_MAIN("rules_findings", TAP_TEST(test_random_order), TAP_TEST(test_counts),
         TAP_TEST(test_request_site), TAP_TEST(test_request_order), TAP_TEST(test_walk_stops),
         TAP_TEST(test_what_waits))
