/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The parameter tables: what each method takes, what it refuses and where it puts the blame, and
 * what handlers then see.
 */
#include "../memory.h"
#include "../tap.h"
#include "methods/core/table.h"
#include "methods/params/policy.h"

#include <errno.h>
#include <stdlib.h>

static const uint64_t hash_key[2] = {3, 4};

/* A checked request document. */
struct checked {
    struct tk_arena arena;
    struct tk_doc doc;
    struct tk_params params;
    struct tk_schema_fault fault;
    int result;
};

static void check_bytes(struct checked *c, const struct tk_param_shape *shape,
                        struct tk_str request)
{
    static const struct tk_read_limits limits = {256, 1 << 20, {1, 2}};
    struct tk_read_error error;

    tk_arena_init(&c->arena, tk_libc_allocator);
    tk_doc_init(&c->doc, tk_libc_allocator);
    CU_ASSERT_EQUAL_FATAL(tk_doc_read(&c->doc, request.p, request.n, &limits, &c->arena, &error),
                          0);
    c->result = tk_schema_check(shape, &c->doc, tk_get(tk_root(&c->doc), TK_STR("params")),
                                &c->arena, hash_key, &c->params, &c->fault);
}

static void check(struct checked *c, const struct tk_param_shape *shape, const char *request)
{
    check_bytes(c, shape, tk_str_of(request));
}

static void done(struct checked *c)
{
    tk_doc_done(&c->doc);
    tk_arena_done(&c->arena);
}

/* ---- what is taken, what is refused ---- */

#define ONE               "{\"params\":{\"messages\":[]"
#define TURN              "{\"params\":{\"content\":[]"
#define WITH(member)      ONE "," member "}}"
#define TURN_WITH(member) TURN "," member "}}"
#define ADD(addition)     "{\"params\":{\"tools\":[],\"add\":[" addition "]}}"
#define PREPARE(more)     "{\"params\":{\"request\":{\"messages\":[]}," more "}}"
#define POLICY(keys)      WITH("\"policy\":{" keys "}")

struct row {
    const struct tk_param_shape *shape;
    const char *request;
    const char *pointer; /* to the blame, NULL: fine */
};

