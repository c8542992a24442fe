/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a whole response of Converse: feeds the events that it would have streamed as. */
#include "providers/bedrock/stream/converse.h"
#include "stream/stream.h"
#include "value/compact.h"

/* ---- one event ---- */

/* Begins the event of a block. */
static struct tk_writer *begin(struct tk_stream_turn *t, struct tk_encoding *e, const char *event,
                               uint32_t index)
{
    tk_encode_begin(e, TK_JSON, t->arena);
    tk_write_map(&e->w);
    tk_write_key(&e->w, event);
    tk_write_map(&e->w);
    tk_write_kv_int(&e->w, "contentBlockIndex", index);
    return &e->w;
}

static int feed(struct tk_stream_turn *t, struct tk_encoding *e)
{
    tk_write_end(&e->w);
    tk_write_end(&e->w);
    return tk_turn_feed(t, tk_encode_end(e));
}

static void put(struct tk_writer *w, const char *key, struct tk_val v)
{
    tk_write_key(w, key);
    tk_write_any(w, v);
}

/* Feeds a delta with one value. within: the member that the value is a member of; NULL: of `delta`. */
static int delta(struct tk_stream_turn *t, uint32_t index, const char *within, const char *member,
                 struct tk_val v)
{
    struct tk_encoding e;
    struct tk_writer *w;

    if (!tk_exists(v))
        return 0;
    w = begin(t, &e, "contentBlockDelta", index);
    tk_write_key(w, "delta");
    tk_write_map(w);
    if (within) {
        tk_write_key(w, within);
        tk_write_map(w);
    }
    put(w, member, v);
    if (within)
        tk_write_end(w);
    tk_write_end(w);
    return feed(t, &e);
}

/* Feeds the start of a block with the members of its value, but for one. */
static int start(struct tk_stream_turn *t, uint32_t index, const char *member, struct tk_val v,
                 const char *but)
{
    struct tk_encoding e;
    struct tk_writer *w = begin(t, &e, "contentBlockStart", index);
    const struct tk_str name = tk_str_of(but);

    tk_write_key(w, "start");
    tk_write_map(w);
    tk_write_key(w, member);
    tk_write_map(w);
    tk_turn_write_others(t, v, &name, 1, w);
    tk_write_end(w);
    tk_write_end(w);
    return feed(t, &e);
}

/* ---- one function a kind of block ---- */

static int feed_text(struct tk_stream_turn *t, uint32_t index, struct tk_val v)
{
    return delta(t, index, NULL, "text", v);
}

static int feed_reasoning(struct tk_stream_turn *t, uint32_t index, struct tk_val v)
{
    struct tk_val text = tk_get(v, TK_STR("reasoningText"));
    int r = delta(t, index, "reasoningContent", "text", tk_get(text, TK_STR("text")));

    if (r == 0)
        r = delta(t, index, "reasoningContent", "signature", tk_get(text, TK_STR("signature")));
    if (r == 0)
        r = delta(t, index, "reasoningContent", "redactedContent",
                  tk_get(v, TK_STR("redactedContent")));
    return r;
}

static int feed_citations(struct tk_stream_turn *t, uint32_t index, struct tk_val v)
{
    struct tk_val texts = tk_get(v, TK_STR("content")), list = tk_get(v, TK_STR("citations"));
    int r = 0;

    for (struct tk_val e = tk_first(texts); tk_exists(e) && r == 0; e = tk_after(texts, e))
        r = delta(t, index, NULL, "text", tk_get(e, TK_STR("text")));
    for (struct tk_val e = tk_first(list); tk_exists(e) && r == 0; e = tk_after(list, e))
        r = delta(t, index, NULL, "citation", e);
    return r;
}

