/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A made-up provider, which has only what every provider needs: a shape, two checks, fixes and one
 * step. Its history is a flat list whose items are parts themselves, except for messages that have
 * a list of parts:
 *
 *     {"input": [{"type": "note", "text": "weather?"},
 *                {"type": "call", "id": "c1"},
 *                {"type": "output", "id": "c1", "text": "rain"},
 *                {"role": "user", "parts": [{"type": "output", "id": "c2"}]}]}
 *
 * All hooks of its row but `settle` are NULL, so each test also shows that the engine, or an operation, does
 * without one.
 */
#include "../tap.h"
#include "../transcripts.h"
#include "engine/edit/emit.h"
#include "engine/fix.h"
#include "engine/merge_messages.h"
#include "engine/report.h"
#include "engine/runs.h"
#include "engine/way_out.h"
#include "operations/body.h"
#include "operations/splice/splice.h"
#include "providers/provider.h"
#include "shapes/read.h"

/* ---- the shape ---- */

static bool is_whole(struct tk_val item)
{
    return !tk_exists(tk_get(item, TK_STR("parts")));
}

static void read_part(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena)
{
    struct tk_val v = tk_part_val(p, p->node), type = tk_get(v, TK_STR("type"));

    (void)m;
    (void)arena;
    p->type = type.node;
    p->id = tk_get(v, TK_STR("id")).node;
    p->name = p->caller = TK_NO_NODE;
    p->payload = tk_get(v, TK_STR("text")).node;
    p->kind = tk_text_is(type, TK_STR("call"))     ? TK_PART_CALL
              : tk_text_is(type, TK_STR("output")) ? TK_PART_RESULT
              : tk_text_is(type, TK_STR("note"))   ? TK_PART_TEXT
                                                   : TK_PART_OTHER;
}

static void write_text(struct tk_writer *w, struct tk_str text, struct tk_str marker)
{
    (void)marker;
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "note");
    tk_write_key(w, "text");
    tk_write_raw(w, text);
    tk_write_end(w);
}

static const struct tk_shape shape = {
    .name = "made-up",
    .root = TK_STR_INIT("/input"),
    .parts = TK_STR_INIT("/parts"),
    .is_whole = is_whole,
    .wire = true,
    .roles = tk_wire_roles,
    .read_part = read_part,
    .write_text = write_text,
    .call_id = {{"id"}},
    .result_id = {{"id"}},
    .text = {{"text"}},
};

/* ---- the rules ---- */

static uint32_t count_before(const struct tk_transcript *t, uint32_t part, uint8_t kind)
{
    struct tk_str id = tk_text(tk_part_val(&t->parts[part], t->parts[part].id), t->arena);
    uint32_t n = 0;

    for (uint32_t i = 0; i < part; i++)
        n += t->parts[i].kind == kind && !(t->parts[i].flags & TK_PART_REMOVED) &&
             tk_text_is(tk_part_val(&t->parts[i], t->parts[i].id), id);
    return n;
}

/* Finds results without a call, and second results of a call. */
static int find_outputs(struct tk_judge *j)
{
    struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t i = 0; i < t->part_count && r == 0; i++) {
        if (t->parts[i].kind != TK_PART_RESULT || (t->parts[i].flags & TK_PART_REMOVED))
            continue;
        if (count_before(t, i, TK_PART_CALL) == 0)
            r = tk_find_part(&j->findings, t, TK_CODE_TOOL_RESULT_WITHOUT_USE, i);
        else if (count_before(t, i, TK_PART_RESULT) > 0)
            r = tk_find_part(&j->findings, t, TK_CODE_TOOL_RESULT_DUPLICATE, i);
    }
    return r;
}

/* Reports a fault of the request, which nothing fixes. */
static int find_unknown(struct tk_judge *j)
{
    return tk_find_request(&j->findings, j->t, TK_CODE_UNKNOWN_BLOCK_TYPE, TK_NO_NODE);
}

static const struct tk_check checks[] = {
    {"outputs", find_outputs, TK_HAS_WIRE | TK_HAS_HISTORY},
    {"unknown", find_unknown, TK_HAS_HEADER},
    {.name = NULL},
};