static const struct row rows[] = {
    /* exactly one form of the history */
    {&tk_params_validate, ONE "}}", NULL},
    {&tk_params_validate, "{\"params\":{\"request\":{\"messages\":[]}}}", NULL},
    {&tk_params_validate, "{\"params\":{}}", "/params/messages"},
    {&tk_params_validate, "{}", "/params/messages"},
    {&tk_params_validate, WITH("\"request\":{\"messages\":[]}"), "/params/messages"},
    {&tk_params_validate, WITH("\"request\":7"), "/params/messages"},
    {&tk_params_repair, "{\"params\":{\"guard\":true}}", "/params/messages"},
    /* params itself */
    {&tk_params_validate, "{\"params\":[]}", "/params"},
    {&tk_params_validate, "{\"params\":null}", "/params"},
    {&tk_params_validate, "{\"params\":\"x\"}", "/params"},
    /* histories are made of objects */
    {&tk_params_validate, "{\"params\":{\"messages\":{}}}", "/params/messages"},
    {&tk_params_validate, "{\"params\":{\"messages\":null}}", "/params/messages"},
    {&tk_params_validate, "{\"params\":{\"messages\":\"\"}}", "/params/messages"},
    {&tk_params_validate, "{\"params\":{\"messages\":[3]}}", "/params/messages/0"},
    {&tk_params_validate, "{\"params\":{\"messages\":[{},null]}}", "/params/messages/1"},
    {&tk_params_validate, "{\"params\":{\"messages\":[{\"content\":[3]}]}}",
     "/params/messages/0/content/0"},
    {&tk_params_validate, "{\"params\":{\"messages\":[{\"role\":1,\"content\":[{},{},[]]}]}}",
     "/params/messages/0/content/2"},
    {&tk_params_validate, "{\"params\":{\"messages\":[{\"c\\u006fntent\":[\"x\"]}]}}",
     "/params/messages/0/content/0"},
    {&tk_params_validate, "{\"params\":{\"messages\":[{\"content\":\"x\"},{\"content\":7},{}]}}",
     NULL},
    {&tk_params_validate, "{\"params\":{\"request\":[]}}", "/params/request"},
    {&tk_params_validate, "{\"params\":{\"request\":null}}", "/params/request"},
    {&tk_params_validate, "{\"params\":{\"request\":{}}}", "/params/request/messages"},
    {&tk_params_validate, "{\"params\":{\"request\":{\"messages\":7}}}",
     "/params/request/messages"},
    {&tk_params_validate, "{\"params\":{\"request\":{\"model\":1,\"messages\":[{},7]}}}",
     "/params/request/messages/1"},
    {&tk_params_validate,
     "{\"params\":{\"request\":{\"tools\":7,\"messages\":[{\"content\":[3]}]}}}",
     "/params/request/messages/0/content/0"},
    /* exactly one form of the place where a turn goes, and of the list that tools are added to */
    {&tk_params_splice, "{\"params\":{\"messages\":[],\"assistant\":{\"content\":[]}}}", NULL},
    {&tk_params_splice, "{\"params\":{\"history\":[],\"assistant\":{\"content\":\"\"}}}", NULL},
    {&tk_params_splice, "{\"params\":{\"history\":[],\"request\":{\"messages\":[]}}}",
     "/params/messages"},
    {&tk_params_splice, "{\"params\":{\"history\":[]}}", "/params/assistant"},
    {&tk_params_splice, "{\"params\":{\"history\":7,\"assistant\":{\"content\":\"\"}}}",
     "/params/history"},
    {&tk_params_tools, "{\"params\":{\"tools\":null}}", NULL},
    {&tk_params_tools, "{\"params\":{\"request\":{}}}", NULL},
    {&tk_params_tools, "{\"params\":{\"request\":{},\"tools\":[]}}", "/params/request"},
    /* what a member tells apart: a tool asked for by name has a shape of its own, other additions are open */
    {&tk_params_tools, ADD("{\"name\":\"f\",\"x\":1}"), NULL},
    {&tk_params_tools, ADD("{\"want\":\"memory\"}"), NULL},
    {&tk_params_tools, ADD("\"memory\""), NULL},
    {&tk_params_tools, ADD("{\"want\":\"memory\",\"x\":1}"), "/params/add/0/x"},
    {&tk_params_tools, ADD("{\"w\\u0061nt\":7}"), "/params/add/0/want"},
    {&tk_params_tools, ADD("[]"), "/params/add/0"},
    /* unknown members are reported first, wherever they are */
    {&tk_params_validate, WITH("\"max_violation\":3"), "/params/max_violation"},
    {&tk_params_validate, WITH("\"provider\":7,\"x\":1"), "/params/x"},
    {&tk_params_validate, WITH("\"guard\":true"), "/params/guard"},
    {&tk_params_validate, WITH("\"return\":\"patch\""), "/params/return"},
    {&tk_params_validate, WITH("\"content\":[]"), "/params/content"},
    {&tk_params_repair, WITH("\"carry_in\":[]"), "/params/carry_in"},
    {&tk_params_validate, WITH("\"Dialect\":\"fantasy\""), "/params/Dialect"},
    /* whose rules */
    {&tk_params_validate, WITH("\"provider\":\"anthropic\""), NULL},
    {&tk_params_validate, WITH("\"provider\":\"toy\""), "/params/provider"},
    {&tk_params_validate, WITH("\"provider\":\" ANTHROPIC \""), "/params/provider"},
    {&tk_params_validate, WITH("\"provider\":\"\""), "/params/provider"},
    {&tk_params_validate, WITH("\"provider\":null"), "/params/provider"},
    {&tk_params_validate, WITH("\"provider\":\"anthropi\\u0063\""), NULL},
    {&tk_params_validate, WITH("\"dialect\":\"fantasy\""), NULL},
    {&tk_params_validate, WITH("\"dialect\":\"ai-sdk\""), NULL},
    {&tk_params_validate, WITH("\"dialect\":\"toy\""), "/params/dialect"},
    {&tk_params_validate, WITH("\"dialect\":[\"fantasy\"]"), "/params/dialect"},
    /* target */
    {&tk_params_validate, WITH("\"target\":{}"), NULL},
    {&tk_params_validate, WITH("\"target\":{\"endpoint\":\"anthropic\"}"), NULL},
    {&tk_params_validate, WITH("\"target\":{\"endpoint\":\"bedrock\"}"), NULL},
    {&tk_params_validate, WITH("\"target\":{\"endpoint\":\"vertex\"}"), NULL},
    {&tk_params_validate, WITH("\"target\":{\"endpoint\":\"moon\"}"), "/params/target/endpoint"},
    {&tk_params_validate, WITH("\"target\":{\"endpoint\":null}"), "/params/target/endpoint"},
    {&tk_params_validate, WITH("\"target\":{\"model\":\"claude-sonnet-4-5\"}"), NULL},
    {&tk_params_validate, WITH("\"target\":{\"model\":null}"), "/params/target/model"},
    {&tk_params_validate, WITH("\"target\":{\"model\":\"\"}"), "/params/target/model"},
    {&tk_params_validate, WITH("\"target\":{\"endpoint\":\"bedrock\",\"region\":\"x\"}"),
     "/params/target/region"},
    {&tk_params_validate, WITH("\"target\":\"anthropic\""), "/params/target"},
    /* betas, provenance, seals */
    {&tk_params_validate, WITH("\"betas\":[]"), NULL},
    {&tk_params_validate, WITH("\"betas\":\"\""), NULL},
    {&tk_params_validate, WITH("\"betas\":[\"a\"]"), NULL},
    {&tk_params_validate, WITH("\"betas\":\"a\""), NULL},
    {&tk_params_validate, WITH("\"betas\":[7]"), "/params/betas/0"},
    {&tk_params_validate, WITH("\"betas\":null"), "/params/betas"},
    {&tk_params_repair, WITH("\"provenance\":\"wire\""), NULL},
    {&tk_params_repair, WITH("\"provenance\":\"rebuilt\""), NULL},
    {&tk_params_repair, WITH("\"provenance\":\"maybe\""), "/params/provenance"},
    {&tk_params_repair, WITH("\"seals\":[]"), NULL},
    /* numbers */
    {&tk_params_validate, WITH("\"max_violations\":0"), NULL},
    {&tk_params_validate, WITH("\"max_violations\":4294967295"), NULL},
    {&tk_params_validate, WITH("\"max_violations\":4294967296"), "/params/max_violations"},
    {&tk_params_validate, WITH("\"max_violations\":-1"), "/params/max_violations"},
    {&tk_params_validate, WITH("\"max_violations\":1.0"), "/params/max_violations"},
    {&tk_params_validate, WITH("\"max_violations\":1e1"), "/params/max_violations"},
    {&tk_params_validate, WITH("\"max_violations\":99999999999999999999"),
     "/params/max_violations"},
    {&tk_params_validate, WITH("\"max_violations\":\"1\""), "/params/max_violations"},
    {&tk_params_validate, WITH("\"max_violations\":null"), "/params/max_violations"},
    {&tk_params_validate, WITH("\"timeout_ms\":1"), NULL},
    {&tk_params_validate, WITH("\"timeout_ms\":0"), "/params/timeout_ms"},
    {&tk_params_plain, "{\"params\":{\"timeout_ms\":true}}", "/params/timeout_ms"},
    {&tk_params_plain, "{\"params\":{\"timeout_ms\":4294967295}}", NULL},
    {&tk_params_plain, "{\"params\":{\"timeout_ms\":4294967296}}", "/params/timeout_ms"},
    {&tk_params_plain, "{}", NULL},
    /* repair */
    {&tk_params_repair, WITH("\"guard\":false"), NULL},
    {&tk_params_repair, WITH("\"guard\":\"yes\""), "/params/guard"},
    {&tk_params_repair, WITH("\"guard\":0"), "/params/guard"},
    {&tk_params_repair, WITH("\"guard\":null"), "/params/guard"},
    {&tk_params_repair, WITH("\"return\":\"patch\""), NULL},
    {&tk_params_repair, WITH("\"return\":\"messages\""), NULL},
    {&tk_params_repair, WITH("\"return\":\"report\""), NULL},
    {&tk_params_repair, WITH("\"return\":\"content\""), "/params/return"},
    /* repair_turn */
    {&tk_params_repair_turn, TURN "}}", NULL},
    {&tk_params_repair_turn, "{\"params\":{\"content\":[{\"type\":\"text\"}]}}", NULL},
    {&tk_params_repair_turn, "{\"params\":{}}", "/params/content"},
    {&tk_params_repair_turn, "{\"params\":{\"content\":\"text\"}}", "/params/content"},
    {&tk_params_repair_turn, "{\"params\":{\"content\":[{},\"x\"]}}", "/params/content/1"},
    {&tk_params_repair_turn, "{\"params\":{\"content\":[7]}}", "/params/content/0"},
    {&tk_params_repair_turn, TURN_WITH("\"stop_reason\":\"tool_use\""), NULL},
    {&tk_params_repair_turn, TURN_WITH("\"stop_reason\":\"no such\""), NULL},
    {&tk_params_repair_turn, TURN_WITH("\"stop_reason\":3"), "/params/stop_reason"},
    {&tk_params_repair_turn, TURN_WITH("\"stop_reason\":null"), "/params/stop_reason"},
    {&tk_params_repair_turn, TURN_WITH("\"return\":\"content\""), NULL},
    {&tk_params_repair_turn, TURN_WITH("\"return\":\"messages\""), "/params/return"},
    {&tk_params_repair_turn, TURN_WITH("\"guard\":true"), "/params/guard"},
    {&tk_params_repair_turn, TURN_WITH("\"messages\":[]"), "/params/messages"},
    {&tk_params_repair_turn, TURN_WITH("\"betas\":[]"), "/params/betas"},
    {&tk_params_repair_turn, TURN_WITH("\"seals\":[]"), "/params/seals"},
    {&tk_params_repair_turn, TURN_WITH("\"provenance\":\"wire\""), "/params/provenance"},
    {&tk_params_repair_turn, TURN_WITH("\"target\":{\"model\":\"m\"}"), NULL},
    {&tk_params_repair_turn, TURN_WITH("\"policy\":{\"blank_text\":\"keep\"}"),
     "/params/policy/blank_text"},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[]"), NULL},
    {&tk_params_repair_turn,
     TURN_WITH("\"carry_in\":[{\"id\":\"a\",\"name\":\"\",\"type\":\"t\"},{\"id\":\"b\"}]"), NULL},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":{\"id\":\"a\"}"), "/params/carry_in"},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[\"a\"]"), "/params/carry_in/0"},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[{}]"), "/params/carry_in/0/id"},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[{\"id\":7}]"), "/params/carry_in/0/id"},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[{\"id\":\"\"}]"), "/params/carry_in/0/id"},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[{\"id\":\"a\"},{\"id\":\" \\u00a0\\n\"}]"),
     "/params/carry_in/1/id"},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[{\"id\":\"a\",\"name\":7}]"),
     "/params/carry_in/0/name"},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[{\"id\":\"a\",\"name\":null,\"type\":null}]"),
     NULL},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[{\"id\":\"a\",\"type\":[]}]"),
     "/params/carry_in/0/type"},
    {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[{\"id\":\"a\",\"input\":{}}]"),
     "/params/carry_in/0/input"},
    {&tk_params_repair_turn,
     TURN_WITH("\"carry_in\":[{\"id\":\"a\"},{\"id\":\"b\"},{\"id\":\"\\u0061\"}]"),
     "/params/carry_in/2/id"},
    /* the policy */
    {&tk_params_validate, WITH("\"policy\":\"conservative\""), NULL},
    {&tk_params_validate, WITH("\"policy\":\"preserve\""), NULL},
    {&tk_params_validate, WITH("\"policy\":\"strict\""), "/params/policy"},
    {&tk_params_validate, WITH("\"policy\":3"), "/params/policy"},
    {&tk_params_validate, WITH("\"policy\":null"), "/params/policy"},
    {&tk_params_validate, POLICY(""), NULL},
    {&tk_params_validate, POLICY("\"base\":\"preserve\""), NULL},
    {&tk_params_validate, POLICY("\"base\":\"x\""), "/params/policy/base"},
    {&tk_params_validate, POLICY("\"no_such_key\":1"), "/params/policy/no_such_key"},
    {&tk_params_validate, POLICY("\"orphan_call\":\"drop\""), NULL},
    {&tk_params_validate, POLICY("\"orphan_call\":\"error_result\""), NULL},
    {&tk_params_validate, POLICY("\"orphan_call\":\"report\""), NULL},
    {&tk_params_validate, POLICY("\"orphan_call\":\"textify\""), "/params/policy/orphan_call"},
    {&tk_params_validate, POLICY("\"orphan_call\":null"), "/params/policy/orphan_call"},
    {&tk_params_validate, POLICY("\"orphan_result\":\"drop\""), NULL},
    {&tk_params_validate, POLICY("\"orphan_result\":\"move\""), "/params/policy/orphan_result"},
    {&tk_params_validate, POLICY("\"result_before_call\":\"move\""), NULL},
    {&tk_params_validate, POLICY("\"result_before_call\":\"drop\""),
     "/params/policy/result_before_call"},
    {&tk_params_validate, POLICY("\"duplicate_id\":\"keep_first\""), NULL},
    {&tk_params_validate, POLICY("\"duplicate_id\":\"drop\""), "/params/policy/duplicate_id"},
    {&tk_params_validate, POLICY("\"invalid_pair\":\"repair\""), NULL},
    {&tk_params_validate, POLICY("\"invalid_pair\":\"move\""), "/params/policy/invalid_pair"},
    {&tk_params_validate, POLICY("\"mark_text\":true"), NULL},
    {&tk_params_validate, POLICY("\"mark_text\":\"true\""), "/params/policy/mark_text"},
    {&tk_params_validate, POLICY("\"merge_adjacent\":\"touched\""), NULL},
    {&tk_params_validate, POLICY("\"merge_adjacent\":\"all\""), NULL},
    {&tk_params_validate, POLICY("\"merge_adjacent\":true"), "/params/policy/merge_adjacent"},
    {&tk_params_validate, POLICY("\"unknown_tools\":\"error\""), NULL},
    {&tk_params_validate, POLICY("\"unknown_tools\":\"drop\""), "/params/policy/unknown_tools"},
    {&tk_params_validate, POLICY("\"serializable_tools\":null"), NULL},
    {&tk_params_validate, POLICY("\"serializable_tools\":[]"), NULL},
    {&tk_params_validate, POLICY("\"serializable_tools\":[\"web_search\",\"\"]"), NULL},
    {&tk_params_validate, POLICY("\"serializable_tools\":[\"a\",7]"),
     "/params/policy/serializable_tools/1"},
    {&tk_params_validate, POLICY("\"serializable_tools\":\"a\""),
     "/params/policy/serializable_tools"},
    {&tk_params_validate, POLICY("\"unanswered_call\":\"report\""), NULL},
    {&tk_params_validate, POLICY("\"unanswered_call\":\"drop\""), "/params/policy/unanswered_call"},
    {&tk_params_validate, POLICY("\"unmatched_result\":\"report\""), NULL},
    {&tk_params_validate, POLICY("\"unmatched_result\":\"drop\""),
     "/params/policy/unmatched_result"},
    {&tk_params_validate, POLICY("\"blank_text\":\"report\""), NULL},
    {&tk_params_validate, POLICY("\"blank_text\":\"textify\""), "/params/policy/blank_text"},
    {&tk_params_validate, POLICY("\"thinking\":\"restore\""), NULL},
    {&tk_params_validate, POLICY("\"thinking\":\"keep\""), "/params/policy/thinking"},
    {&tk_params_validate, POLICY("\"unsigned_thinking\":\"drop\""), NULL},
    {&tk_params_validate, POLICY("\"unsigned_thinking\":\"report\""),
     "/params/policy/unsigned_thinking"},
    {&tk_params_validate, POLICY("\"signature_form\":\"base64\""), NULL},
    {&tk_params_validate, POLICY("\"signature_form\":\"hex\""), "/params/policy/signature_form"},
    {&tk_params_validate, POLICY("\"rebuilt_rule\":\"grouped\""), NULL},
    {&tk_params_validate, POLICY("\"rebuilt_rule\":\"any\""), "/params/policy/rebuilt_rule"},
    {&tk_params_validate, POLICY("\"emptied_turn\":\"placeholder\""), NULL},
    {&tk_params_validate, POLICY("\"emptied_turn\":\"drop\""), "/params/policy/emptied_turn"},
    {&tk_params_validate, POLICY("\"prefix_mismatch\":\"report\""), NULL},
    {&tk_params_validate, POLICY("\"prefix_mismatch\":\"strip\""), NULL},
    {&tk_params_validate, POLICY("\"dead_thinking\":\"demote\""), NULL},
    {&tk_params_validate, POLICY("\"dead_thinking\":\"restore\""), "/params/policy/dead_thinking"},
    {&tk_params_validate, POLICY("\"route\":null"), "/params/policy/route"},
    {&tk_params_validate, POLICY("\"prior_thinking\":true"), "/params/policy/prior_thinking"},
    /* prepare: steps inside of it */
    {&tk_params_prepare, "{\"params\":{}}", "/params/request"},
    {&tk_params_prepare, "{\"params\":{\"request\":{}}}", "/params/request/messages"},
    {&tk_params_prepare, PREPARE("\"dialect\":\"anthropic\""), NULL},
    {&tk_params_prepare, PREPARE("\"dialect\":\"toy\""), "/params/dialect"},
    {&tk_params_prepare, PREPARE("\"betas\":[]"), "/params/betas"},
    {&tk_params_prepare, PREPARE("\"return\":\"request\""), NULL},
    {&tk_params_prepare, PREPARE("\"return\":\"messages\""), "/params/return"},
    {&tk_params_prepare, PREPARE("\"splice\":{}"), "/params/splice/assistant"},
    {&tk_params_prepare,
     PREPARE("\"splice\":{\"assistant\":{\"content\":[]},\"return\":\"patch\"}"),
     "/params/splice/return"},
    {&tk_params_prepare,
     PREPARE("\"splice\":{\"assistant\":{\"content\":[]},\"options\":{\"mode\":\"strict\"}}"),
     NULL},
    {&tk_params_prepare, PREPARE("\"tools\":{\"tools\":[]}"), "/params/tools/tools"},
    {&tk_params_prepare, PREPARE("\"tools\":{\"target\":{\"endpoint\":\"vertex\"}}"), NULL},
    {&tk_params_prepare, PREPARE("\"tools\":{\"target\":{\"endpoint\":\"moon\"}}"),
     "/params/tools/target/endpoint"},
    {&tk_params_prepare, PREPARE("\"target\":{\"endpoint\":\"vertex\",\"model\":\"m\"}"), NULL},
};

