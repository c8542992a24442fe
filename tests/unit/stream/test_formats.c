/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stream formats of all providers that have one: tables and functions agree with each other, so
 * that events which a stream makes itself are read as what they are meant to be.
 */
#include "../documents.h"
#include "../tap.h"
#include "providers/provider.h"
#include "providers/registry.h"
#include "stream/block_format.h"
#include "value/writer.h"

#include <stdio.h>

static const struct {
    const char *name;
    enum tk_provider_id id;
} streamed[] = {
#define ROW(id, name) {name, TK_PROVIDER_##id},
    TK_STREAMED_PROVIDERS(ROW)
#undef ROW
};

#define COUNT (sizeof(streamed) / sizeof(streamed[0]))

/* Loops over the formats of blocks. */
#define EACH_OF_BLOCKS(i, f)                                                                       \
    for (size_t i = 0; i < COUNT; i++)                                                             \
        for (const struct tk_block_format *f = tk_providers[streamed[i].id]->stream->blocks; f;    \
             f = NULL)

static enum tk_event_type type_of(const struct tk_block_format *format, struct tk_str json)
{
    struct tk_event event = {.type = TK_EVENT_UNKNOWN};
    struct reading r;

    reading_init(&r);
    CU_ASSERT_EQUAL_FATAL(reading_json(&r, json), 0);
    CU_ASSERT_EQUAL(format->read_event(tk_root(&r.doc), &r.arena, &event), 0);
    CU_ASSERT_TRUE(
        tk_str_eq(event.type_text, tk_text(tk_get(tk_root(&r.doc), TK_STR("type")), &r.arena)));
    CU_ASSERT_EQUAL(format->event_type(event.type_text), event.type);
    CU_ASSERT_TRUE(reading_done(&r));
    return event.type;
}

static void test_rows(void)
{
    for (size_t i = 0; i < COUNT; i++) {
        const struct tk_provider *p = tk_providers[streamed[i].id];

        CU_ASSERT_STRING_EQUAL(p->name, streamed[i].name);
        CU_ASSERT_PTR_NOT_NULL_FATAL(p->stream);
        CU_ASSERT_PTR_NOT_NULL(
            p->rules.checks); /* a stream carries in what the rules find in flight */
    }
}

static void test_made_events(void)
{
    EACH_OF_BLOCKS(i, f)
    {
        struct tk_encoding e;
        struct reading r;

        CU_ASSERT_EQUAL(type_of(f, f->ping), TK_EVENT_PING);
        CU_ASSERT_EQUAL(type_of(f, f->message_stop), TK_EVENT_MESSAGE_STOP);
        reading_init(&r);
        CU_ASSERT_EQUAL_FATAL(reading_json(&r, TK_STR("{\"id\":\"a\"}")), 0);
        tk_encode_begin(&e, TK_JSON, &r.arena);
        f->write_start(&e.w, tk_root(&r.doc));
        CU_ASSERT_EQUAL(type_of(f, tk_encode_end(&e)), TK_EVENT_MESSAGE_START);
        tk_encode_begin(&e, TK_JSON, &r.arena);
        f->write_error_event(&e.w, true, TK_STR("text"));
        CU_ASSERT_EQUAL(type_of(f, tk_encode_end(&e)), TK_EVENT_ERROR);
        CU_ASSERT_FALSE(f->is_error(tk_root(&r.doc)));
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

/* An error that a stream makes is retryable for the reader of its events, too. */
static void test_made_errors(void)
{
    EACH_OF_BLOCKS(i, f)
    {
        for (int retryable = 0; retryable < 2; retryable++) {
            const struct tk_str *known = f->transient_errors;
            struct tk_stream_error_view view;
            struct tk_event event;
            struct tk_encoding e;
            struct reading r;

            reading_init(&r);
            tk_encode_begin(&e, TK_JSON, &r.arena);
            f->write_error_event(&e.w, retryable, TK_STR("why"));
            CU_ASSERT_EQUAL_FATAL(reading_json(&r, tk_encode_end(&e)), 0);
            CU_ASSERT_EQUAL(f->read_event(tk_root(&r.doc), &r.arena, &event), 0);
            CU_ASSERT_TRUE(f->is_error(tk_root(&r.doc)));
            f->read_error(&event, &view);
            CU_ASSERT_TRUE(tk_text_is(view.message, TK_STR("why")));
            while (known->p && !tk_text_is(view.type, *known))
                known++;
            CU_ASSERT_EQUAL(known->p != NULL, retryable);
            CU_ASSERT_TRUE(reading_done(&r));
        }
    }
}

static void test_tables(void)
{
    EACH_OF_BLOCKS(i, f)
    {
        unsigned excuses = 0;

        for (const struct tk_stop_reason *row = f->stop_reasons; row->name.p; row++) {
            CU_ASSERT(row->reason > TK_FINISH_UNKNOWN && row->reason < TK_FINISH_REASONS);
            excuses += row->excuse != TK_EXCUSE_NEVER;
        }
        CU_ASSERT(excuses > 0);
        for (size_t k = 0; k < TK_TOKENS; k++)
            CU_ASSERT_PTR_NOT_NULL(f->counters[k].p);
        CU_ASSERT_PTR_NOT_NULL(f->members[TK_STREAM_BLOCK_TEXT].text.p);
        CU_ASSERT_PTR_NOT_NULL(f->members[TK_STREAM_BLOCK_CALL].input.p);
        CU_ASSERT_PTR_NOT_NULL(f->members[TK_STREAM_BLOCK_CLIENT_CALL].input.p);
        CU_ASSERT(f->sealed_size > 0);
    }
}

TAP_MAIN("stream_formats", TAP_TEST(test_rows), TAP_TEST(test_made_events),
         TAP_TEST(test_made_errors), TAP_TEST(test_tables))