static bool never(const struct tk_plan *p, const struct tk_finding *f)
{
    (void)p;
    (void)f;
    return false;
}

static const struct tk_rule_fix fixes[TK_CODE_COUNT] = {
    [TK_CODE_TOOL_RESULT_WITHOUT_USE] = {.action = TK_ACTION_DROP, .act = tk_fix_drop},
    [TK_CODE_TOOL_RESULT_DUPLICATE] = {.action = TK_ACTION_TEXTIFY,
                                       .act = tk_fix_drop,
                                       .reach = TK_REACH_OWN,
                                       .may = never},
};

static const struct tk_step steps[] = {
    {"rules", NULL, tk_repair_round, TK_STAGE_RULES, 0, 0},
    {.name = NULL},
};

static const struct tk_shape *const shapes[] = {&shape, NULL};

static const struct tk_provider provider = {
    .name = "made-up",
    .rules =
        {
            .shapes = shapes,
            .checks = checks,
            .fixes = fixes,
            .steps = steps,
            .settle = tk_settle_runs,
            .emptied_user = TK_CODE_USER_CONTENT_EMPTY,
            .emptied_other = TK_CODE_MESSAGE_CONTENT_EMPTY,
            .joined = TK_CODE_ROLES_NOT_ALTERNATING,
        },
};

/* ---- a repair ---- */

struct run {
    struct reading reading;
    struct tk_transcript t;
    struct tk_repair repair;
    struct tk_policy policy;
    int result;
};

static struct tk_val open_body(struct run *r, const char *body, enum tk_codec codec)
{
    struct tk_str bytes = tk_str_of(body);

    reading_init(&r->reading);
    if (codec == TK_MSGPACK)
        bytes = as_msgpack(body, &r->reading.arena);
    CU_ASSERT_EQUAL_FATAL(codec == TK_JSON ? reading_json(&r->reading, bytes)
                                           : reading_msgpack(&r->reading, bytes),
                          0);
    return tk_get(tk_root(&r->reading.doc), tk_root_name(&shape));
}

static void open_history(struct run *r, const char *body, enum tk_codec codec)
{
    struct tk_val list = open_body(r, body, codec);

    r->policy = tk_policy_conservative;
    CU_ASSERT_EQUAL_FATAL(
        tk_transcript_read(&r->t, list, &shape, &r->reading.arena, r->reading.limits.hash_key), 0);
    CU_ASSERT_EQUAL_FATAL(tk_judge_init(&r->repair.judge, &r->t, &provider.rules, &r->policy), 0);
}

static void repair(struct run *r, const char *body, enum tk_codec codec, bool guard)
{
    open_history(r, body, codec);
    r->result = tk_repair(&r->repair, guard);
    CU_ASSERT_EQUAL(r->result, 0);
}

static bool close_run(struct run *r)
{
    return reading_done(&r->reading);
}

static const char *text_of(struct run *r, void (*write)(struct tk_writer *w, struct run *r))
{
    struct tk_out out;
    struct tk_writer w;

    tk_out_init(&out, &r->reading.arena);
    tk_writer_init(&w, (enum tk_codec)r->reading.doc.codec, &out);
    write(&w, r);
    CU_ASSERT_FALSE(tk_arena_failed(&r->reading.arena));
    return as_json(tk_out_join(&out), &r->reading.arena);
}

static void write_list(struct tk_writer *w, struct run *r)
{
    tk_emit_list(w, &r->t);
}

static void write_patch(struct tk_writer *w, struct run *r)
{
    CU_ASSERT_EQUAL(tk_emit_patch(w, &r->repair.edits), 0);
}

static void write_report(struct tk_writer *w, struct run *r)
{
    struct tk_report report = {
        .judge = &r->repair.judge, .sent = &r->repair.edits, .needed = &r->repair.plan, .max = 10};

    CU_ASSERT_EQUAL(tk_way_back(&r->repair, &report.before), 0);
    tk_write_map(w);
    tk_report_edits(w, &r->repair.edits);
    tk_report_findings(w, &report);
    tk_write_end(w);
}