static void test_rows(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const struct row *row = &rows[i];
        struct tk_str want = tk_str_of(row->pointer ? row->pointer : "");
        struct checked c;
        bool good;

        check(&c, row->shape, row->request);
        good = row->pointer ? c.result == TK_SCHEMA_FAULT && tk_str_eq(c.fault.pointer, want) &&
                                  c.fault.message.n > 0
                            : c.result == 0;
        if (!good)
            printf("# %s: %d at %.*s\n", row->request, c.result,
                   c.result ? (int)c.fault.pointer.n : 0, c.result ? c.fault.pointer.p : "");
        CU_ASSERT(good);
        done(&c);
    }
}

static void test_messages_for_people(void)
{
    static const struct {
        const struct tk_param_shape *shape;
        const char *request, *message;
    } table[] = {
        {&tk_params_validate, WITH("\"x\":1"), "unknown member"},
        {&tk_params_validate, "{}", "required, but missing"},
        {&tk_params_validate, WITH("\"request\":{}"), "can't be combined with `request`"},
        {&tk_params_stream_feed, "{\"params\":{\"stream\":\"s\",\"data\":\"\",\"events\":[]}}",
         "give only one of `events`, `data`"},
        {&tk_params_validate, WITH("\"provenance\":7"), "expected one of \"wire\", \"rebuilt\""},
        {&tk_params_validate, WITH("\"betas\":7"), "expected a string or a list"},
        {&tk_params_validate, POLICY("\"serializable_tools\":7"), "expected null or a list"},
        {&tk_params_repair_turn, TURN_WITH("\"carry_in\":[{\"id\":\" \"}]"),
         "expected a string that isn't blank"},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct checked c;

        check(&c, table[i].shape, table[i].request);
        CU_ASSERT_EQUAL(c.result, TK_SCHEMA_FAULT);
        CU_ASSERT(tk_str_is(c.fault.message, table[i].message));
        done(&c);
    }
}

