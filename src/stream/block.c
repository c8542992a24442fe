/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/block.h"

#define TAKES(delta) (1u << (delta))

static const unsigned taken[TK_STREAM_BLOCK_ROLES] = {
    [TK_STREAM_BLOCK_TEXT] = TAKES(TK_DELTA_TEXT) | TAKES(TK_DELTA_CITATION),
    [TK_STREAM_BLOCK_REASONING] = TAKES(TK_DELTA_REASONING) | TAKES(TK_DELTA_SIGNATURE),
    [TK_STREAM_BLOCK_CLIENT_CALL] = TAKES(TK_DELTA_INPUT),
    [TK_STREAM_BLOCK_CALL] = TAKES(TK_DELTA_INPUT),
    [TK_STREAM_BLOCK_SUMMARY] = TAKES(TK_DELTA_SUMMARY),
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
    b->added->latest = tk_keep(arena, e->payload);
}

static void fold_summary(struct tk_stream_block *b, const struct tk_event *e,
                         struct tk_arena *arena, struct tk_arena *scratch)
{
    if (tk_is(e->payload, TK_STRING))
        fold_text(b, e, arena, scratch);
    if (tk_exists(e->latest))
        b->added->latest = tk_keep(arena, e->latest);
}

static void (*const folds[TK_DELTA_TYPES])(struct tk_stream_block *b, const struct tk_event *e,
                                           struct tk_arena *arena, struct tk_arena *scratch) = {
    [TK_DELTA_TEXT] = fold_text,      [TK_DELTA_CITATION] = fold_citation,
    [TK_DELTA_REASONING] = fold_text, [TK_DELTA_SIGNATURE] = fold_signature,
    [TK_DELTA_INPUT] = fold_input,    [TK_DELTA_SUMMARY] = fold_summary,
};

void tk_block_fold(struct tk_stream_block *b, const struct tk_event *e, struct tk_arena *arena,
                   struct tk_arena *scratch)
{
    if (!b->added)
        b->added = tk_arena_zalloc(arena, 1, sizeof(*b->added));
    if (b->added)
        folds[e->delta](b, e, arena, scratch);
}
