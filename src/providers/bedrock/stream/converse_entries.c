/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the message that the blocks of a stream add up to. */
#include "providers/bedrock/stream/converse.h"
#include "value/base64.h"

struct tk_str tk_converse_redacted(struct tk_stream_turn *t, const struct tk_converse_block *b)
{
    return tk_base64_encode(tk_pieces_join(&b->bytes, t->arena, TK_STR(""), TK_STR("")), t->arena);
}

/* Writes the list that deltas added to. */
static void write_list(struct tk_stream_turn *t, const struct tk_converse_block *b,
                       struct tk_writer *w)
{
    const struct tk_kept list = {tk_pieces_join(&b->list, t->arena, TK_STR("["), TK_STR("]")),
                                 TK_JSON};

    tk_turn_write_kept(t, &list, w);
}

/* ---- one function a kind of block, which writes the value of its member ---- */

static void write_text(struct tk_stream_turn *t, const struct tk_converse_block *b,
                       struct tk_writer *w)
{
    if (b->listed == 0) {
        tk_write_key(w, "text");
        tk_text_write(t, &b->part.text, w);
        return;
    }
    tk_write_key(w, "citationsContent");
    tk_write_map(w);
    tk_write_key(w, "content");
    tk_write_list(w);
    if (!tk_text_is_empty(&b->part.text)) {
        tk_write_map(w);
        tk_write_key(w, "text");
        tk_text_write(t, &b->part.text, w);
        tk_write_end(w);
    }
    tk_write_end(w);
    tk_write_key(w, "citations");
    write_list(t, b, w);
    tk_write_end(w);
}

static void write_reasoning(struct tk_stream_turn *t, const struct tk_converse_block *b,
                            struct tk_writer *w)
{
    tk_write_key(w, "reasoningContent");
    tk_write_map(w);
    if (b->bytes.n > 0) {
        tk_write_kv_str(w, "redactedContent", tk_converse_redacted(t, b));
    } else {
        tk_write_key(w, "reasoningText");
        tk_write_map(w);
        tk_write_key(w, "text");
        tk_text_write(t, &b->part.text, w);
        if (!tk_text_is_empty(&b->signature)) {
            tk_write_key(w, "signature");
            tk_text_write(t, &b->signature, w);
        }
        tk_write_end(w);
    }
    tk_write_end(w);
}

/* Writes the members of a start, but for one that something else replaces. */
static void write_start(struct tk_stream_turn *t, const struct tk_converse_block *b,
                        const char *but, struct tk_writer *w)
{
    const struct tk_str name = tk_str_of(but);

    tk_turn_write_others(t, tk_turn_read_kept(t, &b->part.start), &name, 1, w);
}

/* The id of a call may be a made one, which its start lacks. */
static bool lacks_id(struct tk_stream_turn *t, const struct tk_converse_block *b)
{
    struct tk_val v = tk_turn_read_kept(t, &b->part.start);

    return !tk_text_is(tk_get(v, TK_STR("toolUseId")), b->part.id);
}

static void write_call(struct tk_stream_turn *t, const struct tk_converse_block *b,
                       struct tk_writer *w)
{
    tk_write_key(w, "toolUse");
    tk_write_map(w);
    if (lacks_id(t, b))
        tk_write_kv_str(w, "toolUseId", b->part.id);
    write_start(t, b, lacks_id(t, b) ? "toolUseId" : "input", w);
    tk_write_key(w, "input");
    if (b->part.raw.p) {
        tk_write_map(w);
        tk_write_kv_str(w, "rawInvalidInput", b->part.raw);
        tk_write_end(w);
    } else {
        tk_turn_write_kept(t, &b->part.input, w);
    }
    tk_write_end(w);
}

static void write_result(struct tk_stream_turn *t, const struct tk_converse_block *b,
                         struct tk_writer *w)
{
    tk_write_key(w, "toolResult");
    tk_write_map(w);
    write_start(t, b, "content", w);
    tk_write_key(w, "content");
    write_list(t, b, w);
    tk_write_end(w);
}

static void write_other(struct tk_stream_turn *t, const struct tk_converse_block *b,
                        struct tk_writer *w)
{
    tk_write_key_str(w, b->member);
    if (!tk_is_kept(&b->added)) {
        tk_turn_write_kept(t, &b->part.start, w);
        return;
    }
    tk_write_map(w);
    tk_turn_write_members(t, &b->part.start, w);
    tk_turn_write_members(t, &b->added, w);
    tk_write_end(w);
}

static void (*const writers[])(struct tk_stream_turn *t, const struct tk_converse_block *b,
                               struct tk_writer *w) = {
    [TK_CONVERSE_TEXT] = write_text,     [TK_CONVERSE_REASONING] = write_reasoning,
    [TK_CONVERSE_TOOL_USE] = write_call, [TK_CONVERSE_TOOL_RESULT] = write_result,
    [TK_CONVERSE_OTHER] = write_other,
};

void tk_converse_write_block(struct tk_stream_turn *t, const struct tk_converse_block *b,
                             struct tk_writer *w)
{
    tk_write_map(w);
    writers[b->kind](t, b, w);
    tk_write_end(w);
}

/* ---- the message ---- */

static bool is_left(const struct tk_turn_part *part)
{
    const struct tk_converse_block *b = (const struct tk_converse_block *)part;

    if (part->held != TK_HELD_NOT)
        return false;
    return b->kind != TK_CONVERSE_TEXT || b->listed > 0 || !tk_text_is_empty(&part->text);
}

/* {"role": "assistant", "content": [...]}; nothing if no block is left */
void tk_converse_write_entries(struct tk_stream_turn *t, const struct tk_choice *choice,
                               struct tk_writer *w)
{
    bool any = false;

    for (uint32_t i = 0; i < choice->count; i++) {
        if (!is_left(choice->parts[i]))
            continue;
        if (!any) {
            tk_write_map(w);
            tk_write_kv_cstr(w, "role", "assistant");
            tk_write_key(w, "content");
            tk_write_list(w);
        }
        any = true;
        tk_converse_write_block(t, (const struct tk_converse_block *)choice->parts[i], w);
    }
    if (any) {
        tk_write_end(w);
        tk_write_end(w);
    }
}
