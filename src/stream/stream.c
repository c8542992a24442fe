/* SPDX-License-Identifier: Apache-2.0 */
/* A stream from its creation to its outcome. feed.c feeds it, handle.c handles its events. */
#include "stream/stream.h"

#include <errno.h>

#include "stream/stream_inside.h"
#include "stream/turn/turn.h"

/* ---- life ---- */

static const struct tk_emitter *const emitters[TK_STREAM_FORMS] = {
    [TK_FORM_PARTS] = &tk_emit_parts,
    [TK_FORM_EVENTS] = &tk_emit_events,
    [TK_FORM_SSE] = &tk_emit_sse,
    [TK_FORM_WIRE] = &tk_emit_sse,
};

struct tk_stream *tk_stream_new(const struct tk_stream_setup *setup)
{
    tk_allocator allocator = setup->allocator;
    struct tk_stream *s = allocator.resize(allocator.opaque, NULL, 0, sizeof(*s));

    if (!s)
        return NULL;
    *s = (struct tk_stream){
        .memory = {allocator, sizeof(*s)},
        .setup = *setup,
        .emitter = emitters[setup->form],
        .state = TK_STREAM_OPEN,
    };
    tk_arena_init(&s->arena, tk_memory_allocator(&s->memory));
    tk_arena_init(&s->error_arena, tk_memory_allocator(&s->memory));
    tk_wire_init(&s->wire, setup->wire, &s->memory);
    tk_operations_init(&s->operations, setup->format->blocks, &s->arena, setup->hash_key);
    if (setup->format->turn && tk_turn_init(s) < 0) {
        tk_stream_free(s);
        return NULL;
    }
    return s;
}

void tk_stream_free(struct tk_stream *s)
{
    if (!s)
        return;
    tk_wire_done(&s->wire);
    tk_arena_done(&s->arena);
    tk_arena_done(&s->error_arena);
    s->setup.allocator.resize(s->setup.allocator.opaque, s, sizeof(*s), 0);
}

enum tk_stream_state tk_stream_state(const struct tk_stream *s)
{
    return (enum tk_stream_state)s->state;
}

const char *tk_stream_state_name(const struct tk_stream *s)
{
    static const char *const names[] = {
        [TK_STREAM_OPEN] = "open",
        [TK_STREAM_DONE] = "done",
        [TK_STREAM_FAILED] = "failed",
    };

    return names[s->state];
}

size_t tk_stream_held(const struct tk_stream *s)
{
    return s->memory.held;
}

bool tk_stream_is_too_large(const struct tk_stream *s)
{
    return s->state == TK_STREAM_FAILED && s->error.kind == TK_STREAM_FAULT_STREAM_TOO_LARGE;
}

/* ---- reading again ---- */

struct tk_val tk_read_again(struct tk_work *k, struct tk_str bytes, enum tk_codec codec,
                            struct tk_doc *tape)
{
    /* The limits were applied when it came; a reload may have lowered them since. */
    struct tk_read_limits limits = {
        .max_depth = UINT32_MAX,
        .max_values = UINT32_MAX,
        .hash_key = {k->s->setup.hash_key[0], k->s->setup.hash_key[1]},
    };
    struct tk_read_error error;
    int r = -ENOMEM;

    if (bytes.p)
        r = (codec == TK_JSON ? tk_json_read : tk_msgpack_read)(tape, bytes.p, bytes.n, &limits,
                                                                k->arena, &error);
    if (r == 0)
        return tk_root(tape);
    k->arena->failed = true; /* it was valid before, so memory ran out */
    return TK_NO_VAL;
}

struct tk_val tk_read_kept(struct tk_work *k, const struct tk_kept *kept, struct tk_doc *tape)
{
    return tk_read_again(k, tk_arena_dup(k->arena, kept->bytes), (enum tk_codec)kept->codec, tape);
}

/* Without memory the value is lost, and null is written: a value must follow its key. */
void tk_write_kept(struct tk_work *k, const struct tk_kept *kept)
{
    struct tk_val v = tk_is_kept(kept) ? tk_read_kept(k, kept, k->first) : TK_NO_VAL;

    if (tk_exists(v))
        tk_write_any(k->w, v);
    else
        tk_write_null(k->w);
}

/* ---- failing ---- */

void tk_write_error(struct tk_work *k)
{
    const struct tk_stream *s = k->s;

    tk_stream_error_begin(k->w, &s->error);
    if (s->turn)
        tk_turn_error_members(k);
    else if (s->emitter->error_members)
        s->emitter->error_members(k, &s->error);
    tk_write_end(k->w);
}

int tk_stream_fail(struct tk_work *k, const struct tk_stream_error *error)
{
    tk_stream_error_keep(&k->s->error_arena, error, &k->s->error);
    k->s->state = TK_STREAM_FAILED;
    tk_write_error(k);
    return TK_FAILED;
}

/* ---- one request's work ---- */

int tk_work_end(struct tk_work *k, int r)
{
    struct tk_stream *s = k->s;

    if (r < 0 && r != -ENOMEM)
        return r;
    if (r < 0 || tk_arena_failed(&s->arena) || tk_arena_failed(&s->error_arena) ||
        tk_arena_failed(k->arena))
        return -ENOMEM;
    if (s->state == TK_STREAM_OPEN)
        return 0;
    tk_stream_restart(s);
    if (s->state == TK_STREAM_FAILED && !s->turn) /* a turn tells of it what came */
        tk_arena_done(&s->arena);
    return 0;
}

/* ---- the outcome ---- */

int tk_stream_write_error(const struct tk_stream_call *call, struct tk_stream *s)
{
    struct tk_work k = tk_work_on(call, s);

    tk_write_error(&k);
    return tk_work_end(&k, 0);
}

static void write_warnings(struct tk_writer *w, const struct tk_stream *s)
{
    static const char *const names[TK_WARNING_COUNT] = {
#define TK_WARNING_NAME(id, name) [TK_WARNING_##id] = name,
        TK_WARNINGS(TK_WARNING_NAME)
#undef TK_WARNING_NAME
    };

    tk_write_key(w, "warnings");
    tk_write_map(w);
    for (size_t i = 0; i < TK_WARNING_COUNT; i++)
        if (s->warnings[i] > 0)
            tk_write_kv_int(w, names[i], s->warnings[i]);
    tk_write_end(w);
}

static void write_null(struct tk_writer *w, const char *key)
{
    tk_write_key(w, key);
    tk_write_null(w);
}

static void write_done(struct tk_work *k)
{
    tk_write_key(k->w, "finish");
    tk_finish_write(k);
    write_null(k->w, "error");
    tk_message_write(k);
}

static void write_failed(struct tk_work *k)
{
    write_null(k->w, "finish");
    tk_write_key(k->w, "error");
    tk_write_error(k);
    write_null(k->w, "message");
    write_null(k->w, "seal");
}

int tk_stream_write_outcome(const struct tk_stream_call *call, struct tk_stream *s)
{
    struct tk_work k = tk_work_on(call, s);

    if (s->turn)
        tk_turn_write_outcome(&k);
    else if (s->state == TK_STREAM_DONE)
        write_done(&k);
    else
        write_failed(&k);
    write_warnings(call->w, s);
    return tk_work_end(&k, 0);
}