/* ---- what handlers see ---- */

static void test_defaults(void)
{
    struct checked c;

    check(&c, &tk_params_repair, ONE "}}");
    CU_ASSERT_EQUAL_FATAL(c.result, 0);
    CU_ASSERT(tk_is(tk_param(&c.params, TK_P_MESSAGES), TK_ARRAY));
    CU_ASSERT_FALSE(tk_exists(tk_param(&c.params, TK_P_REQUEST)));
    CU_ASSERT_FALSE(tk_exists(tk_param(&c.params, TK_P_GUARD)));
    CU_ASSERT_TRUE(tk_param_bool(&c.params, TK_P_GUARD));
    CU_ASSERT_EQUAL(tk_param_int(&c.params, TK_P_MAX_VIOLATIONS), 256);
    CU_ASSERT_EQUAL(tk_param_int(&c.params, TK_P_TIMEOUT_MS), 0);
    CU_ASSERT_EQUAL(tk_param_word(&c.params, TK_P_RETURN), TK_WORD_PATCH);
    CU_ASSERT_EQUAL(tk_param_word(&c.params, TK_P_PROVIDER), TK_WORD_ANTHROPIC);
    CU_ASSERT_EQUAL(tk_param_word(&c.params, TK_P_DIALECT), TK_WORD_DIALECT_ANTHROPIC);
    CU_ASSERT_EQUAL(tk_param_word(&c.params, TK_P_TARGET_ENDPOINT), TK_WORD_ANTHROPIC);
    CU_ASSERT_EQUAL(tk_param_word(&c.params, TK_P_PROVENANCE), TK_WORD_WIRE);
    CU_ASSERT_EQUAL(tk_param_word(&c.params, TK_P_POLICY_BASE), TK_WORD_CONSERVATIVE);
    done(&c);
}

