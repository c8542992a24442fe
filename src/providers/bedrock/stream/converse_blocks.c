/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks of ConverseStream: what starts, deltas and stops do to them. */
#include <errno.h>

#include "providers/bedrock/stream/converse.h"
#include "shapes/bedrock.h"
#include "shapes/stream_parts.h"
#include "value/base64.h"
#include "value/unicode.h"

/* ---- starting ---- */

static const uint8_t turn_kinds[] = {
    [TK_CONVERSE_TEXT] = TK_TURN_TEXT,     [TK_CONVERSE_REASONING] = TK_TURN_REASONING,
    [TK_CONVERSE_TOOL_USE] = TK_TURN_CALL, [TK_CONVERSE_TOOL_RESULT] = TK_TURN_RESULT,
    [TK_CONVERSE_OTHER] = TK_TURN_OTHER,
};

static struct tk_converse_block *add(struct tk_stream_turn *t, enum tk_converse_kind kind,
                                     int64_t index, struct tk_str member)
{
    struct tk_choice *choice = tk_turn_choice(t, 0);
    struct tk_converse_block *b =
        choice ? tk_turn_add(t, choice, (enum tk_turn_kind)turn_kinds[kind], index, sizeof(*b))
               : NULL;

    if (!b)
        return NULL;
    b->kind = (uint8_t)kind;
    b->member = tk_arena_dup(t->keep, member);
    b->part.run.id = tk_arena_printf(t->keep, "%lld", (long long)index);
    return b->member.p && b->part.run.id.p ? b : NULL;
}

/* Reads a string of a start into memory of the stream; `.p == NULL` if it is absent. Returns false if
 * it is too long for an id. */
static bool keep_text(struct tk_stream_turn *t, struct tk_val v, struct tk_str *ret)
{
    struct tk_str text = tk_text(v, t->arena);

    *ret = text.p ? tk_arena_dup(t->keep, text) : text;
    return text.n <= TK_ID_MAX;
}

/* Starts a call of a tool that the provider runs. */
static int start_operation(struct tk_stream_turn *t, struct tk_turn_part *part, struct tk_str type)
{
    part->kind = TK_TURN_OPERATION;
    if (!tk_is_said(part->id))
        return tk_turn_fault(t, TK_STREAM_FAULT_MISSING_ID, part->wire_index);
    if (!tk_is_said(part->name))
        return tk_turn_fail(t, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_MISSING_NAME,
                                                         .id = part->id,
                                                         .wire_index = part->wire_index});
    return tk_operation_start(t, part, part->id, part->name, type);
}

static int start_call(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    struct tk_val type = tk_get(v, TK_STR("type"));
    struct tk_turn_part *part = &b->part;

    if (!keep_text(t, tk_get(v, TK_STR("toolUseId")), &part->id))
        return TK_TURN_MALFORMED;
    part->name = tk_text(tk_get(v, TK_STR("name")), t->arena);
    if (part->name.p)
        part->name = tk_arena_dup(t->keep, part->name);
    if (tk_bedrock_is_server_type(type))
        return start_operation(t, part, tk_text(type, t->arena));
    if (!tk_is_said(part->id)) {
        tk_turn_warn(t, TK_WARNING_MISSING_CALL_ID);
        part->id = tk_turn_made_id(t, 0, part->at);
    }
    tk_turn_note_id(t, part);
    if (tk_is_said(part->name))
        tk_tell_call_start(t, part);
    return 0;
}

static int start_result(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    struct tk_val type = tk_get(v, TK_STR("type"));

    if (!keep_text(t, tk_get(v, TK_STR("toolUseId")), &b->part.id))
        return TK_TURN_MALFORMED;
    b->part.is_error = tk_text_is(tk_get(v, TK_STR("status")), TK_STR("error"));
    return tk_operation_result(t, &b->part, NULL, b->part.id,
                               tk_is(type, TK_STRING) ? tk_text(type, t->arena)
                                                      : TK_STR("tool_result"));
}

