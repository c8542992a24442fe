/* SPDX-License-Identifier: Apache-2.0 */
/* Outputs of texts and of parts that leave as they are, in the form `parts`. */
#include "shapes/stream_parts.h"
#include "stream/turn/turn.h"

/* ---- what outputs share ---- */

static void write_extra(struct tk_writer *w, const struct tk_extra *extra)
{
    for (; extra && extra->key; extra++) {
        tk_write_key(w, extra->key);
        if (extra->val.doc && tk_exists(extra->val))
            tk_write_any(w, extra->val);
        else if (extra->text.p)
            tk_write_str(w, extra->text);
        else
            tk_write_int(w, extra->number);
    }
}

void tk_turn_part_begin(struct tk_stream_turn *t, const char *type)
{
    tk_write_map(t->k->w);
    tk_write_kv_cstr(t->k->w, "type", type);
}

void tk_turn_part_end(struct tk_stream_turn *t, const struct tk_choice *choice, int64_t wire_index,
                      const struct tk_extra *extra)
{
    struct tk_writer *w = t->k->w;

    write_extra(w, extra);
    if (wire_index != TK_NO_INDEX)
        tk_write_kv_int(w, TK_PARTS_WIRE_INDEX, wire_index);
    if (t->format->has_choices)
        tk_write_kv_int(w, TK_PARTS_CHOICE, choice->index);
    tk_write_end(w);
}

/* ---- runs ---- */

static const struct {
    const char *start, *delta, *end;
} types[TK_RUN_KINDS] = {
    [TK_RUN_TEXT] = {TK_PARTS_TEXT_START, TK_PARTS_TEXT_DELTA, TK_PARTS_TEXT_END},
    [TK_RUN_REFUSAL] = {TK_PARTS_TEXT_START, TK_PARTS_TEXT_DELTA, TK_PARTS_TEXT_END},
    [TK_RUN_REASONING] = {TK_PARTS_REASONING_START, TK_PARTS_REASONING_DELTA,
                          TK_PARTS_REASONING_END},
    [TK_RUN_INPUT] = {NULL, TK_PARTS_TOOL_INPUT_DELTA, NULL},
};

static void begin_output(struct tk_stream_turn *t, const struct tk_text_run *run, const char *type)
{
    struct tk_writer *w = t->k->w;

    tk_turn_part_begin(t, type);
    tk_write_kv_str(w, "id", run->id);
    if (run->kind == TK_RUN_REFUSAL)
        tk_write_kv_bool(w, TK_PARTS_REFUSAL, true);
    if (run->kind == TK_RUN_INPUT)
        tk_write_kv_bool(w, TK_PARTS_PROVIDER_EXECUTED, false);
}

static void put(struct tk_stream_turn *t, const struct tk_text_run *run, const char *type,
                const struct tk_extra *extra)
{
    if (!type || !tk_turn_tells_parts(t))
        return;
    begin_output(t, run, type);
    tk_turn_part_end(t, run->choice, run->wire_index, extra);
}

void tk_run_begin(struct tk_stream_turn *t, struct tk_text_run *run, const struct tk_extra *extra)
{
    if (run->begun)
        return;
    run->begun = true;
    put(t, run, types[run->kind].start, extra);
}

void tk_run_end(struct tk_stream_turn *t, struct tk_text_run *run, const struct tk_extra *extra)
{
    if (!run->begun || run->ended)
        return;
    run->ended = true;
    put(t, run, types[run->kind].end, extra);
}

/* One delta, as the two sides of its frame need it. */
struct delta {
    struct tk_stream_turn *t;
    const struct tk_text_run *run;
    const struct tk_extra *extra;
};

/* The work may be another than the turn's: it writes the frame to the side. */
static void begin_delta(struct tk_work *k, const void *arg)
{
    const struct delta *d = arg;
    struct tk_stream_turn to = *d->t;

    to.k = k;
    begin_output(&to, d->run, types[d->run->kind].delta);
    tk_write_key(k->w, TK_PARTS_DELTA);
}