static void test_written(void)
{
    struct checked c;

    check(&c, &tk_params_repair,
          "{\"params\":{\"request\":{\"x\":1,\"messages\":[{}]},\"guard\":false,"
          "\"max_violations\":0,\"return\":\"report\",\"dialect\":\"ai-sdk\","
          "\"timeout_ms\":12}}");
    CU_ASSERT_EQUAL_FATAL(c.result, 0);
    CU_ASSERT_EQUAL(tk_count(tk_param(&c.params, TK_P_MESSAGES)), 1);
    CU_ASSERT_EQUAL(tk_count(tk_param(&c.params, TK_P_REQUEST)), 2);
    CU_ASSERT_TRUE(tk_exists(tk_param(&c.params, TK_P_GUARD)));
    CU_ASSERT_FALSE(tk_param_bool(&c.params, TK_P_GUARD));
    CU_ASSERT_EQUAL(tk_param_int(&c.params, TK_P_MAX_VIOLATIONS), 0);
    CU_ASSERT_EQUAL(tk_param_int(&c.params, TK_P_TIMEOUT_MS), 12);
    CU_ASSERT_EQUAL(tk_param_word(&c.params, TK_P_RETURN), TK_WORD_REPORT);
    CU_ASSERT_EQUAL(tk_param_word(&c.params, TK_P_DIALECT), TK_WORD_DIALECT_AI_SDK);
    done(&c);
}