static int start_other(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    (void)t;
    (void)b;
    (void)v;
    return 0;
}

/* One row a member of `start`; the last one is any other. */
static const struct {
    struct tk_str member;
    uint8_t kind;
    int (*start)(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v);
} starts[] = {
    {TK_STR_INIT("toolUse"), TK_CONVERSE_TOOL_USE, start_call},
    {TK_STR_INIT("toolResult"), TK_CONVERSE_TOOL_RESULT, start_result},
    {{NULL, 0}, TK_CONVERSE_OTHER, start_other},
};

int tk_converse_start(struct tk_stream_turn *t, int64_t index, struct tk_val start)
{
    struct tk_choice *choice = tk_turn_choice(t, 0);
    struct tk_val v = tk_first(start);
    struct tk_converse_block *b;
    size_t row = 0;

    if (!choice)
        return -ENOMEM;
    if (!tk_exists(v)) /* a text that some servers start */
        return 0;
    while (starts[row].member.p && !tk_key_is(v, starts[row].member))
        row++;
    if (starts[row].member.p && !tk_is(v, TK_OBJECT))
        return TK_TURN_MALFORMED;
    if (tk_turn_find(t, choice, index))
        tk_turn_warn(t, TK_WARNING_INDEX_REUSED);
    b = add(t, (enum tk_converse_kind)starts[row].kind, index, tk_key(v, t->arena));
    if (!b)
        return -ENOMEM;
    b->part.start = tk_keep(t->keep, v);
    return starts[row].start(t, b, v);
}

/* ---- deltas ---- */

static int delta_text(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    tk_text_put(t, &b->part.text, v);
    tk_run_delta(t, &b->part.run, v, NULL);
    return 0;
}

static void list(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_str json)
{
    if (b->listed++ > 0)
        tk_pieces_put(&b->list, t->keep, TK_STR(","));
    tk_pieces_put(&b->list, t->keep, json);
}

/* Returns a value as JSON, in the answer's arena or its own bytes. */
static struct tk_str as_json(struct tk_stream_turn *t, struct tk_val v)
{
    struct tk_encoding e;

    if (v.doc->codec == TK_JSON)
        return tk_span(v);
    tk_encode_begin(&e, TK_JSON, t->arena);
    tk_write_any(&e.w, v);
    return tk_encode_end(&e);
}

static int delta_citation(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    list(t, b, as_json(t, v));
    tk_tell_citation(t, &b->part.run, v);
    return 0;
}

static bool is_redacted(const struct tk_converse_block *b)
{
    return b->bytes.n > 0;
}

static int add_redacted(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    struct tk_str bytes;
    int r = tk_base64_decode(tk_text(v, t->arena), t->arena, &bytes);

    if (r != 0)
        return r == TK_BASE64_INVALID ? TK_TURN_MALFORMED : r;
    tk_pieces_put(&b->bytes, t->keep, bytes);
    tk_run_begin(t, &b->part.run, NULL);
    return 0;
}

static int add_signature(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    tk_text_put(t, &b->signature, v);
    if (tk_raw(v).n > 0)
        tk_run_signature(t, &b->part.run, v);
    return 0;
}

static const struct {
    struct tk_str member;
    int (*add)(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v);
} reasonings[] = {
    {TK_STR_INIT("text"), delta_text},
    {TK_STR_INIT("signature"), add_signature},
    {TK_STR_INIT("redactedContent"), add_redacted},
};

static int delta_reasoning(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    int r = 0;

    for (size_t i = 0; i < sizeof(reasonings) / sizeof(reasonings[0]) && r == 0; i++) {
        struct tk_val member = tk_get(v, reasonings[i].member);

        if (!tk_exists(member))
            continue;
        r = tk_is(member, TK_STRING) ? reasonings[i].add(t, b, member) : TK_TURN_MALFORMED;
    }
    return r;
}

