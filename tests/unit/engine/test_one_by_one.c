/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Repair one rule at a time, of a made-up provider whose messages have two lists of parts: the content, and
 * calls next to it. A message can itself be a result:
 *
 *     {"role": "assistant", "content": [{"text": "a"}], "calls": [{"id": "1", "name": "f"}]}
 *     {"role": "tool", "for": "1", "content": "x"}
 */
#include "../tap.h"
#include "../transcripts.h"
#include "engine/edit/emit.h"
#include "engine/fix.h"
#include "engine/repair.h"
#include "engine/report.h"
#include "shapes/read.h"

/* ---- the shape ---- */

static void read_part(struct tk_part *p, const struct tk_message *m, struct tk_arena *arena)
{
    struct tk_val v = tk_part_val(p, p->node);

    (void)m;
    (void)arena;
    p->kind = p->flags & TK_PART_IN_CALLS ? TK_PART_CALL : TK_PART_TEXT;
    p->id = tk_get(v, TK_STR("id")).node;
    p->name = tk_get(v, TK_STR("name")).node;
    p->payload = p->flags & TK_PART_STRING ? p->node : tk_get(v, TK_STR("text")).node;
}

static const struct tk_role_name roles[] = {
    {TK_STR_INIT("user"), TK_ROLE_USER, 0},
    {TK_STR_INIT("assistant"), TK_ROLE_ASSISTANT, 0},
    {TK_STR_INIT("tool"), TK_ROLE_USER, TK_MESSAGE_TOOL | TK_MESSAGE_RESULT},
    {{NULL, 0}, TK_ROLE_OTHER, 0},
};

static const struct tk_shape shape = {
    .root = TK_STR_INIT("/messages"),
    .parts = TK_STR_INIT("/content"),
    .calls = TK_STR_INIT("/calls"),
    .wire = true,
    .names_as_sent = true,
    .roles = roles,
    .read_part = read_part,
    .message_id = {{"for"}},
    .message_name = {{"name"}},
    .text = {{"text"}},
};

/* ---- the rules ---- */

/* Judges every message, or every part, with one function. */
static int find_messages(struct tk_judge *j, uint16_t code,
                         bool (*is_bad)(const struct tk_message *m))
{
    int r = 0;

    for (uint32_t m = j->t->first_message; m != TK_NONE && r == 0; m = j->t->messages[m].next)
        if (is_bad(&j->t->messages[m]))
            r = tk_find_message(&j->findings, j->t, code, m);
    return r;
}

static bool is_old(const struct tk_message *m)
{
    return tk_text_is(tk_get((struct tk_val){m->doc, m->node}, TK_STR("role")), TK_STR("model"));
}

static int find_old_roles(struct tk_judge *j)
{
    return find_messages(j, TK_CODE_ROLE_UNKNOWN, is_old);
}

/* Calls without a name, of the assistant's messages: those of an old role count once it is mended. */
static int find_unnamed(struct tk_judge *j)
{
    int r = 0;

    for (uint32_t i = 0; i < j->t->part_count && r == 0; i++) {
        const struct tk_part *p = &j->t->parts[i];

        if (!(p->flags & TK_PART_REMOVED) && p->kind == TK_PART_CALL && p->name == TK_NO_NODE &&
            j->t->messages[p->message].role == TK_ROLE_ASSISTANT)
            r = tk_find_part(&j->findings, j->t, TK_CODE_TOOL_USE_NAME_INVALID, i);
    }
    return r;
}

static bool is_lost(const struct tk_message *m)
{
    return (m->flags & TK_MESSAGE_RESULT) &&
           !tk_exists(tk_get((struct tk_val){m->doc, m->node}, TK_STR("for")));
}

static int find_lost(struct tk_judge *j)
{
    return find_messages(j, TK_CODE_TOOL_RESULT_WITHOUT_USE, is_lost);
}

/* Wants the order of checks to show: what it finds, only the next pass can mend. */
static bool is_final(const struct tk_message *m)
{
    return m->next == TK_NONE && m->role == TK_ROLE_ASSISTANT && m->calls == TK_NO_NODE;
}

static int find_final(struct tk_judge *j)
{
    return find_messages(j, TK_CODE_ASSISTANT_PREFILL_UNSUPPORTED, is_final);
}

static const struct tk_check checks[] = {
    {"roles", find_old_roles, 0},
    {"names", find_unnamed, 0},
    {"lost", find_lost, TK_HAS_HISTORY},
    {"final", find_final, 0},
    {.name = NULL},
};

static int fix_role(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    int r = tk_edit_message(p->e, f->site.entry, f->code, d.action);

    return r < 0 ? r
                 : tk_message_set(p->e, f->site.entry, "role",
                                  tk_encode_text(p->e, TK_STR("assistant")));
}