static bool has(const char *text, const char *piece)
{
    return text && strstr(text, piece) != NULL;
}

/* ---- the tests ---- */

static const struct {
    const char *body, *list, *patch;
} rows[] = {
    {"{\"input\":[{\"type\":\"note\",\"text\":\"a\"},{\"type\":\"call\",\"id\":\"c1\"},"
     "{\"type\":\"output\",\"id\":\"c1\"}]}",
     "[{\"type\":\"note\",\"text\":\"a\"},{\"type\":\"call\",\"id\":\"c1\"},"
     "{\"type\":\"output\",\"id\":\"c1\"}]",
     "[]"},
    {"{\"input\":[{\"type\":\"output\",\"id\":\"c2\"},{\"type\":\"note\",\"text\":\"a\"},"
     "{\"type\":\"call\",\"id\":\"c1\"},{\"type\":\"output\",\"id\":\"c3\"},"
     "{\"type\":\"output\",\"id\":\"c1\"}]}",
     "[{\"type\":\"note\",\"text\":\"a\"},{\"type\":\"call\",\"id\":\"c1\"},"
     "{\"type\":\"output\",\"id\":\"c1\"}]",
     "[{\"op\":\"remove\",\"path\":\"/input/0\"},{\"op\":\"remove\",\"path\":\"/input/2\"}]"},
    /* A message that has a list of parts and loses the last of them keeps its place with a text,
     * since it is the only one of its run. */
    {"{\"input\":[{\"role\":\"user\",\"parts\":[{\"type\":\"output\",\"id\":\"c2\"}]}]}",
     "[{\"role\":\"user\",\"parts\":[{\"type\":\"note\",\"text\":\"(empty)\"}]}]",
     "[{\"op\":\"remove\",\"path\":\"/input/0/parts/0\"},{\"op\":\"add\","
     "\"path\":\"/input/0/parts/0\",\"value\":{\"type\":\"note\",\"text\":\"(empty)\"}}]"},
};

static void test_repair(void)
{
    for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        enum tk_codec codec = i % 2 ? TK_MSGPACK : TK_JSON;
        struct run r;

        repair(&r, rows[i / 2].body, codec, true);
        CU_ASSERT_EQUAL(r.repair.judge.findings.errors, 0);
        CU_ASSERT_STRING_EQUAL(text_of(&r, write_list), rows[i / 2].list);
        CU_ASSERT_STRING_EQUAL(text_of(&r, write_patch), rows[i / 2].patch);
        CU_ASSERT(close_run(&r));
    }
}

/* The pointers of a report have the shape's root, in findings and in edits. */
static void test_report(void)
{
    struct run r;
    const char *report;

    repair(&r,
           "{\"input\":[{\"type\":\"output\",\"id\":\"c9\"},{\"type\":\"call\",\"id\":\"c1\"},"
           "{\"type\":\"output\",\"id\":\"c1\"},{\"type\":\"output\",\"id\":\"c1\"}]}",
           TK_JSON, true);
    report = text_of(&r, write_report);
    CU_ASSERT_EQUAL(r.repair.judge.findings.errors, 1);
    CU_ASSERT(has(report, "\"pointer\":\"/input/0\""));
    CU_ASSERT(has(report, "\"pointer\":\"/input/3\""));
    CU_ASSERT(has(report, "\"way_out\":"));
    /* The policy wants a text. Without `as_text` only the fix knows whether it can make one. */
    CU_ASSERT(has(report, "\"needed\":\"textify\""));
    CU_ASSERT(close_run(&r));
}