static int delta_input(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    struct tk_val input = tk_get(v, TK_STR("input"));

    if (!tk_is(input, TK_STRING))
        return TK_TURN_MALFORMED;
    tk_pieces_put(&b->bytes, t->keep, tk_text(input, t->arena));
    if (b->part.kind == TK_TURN_CALL && b->part.run.begun)
        tk_run_delta(t, &b->part.run, input, NULL);
    return 0;
}

/* Adds a result's text, which may have come in several pieces, to its list. */
static void list_text(struct tk_stream_turn *t, struct tk_converse_block *b)
{
    struct tk_encoding e;

    if (!b->last_text.came)
        return;
    tk_encode_begin(&e, TK_JSON, t->arena);
    tk_write_map(&e.w);
    tk_write_key(&e.w, "text");
    tk_text_write(t, &b->last_text, &e.w);
    tk_write_end(&e.w);
    list(t, b, tk_encode_end(&e));
    b->last_text = (struct tk_text){{NULL, NULL, 0}, TK_JSON, false};
}

/* Takes pieces of a result's content: texts next to each other are one. */
static int delta_result(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e)) {
        struct tk_val text = tk_first(e);

        if (tk_is(text, TK_STRING) && tk_key_is(text, TK_STR("text")) &&
            !tk_exists(tk_after(e, text))) {
            tk_text_put(t, &b->last_text, text);
        } else {
            list_text(t, b);
            list(t, b, as_json(t, e));
        }
    }
    return 0;
}

static int delta_image(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v)
{
    b->added = tk_keep(t->keep, v);
    return 0;
}

/* One row a member of `delta`: its kind, the block that takes it, if it may start that block. */
static const struct delta_row {
    struct tk_str member;
    uint8_t value, kind;
    bool starts;
    int (*add)(struct tk_stream_turn *t, struct tk_converse_block *b, struct tk_val v);
} deltas[] = {
    {TK_STR_INIT("text"), TK_STRING, TK_CONVERSE_TEXT, true, delta_text},
    {TK_STR_INIT("toolUse"), TK_OBJECT, TK_CONVERSE_TOOL_USE, false, delta_input},
    {TK_STR_INIT("reasoningContent"), TK_OBJECT, TK_CONVERSE_REASONING, true, delta_reasoning},
    {TK_STR_INIT("citation"), TK_OBJECT, TK_CONVERSE_TEXT, true, delta_citation},
    {TK_STR_INIT("toolResult"), TK_ARRAY, TK_CONVERSE_TOOL_RESULT, false, delta_result},
    {TK_STR_INIT("image"), TK_OBJECT, TK_CONVERSE_OTHER, false, delta_image},
};
#define DELTAS (sizeof(deltas) / sizeof(deltas[0]))

/* Finds or starts the block of a delta. */
static int block_of(struct tk_stream_turn *t, const struct delta_row *row, int64_t index,
                    struct tk_converse_block **ret)
{
    struct tk_choice *choice = tk_turn_choice(t, 0);

    *ret = choice ? tk_turn_find(t, choice, index) : NULL;
    if (*ret && (*ret)->part.whole)
        return tk_turn_fault(t, TK_STREAM_FAULT_BLOCK_ALREADY_STOPPED, index);
    if (*ret && (*ret)->kind != row->kind)
        return tk_turn_fail(t,
                            &(struct tk_stream_error){.kind = TK_STREAM_FAULT_DELTA_TYPE_MISMATCH,
                                                      .wire_index = index,
                                                      .delta_type = row->member,
                                                      .block_type = (*ret)->member});
    if (*ret)
        return 0;
    if (!row->starts)
        return tk_turn_fault(t, TK_STREAM_FAULT_UNKNOWN_INDEX, index);
    *ret = add(t, (enum tk_converse_kind)row->kind, index, row->member);
    return *ret ? 0 : -ENOMEM;
}

