/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds and writes the input of a call (STREAM.md section 5): the JSON text that its deltas add up
 * to, read once, when the call stops; or the value in its start.
 */
#include <errno.h>

#include "shapes/stream_parts.h"
#include "stream/blank.h"
#include "stream/is_compact.h"
#include "stream/stream_inside.h"

static bool is_nothing(struct tk_val input)
{
    return !tk_exists(input) || tk_is(input, TK_NULL) ||
           (tk_is(input, TK_STRING) && tk_raw(input).n == 0);
}

static bool is_empty(struct tk_val input)
{
    return is_nothing(input) ||
           ((tk_is(input, TK_OBJECT) || tk_is(input, TK_ARRAY)) && !tk_exists(tk_first(input)));
}

static struct tk_str as_json(struct tk_work *k, struct tk_val v)
{
    struct tk_out out;

    tk_out_init(&out, k->arena);
    tk_compact_json(&out, v, NULL);
    return tk_out_join(&out);
}

/* Refuses an input, in a call of a tool that the provider runs. A client's call keeps `raw`. */
static int invalid(struct tk_work *k, struct tk_stream_block *b, struct tk_str raw)
{
    if (b->role == TK_STREAM_BLOCK_CALL)
        return tk_stream_fail(k,
                              &(struct tk_stream_error){.kind = TK_STREAM_FAULT_INVALID_INPUT_JSON,
                                                        .id = tk_block_operation(k->s, b)->id,
                                                        .wire_index = b->at});
    tk_warn(k, TK_WARNING_INVALID_CLIENT_INPUT);
    b->input_state = TK_INPUT_INVALID;
    b->input = tk_arena_dup(&k->s->arena, raw);
    return 0;
}

static int take_start(struct tk_work *k, struct tk_stream_block *b, struct tk_val input)
{
    b->input_state = TK_INPUT_OF_START;
    if (is_nothing(input))
        b->input_state = TK_INPUT_EMPTY;
    else if (!tk_is(input, TK_OBJECT))
        return invalid(k, b, as_json(k, input));
    return 0;
}

int tk_input_parse(struct tk_work *k, struct tk_str text, struct tk_str *ret)
{
    struct tk_read_error error;
    struct tk_doc *doc = k->second;
    int r = tk_json_read(doc, text.p, text.n, &k->s->setup.limits, k->arena, &error);

    if (r < 0)
        return r;
    if (r > 0 || !tk_is(tk_root(doc), TK_OBJECT) || doc->has_surrogate)
        return TK_INPUT_REFUSED;
    if (!tk_json_is_compact(doc))
        text = as_json(k, tk_root(doc));
    *ret = tk_arena_dup(&k->s->arena, text);
    return 0;
}

static int take_deltas(struct tk_work *k, struct tk_stream_block *b, struct tk_str text)
{
    int r = tk_input_parse(k, text, &b->input);

    if (r == TK_INPUT_REFUSED)
        return invalid(k, b, text);
    b->input_state = TK_INPUT_OF_DELTAS;
    return r;
}

int tk_input_complete(struct tk_work *k, struct tk_stream_block *b)
{
    struct tk_val start = tk_read_kept(k, &b->start, k->first), input;
    struct tk_str text = tk_pieces_join(&tk_block_added(b)->text, k->arena, TK_STR(""), TK_STR(""));

    if (!tk_exists(start) || !text.p)
        return -ENOMEM;
    input = tk_named(start, k->format->members[b->role].input);
    if (tk_blank_data(text))
        return take_start(k, b, input);
    if (!is_empty(input))
        tk_warn(k, TK_WARNING_INPUT_CONFLICT);
    return take_deltas(k, b, text);
}

/* ---- writing ---- */

static void write_raw_input(struct tk_writer *w, struct tk_str raw)
{
    tk_write_map(w);
    tk_write_kv_str(w, "rawInvalidInput", raw);
    tk_write_end(w);
}

struct tk_str tk_input_encoded(struct tk_work *k, const struct tk_stream_block *b,
                               enum tk_codec codec)
{
    struct tk_val v = TK_NO_VAL;
    struct tk_encoding e;

    if (b->input_state == TK_INPUT_COMING || b->input_state == TK_INPUT_OF_START)
        return (struct tk_str){NULL, 0};
    tk_encode_begin(&e, codec, k->arena);
    if (b->input_state == TK_INPUT_OF_DELTAS)
        v = tk_read_kept(k, &(struct tk_kept){b->input, TK_JSON}, k->second);
    if (tk_exists(v)) {
        tk_write_any(&e.w, v);
    } else if (b->input_state == TK_INPUT_INVALID) {
        write_raw_input(&e.w, b->input);
    } else {
        tk_write_map(&e.w);
        tk_write_end(&e.w);
    }
    return tk_encode_end(&e);
}

void tk_input_write(struct tk_work *k, const struct tk_stream_block *b, struct tk_val start)
{
    if (b->input_state == TK_INPUT_INVALID) {
        tk_write_kv_str(k->w, TK_PARTS_INPUT_RAW, b->input);
        tk_write_kv_bool(k->w, TK_PARTS_INPUT_VALID, false);
        return;
    }
    tk_write_key(k->w, TK_PARTS_INPUT);
    if (b->input_state == TK_INPUT_OF_START)
        tk_write_any(k->w, tk_named(start, k->format->members[b->role].input));
    else
        tk_write_raw(k->w, tk_input_encoded(k, b, k->w->codec));
}
