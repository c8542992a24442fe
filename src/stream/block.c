/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/block.h"

#include "shapes/shape.h"
#include "value/unicode.h"

/* ---- what it is ---- */

/* The role of a block by the kind of part that the shape reads it as. */
static const uint8_t roles[] = {
    [TK_PART_TEXT] = TK_STREAM_BLOCK_TEXT,         [TK_PART_THINKING] = TK_STREAM_BLOCK_THINKING,
    [TK_PART_REDACTED] = TK_STREAM_BLOCK_REDACTED, [TK_PART_CALL] = TK_STREAM_BLOCK_CALL,
    [TK_PART_RESULT] = TK_STREAM_BLOCK_RESULT,     [TK_PART_MEDIA] = TK_STREAM_BLOCK_UNKNOWN,
    [TK_PART_OTHER] = TK_STREAM_BLOCK_UNKNOWN,
};

/* Blocks without a pair whose deltas are known. */
static const struct {
    struct tk_str type;
    uint8_t role;
} others[] = {
    {TK_STR_INIT("compaction"), TK_STREAM_BLOCK_COMPACTION},
    {TK_STR_INIT("fallback"), TK_STREAM_BLOCK_FALLBACK},
    {TK_STR_INIT("container_upload"), TK_STREAM_BLOCK_OPAQUE},
};

static bool is_known_call(struct tk_str type)
{
    return tk_str_is(type, "server_tool_use") || tk_str_is(type, "mcp_tool_use");
}

/*
 * Returns a block's role. The shape tells calls and results, as it does in a history; except that
 * a call of an unlisted tool is recognised by its id, so with a blank id it is no call.
 */
static uint8_t role_of(const struct tk_part *p, struct tk_str type, struct tk_str id)
{
    if (tk_is_call(p, false))
        return TK_STREAM_BLOCK_CLIENT_CALL;
    if (tk_is_result(p, false))
        return TK_STREAM_BLOCK_UNKNOWN;
    if (p->kind == TK_PART_CALL && !is_known_call(type) && (!id.p || tk_is_blank(id)))
        return TK_STREAM_BLOCK_UNKNOWN;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (tk_str_eq(type, others[i].type))
            return others[i].role;
    return roles[p->kind];
}

struct tk_block_view tk_block_view(struct tk_val block, struct tk_arena *arena)
{
    struct tk_part part = {
        .doc = block.doc,
        .node = block.node,
        .type = TK_NO_NODE,
        .id = TK_NO_NODE,
        .name = TK_NO_NODE,
        .payload = TK_NO_NODE,
        .caller = TK_NO_NODE,
    };
    struct tk_block_view view;

    tk_shape_anthropic.read_part(&part, NULL, arena);
    view = (struct tk_block_view){
        .type = tk_text(tk_part_val(&part, part.type), arena),
        .id = tk_text(tk_part_val(&part, part.id), arena),
        .name = tk_text(tk_part_val(&part, part.name), arena),
        .caller = tk_part_val(&part, part.caller),
    };
    view.role = role_of(&part, view.type, view.id);
    return view;
}

#define TAKES(delta) (1u << (delta))

static const unsigned taken[TK_STREAM_BLOCK_ROLES] = {
    [TK_STREAM_BLOCK_TEXT] = TAKES(TK_DELTA_TEXT) | TAKES(TK_DELTA_CITATIONS),
    [TK_STREAM_BLOCK_THINKING] = TAKES(TK_DELTA_THINKING) | TAKES(TK_DELTA_SIGNATURE),
    [TK_STREAM_BLOCK_CLIENT_CALL] = TAKES(TK_DELTA_INPUT_JSON),
    [TK_STREAM_BLOCK_CALL] = TAKES(TK_DELTA_INPUT_JSON),
    [TK_STREAM_BLOCK_COMPACTION] = TAKES(TK_DELTA_COMPACTION),
};

bool tk_block_takes(const struct tk_stream_block *b, enum tk_delta_type delta, bool *ret_mismatch)
{
    *ret_mismatch = delta != TK_DELTA_UNKNOWN && b->role != TK_STREAM_BLOCK_UNKNOWN;
    return (taken[b->role] & TAKES(delta)) != 0;
}