int tk_converse_delta(struct tk_stream_turn *t, int64_t index, struct tk_val delta)
{
    struct tk_val v = tk_first(delta);
    struct tk_converse_block *b = NULL;
    size_t row = 0;
    int r;

    while (row < DELTAS && !(tk_exists(v) && tk_key_is(v, deltas[row].member)))
        row++;
    if (row == DELTAS) {
        tk_turn_warn(t, TK_WARNING_UNKNOWN_DELTA);
        return 0;
    }
    if (!tk_is(v, (enum tk_kind)deltas[row].value))
        return TK_TURN_MALFORMED;
    r = block_of(t, &deltas[row], index, &b);
    return r == 0 ? deltas[row].add(t, b, v) : r;
}

/* ---- stopping ---- */

static int stop_text(struct tk_stream_turn *t, struct tk_converse_block *b)
{
    tk_run_end(t, &b->part.run, NULL);
    return 0;
}

static int stop_reasoning(struct tk_stream_turn *t, struct tk_converse_block *b)
{
    struct tk_extra extra[] = {{.key = NULL}, {.key = NULL}};

    if (is_redacted(b)) {
        extra[0] =
            (struct tk_extra){.key = TK_PARTS_REDACTED_DATA, .text = tk_converse_redacted(t, b)};
    } else if (!tk_text_is_empty(&b->signature)) {
        extra[0] =
            (struct tk_extra){.key = TK_PARTS_SIGNATURE, .text = tk_text_plain(t, &b->signature)};
    }
    tk_run_end(t, &b->part.run, extra);
    return 0;
}

/* Reads the input of a call that stopped. A client's call leaves at the end of the message. */
static int stop_call(struct tk_stream_turn *t, struct tk_converse_block *b)
{
    struct tk_str text = tk_pieces_join(&b->bytes, t->arena, TK_STR(""), TK_STR(""));
    int r = tk_turn_input(t, &b->part, text);

    if (r < 0 || b->part.kind == TK_TURN_CALL)
        return r < 0 ? r : 0;
    if (r == TK_TURN_NO_INPUT)
        return tk_turn_fail(t, &(struct tk_stream_error){.kind = TK_STREAM_FAULT_INVALID_INPUT_JSON,
                                                         .id = b->part.id,
                                                         .wire_index = b->part.wire_index});
    tk_operation_called(t, &b->part);
    return 0;
}

static int stop_result(struct tk_stream_turn *t, struct tk_converse_block *b)
{
    struct tk_str content;

    list_text(t, b);
    content = tk_pieces_join(&b->list, t->keep, TK_STR("["), TK_STR("]"));
    b->part.content = (struct tk_kept){content, TK_JSON};
    tk_operation_answered(t, &b->part);
    return 0;
}

static int stop_other(struct tk_stream_turn *t, struct tk_converse_block *b)
{
    struct tk_encoding e;
    struct tk_kept block = TK_KEPT_NOTHING;
    struct tk_val v;

    tk_encode_begin(&e, TK_JSON, t->arena);
    tk_converse_write_block(t, b, &e.w);
    block.bytes = tk_encode_end(&e);
    v = tk_turn_read_kept(t, &block);
    if (tk_exists(v))
        tk_tell_opaque(t, &b->part, v);
    return 0;
}

static int (*const stops[])(struct tk_stream_turn *t, struct tk_converse_block *b) = {
    [TK_CONVERSE_TEXT] = stop_text,     [TK_CONVERSE_REASONING] = stop_reasoning,
    [TK_CONVERSE_TOOL_USE] = stop_call, [TK_CONVERSE_TOOL_RESULT] = stop_result,
    [TK_CONVERSE_OTHER] = stop_other,
};

int tk_converse_stop(struct tk_stream_turn *t, int64_t index)
{
    struct tk_choice *choice = tk_turn_choice(t, 0);
    struct tk_converse_block *b = choice ? tk_turn_find(t, choice, index) : NULL;

    if (!choice)
        return -ENOMEM;
    if (!b) /* a text without deltas never started */
        return 0;
    if (b->part.whole)
        return tk_turn_fault(t, TK_STREAM_FAULT_BLOCK_ALREADY_STOPPED, index);
    b->part.whole = true;
    return stops[b->kind](t, b);
}