static bool same_policy(const struct tk_params_policy *p, const struct tk_policy *b)
{
    const struct tk_policy *a = &p->policy;

    return a->preserve == b->preserve && a->orphan_call == b->orphan_call &&
           a->orphan_result == b->orphan_result && a->result_before_call == b->result_before_call &&
           a->duplicate_id == b->duplicate_id && a->invalid_pair == b->invalid_pair &&
           a->merge_adjacent == b->merge_adjacent && a->mark_text == b->mark_text &&
           !p->own.unknown_tools_error && !tk_is(p->own.serializable_tools, TK_ARRAY);
}

/* However a named policy is asked for, it is the rules core's own. */
static void test_named_policies(void)
{
    static const struct {
        const char *request;
        const struct tk_policy *policy;
    } table[] = {
        {ONE "}}", &tk_policy_conservative},
        {WITH("\"policy\":\"conservative\""), &tk_policy_conservative},
        {POLICY(""), &tk_policy_conservative},
        {POLICY("\"base\":\"conservative\",\"serializable_tools\":null"), &tk_policy_conservative},
        {WITH("\"policy\":\"preserve\""), &tk_policy_preserve},
        {POLICY("\"base\":\"preserve\""), &tk_policy_preserve},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct checked c;
        struct tk_params_policy policy;

        check(&c, &tk_params_validate, table[i].request);
        CU_ASSERT_EQUAL_FATAL(c.result, 0);
        tk_params_policy(&c.params, &policy);
        CU_ASSERT(same_policy(&policy, table[i].policy));
        done(&c);
    }
}

static void test_overridden_policy(void)
{
    struct checked c;
    struct tk_params_policy made;
    const struct tk_policy *policy = &made.policy;

    check(&c, &tk_params_validate,
          POLICY("\"orphan_call\":\"error_result\",\"mark_text\":false,\"duplicate_id\":\"report\","
                 "\"merge_adjacent\":\"all\",\"unknown_tools\":\"error\",\"serializable_tools\":"
                 "[\"web_search\"],\"base\":\"preserve\""));
    CU_ASSERT_EQUAL_FATAL(c.result, 0);
    tk_params_policy(&c.params, &made);
    CU_ASSERT_TRUE(policy->preserve);
    CU_ASSERT_EQUAL(policy->orphan_call, TK_FIX_ERROR_RESULT);
    CU_ASSERT_EQUAL(policy->orphan_result, TK_FIX_TEXTIFY);
    CU_ASSERT_EQUAL(policy->result_before_call, TK_FIX_MOVE);
    CU_ASSERT_EQUAL(policy->duplicate_id, TK_FIX_REPORT);
    CU_ASSERT_EQUAL(policy->invalid_pair, TK_FIX_REPAIR);
    CU_ASSERT_EQUAL(policy->merge_adjacent, TK_MERGE_ALL);
    CU_ASSERT_FALSE(policy->mark_text);
    CU_ASSERT_TRUE(made.own.unknown_tools_error);
    CU_ASSERT_EQUAL(tk_count(made.own.serializable_tools), 1);
    CU_ASSERT_TRUE(tk_text_is(tk_first(made.own.serializable_tools), TK_STR("web_search")));
    done(&c);
}

