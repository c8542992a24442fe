/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests single edits, which are written as a list and as a patch. The patch, applied to the input
 * by an implementation of RFC 6902 that is this file's own, must make the list; in both codecs, for
 * single edits whose patch is written out, and for many random mixtures.
 */
#include "../tap.h"
#include "../transcripts.h"
#include "engine/edit/emit.h"
#include "providers/anthropic/text/move_text.h"

#include <jansson.h>
#include <stdlib.h>

#define CODE TK_CODE_PROVIDER_EXECUTED_RESULT_WITHOUT_CALL

/* ---- RFC 6902 ---- */

/* The container of a pointer's last token, and that token. */
static json_t *walk(json_t *root, const char *pointer, char *ret_last, size_t room)
{
    const char *token = pointer + 1, *slash;

    while ((slash = strchr(token, '/')) != NULL) {
        char name[64];

        snprintf(name, sizeof(name), "%.*s", (int)(slash - token), token);
        root = json_is_array(root) ? json_array_get(root, (size_t)atoi(name))
                                   : json_object_get(root, name);
        token = slash + 1;
    }
    snprintf(ret_last, room, "%s", token);
    return root;
}

static bool add(json_t *root, const char *pointer, json_t *value)
{
    char last[64];
    json_t *parent = walk(root, pointer, last, sizeof(last));

    if (json_is_array(parent))
        return json_array_insert_new(parent, (size_t)atoi(last), value) == 0;
    return json_object_set_new(parent, last, value) == 0;
}

/* Takes the value out; NULL if it isn't there. */
static json_t *take(json_t *root, const char *pointer)
{
    char last[64];
    json_t *parent = walk(root, pointer, last, sizeof(last)), *value;

    if (json_is_array(parent)) {
        value = json_incref(json_array_get(parent, (size_t)atoi(last)));
        return json_array_remove(parent, (size_t)atoi(last)) == 0 ? value : NULL;
    }
    value = json_incref(json_object_get(parent, last));
    return json_object_del(parent, last) == 0 ? value : NULL;
}

static bool replace(json_t *root, const char *pointer, json_t *value)
{
    char last[64];
    json_t *parent = walk(root, pointer, last, sizeof(last));

    if (json_is_array(parent))
        return json_array_set_new(parent, (size_t)atoi(last), value) == 0;
    return json_object_get(parent, last) && json_object_set_new(parent, last, value) == 0;
}

static bool apply_one(json_t *root, json_t *op)
{
    const char *name = json_string_value(json_object_get(op, "op"));
    const char *path = json_string_value(json_object_get(op, "path"));
    json_t *value = json_deep_copy(json_object_get(op, "value")), *taken;

    if (strcmp(name, "add") == 0)
        return add(root, path, value);
    if (strcmp(name, "replace") == 0)
        return replace(root, path, value);
    if (strcmp(name, "move") == 0)
        value = take(root, json_string_value(json_object_get(op, "from")));
    if (strcmp(name, "move") == 0)
        return value && add(root, path, value);
    taken = take(root, path);
    json_decref(taken);
    return strcmp(name, "remove") == 0 && taken;
}

static json_t *parse(const char *text)
{
    return json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
}

/* True if the patch makes the list of the input. */
static bool agree(const char *input, const char *patch, const char *list)
{
    json_t *root = json_pack("{s:o}", "messages", parse(input));
    json_t *ops = parse(patch), *want = parse(list), *op;
    bool good = ops && want;
    size_t i;

    json_array_foreach(ops, i, op)
    {
        good = good && apply_one(root, op);
    }
    good = good && json_equal(json_object_get(root, "messages"), want);
    json_decref(root);
    json_decref(ops);
    json_decref(want);
    return good;
}

/* ---- single edits ---- */

#define U(content) "{\"role\":\"user\",\"content\":" content "}"
#define A(content) "{\"role\":\"assistant\",\"content\":" content "}"
#define P(n)       "{\"type\":\"text\",\"text\":\"" #n "\"}"
#define T(text)    "{\"type\":\"text\",\"text\":\"" text "\"}"
#define CALL(i)                                                                                    \
    "{\"type\":\"server_tool_use\",\"id\":\"" #i "\",\"name\":\"web_search\",\"input\":{}}"