/* Turns a lost result into a text of the user, after the last message. */
static int fix_lost(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    uint32_t message = f->site.entry;
    int r = tk_edit_message(p->e, message, f->code, d.action);

    if (r == 0)
        r = tk_message_set(p->e, message, "role", tk_encode_text(p->e, TK_STR("user")));
    if (r == 0)
        r = tk_message_set(p->e, message, "content", tk_encode_text(p->e, TK_STR("lost")));
    if (r == 0)
        r = tk_message_remove(p->e, message, "name");
    tk_put_message_after(p->e, message, p->j->t->last_message);
    return r;
}

static int fix_final(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    struct tk_encoding out;
    int r = tk_edit_message(p->e, f->site.entry, f->code, d.action);

    tk_encode_begin(&out, (enum tk_codec)p->j->t->doc->codec, p->j->t->arena);
    tk_write_map(&out.w);
    tk_write_kv_cstr(&out.w, "role", "tool");
    tk_write_kv_cstr(&out.w, "content", "go on");
    tk_write_end(&out.w);
    return r < 0                                                                      ? r
           : tk_edit_new_message(p->e, f->site.entry, tk_encode_end(&out)) == TK_NONE ? -ENOMEM
                                                                                      : 0;
}

static const struct tk_rule_fix fixes[TK_CODE_COUNT] = {
    [TK_CODE_ROLE_UNKNOWN] = {.action = TK_ACTION_REWRITE, .act = fix_role},
    [TK_CODE_TOOL_USE_NAME_INVALID] = {.action = TK_ACTION_DROP, .act = tk_fix_drop},
    [TK_CODE_TOOL_RESULT_WITHOUT_USE] = {.action = TK_ACTION_TEXTIFY, .act = fix_lost},
    [TK_CODE_ASSISTANT_PREFILL_UNSUPPORTED] = {.action = TK_ACTION_REWRITE, .act = fix_final},
};

static const struct tk_step steps[] = {
    {"rules", tk_repair_has_errors, tk_repair_one_by_one, TK_STAGE_RULES, 0, 0},
    {.name = NULL},
};

static const struct tk_shape *const shapes[] = {&shape, NULL};

static const struct tk_ruleset rules = {
    .shapes = shapes, .checks = checks, .fixes = fixes, .steps = steps};

/* ---- the tests ---- */

struct run {
    struct reading reading;
    struct tk_transcript t;
    struct tk_repair repair;
};

static int repair(struct run *r, const char *messages, enum tk_codec codec, bool turn)
{
    struct tk_str bytes = tk_str_of(messages);
    int err;

    reading_init(&r->reading);
    if (codec == TK_MSGPACK)
        bytes = as_msgpack(messages, &r->reading.arena);
    CU_ASSERT_EQUAL_FATAL(codec == TK_JSON ? reading_json(&r->reading, bytes)
                                           : reading_msgpack(&r->reading, bytes),
                          0);
    err = tk_transcript_read(&r->t, tk_root(&r->reading.doc), &shape, &r->reading.arena,
                             r->reading.limits.hash_key);
    r->t.is_turn = turn;
    if (err == 0)
        err = tk_judge_init(&r->repair.judge, &r->t, &rules, &tk_policy_conservative);
    return err < 0 ? err : tk_repair(&r->repair, true);
}

static const char *written(struct run *r, void (*write)(struct tk_writer *w, struct run *r))
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)r->reading.doc.codec, &r->reading.arena);
    write(&out.w, r);
    return as_json(tk_encode_end(&out), &r->reading.arena);
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
    struct tk_report report = {.judge = &r->repair.judge, .max = 10};

    tk_write_map(w);
    tk_report_edits(w, &r->repair.edits);
    tk_report_findings(w, &report);
    tk_write_end(w);
}

#define CALLS                                                                                      \
    "{\"role\":\"assistant\",\"calls\":[{\"id\":\"1\"},{\"id\":\"2\",\"name\":\"f\"}],"            \
    "\"content\":[{\"text\":\"a\"}]}"
#define MODEL                                                                                      \
    "{\"calls\":[{\"id\":\"3\",\"name\":\"g\"},{\"id\":\"4\"}],\"role\":\"model\",\"content\":\"b\"}"
#define LOST  "{\"role\":\"tool\",\"name\":\"f\",\"content\":[{\"text\":\"x\"}]}"
#define TOOL  "{\"role\":\"tool\",\"for\":\"2\",\"content\":\"y\"}"
#define FINAL "{\"role\":\"assistant\",\"content\":\"z\"}"