struct tk_stream_block *tk_block_add(struct tk_blocks *blocks, struct tk_arena *arena, uint8_t role)
{
    struct tk_stream_block *b;

    if (!TK_GROW(arena, blocks->all, blocks->count, blocks->capacity))
        return NULL;
    b = tk_arena_zalloc(arena, 1, sizeof(*b));
    if (!b)
        return NULL;
    b->at = blocks->count;
    b->operation = TK_NONE;
    b->role = role;
    blocks->all[blocks->count++] = b;
    return b;
}

/* ---- deltas ---- */

/* Returns a value's encoded bytes in a codec; its own bytes if it is in that codec already. */
static struct tk_str encoded_as(enum tk_codec codec, struct tk_val v, struct tk_arena *scratch)
{
    struct tk_encoding e;

    if (v.doc->codec == codec)
        return tk_span(v);
    tk_encode_begin(&e, codec, scratch);
    tk_write_any(&e.w, v);
    return tk_encode_end(&e);
}

/* Returns a string's content as a codec encodes it: escaped in JSON, plain in msgpack. */
static struct tk_str raw_as(enum tk_codec codec, struct tk_val v, struct tk_arena *scratch)
{
    struct tk_str encoded;

    if (v.doc->codec == codec)
        return tk_raw(v);
    if (codec == TK_MSGPACK)
        return tk_text(v, scratch);
    encoded = encoded_as(codec, v, scratch);
    return encoded.p ? (struct tk_str){encoded.p + 1, encoded.n - 2} : encoded;
}

static void fold_text(struct tk_stream_block *b, const struct tk_event *e, struct tk_arena *arena,
                      struct tk_arena *scratch)
{
    struct tk_str raw = raw_as((enum tk_codec)b->start.codec, e->payload, scratch);

    b->added->text_came = true;
    b->has_text = b->has_text || raw.n > 0;
    tk_pieces_put(&b->added->text, arena, raw);
}

static void fold_input(struct tk_stream_block *b, const struct tk_event *e, struct tk_arena *arena,
                       struct tk_arena *scratch)
{
    tk_pieces_put(&b->added->text, arena, tk_text(e->payload, scratch));
}

static void fold_citation(struct tk_stream_block *b, const struct tk_event *e,
                          struct tk_arena *arena, struct tk_arena *scratch)
{
    struct tk_added *added = b->added;

    if (added->listed++ > 0 && b->start.codec == TK_JSON)
        tk_pieces_put(&added->list, arena, TK_STR(","));
    tk_pieces_put(&added->list, arena,
                  encoded_as((enum tk_codec)b->start.codec, e->payload, scratch));
}

static void fold_signature(struct tk_stream_block *b, const struct tk_event *e,
                           struct tk_arena *arena, struct tk_arena *scratch)
{
    (void)scratch;
    b->added->last = tk_keep(arena, e->payload);
}

static void fold_compaction(struct tk_stream_block *b, const struct tk_event *e,
                            struct tk_arena *arena, struct tk_arena *scratch)
{
    if (tk_is(e->payload, TK_STRING))
        fold_text(b, e, arena, scratch);
    if (tk_exists(e->encrypted))
        b->added->last = tk_keep(arena, e->encrypted);
}

static void (*const folds[TK_DELTA_TYPES])(struct tk_stream_block *b, const struct tk_event *e,
                                           struct tk_arena *arena, struct tk_arena *scratch) = {
    [TK_DELTA_TEXT] = fold_text,        [TK_DELTA_CITATIONS] = fold_citation,
    [TK_DELTA_THINKING] = fold_text,    [TK_DELTA_SIGNATURE] = fold_signature,
    [TK_DELTA_INPUT_JSON] = fold_input, [TK_DELTA_COMPACTION] = fold_compaction,
};

void tk_block_fold(struct tk_stream_block *b, const struct tk_event *e, struct tk_arena *arena,
                   struct tk_arena *scratch)
{
    if (!b->added)
        b->added = tk_arena_zalloc(arena, 1, sizeof(*b->added));
    if (b->added)
        folds[e->delta](b, e, arena, scratch);
}