#define OP(op, at)         "{\"op\":\"" op "\",\"path\":\"/messages/" at "\""
#define PUT(op, at, value) OP(op, at) ",\"value\":" value "}"
#define CUT(at)            OP("remove", at) "}"
#define MOVE(from, to)                                                                             \
    "{\"op\":\"move\",\"from\":\"/messages/" from "\",\"path\":\"/messages/" to "\"}"

#define INPUT "[" U("\"q\"") "," A("[" P(0) "," P(1) "," P(2) "]") "," U("[" P(3) "]") "]"

struct row {
    const char *input;
    int (*edit)(struct history *h);
    const char *patch;
};

static int nothing(struct history *h)
{
    (void)h;
    return 0;
}

static int drop_middle(struct history *h)
{
    return tk_edit_drop(&h->edits, history_part(h, 1, 1), CODE);
}

static int drop_first_part(struct history *h)
{
    return tk_edit_drop(&h->edits, history_part(h, 0, 0), CODE);
}

static int drop_first_message(struct history *h)
{
    int r = drop_first_part(h);

    if (r == 0)
        r = drop_first_part(h);
    return r < 0 ? r : tk_edit_drop_message(&h->edits, 0, CODE);
}

static int textify_first_part(struct history *h)
{
    return tk_edit_textify(&h->edits, history_part(h, 0, 0), CODE, TK_STR("t"));
}

static int move_first_part(struct history *h)
{
    return history_move(h, history_part(h, 0, 0), CODE, history_part(h, 0, 1));
}

static int drop_two(struct history *h)
{
    int r = tk_edit_drop(&h->edits, history_part(h, 1, 0), CODE);

    return r < 0 ? r : tk_edit_drop(&h->edits, history_part(h, 1, 1), CODE);
}

static int drop_and_drop_message(struct history *h)
{
    int r = tk_edit_drop(&h->edits, history_part(h, 2, 0), CODE);

    return r < 0 ? r : tk_edit_drop_message(&h->edits, 2, CODE);
}

static int textify_last(struct history *h)
{
    return tk_edit_textify(&h->edits, history_part(h, 1, 2), CODE, TK_STR("t"));
}

static int textify_into_string(struct history *h)
{
    return history_textify_into(h, history_part(h, 1, 0), CODE, TK_STR("t"), 0);
}

static int textify_into_list(struct history *h)
{
    return history_textify_into(h, history_part(h, 2, 0), CODE, TK_STR("t"), 1);
}

static int move_forward(struct history *h)
{
    return history_move(h, history_part(h, 1, 0), CODE, history_part(h, 1, 2));
}

static int move_backward(struct history *h)
{
    return history_move(h, history_part(h, 1, 2), CODE, history_part(h, 1, 0));
}

static int move_across(struct history *h)
{
    return history_move(h, history_part(h, 2, 0), CODE, history_part(h, 1, 0));
}

static int move_across_and_drop(struct history *h)
{
    uint32_t home = history_part(h, 1, 1), gone = history_part(h, 1, 0);
    int r = history_move(h, history_part(h, 2, 0), CODE, home);

    if (r == 0)
        r = tk_edit_drop(&h->edits, gone, CODE);
    return r < 0 ? r : tk_edit_drop_message(&h->edits, 2, CODE);
}

static int move_two_behind_one(struct history *h)
{
    uint32_t first = history_part(h, 1, 0), last = history_part(h, 1, 2);
    int r = history_move(h, last, CODE, first);

    return r < 0 ? r : history_move(h, history_part(h, 2, 0), CODE, first);
}

static int append_to_string(struct history *h)
{
    return tk_edit_append(&h->edits, 0, CODE, TK_ACTION_APPEND, TK_STR("t"));
}

/* Replaces a message by a user message with a text. */
static int replace_by_user(struct history *h, uint32_t message, struct tk_str text)
{
    int r = tk_edit_add_user(&h->edits, message, CODE, message, text);

    if (r == 0)
        tk_remove_message(&h->edits, message);
    return r;
}

static int stand_in(struct history *h)
{
    int r = tk_edit_drop(&h->edits, history_part(h, 2, 0), CODE);

    return r < 0 ? r : replace_by_user(h, 2, TK_STR("t"));
}

