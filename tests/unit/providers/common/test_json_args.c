/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of calls: strings that contain an object, and objects for values that aren't one. */
#include "../../tap.h"
#include "../../transcripts.h"
#include "providers/common/json_args.h"

#include <stdlib.h>

/*
 * A string's text as JSON spells it; if it is the text of an object; the object that it makes in a
 * history, "": none; the text in the place of one that isn't an object's.
 */
static const struct {
    const char *text;
    bool is_object;
    const char *object, *instead;
} rows[] = {
    {"{}", true, "{}", NULL},
    {" \\n{ \\\"a\\\" : 1 }\\t", true, "{\"a\":1}", NULL},
    {"{\\\"a\\\":{\\\"b\\\":[1,2]}}", true, "{\"a\":{\"b\":[1,2]}}", NULL},
    {"{\\\"a\\\":1,\\\"a\\\":2}", true, "", NULL},
    {"{\\\"a\\\":{\\\"b\\\":1,\\\"c\\\":2,\\\"b\\\":3}}", true, "", NULL},
    {"{\\\"a\\\":1,\\\"a\\\":2", false, "", "{\"rawInvalidInput\":\"{\\\"a\\\":1,\\\"a\\\":2\"}"},
    {"{\\\"a\\\":\\\"\\\\ud800\\\"}", true, "", NULL},
    {"{\\\"a\\\":", false, "", "{\"rawInvalidInput\":\"{\\\"a\\\":\"}"},
    {"{} {}", false, "", "{\"rawInvalidInput\":\"{} {}\"}"},
    {"[1]", false, "", "{\"rawInvalidInput\":\"[1]\"}"},
    {"null", false, "", "{\"rawInvalidInput\":\"null\"}"},
    {"\\\"{}\\\"", false, "", "{\"rawInvalidInput\":\"\\\"{}\\\"\"}"},
    {"", false, "", "{}"},
    {" \\u2003\\n", false, "", "{}"},
    {"\\u00a0{}", false, "", "{\"rawInvalidInput\":\"\xc2\xa0{}\"}"},
};

/* Opens a history whose one text is the string; *ret_json is freed after the history is closed. */
static struct tk_val text_of(struct history *h, enum tk_codec codec, const char *spelled,
                             char **ret_json)
{
    char *json = *ret_json = malloc(strlen(spelled) + 100);

    sprintf(json, "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"%s\"}]}]",
            spelled);
    history_open(h, "anthropic", NULL, codec, json);
    return tk_get(tk_part_val(&h->t.parts[0], h->t.parts[0].node), TK_STR("text"));
}

static bool is(struct tk_str text, const char *want)
{
    if (tk_str_is(text, want))
        return true;
    printf("# %.*s, want %s\n", (int)text.n, text.p ? text.p : "", want);
    return false;
}

static void check(enum tk_codec codec, size_t row)
{
    struct history h;
    char *json;
    struct tk_val v = text_of(&h, codec, rows[row].text, &json);
    struct tk_str object;
    struct tk_doc tape;

    tk_doc_init(&tape, tk_arena_allocator(h.t.arena));
    CU_ASSERT_EQUAL(tk_is_json_object(v, &tape, &h.t), rows[row].is_object);
    object = tk_object_of_text(v, &tape, &h.t);
    CU_ASSERT_EQUAL(object.p != NULL, rows[row].object[0] != '\0');
    if (object.p)
        CU_ASSERT(is(tk_str_of(as_json(object, h.t.arena)), rows[row].object));
    if (rows[row].instead)
        CU_ASSERT(is(tk_object_text_for(v, h.t.arena), rows[row].instead));
    CU_ASSERT(history_close(&h));
    free(json);
}

static void test_texts_of_objects(void)
{
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        check(TK_JSON, i);
        if (!strstr(rows[i].text, "ud800"))
            check(TK_MSGPACK, i);
    }
}

/* Returns objects in objects, with as many brackets at the end; the caller frees it. */
static char *nested(size_t depth, size_t closed)
{
    static const char open[] = "{\\\"a\\\":";
    size_t n = sizeof(open) - 1;
    char *text = calloc(1, n * depth + closed + 2);

    for (size_t i = 0; i < depth; i++)
        memcpy(text + n * i, open, n);
    text[n * depth] = '1';
    memset(text + n * depth + 1, '}', closed);
    return text;
}

/* A text that a server reads may be nested deeper than a history can be. */
static void test_deep_objects(void)
{
    static const struct {
        size_t depth, closed;
        bool is_object, in_history;
    } deep[] = {
        {256, 256, true, true},
        {257, 257, true, false},
        {5000, 5000, true, false},
        {5000, 4999, false, false},
    };

    for (size_t i = 0; i < sizeof(deep) / sizeof(deep[0]); i++) {
        char *text = nested(deep[i].depth, deep[i].closed), *json;
        struct history h;
        struct tk_val v = text_of(&h, TK_JSON, text, &json);
        struct tk_doc tape;

        tk_doc_init(&tape, tk_arena_allocator(h.t.arena));
        CU_ASSERT_EQUAL(tk_is_json_object(v, &tape, &h.t), deep[i].is_object);
        CU_ASSERT_EQUAL(tk_object_of_text(v, &tape, &h.t).p != NULL, deep[i].in_history);
        CU_ASSERT(history_close(&h));
        free(text);
        free(json);
    }
}

/* Values in the place of an input, in the request's codec. */
static void test_objects_for_values(void)
{
    static const struct {
        const char *value, *object;
    } values[] = {
        {"null", "{}"},
        {"7", "{\"rawInvalidInput\":7}"},
        {"[{\"a\":1}]", "{\"rawInvalidInput\":[{\"a\":1}]}"},
        {"\"{\\\"a\\\":1}\"", "{\"a\":1}"},
        {"\"{\\\"a\\\"\"", "{\"rawInvalidInput\":\"{\\\"a\\\"\"}"},
        {"\"\"", "{\"rawInvalidInput\":\"\"}"},
    };

    for (size_t i = 0; i < 2 * sizeof(values) / sizeof(values[0]); i++) {
        const char *value = values[i / 2].value;
        struct history h;
        struct tk_doc tape;
        char json[200];
        struct tk_val part;

        sprintf(json, "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"x\":%s}]}]", value);
        history_open(&h, "anthropic", NULL, i % 2 ? TK_MSGPACK : TK_JSON, json);
        tk_doc_init(&tape, tk_arena_allocator(h.t.arena));
        part = tk_part_val(&h.t.parts[0], h.t.parts[0].node);
        CU_ASSERT(
            is(tk_str_of(as_json(tk_object_for(tk_get(part, TK_STR("x")), &tape, &h.t), h.t.arena)),
               values[i / 2].object));
        CU_ASSERT(is(tk_str_of(as_json(tk_object_for(TK_NO_VAL, &tape, &h.t), h.t.arena)), "{}"));
        CU_ASSERT(history_close(&h));
    }
}

TAP_MAIN("json_args", TAP_TEST(test_texts_of_objects), TAP_TEST(test_deep_objects),
         TAP_TEST(test_objects_for_values))
