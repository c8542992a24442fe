/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A delta is taken for a repetition only if the reader would make the same of it, node by node and
 * member by member; one that the reader would refuse isn't taken.
 */
#include "../documents.h"
#include "../tap.h"
#include "providers/anthropic/stream/format.h"
#include "stream/repeat.h"

#define EVENT(head, text)                                                                          \
    "{\"type\":\"content_block_delta\",\"index\":12,\"delta\":{" head text "\"}}"
#define TEXT_HEAD "\"type\":\"text_delta\",\"text\":\""
#define JSON_HEAD "\"type\":\"input_json_delta\",\"partial_json\":\""

/* An event and what reads it. */
struct source {
    struct reading r;
    struct tk_event event;
};

static bool read_whole(struct source *s, struct tk_str data)
{
    return reading_json(&s->r, data) == 0 && tk_is(tk_root(&s->r.doc), TK_OBJECT) &&
           tk_anthropic_stream.blocks->read_event(tk_root(&s->r.doc), &s->r.arena, &s->event) == 0;
}

static bool same_node(const struct tk_node *a, const struct tk_node *b)
{
    return a->off == b->off && a->len == b->len && a->next == b->next && a->key == b->key &&
           a->key_len == b->key_len && a->kind == b->kind && a->flags == b->flags;
}

static bool same_doc(const struct tk_doc *a, const struct tk_doc *b)
{
    bool same = a->base == b->base && a->size == b->size && a->count == b->count &&
                a->codec == b->codec && a->has_surrogate == b->has_surrogate &&
                a->foreign == b->foreign;

    for (uint32_t i = 0; i < a->count && same; i++)
        same = same_node(&a->nodes[i], &b->nodes[i]);
    return same;
}

static bool same_event(const struct tk_event *a, const struct tk_event *b)
{
    return a->type == b->type && a->root.node == b->root.node && a->at == b->at &&
           a->body.node == b->body.node && a->delta == b->delta &&
           a->payload.node == b->payload.node && a->latest.node == b->latest.node &&
           a->type_text.p == b->type_text.p && a->type_text.n == b->type_text.n &&
           tk_str_eq(a->delta_text, b->delta_text);
}

struct trial {
    struct tk_repeat repeat;
    struct source first, whole;
    unsigned taken, refused;
};

static void begin(struct trial *t, const char *first)
{
    *t = (struct trial){.taken = 0};
    reading_init(&t->first.r);
    reading_init(&t->whole.r);
    CU_ASSERT_TRUE_FATAL(read_whole(&t->first, tk_str_of(first)));
    tk_repeat_learn(&t->repeat, &t->first.event, tk_str_of(first));
}

static void end(struct trial *t)
{
    CU_ASSERT_TRUE(reading_done(&t->first.r));
    CU_ASSERT_TRUE(reading_done(&t->whole.r));
}

/* Taken for a repetition or not: if so, rightly. */
static bool try(struct trial *t, struct tk_str data)
{
    struct tk_event event;
    bool taken = tk_repeat_read(&t->repeat, &t->first.r.doc, data, &event);

    t->taken += taken;
    t->refused += !taken;
    if (!taken)
        return false;
    CU_ASSERT_TRUE_FATAL(read_whole(&t->whole, data));
    CU_ASSERT(same_doc(&t->first.r.doc, &t->whole.r.doc));
    CU_ASSERT(same_event(&event, &t->whole.event));
    CU_ASSERT_PTR_EQUAL(event.root.doc, &t->first.r.doc);
    return true;
}