static int textify_behind(struct history *h)
{
    int r = tk_textify_after(&h->edits, history_part(h, 1, 0), CODE, TK_STR("a"));

    return r < 0 ? r : tk_textify_after(&h->edits, history_part(h, 1, 0), CODE, TK_STR("b"));
}

static int merge_last(struct history *h)
{
    return tk_edit_merge(&h->edits, 2, CODE, NULL);
}

static int merge_all(struct history *h)
{
    int r = tk_edit_merge(&h->edits, 1, CODE, NULL);

    return r < 0 ? r : tk_edit_merge(&h->edits, 2, CODE, NULL);
}

static int change_inside(struct history *h)
{
    static const struct tk_path marker = {{"cache_control"}}, text = {{"text"}};
    int r = tk_change_set(&h->edits, history_part(h, 1, 1), &marker,
                          tk_encode_text(&h->edits, TK_STR("m")));

    if (r == 0)
        r = tk_change_remove(&h->edits, history_part(h, 1, 1), &text);
    return r < 0 ? r : tk_edit_rewritten(&h->edits, history_part(h, 1, 1), CODE);
}

static int error_result(struct history *h)
{
    return tk_edit_error_result(&h->edits, history_part(h, 0, 0), CODE,
                                TK_STR("web_search_tool_result"));
}

/* Two demoted parts go before a third, in their order. */
static int demote_in_front(struct history *h)
{
    int r = tk_edit_demote(&h->edits, history_part(h, 0, 1), CODE, history_part(h, 0, 0));

    return r < 0 ? r
                 : tk_edit_demote(&h->edits, history_part(h, 0, 3), CODE, history_part(h, 0, 1));
}

static int change_string(struct history *h)
{
    uint32_t part = history_part(h, 0, 0);
    int r = tk_change_text(&h->edits, part, tk_encode_text(&h->edits, TK_STR("n")));

    return r < 0 ? r : tk_edit_rewritten(&h->edits, part, CODE);
}

static int change_string_and_append(struct history *h)
{
    int r = change_string(h);

    return r < 0 ? r : append_to_string(h);
}

static bool has_short_name(struct tk_val member)
{
    return tk_key(member, NULL).n == 1;
}

static int split(struct history *h)
{
    uint32_t part = history_part(h, 1, 1);
    struct tk_val whole = tk_part_val(&h->t.parts[part], h->t.parts[part].node);

    return tk_edit_split(&h->edits, part, CODE, has_short_name, tk_get(whole, TK_STR("c")).node);
}

static int wrap(struct history *h)
{
    return tk_edit_wrap(&h->edits, 0, CODE);
}

static int append_to_nothing(struct history *h)
{
    return tk_edit_append(&h->edits, 0, CODE, TK_ACTION_REWRITE, TK_STR("t"));
}

/* A list's member, a value inside it that is replaced and the member of its other element. */
static int change_spots(struct history *h)
{
    uint32_t part = history_part(h, 0, 0);
    struct tk_val root = tk_part_val(&h->t.parts[part], h->t.parts[part].node);
    struct tk_val list = tk_get(root, TK_STR("l")), first = tk_first(list);
    struct tk_val second = tk_after(list, first);
    struct tk_spot spots[] = {
        {tk_get(first, TK_STR("ab")), tk_encode_text(&h->edits, TK_STR("n"))},
        {.at = tk_get(second, TK_STR("c"))},
        {.at = tk_get(root, TK_STR("last"))},
    };
    int r = tk_change_spots(&h->edits, part, spots, 3);

    return r < 0 ? r : tk_edit_rewritten(&h->edits, part, CODE);
}

static int change_elements(struct history *h)
{
    static const struct tk_path list = {{"l"}};
    struct tk_element elements[] = {
        {.index = 0},
        {1, tk_encode_text(&h->edits, TK_STR("n"))},
        {.index = 3},
    };
    uint32_t part = history_part(h, 0, 0);
    int r = tk_change_elements(&h->edits, part, &list, elements, 3);

    return r < 0 ? r : tk_edit_rewritten(&h->edits, part, CODE);
}