/* Messages may join if there is no `may_join` that forbids it. */
static void test_joins(void)
{
    struct run r;
    bool merged = false;

    open_history(&r,
                 "{\"input\":[{\"role\":\"user\",\"parts\":[{\"type\":\"note\",\"text\":\"a\"}]},"
                 "{\"type\":\"output\",\"id\":\"c2\"},"
                 "{\"role\":\"user\",\"parts\":[{\"type\":\"note\",\"text\":\"b\"}]}]}",
                 TK_JSON);
    r.policy.merge_adjacent = TK_MERGE_ALL;
    CU_ASSERT_EQUAL(tk_repair(&r.repair, true), 0);
    CU_ASSERT_EQUAL(tk_merge_neighbours(&r.repair.judge, &r.repair.edits, &merged), 0);
    CU_ASSERT(merged);
    CU_ASSERT_STRING_EQUAL(text_of(&r, write_list),
                           "[{\"role\":\"user\",\"parts\":[{\"type\":\"note\",\"text\":\"a\"},"
                           "{\"type\":\"note\",\"text\":\"b\"}]}]");
    CU_ASSERT(close_run(&r));
}

/* A judge of another history of the request inherits what there is, without `inherit`. A check that
 * needs the header doesn't run without it. */
static void test_judges(void)
{
    struct tk_judge other;
    struct run r;

    open_history(&r, "{\"input\":[{\"type\":\"output\",\"id\":\"c2\"}]}", TK_JSON);
    r.repair.judge.has |= TK_HAS_HEADER;
    CU_ASSERT_EQUAL(tk_judge_init(&other, &r.t, &provider.rules, &r.policy), 0);
    tk_judge_inherit(&other, &r.repair.judge);
    CU_ASSERT_EQUAL(tk_judge(&other), 0);
    CU_ASSERT_EQUAL(other.findings.count, 2);
    CU_ASSERT_PTR_NULL(other.own);
    CU_ASSERT(close_run(&r));
}

/* Without `read_request` every member of the view is absent. */
static void test_request(void)
{
    struct tk_request_view view;
    struct run r;

    open_body(&r, "{\"input\":[],\"model\":\"m\",\"tools\":[{}]}", TK_JSON);
    CU_ASSERT_EQUAL(tk_read_request(&provider, tk_root(&r.reading.doc), &r.reading.arena, &view),
                    0);
    CU_ASSERT_FALSE(tk_exists(view.body));
    CU_ASSERT_FALSE(tk_exists(view.model));
    CU_ASSERT_EQUAL(view.tool_count, 0);
    CU_ASSERT(close_run(&r));
}

/* Without `tools` nothing is merged, without `splice` no request continues a thread. */
static void test_operations(void)
{
    struct tk_refusal refusal = {0};
    struct tk_tools tools;
    struct run r;

    open_body(&r, "{\"input\":[],\"thread\":{\"type\":\"continue\"},\"tools\":[{\"name\":\"a\"}]}",
              TK_JSON);
    CU_ASSERT_EQUAL(tk_refuse_thread(&provider, tk_root(&r.reading.doc), &refusal), 0);
    CU_ASSERT_EQUAL(refusal.name, TK_REFUSAL_NONE);
    {
        struct tk_val body = tk_root(&r.reading.doc);
        const struct tk_tools_input in = {.arena = &r.reading.arena,
                                          .hash_key = r.reading.limits.hash_key,
                                          .tools = tk_get(body, TK_STR("tools")),
                                          .request = body,
                                          .add = TK_NO_VAL,
                                          .provider = &provider};

        CU_ASSERT_EQUAL(tk_tools_merge(&in, &tools), 0);
        CU_ASSERT_EQUAL(tools.tools.count, 1);
        CU_ASSERT_FALSE(tools.tools.changed);
    }
    CU_ASSERT(close_run(&r));
}

static void test_shapes(void)
{
    CU_ASSERT(tk_provider_has_shape(&provider, &shape));
    CU_ASSERT_FALSE(tk_provider_has_shape(&provider, &tk_shape_anthropic));
    CU_ASSERT_FALSE(tk_provider_has_shape(&(struct tk_provider){.name = "none"}, &shape));
}

TAP_MAIN("made-up provider", TAP_TEST(test_repair), TAP_TEST(test_report), TAP_TEST(test_joins),
         TAP_TEST(test_judges), TAP_TEST(test_request), TAP_TEST(test_operations),
         TAP_TEST(test_shapes))