static void test_texts(void)
{
    static const struct {
        const char *data;
        bool taken;
    } rows[] = {
        {EVENT(TEXT_HEAD, "another text"), true},
        {EVENT(TEXT_HEAD, ""), true},
        {EVENT(TEXT_HEAD, "\\n \\\" \\\\ \\/ \\b\\f\\r\\t"), true},
        {EVENT(TEXT_HEAD, "\xC3\xA9 \xF0\x9F\x98\x80 \x7F"), true},
        {EVENT(TEXT_HEAD, "a\"},\"x\":{\"y\":\"b"), false},
        {EVENT(TEXT_HEAD, "\\u00e9"), false}, /* good, but the reader's */
        {EVENT(TEXT_HEAD, "\\ud800"), false},
        {EVENT(TEXT_HEAD, "\\x"), false},
        {EVENT(TEXT_HEAD, "\\"), false},
        {EVENT(TEXT_HEAD, "\x01"), false},
        {EVENT(TEXT_HEAD, "\n"), false},
        {EVENT(TEXT_HEAD, "\xC3"), false},
        {EVENT(TEXT_HEAD, "\xED\xA0\x80"), false},
        {EVENT(JSON_HEAD, "x"), false},
        {EVENT(TEXT_HEAD, "x") " ", false},
        {"", false},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct trial t;

        begin(&t, EVENT(TEXT_HEAD, "a first text"));
        if (try(&t, tk_str_of(rows[i].data)) != rows[i].taken)
            printf("# %s\n", rows[i].data);
        CU_ASSERT_EQUAL(t.taken, rows[i].taken);
        end(&t);
    }
}

/* Each byte of an event replaced by each other, left out, and doubled. */
static void test_every_byte(void)
{
    static const char data[] = EVENT(JSON_HEAD, "{\\\"q\\\": \xC3\xA9 1}");
    size_t n = sizeof(data) - 1;
    char other[sizeof(data) + 1];
    struct trial t;

    begin(&t, EVENT(JSON_HEAD, ""));
    for (size_t i = 0; i < n; i++) {
        for (int byte = 0; byte < 256; byte++) {
            memcpy(other, data, n);
            other[i] = (char)byte;
            try(&t, (struct tk_str){other, n});
        }
        memmove(other + i, data + i + 1, n - i - 1);
        try(&t, (struct tk_str){other, n - 1});
        memcpy(other, data, i + 1);
        memcpy(other + i + 1, data + i, n - i);
        try(&t, (struct tk_str){other, n + 1});
        try(&t, (struct tk_str){data, i});
    }
    CU_ASSERT(t.taken > 500 && t.refused > 5000);
    end(&t);
}

/* Events that aren't remembered, or not as something that repeats. */
static void test_what_is_not_remembered(void)
{
    static const char *const events[] = {
        "{\"type\":\"content_block_stop\",\"index\":0}",
        " " EVENT(TEXT_HEAD, "x"),
        EVENT(TEXT_HEAD, "x") " ",
        "{\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"},\"type\":"
        "\"content_block_delta\"}",
        "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"citations_delta\","
        "\"citation\":{}}}",
        "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"compaction_delta\","
        "\"content\":\"x\",\"encrypted_content\":null}}",
        "{\"t\\u0079pe\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\","
        "\"text\":\"x\"}}",
        "{\"type\":\"content_block_delta\",\"a\":1,\"b\":2,\"c\":3,\"index\":0,\"delta\":{\"type\":"
        "\"text_delta\",\"text\":\"x\"}}",
        "{\"type\":\"content_block_delta\",\"a very long name of a member that comes from nowhere, "
        "and more of it\":1,\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"x\"}}",
    };

    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        struct trial t;

        begin(&t, events[i]);
        try(&t, tk_str_of(events[i]));
        if (t.taken > 0)
            printf("# %s\n", events[i]);
        CU_ASSERT_EQUAL(t.taken, 0);
        end(&t);
    }
}

/* Members that every delta of somebody's has are no hindrance. */
static void test_what_is_remembered(void)
{
    static const char *const events[] = {
        "{\"index\":0,\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":"
        "\"x\"}}",
        "{\"type\":\"content_block_delta\",\"usage\":{},\"index\":3,\"delta\":{\"type\":"
        "\"thinking_delta\",\"thinking\":\"x\"}}",
        "{\"type\":\"content_block_delta\",\"index\":3,\"delta\":{\"type\":\"compaction_delta\","
        "\"encrypted_content\":\"e\",\"content\":\"x\"}}",
    };

    for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        struct trial t;

        begin(&t, events[i]);
        CU_ASSERT_TRUE(try(&t, tk_str_of(events[i])));
        end(&t);
    }
}

TAP_MAIN("repeat", TAP_TEST(test_texts), TAP_TEST(test_every_byte),
         TAP_TEST(test_what_is_not_remembered), TAP_TEST(test_what_is_remembered))