/* A member with two spellings: what is there keeps its own, what is added has the first. */
static int change_spelled(struct history *h)
{
    static const struct tk_path value = {{"fnCall", "args", [TK_OTHER(0)] = "fn_call"}};
    static const struct tk_path added = {{"fnCall", "newArg", [TK_OTHER(1)] = "new_arg"}};
    struct tk_str text = tk_encode_text(&h->edits, TK_STR("n"));
    uint32_t part = history_part(h, 0, 0), second = history_part(h, 0, 1);
    int r = tk_change_set(&h->edits, part, &value, text);

    if (r == 0)
        r = tk_change_set(&h->edits, second, &value, text);
    if (r == 0)
        r = tk_change_set(&h->edits, second, &added, text);
    if (r == 0)
        r = tk_change_remove(&h->edits, second, &added);
    if (r == 0)
        r = tk_edit_rewritten(&h->edits, part, CODE);
    return r < 0 ? r : tk_edit_rewritten(&h->edits, second, CODE);
}

#define THOUGHT(n) "{\"type\":\"thinking\",\"thinking\":\"" #n "\"}"
#define SPELLED    "{\"fnCall\":null,\"fn_call\":{\"args\":1}},{\"fnCall\":{\"new_arg\":1}}"
#define SPOTS      "{\"l\":[{\"ab\":1},{\"c\":2,\"d\":3}],\"last\":4}"
#define ELEMENTS   "{\"l\":[1,2,3,4,5]}"
#define UNION      "{\"a\":1,\"type\":\"text\",\"c\":3,\"text\":\"t\",\"b\":[2],\"d\":4}"
#define STAYS      "{\"type\":\"text\",\"c\":3,\"text\":\"t\"}"
#define ERROR_RESULT                                                                               \
    "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"1\",\"content\":{\"type\":"            \
    "\"web_search_tool_result_error\",\"error_code\":\"unavailable\"}}"
#define BEHIND U("[" T("a") "," T("b") "]")

