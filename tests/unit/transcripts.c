/* SPDX-License-Identifier: Apache-2.0 */
#include "transcripts.h"

#include "engine/edit/emit.h"
#include "providers/anthropic/provider.h"
#include "providers/anthropic/text/move_text.h"
#include "shapes/read.h"
#include "value/compact.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

static const struct tk_read_limits limits = {256, 1 << 20, {11, 12}};

/* Reads a value of any kind: the readers take documents, so it goes into a list. */
static struct tk_val read_value(struct tk_str encoded, enum tk_codec codec, struct tk_arena *arena)
{
    struct tk_str pieces[] = {codec == TK_JSON ? TK_STR("[") : TK_STR("\x91"), encoded,
                              codec == TK_JSON ? TK_STR("]") : TK_STR("")};
    struct tk_str list = tk_arena_concat(arena, pieces, 3);
    struct tk_doc *doc = tk_arena_alloc(arena, sizeof(*doc));
    struct tk_read_error error;

    tk_doc_init(doc, tk_arena_allocator(arena));
    if (tk_doc_read(doc, list.p, list.n, &limits, arena, &error) != 0)
        return TK_NO_VAL;
    return tk_first(tk_root(doc));
}

const char *as_json(struct tk_str encoded, struct tk_arena *arena)
{
    bool packed = encoded.n > 0 && (uint8_t)encoded.p[0] >= 0x80;
    struct tk_val v = read_value(encoded, packed ? TK_MSGPACK : TK_JSON, arena);
    struct tk_out out, compact;
    struct tk_writer w;
    struct tk_str text;

    if (!tk_exists(v))
        return NULL;
    tk_out_init(&out, arena);
    tk_writer_init(&w, TK_JSON, &out);
    tk_write_any(&w, v);
    tk_out_init(&compact, arena);
    tk_compact_json(&compact, read_value(tk_out_join(&out), TK_JSON, arena), NULL);
    tk_out_put(&compact, "", 1);
    text = tk_out_join(&compact);
    return text.p;
}

struct tk_str as_msgpack(const char *json, struct tk_arena *arena)
{
    struct tk_out out;
    struct tk_writer w;

    tk_out_init(&out, arena);
    tk_writer_init(&w, TK_MSGPACK, &out);
    tk_write_any(&w, read_value(tk_str_of(json), TK_JSON, arena));
    return tk_out_join(&out);
}

void history_open(struct history *h, const char *dialect, const struct tk_policy *policy,
                  enum tk_codec codec, const char *messages)
{
    struct tk_str bytes = tk_str_of(messages);
    struct tk_arena *arena = &h->reading.arena;
    int r;

    reading_init(&h->reading);
    if (codec == TK_MSGPACK)
        bytes = as_msgpack(messages, arena);
    r = tk_doc_read(&h->reading.doc, bytes.p, bytes.n, &h->reading.limits, arena,
                    &h->reading.error);
    if (r != 0)
        printf("# %s\n", messages);
    CU_ASSERT_EQUAL_FATAL(r, 0);
    r = tk_transcript_read(&h->t, tk_root(&h->reading.doc), tk_shape_by_name(tk_str_of(dialect)),
                           arena, h->reading.limits.hash_key);
    CU_ASSERT_EQUAL_FATAL(r, 0);
    CU_ASSERT_EQUAL_FATAL(tk_turns(&h->t), 0);
    CU_ASSERT_EQUAL_FATAL(tk_judge_init(&h->judge, &h->t, &tk_provider_anthropic.rules, policy), 0);
    tk_edits_init(&h->edits, &h->judge);
}

bool history_close(struct history *h)
{
    return reading_done(&h->reading);
}

uint32_t history_part(const struct history *h, uint32_t message, uint32_t index)
{
    uint32_t part = h->t.messages[message].first;

    while (index-- > 0 && part != TK_NONE)
        part = h->t.parts[part].next;
    return part;
}

static const char *written(struct history *h, struct tk_out *out)
{
    CU_ASSERT_FALSE(tk_arena_failed(&h->reading.arena));
    return as_json(tk_out_join(out), &h->reading.arena);
}

int history_move(struct history *h, uint32_t part, uint16_t code, uint32_t after)
{
    return tk_edit_move(&h->edits, part, code, h->t.parts[after].message, after);
}

int history_textify_into(struct history *h, uint32_t part, uint16_t code, struct tk_str text,
                         uint32_t message)
{
    uint32_t last = h->t.messages[message].last;

    /* The part itself is removed: then the part before it is the last one. */
    return tk_textify_into(&h->edits, part, code, text, message,
                           last == part ? h->t.parts[part].prev : last);
}

const char *history_list(struct history *h)
{
    struct tk_out out;
    struct tk_writer w;

    tk_out_init(&out, &h->reading.arena);
    tk_writer_init(&w, (enum tk_codec)h->reading.doc.codec, &out);
    tk_emit_list(&w, &h->t);
    return written(h, &out);
}

const char *history_patch(struct history *h)
{
    struct tk_out out;
    struct tk_writer w;

    tk_out_init(&out, &h->reading.arena);
    tk_writer_init(&w, (enum tk_codec)h->reading.doc.codec, &out);
    CU_ASSERT_EQUAL(tk_emit_patch(&w, &h->edits), 0);
    return written(h, &out);
}