/* ---- bin ---- */

/* A shape of our own: one parameter takes bytes, the other doesn't. */
static const struct tk_param_shape bytes_or_string = {.kinds = TK_T_STRING | TK_T_BIN};
static const struct tk_param_shape anything = {.kinds = TK_T_ANY};
static const struct tk_field field_data = {
    .name = TK_NAME("data"), .help = "Bytes", .shape = &bytes_or_string, .slot = TK_P_CONTENT};
static const struct tk_field field_other = {
    .name = TK_NAME("other"), .help = "Whatever", .shape = &anything, .slot = TK_P_ECHO};
static const struct tk_field *const data_fields[] = {&field_data, &field_other, NULL};
static const struct tk_param_shape data_params = {.kinds = TK_T_OBJECT, .fields = data_fields};

static void test_bin(void)
{
    static const struct {
        struct tk_str request;
        const char *pointer;
    } table[] = {
#define ROW(bytes, pointer) {TK_NAME(bytes), pointer}
        ROW("\x81\xa6params\x81\xa4"
            "data\xc4\x02\xff\x00",
            NULL),
        ROW("\x81\xa6params\x82\xa5other\x01\xa4"
            "data\xc4\x00",
            NULL),
        ROW("\x81\xa6params\x81\xa4"
            "data\xd4\x01x",
            "/params/data"),
        ROW("\x81\xa6params\x81\xa4"
            "data\xcb\x7f\xf8\x00\x00\x00\x00\x00\x00",
            "/params/data"),
        ROW("\x81\xa6params\x81\xa4"
            "data\x91\xc4\x01x",
            "/params/data/0"),
        ROW("\x81\xa6params\x81\xa5other\xc4\x01x", "/params/other"),
        ROW("\x81\xa6params\x82\xa4"
            "data\xc4\x01x\xa5other\x91\xc4\x01x",
            "/params/other/0"),
        ROW("\x82\xa6params\x81\xa4"
            "data\xc4\x01x\xa4"
            "data\xc4\x01x",
            "/data"),
        ROW("\x82\xa4"
            "data\xc4\x01x\xa6params\x80",
            "/data"),
        ROW("\x81\xa4"
            "data\xc4\x01x",
            "/data"),
#undef ROW
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct checked c;

        check_bytes(&c, &data_params, table[i].request);
        CU_ASSERT(table[i].pointer
                      ? c.result == TK_SCHEMA_FAULT && tk_str_is(c.fault.pointer, table[i].pointer)
                      : c.result == 0 && tk_is(tk_param(&c.params, TK_P_CONTENT), TK_BIN));
        done(&c);
    }
}

/* ---- what can wait ---- */

/* A message in another format is told before its role and its blocks; an element that is none is
 * not. */
static void test_late_faults(void)
{
#define SPLICED(json) "{\"params\":{\"messages\":[],\"assistant\":" json "}}"
    static const struct {
        const struct tk_param_shape *shape;
        const char *request, *pointer;
        int result;
    } table[] = {
        {&tk_params_splice, SPLICED("{\"content\":null}"), "/params/assistant/content",
         TK_SCHEMA_LATE},
        {&tk_params_splice, SPLICED("{}"), "/params/assistant/content", TK_SCHEMA_LATE},
        {&tk_params_splice, SPLICED("{\"content\":[3]}"), "/params/assistant/content/0",
         TK_SCHEMA_FAULT},
        {&tk_params_splice, SPLICED("{},\"appended\":[{\"role\":\"tool\"}]"),
         "/params/assistant/content", TK_SCHEMA_LATE},
        {&tk_params_splice, SPLICED("{},\"appended\":[3]"), "/params/appended/0", TK_SCHEMA_FAULT},
        {&tk_params_splice, SPLICED("{},\"return\":\"x\""), "/params/return", TK_SCHEMA_FAULT},
        {&tk_params_seal, "{\"params\":{\"message\":{\"role\":\"user\",\"content\":7}}}",
         "/params/message/role", TK_SCHEMA_LATE},
        {&tk_params_seal, "{\"params\":{\"content\":7}}", "/params/content", TK_SCHEMA_LATE},
        /* a provider without seals refuses all of them, whatever is in them */
        {&tk_params_repair, WITH("\"seals\":[{\"seal\":{}}]"), "/params/seals/0/seal/v",
         TK_SCHEMA_LATE},
        {&tk_params_repair, WITH("\"seals\":[7]"), "/params/seals/0", TK_SCHEMA_LATE},
        {&tk_params_repair, WITH("\"seals\":{}"), "/params/seals", TK_SCHEMA_LATE},
        {&tk_params_seal, "{\"params\":{\"content\":[\"x\"]}}", "/params/content/0",
         TK_SCHEMA_FAULT},
    };
#undef SPLICED

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct checked c;

        check(&c, table[i].shape, table[i].request);
        CU_ASSERT_EQUAL(c.result, table[i].result);
        CU_ASSERT(tk_str_is(c.fault.pointer, table[i].pointer));
        done(&c);
    }
}