static const struct row rows[] = {
    {INPUT, nothing, "[]"},
    {INPUT, drop_middle, "[" CUT("1/content/1") "]"},
    {INPUT, drop_two, "[" CUT("1/content/2") "," CUT("1/content/0") "]"},
    {INPUT, drop_and_drop_message, "[" CUT("2") "]"},
    {INPUT, textify_last, "[" PUT("replace", "1/content/2", T("t")) "]"},
    {INPUT, textify_into_string,
     "[" PUT("replace", "0/content", "[" T("q") "]") "," PUT("add", "0/content/1",
                                                             T("t")) "," CUT("1/content/0") "]"},
    {INPUT, textify_into_list, "[" PUT("add", "1/content/3", T("t")) "," CUT("2/content/0") "]"},
    {INPUT, move_forward, "[" MOVE("1/content/0", "1/content/2") "]"},
    {INPUT, move_backward, "[" MOVE("1/content/2", "1/content/1") "]"},
    {INPUT, move_across, "[" MOVE("2/content/0", "1/content/1") "]"},
    {INPUT, move_across_and_drop,
     "[" MOVE("2/content/0", "1/content/2") "," CUT("1/content/0") "," CUT("2") "]"},
    {INPUT, move_two_behind_one,
     "[" MOVE("1/content/2", "1/content/1") "," MOVE("2/content/0", "1/content/1") "]"},
    {INPUT, append_to_string,
     "[" PUT("replace", "0/content", "[" T("q") "]") "," PUT("add", "0/content/1", T("t")) "]"},
    {INPUT, stand_in, "[" PUT("add", "2", U("[" T("t") "]")) "," CUT("3") "]"},
    {INPUT, textify_behind,
     "[" CUT("1/content/1") "," CUT("1/content/0") "," PUT("add", "2", BEHIND) "]"},
    {"[" A("[" P(0) "]") "," A("[" P(1) "]") "," A("\"s\"") "]", merge_last,
     "[" PUT("replace", "2/content", "[" T("s") "]") "," MOVE("2/content/0",
                                                              "1/content/1") "," CUT("2") "]"},
    {"[" U("\"a\"") "," U("\"\"") "," U("[" P(0) "," P(1) "]") "]", merge_all,
     "[" PUT("replace", "0/content", "[" T("a") "]") "," MOVE(
         "2/content/0", "0/content/1") "," MOVE("2/content/0",
                                                "0/content/2") "," CUT("1") "," CUT("1") "]"},
    {INPUT, change_inside,
     "[" PUT("add", "1/content/1/cache_control", "\"m\"") "," CUT("1/content/1/text") "]"},
    {"[" A("[" CALL(1) "," THOUGHT(1) "," P(0) "," THOUGHT(2) "]") "]", demote_in_front,
     "[" MOVE("0/content/1", "0/content/0") "," MOVE("0/content/3", "0/content/1") "," PUT(
         "replace", "0/content/1", T("2")) "," PUT("replace", "0/content/0", T("1")) "]"},
    {INPUT, change_string, "[" PUT("replace", "0/content", "\"n\"") "]"},
    {INPUT, change_string_and_append,
     "[" PUT("replace", "0/content", "\"n\"") "," PUT(
         "replace", "0/content", "[" T("n") "]") "," PUT("add", "0/content/1", T("t")) "]"},
    {"[" U(P(0)) "]", wrap,
     "[" PUT("replace", "0/content", "[]") "," PUT("add", "0/content/0", P(0)) "]"},
    {"[{\"role\":\"user\"}]", append_to_nothing,
     "[" PUT("add", "0/content", "[]") "," PUT("add", "0/content/0", T("t")) "]"},
    {"[" U("null") "]", append_to_nothing,
     "[" PUT("replace", "0/content", "[]") "," PUT("add", "0/content/0", T("t")) "]"},
    {"[" U("[" SPOTS "]") "]", change_spots,
     "[" PUT("replace", "0/content/0/l/0/ab",
             "\"n\"") "," CUT("0/content/0/l/1/c") "," CUT("0/content/0/last") "]"},
    {"[" U("[" ELEMENTS "]") "]", change_elements,
     "[" CUT("0/content/0/l/3") "," PUT("replace", "0/content/0/l/1",
                                        "\"n\"") "," CUT("0/content/0/l/0") "]"},
    {"[" U("[" SPELLED "]") "]", change_spelled,
     "[" PUT("replace", "0/content/0/fn_call/args",
             "\"n\"") "," PUT("add", "0/content/1/fnCall/args",
                              "\"n\"") "," PUT("replace", "0/content/1/fnCall/new_arg",
                                               "\"n\"") "," CUT("0/content/1/fnCall/new_arg") "]"},
    {"[" U("\"q\"") "," A("[" P(0) "," UNION "," P(1) "]") "]", split,
     "[" PUT("add", "1/content/2", "{\"d\":4}") "," PUT(
         "add", "1/content/2", "{\"b\":[2]}") "," PUT("replace", "1/content/1",
                                                      STAYS) "," PUT("add", "1/content/1",
                                                                     "{\"a\":1}") "]"},
    {"[" A("[" CALL(1) "," P(0) "]") "]", error_result,
     "[" PUT("add", "0/content/1", ERROR_RESULT) "]"},
};

static void check_row(const struct row *row, enum tk_codec codec)
{
    const char *patch, *list;
    struct history h;
    bool good;

    history_open(&h, "anthropic", &tk_policy_conservative, codec, row->input);
    CU_ASSERT_EQUAL(row->edit(&h), 0);
    patch = history_patch(&h);
    list = history_list(&h);
    good = strcmp(patch, row->patch) == 0 && agree(row->input, patch, list);
    if (!good)
        printf("# row %d\n# patch  %s\n# wanted %s\n# list   %s\n", (int)(row - rows), patch,
               row->patch, list);
    CU_ASSERT(good);
    CU_ASSERT(history_close(&h));
}

static void test_patches_written_out(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        check_row(&rows[i], TK_JSON);
        check_row(&rows[i], TK_MSGPACK);
    }
}

/* ---- bytes ---- */