static void end_delta(struct tk_work *k, const void *arg)
{
    const struct delta *d = arg;
    struct tk_stream_turn to = *d->t;

    to.k = k;
    tk_turn_part_end(&to, d->run->choice, d->run->wire_index, d->extra);
}

void tk_run_delta(struct tk_stream_turn *t, struct tk_text_run *run, struct tk_val text,
                  const struct tk_extra *extra)
{
    if (!tk_is(text, TK_STRING) || tk_raw(text).n == 0)
        return;
    tk_run_begin(t, run, NULL);
    if (!tk_turn_tells_parts(t))
        return;
    if (!tk_part_frame_fits(&run->frame, t->k->w->codec))
        tk_part_frame_make(t->k, &run->frame, begin_delta, end_delta,
                           &(struct delta){t, run, extra});
    tk_part_frame_put(t->k->w, &run->frame, text);
}

void tk_run_delta_text(struct tk_stream_turn *t, struct tk_text_run *run, struct tk_str text,
                       const struct tk_extra *extra)
{
    const struct delta d = {t, run, extra};

    if (text.n == 0)
        return;
    tk_run_begin(t, run, NULL);
    if (!tk_turn_tells_parts(t))
        return;
    begin_delta(t->k, &d);
    tk_write_str(t->k->w, text);
    end_delta(t->k, &d);
}

void tk_run_empty(struct tk_stream_turn *t, struct tk_text_run *run, const struct tk_extra *extra)
{
    tk_run_begin(t, run, NULL);
    if (!tk_turn_tells_parts(t))
        return;
    begin_output(t, run, types[run->kind].delta);
    tk_write_kv_cstr(t->k->w, TK_PARTS_DELTA, "");
    tk_turn_part_end(t, run->choice, run->wire_index, extra);
}

void tk_run_signature(struct tk_stream_turn *t, struct tk_text_run *run, struct tk_val signature)
{
    const struct tk_extra extra[] = {{.key = TK_PARTS_SIGNATURE, .val = signature}, {.key = NULL}};

    tk_run_empty(t, run, extra);
}

void tk_tell_citation(struct tk_stream_turn *t, struct tk_text_run *run, struct tk_val citation)
{
    const struct tk_extra extra[] = {{.key = TK_PARTS_CITATION, .val = citation}, {.key = NULL}};

    tk_run_begin(t, run, NULL);
    put(t, run, TK_PARTS_CITATION, extra);
}

/* ---- other outputs ---- */

void tk_tell_opaque(struct tk_stream_turn *t, const struct tk_turn_part *part, struct tk_val block)
{
    const struct tk_extra extra[] = {{.key = TK_PARTS_BLOCK, .val = block}, {.key = NULL}};

    if (!tk_turn_tells_parts(t))
        return;
    tk_turn_part_begin(t, TK_PARTS_OPAQUE_BLOCK);
    tk_turn_part_end(t, part->choice, part->wire_index, extra);
}

void tk_tell_audio(struct tk_stream_turn *t, const struct tk_choice *choice, struct tk_val audio)
{
    const struct tk_extra extra[] = {{.key = TK_PARTS_AUDIO, .val = audio}, {.key = NULL}};

    if (!tk_turn_tells_parts(t))
        return;
    tk_turn_part_begin(t, TK_PARTS_AUDIO_DELTA);
    tk_turn_part_end(t, choice, TK_NO_INDEX, extra);
}

void tk_tell_source(struct tk_stream_turn *t, const struct tk_choice *choice, int64_t wire_index,
                    const struct tk_stream_source_view *source, struct tk_str call_id)
{
    if (!tk_turn_tells_parts(t))
        return;
    tk_write_source(t->k, source, call_id);
    tk_turn_part_end(t, choice, wire_index, NULL);
}