static int feed_call(struct tk_stream_turn *t, uint32_t index, struct tk_val v)
{
    struct tk_val input = tk_get(v, TK_STR("input"));
    int r = start(t, index, "toolUse", v, "input");
    struct tk_encoding e;
    struct tk_writer *w;
    struct tk_out text;

    if (r != 0 || !tk_exists(input))
        return r;
    tk_out_init(&text, t->arena);
    tk_compact_json(&text, input, NULL);
    w = begin(t, &e, "contentBlockDelta", index);
    tk_write_key(w, "delta");
    tk_write_map(w);
    tk_write_key(w, "toolUse");
    tk_write_map(w);
    tk_write_kv_str(w, "input", tk_out_join(&text));
    tk_write_end(w);
    tk_write_end(w);
    return feed(t, &e);
}

static int feed_result(struct tk_stream_turn *t, uint32_t index, struct tk_val v)
{
    int r = start(t, index, "toolResult", v, "content");

    return r == 0 ? delta(t, index, NULL, "toolResult", tk_get(v, TK_STR("content"))) : r;
}

/* One row a member of a block; others are started with all that they have. */
static const struct {
    struct tk_str member;
    int (*feed)(struct tk_stream_turn *t, uint32_t index, struct tk_val v);
} blocks[] = {
    {TK_STR_INIT("text"), feed_text},
    {TK_STR_INIT("reasoningContent"), feed_reasoning},
    {TK_STR_INIT("toolUse"), feed_call},
    {TK_STR_INIT("toolResult"), feed_result},
    {TK_STR_INIT("citationsContent"), feed_citations},
};
#define BLOCKS (sizeof(blocks) / sizeof(blocks[0]))

static int feed_other(struct tk_stream_turn *t, uint32_t index, struct tk_val block)
{
    struct tk_encoding e;

    put(begin(t, &e, "contentBlockStart", index), "start", block);
    return feed(t, &e);
}

static int feed_block(struct tk_stream_turn *t, uint32_t index, struct tk_val block)
{
    struct tk_val v = tk_first(block);
    struct tk_encoding e;
    size_t row = 0;
    int r;

    while (row < BLOCKS && !(tk_exists(v) && tk_key_is(v, blocks[row].member)))
        row++;
    r = row < BLOCKS ? blocks[row].feed(t, index, v) : feed_other(t, index, block);
    if (r != 0)
        return r;
    begin(t, &e, "contentBlockStop", index);
    return feed(t, &e);
}

/* ---- the response ---- */

/* Feeds an event with members of the response. */
static int feed_members(struct tk_stream_turn *t, const char *event, struct tk_val response,
                        const char *const *names)
{
    struct tk_encoding e;

    tk_encode_begin(&e, TK_JSON, t->arena);
    tk_write_map(&e.w);
    tk_write_key(&e.w, event);
    tk_write_map(&e.w);
    for (; *names; names++) {
        struct tk_val v = tk_get(response, tk_str_of(*names));

        if (tk_exists(v))
            put(&e.w, *names, v);
    }
    return feed(t, &e);
}

int tk_converse_read_response(struct tk_stream_turn *t, struct tk_val response)
{
    static const char *const of_start[] = {"role", NULL};
    static const char *const of_stop[] = {"stopReason", "additionalModelResponseFields", NULL};
    static const char *const of_metadata[] = {
        "usage", "metrics", "trace", "performanceConfig", "serviceTier", NULL};
    struct tk_val message = tk_get(tk_get(response, TK_STR("output")), TK_STR("message"));
    struct tk_val content = tk_get(message, TK_STR("content"));
    uint32_t index = 0;
    int r;

    if (!tk_is(content, TK_ARRAY))
        return TK_STREAM_NO_RESPONSE;
    r = feed_members(t, "messageStart", message, of_start);
    for (struct tk_val v = tk_first(content); tk_exists(v) && r == 0; v = tk_after(content, v))
        r = feed_block(t, index++, v);
    if (r == 0)
        r = feed_members(t, "messageStop", response, of_stop);
    return r == 0 ? feed_members(t, "metadata", response, of_metadata) : r;
}