/* Only what was dropped goes, with the comma before it. */
static void test_list_keeps_bytes(void)
{
    static const char input[] = "[ {\"role\" : \"user\", \"content\":\"q\\u0041\"},\n"
                                "{ \"x\":1.0,\"role\":\"assistant\", \"content\" : [ {\"a\": 1 } , "
                                "{\"b\":2} ,\t{\"c\" :3}], \"y\":1e5 } , "
                                "{\"content\":[ ] } ]";
    struct history h;
    struct tk_out out;
    struct tk_writer w;

    history_open(&h, "anthropic", &tk_policy_conservative, TK_JSON, input);
    CU_ASSERT_EQUAL(tk_edit_drop(&h.edits, history_part(&h, 1, 1), CODE), 0);
    tk_out_init(&out, &h.reading.arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_emit_list(&w, &h.t);
    CU_ASSERT(
        tk_str_is(tk_out_join(&out),
                  "[ {\"role\" : \"user\", \"content\":\"q\\u0041\"},\n"
                  "{ \"x\":1.0,\"role\":\"assistant\", \"content\" : [ {\"a\": 1 } ,\t{\"c\" :3}], "
                  "\"y\":1e5 } , {\"content\":[ ] } ]"));
    CU_ASSERT(history_close(&h));
}

/* An edited list that was indented stays indented. */
static void test_list_keeps_its_indentation(void)
{
    static const char input[] =
        "[\n {\"role\":\"user\",\"content\":[\n  " P(0) ",\n  " P(1) "\n ]},\n " A("\"a\"") "\n]";
    static const struct {
        int (*edit)(struct history *h);
        const char *want;
    } edits[] = {
        {drop_first_part,
         "[\n {\"role\":\"user\",\"content\":[\n  " P(1) "\n ]},\n " A("\"a\"") "\n]"},
        {drop_first_message, "[\n " A("\"a\"") "\n]"},
        {textify_first_part, "[\n {\"role\":\"user\",\"content\":[\n  " T("t") ",\n  " P(
                                 1) "\n ]},\n " A("\"a\"") "\n]"},
        {move_first_part,
         "[\n {\"role\":\"user\",\"content\":[\n  " P(1) ",\n  " P(0) "\n ]},\n " A("\"a\"") "\n]"},
    };

    for (size_t i = 0; i < sizeof(edits) / sizeof(*edits); i++) {
        struct history h;
        struct tk_out out;
        struct tk_writer w;

        history_open(&h, "anthropic", &tk_policy_conservative, TK_JSON, input);
        CU_ASSERT_EQUAL(edits[i].edit(&h), 0);
        tk_out_init(&out, &h.reading.arena);
        tk_writer_init(&w, TK_JSON, &out);
        tk_emit_list(&w, &h.t);
        CU_ASSERT(tk_str_is(tk_out_join(&out), edits[i].want));
        CU_ASSERT(history_close(&h));
    }
}

/* ---- random mixtures ---- */

static const char *const inputs[] = {
    "[" U("\"q\"") "," A("[" CALL(0) "," P(1) "," CALL(2) "," P(3) "]") "," U(
        "[" P(4) "," P(5) "]") "," A("\"a\"") "," U("[]") "," A("[" CALL(6) "]") "," U("\"\"") "]",
    "[" A("[" P(0) "," P(1) "]") "," A("[" P(2) "]") "," A("[]") "," A("\"s\"") "," U(
        "[" CALL(3) "," CALL(4) "]") "," U("[" P(5) "," P(6) "," P(7) "]") "]",
    "[" U("[" P(0) "," P(1) "," P(2) "," P(3) "," P(4) "," P(5) "]") "," A(
        "[" P(6) "," P(7) "," P(8) "]") "]",
};

/* Returns a part of the input that is unchanged and in its place, or TK_NONE. */
static uint32_t pick_part(struct history *h, uint64_t *seed)
{
    uint32_t part = random_below(seed, h->t.input_parts);
    uint32_t flags = h->t.parts[part].flags;

    return flags & (TK_PART_REMOVED | TK_PART_MADE | TK_PART_STRING) ? TK_NONE : part;
}

static uint32_t pick_message(struct history *h, uint64_t *seed)
{
    uint32_t message = random_below(seed, h->t.input_messages);

    return h->t.messages[message].flags & TK_MESSAGE_DROPPED ? TK_NONE : message;
}

/* A change alone is no edit; the line makes it one. */
static int change(struct history *h, uint32_t part, const struct tk_path *path, bool set)
{
    int r = set ? tk_change_set(&h->edits, part, path, tk_encode_text(&h->edits, TK_STR("v")))
                : tk_change_remove(&h->edits, part, path);

    return r < 0 ? r : tk_edit_rewritten(&h->edits, part, CODE);
}

static int edit_part(struct history *h, uint64_t *seed, uint32_t part, uint32_t message)
{
    static const struct tk_path marker = {{"x", "y"}}, text = {{"text"}};
    uint32_t behind = pick_part(h, seed);
    bool is_call = h->t.parts[part].kind == TK_PART_CALL;

    switch (random_below(seed, 8)) {
    case 0:
        return tk_edit_drop(&h->edits, part, CODE);
    case 1:
        return tk_edit_textify(&h->edits, part, CODE, TK_STR("text"));
    case 2:
        return history_textify_into(h, part, CODE, TK_STR("into"), message);
    case 3:
        return tk_textify_after(&h->edits, part, CODE, TK_STR("after"));
    case 4:
        return is_call
                   ? tk_edit_error_result(&h->edits, part, CODE, TK_STR("web_search_tool_result"))
                   : 0;
    case 5:
        return change(h, part, &marker, true);
    case 6:
        return change(h, part, &text, false);
    default:
        return behind == TK_NONE || behind == part ? 0 : history_move(h, part, CODE, behind);
    }
}

static int edit_message(struct history *h, uint64_t *seed, uint32_t message)
{
    if (h->t.messages[message].first != TK_NONE)
        return tk_edit_append(&h->edits, message, CODE, TK_ACTION_APPEND, TK_STR("appended"));
    switch (random_below(seed, 3)) {
    case 0:
        return tk_edit_append(&h->edits, message, CODE, TK_ACTION_REWRITE, TK_STR("(empty)"));
    case 1:
        return replace_by_user(h, message, TK_STR("(empty)"));
    default:
        return tk_edit_drop_message(&h->edits, message, CODE);
    }
}

/* Merges come last, as in a repair. */
static int merge_some(struct history *h, uint64_t *seed)
{
    int r = 0;

    for (uint32_t m = h->t.first_message, next; m != TK_NONE && r == 0; m = next) {
        next = h->t.messages[m].next;
        if (next == TK_NONE || random_below(seed, 2) == 0)
            continue;
        r = tk_edit_merge(&h->edits, next, CODE, NULL);
        next = m;
    }
    return r;
}

static int edit_at_random(struct history *h, uint64_t *seed)
{
    int r = 0;

    for (uint32_t n = random_below(seed, 12); n > 0 && r == 0; n--) {
        uint32_t part = pick_part(h, seed), message = pick_message(h, seed);

        if (message == TK_NONE)
            continue;
        if (part != TK_NONE && random_below(seed, 4) > 0)
            r = edit_part(h, seed, part, message);
        else
            r = edit_message(h, seed, message);
    }
    return r == 0 && random_below(seed, 3) == 0 ? merge_some(h, seed) : r;
}

static bool random_mixture(uint64_t seed, enum tk_codec codec)
{
    const char *input = inputs[seed % (sizeof(inputs) / sizeof(inputs[0]))], *patch, *list;
    uint64_t state = seed * 2654435761u + 1;
    struct history h;
    bool good;

    history_open(&h, "anthropic", &tk_policy_conservative, codec, input);
    CU_ASSERT_EQUAL(edit_at_random(&h, &state), 0);
    patch = history_patch(&h);
    list = history_list(&h);
    good = agree(input, patch, list);
    if (!good)
        printf("# seed %d\n# input %s\n# patch %s\n# list  %s\n", (int)seed, input, patch, list);
    CU_ASSERT(history_close(&h));
    return good;
}

static void test_random_mixtures(void)
{
    int bad = 0;

    for (uint64_t seed = 1; seed <= 4000 && bad < 3; seed++)
        bad += !random_mixture(seed, seed % 5 == 0 ? TK_MSGPACK : TK_JSON);
    CU_ASSERT_EQUAL(bad, 0);
}

TAP_MAIN("rules_emit", TAP_TEST(test_patches_written_out), TAP_TEST(test_list_keeps_bytes),
         TAP_TEST(test_list_keeps_its_indentation), TAP_TEST(test_random_mixtures))
