/* SPDX-License-Identifier: Apache-2.0 */
/* Calls: their ids, their inputs, and their outputs in the form `parts`. */
#include <errno.h>

#include "shapes/stream_parts.h"
#include "stream/blank.h"
#include "stream/turn/calls.h"
#include "value/digest.h"

/* ---- ids ---- */

struct tk_str tk_turn_made_id(struct tk_stream_turn *t, int64_t choice, uint64_t n)
{
    struct tk_str id = tk_turn_message_id(t), source;
    char hex[TK_SHA256_HEX];

    if (!id.p)
        id = TK_STR("");
    source = tk_arena_printf(t->arena, "%.*s:%lld:%llu", (int)id.n, id.p, (long long)choice,
                             (unsigned long long)n);
    if (!source.p)
        return source;
    tk_sha256_hex(source, hex);
    return tk_arena_printf(t->keep, "call_%.24s", hex);
}

struct tk_str tk_turn_id_in_choice(struct tk_stream_turn *t, const struct tk_choice *choice,
                                   struct tk_str id)
{
    if (choice->at == 0)
        return id;
    return tk_arena_printf(t->arena, "%u%c%.*s", choice->at, 0, (int)id.n, id.p);
}

void tk_turn_note_id(struct tk_stream_turn *t, const struct tk_turn_part *call)
{
    struct tk_str id = call->id.p ? tk_turn_id_in_choice(t, call->choice, call->id) : call->id;
    struct tk_id_use *use = id.p ? tk_id_use(&t->k->s->operations, id) : NULL;

    if (use && use->seen)
        tk_turn_warn(t, TK_WARNING_DUPLICATE_CALL_ID);
    if (use)
        use->seen = true;
}

/* ---- inputs ---- */

int tk_turn_input(struct tk_stream_turn *t, struct tk_turn_part *call, struct tk_str text)
{
    int r = 0;

    call->input = (struct tk_kept){TK_STR("{}"), TK_JSON};
    if (!text.p)
        return -ENOMEM;
    if (!tk_blank_data(text))
        r = tk_input_parse(t->k, text, &call->input.bytes);
    if (r != TK_INPUT_REFUSED)
        return r;
    call->raw = tk_arena_dup(t->keep, text);
    return TK_TURN_NO_INPUT;
}

/* ---- outputs ---- */

static void begin(struct tk_stream_turn *t, const char *type, struct tk_str id, struct tk_str name,
                  bool by_provider)
{
    struct tk_writer *w = t->k->w;

    tk_turn_part_begin(t, type);
    tk_write_kv_str(w, "id", id);
    if (name.p)
        tk_write_kv_str(w, "name", name);
    tk_write_kv_bool(w, TK_PARTS_PROVIDER_EXECUTED, by_provider);
}

static void write_input(struct tk_stream_turn *t, const struct tk_turn_part *call)
{
    struct tk_writer *w = t->k->w;

    if (call->raw.p) {
        tk_write_kv_str(w, TK_PARTS_INPUT_RAW, call->raw);
        tk_write_kv_bool(w, TK_PARTS_INPUT_VALID, false);
        return;
    }
    tk_write_key(w, TK_PARTS_INPUT);
    tk_turn_write_kept(t, &call->input, w);
}

static void put_start(struct tk_stream_turn *t, const struct tk_turn_part *call, struct tk_str id,
                      struct tk_str name, bool by_provider)
{
    begin(t, TK_PARTS_TOOL_INPUT_START, id, name, by_provider);
    tk_turn_part_end(t, call->choice, call->wire_index, NULL);
}

static void put_end(struct tk_stream_turn *t, const struct tk_turn_part *call, struct tk_str id,
                    struct tk_str name, bool by_provider)
{
    begin(t, TK_PARTS_TOOL_INPUT_END, id, (struct tk_str){NULL, 0}, by_provider);
    tk_turn_part_end(t, call->choice, call->wire_index, NULL);
    begin(t, TK_PARTS_TOOL_CALL, id, name, by_provider);
    write_input(t, call);
    if (t->format->copied_of_call)
        tk_write_copied(t->k, t->format->copied_of_call, tk_turn_read_kept(t, &call->start));
    tk_turn_part_end(t, call->choice, call->wire_index, NULL);
}

void tk_tell_call_start(struct tk_stream_turn *t, struct tk_turn_part *call)
{
    call->run.id = call->shown.p ? call->shown : call->id;
    call->run.begun = true;
    if (tk_turn_tells_parts(t))
        put_start(t, call, call->run.id, call->name, false);
}

void tk_tell_call_end(struct tk_stream_turn *t, struct tk_turn_part *call)
{
    call->run.ended = true;
    if (tk_turn_tells_parts(t))
        put_end(t, call, call->run.id, call->name, false);
}

void tk_turn_put_call(struct tk_stream_turn *t, const struct tk_operation *op)
{
    const struct tk_turn_part *call = t->parts[op->call];

    put_start(t, call, op->id, op->name, true);
    put_end(t, call, op->id, op->name, true);
}