/* ---- the tables themselves ---- */

static void check_table(const struct tk_param_shape *shape)
{
    CU_ASSERT(shape->kinds != 0);
    if (shape->items)
        check_table(shape->items);
    if (shape->tagged) {
        CU_ASSERT(shape->tagged->fields[0]->required);
        check_table(shape->tagged);
    }
    for (size_t i = 0; shape->fields && shape->fields[i]; i++) {
        const struct tk_field *field = shape->fields[i];

        CU_ASSERT_FATAL(i < TK_FIELDS_MAX);
        for (size_t s = 0; s < TK_SHAPE_COUNT; s++)
            CU_ASSERT(tk_field_name(field, tk_shapes[s]).n > 0 ||
                      field->named == TK_NAMED_BY_CALLS);
        CU_ASSERT_PTR_NOT_NULL(field->help);
        CU_ASSERT(field->help[0] < 'a' && field->help[strlen(field->help) - 1] != '.');
        for (size_t k = 0; k < i; k++)
            CU_ASSERT_FALSE(tk_str_eq(tk_field_name(field, tk_shapes[0]),
                                      tk_field_name(shape->fields[k], tk_shapes[0])));
        check_table(field->shape);
    }
}

static void test_tables(void)
{
    for (size_t i = 0; i < tk_methods_count; i++) {
        CU_ASSERT_PTR_NOT_NULL(tk_methods[i].handler);
        CU_ASSERT_PTR_NOT_NULL(tk_methods[i].help);
        CU_ASSERT_FATAL(tk_methods[i].params->kinds == TK_T_OBJECT);
        CU_ASSERT_FALSE(tk_methods[i].params->open);
        check_table(tk_methods[i].params);
    }
    for (int word = 1; word < TK_WORD_COUNT; word++)
        CU_ASSERT(strlen(tk_word_name((enum tk_word)word)) > 0);
}

/* ---- cost ---- */

/* Many carried calls, many keys: one pass each, or this would not end. */
static void test_linear(void)
{
    size_t n = 100000, at;
    char *request = malloc(n * 24 + 64);
    struct checked c;

    at = (size_t)sprintf(request, TURN ",\"carry_in\":[{\"id\":\"x\"}");
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(request + at, ",{\"id\":\"%zu\"}", i);
    memcpy(request + at, "]}}", 4);
    check(&c, &tk_params_repair_turn, request);
    CU_ASSERT_EQUAL(c.result, 0);
    done(&c);

    at = (size_t)sprintf(request, "{\"params\":{\"request\":{\"k\":0");
    for (size_t i = 0; i < n; i++)
        at += (size_t)sprintf(request + at, ",\"%zu\":[]", i);
    sprintf(request + at, ",\"messages\":[]}}}");
    check(&c, &tk_params_validate, request);
    CU_ASSERT_EQUAL(c.result, 0);
    done(&c);
    free(request);
}

/* ---- memory ---- */

/* From one allocation on all fail: a check answers, blames, or says that there is no memory. */
static void test_malloc_sweep(void)
{
    static const char *const requests[] = {
        TURN_WITH("\"carry_in\":[{\"id\":\"a\"},{\"id\":\"\\u0062\"},{\"id\":\"c\"}]"),
        TURN_WITH("\"carry_in\":[{\"id\":\"a\"},{\"id\":\"a\"}]"),
        TURN_WITH("\"policy\":7"),
    };

    for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
        struct checked c;
        bool failed = true;

        check(&c, &tk_params_repair_turn, requests[i]);
        for (size_t k = 1; failed; k++) {
            struct memory memory = {.fail_at = k};
            struct tk_arena arena;
            int r;

            tk_arena_init(&arena, memory_allocator(&memory));
            r = tk_schema_check(&tk_params_repair_turn, &c.doc,
                                tk_get(tk_root(&c.doc), TK_STR("params")), &arena, hash_key,
                                &c.params, &c.fault);
            failed = memory.calls >= k;
            CU_ASSERT(r == c.result || (failed && (r == -ENOMEM || tk_arena_failed(&arena))));
            tk_arena_done(&arena);
            CU_ASSERT_EQUAL(memory.bytes, 0);
        }
        done(&c);
    }
}

TAP_MAIN("schema", TAP_TEST(test_rows), TAP_TEST(test_messages_for_people), TAP_TEST(test_defaults),
         TAP_TEST(test_written), TAP_TEST(test_named_policies), TAP_TEST(test_overridden_policy),
         TAP_TEST(test_bin), TAP_TEST(test_late_faults), TAP_TEST(test_tables),
         TAP_TEST(test_linear), TAP_TEST(test_malloc_sweep))