static const struct {
    const char *messages, *list, *patch;
} rows[] = {
    {"[" TOOL "]", "[" TOOL "]", "[]"},
    /* An element of the second list goes; the lists can be in any order. */
    {"[" CALLS "]",
     "[{\"role\":\"assistant\",\"calls\":[{\"id\":\"2\",\"name\":\"f\"}],"
     "\"content\":[{\"text\":\"a\"}]}]",
     "[{\"op\":\"remove\",\"path\":\"/messages/0/calls/0\"}]"},
    /* The second rule sees what the first one did: only now the calls of the message count. */
    {"[" MODEL "]",
     "[{\"calls\":[{\"id\":\"3\",\"name\":\"g\"}],\"role\":\"assistant\",\"content\":\"b\"}]",
     "[{\"op\":\"replace\",\"path\":\"/messages/0/role\",\"value\":\"assistant\"},"
     "{\"op\":\"remove\",\"path\":\"/messages/0/calls/1\"}]"},
    /* A new content is written whole, and the message moves. */
    {"[" LOST "," TOOL "]", "[" TOOL ",{\"role\":\"user\",\"content\":\"lost\"}]",
     "[{\"op\":\"replace\",\"path\":\"/messages/0/role\",\"value\":\"user\"},"
     "{\"op\":\"remove\",\"path\":\"/messages/0/name\"},"
     "{\"op\":\"add\",\"path\":\"/messages/0/content\",\"value\":\"lost\"},"
     "{\"op\":\"move\",\"from\":\"/messages/0\",\"path\":\"/messages/1\"}]"},
    /* A later rule adds what an earlier one refuses: the pass starts again, and then what the repair
     * made has no line of the report. */
    {"[" TOOL "," FINAL "]", "[" TOOL "," FINAL ",{\"role\":\"user\",\"content\":\"lost\"}]",
     "[{\"op\":\"add\",\"path\":\"/messages/2\",\"value\":{\"role\":\"user\",\"content\":\"lost\"}}]"},
};

static void test_rows(void)
{
    for (size_t i = 0; i < 2 * sizeof(rows) / sizeof(rows[0]); i++) {
        struct run r = {.repair.changes_request = false};

        CU_ASSERT_EQUAL(repair(&r, rows[i / 2].messages, i % 2 ? TK_MSGPACK : TK_JSON, false), 0);
        CU_ASSERT_EQUAL(r.repair.judge.findings.errors, 0);
        CU_ASSERT_STRING_EQUAL(written(&r, write_list), rows[i / 2].list);
        CU_ASSERT_STRING_EQUAL(written(&r, write_patch), rows[i / 2].patch);
        CU_ASSERT(reading_done(&r.reading));
    }
}

/* Edits are listed in the order in which they were made: rule by rule, not message by message. */
static void test_report(void)
{
    struct run r = {.repair.changes_request = false};
    const char *report;

    CU_ASSERT_EQUAL(repair(&r, "[" LOST "," CALLS "," MODEL "]", TK_JSON, false), 0);
    report = written(&r, write_report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(report);
    CU_ASSERT_PTR_NOT_NULL(strstr(
        report,
        "\"edits\":[{\"code\":\"role_unknown\",\"action\":\"rewrite\",\"pointer\":\"/messages/2\"},"
        "{\"code\":\"tool_use_name_invalid\",\"action\":\"drop\",\"pointer\":\"/messages/1/calls/0\","
        "\"id\":\"1\"},"
        "{\"code\":\"tool_use_name_invalid\",\"action\":\"drop\",\"pointer\":\"/messages/2/calls/1\","
        "\"id\":\"4\"},"
        "{\"code\":\"tool_result_without_use\",\"action\":\"textify\",\"pointer\":\"/messages/0\","
        "\"tool\":\"f\"}]"));
    CU_ASSERT_PTR_NOT_NULL(strstr(report, "\"removed_tool_calls\":2,\"removed_tool_results\":1"));
    CU_ASSERT(reading_done(&r.reading));
}

/* A finding in the second list counts the content's parts in its index, and not in its pointer. A rule
 * about histories is silent about a turn. */
static void test_findings(void)
{
    struct run r = {.repair.changes_request = false};
    const char *report;

    CU_ASSERT_EQUAL(repair(&r, "[" LOST "," CALLS "]", TK_JSON, true), 0);
    CU_ASSERT_EQUAL(r.repair.edits.count, 1);
    CU_ASSERT_EQUAL(tk_find_part(&r.repair.judge.findings, &r.t, TK_CODE_TOOL_USE_NAME_INVALID,
                                 r.t.messages[1].last),
                    0);
    CU_ASSERT_EQUAL(tk_find_message(&r.repair.judge.findings, &r.t, TK_CODE_ROLE_UNKNOWN, 0), 0);
    report = written(&r, write_report);
    CU_ASSERT_PTR_NOT_NULL_FATAL(report);
    CU_ASSERT_PTR_NOT_NULL(strstr(report, "\"message_index\":1,\"part_index\":1,"
                                          "\"pointer\":\"/messages/1/calls/0\",\"id\":\"2\","
                                          "\"tool\":\"f\""));
    CU_ASSERT_PTR_NOT_NULL(strstr(report, "\"message_index\":0,\"part_index\":null,"
                                          "\"pointer\":\"/messages/0\",\"tool\":\"f\""));
    CU_ASSERT(reading_done(&r.reading));
}

TAP_MAIN("one by one", TAP_TEST(test_rows), TAP_TEST(test_report), TAP_TEST(test_findings))
