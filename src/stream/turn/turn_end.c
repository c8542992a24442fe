/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a stream with a decoder (STREAM-PROVIDERS.md 4): done or failed, and what it returns. */
#include <errno.h>
#include <stdlib.h>

#include "stream/turn/turn.h"

/* ---- the rules of the end ---- */

static void call_end(struct tk_stream_turn *t, bool done)
{
    if (!t->ended)
        t->format->end(t, done);
    t->ended = true;
}

/* Returns the cause of the end; NULL if the message is as it should be. A transport that breaks when
 * the provider has said how the message ended only takes the usage away. */
static const struct tk_stream_error *cause_of(struct tk_stream_turn *t, bool complete,
                                              const struct tk_stream_error *cause)
{
    static const struct tk_stream_error truncated = {.kind = TK_STREAM_FAULT_TRUNCATED_STREAM};

    if (cause && cause->kind == TK_STREAM_FAULT_TRANSPORT_ERROR && complete) {
        tk_turn_warn(t, TK_WARNING_LATE_ERROR);
        return NULL;
    }
    return cause || complete ? cause : &truncated;
}

static const struct tk_str end_markers[TK_WIRES] = {
    [TK_WIRE_SSE] = TK_STR_INIT("data: [DONE]\n\n"),
    [TK_WIRE_JSON] = TK_STR_INIT("]"),
};

static void write_finish(struct tk_stream_turn *t);

static void finish(struct tk_stream_turn *t)
{
    struct tk_stream *s = t->k->s;
    enum tk_wire wire = s->setup.form == TK_FORM_SSE ? TK_WIRE_SSE : (enum tk_wire)s->setup.wire;

    if (s->setup.form == TK_FORM_PARTS) {
        write_finish(t);
    } else {
        tk_turn_leave_all(t);
        if (s->setup.form != TK_FORM_EVENTS && t->marked)
            tk_write_bytes(t->k, end_markers[wire]);
    }
    s->state = TK_STREAM_DONE;
}

int tk_turn_conclude(struct tk_work *k, const struct tk_stream_error *cause)
{
    struct tk_stream_turn *t = tk_turn_of(k);
    bool complete = t->format->is_complete(t);
    struct tk_str *ids;
    size_t n;

    if (complete && t->format->settle)
        t->format->settle(t);
    ids = tk_bad_operations(k, false, &n);
    if (!ids)
        return -ENOMEM;
    cause = cause_of(t, complete, cause);
    if (n > 0 || cause)
        return tk_fail_at_end(k, cause, ids, n);
    call_end(t, true);
    finish(t);
    return 0;
}

/* ---- errors ---- */

/* Returns an error event of the provider's form made from ours. */
static struct tk_val made_error(struct tk_stream_turn *t)
{
    const struct tk_stream_error *error = &t->k->s->error;
    const struct tk_found_error found = {.kind = tk_stream_error_kind(error),
                                         .retryable = error->retryable,
                                         .text = tk_stream_error_text(error, t->arena)};
    struct tk_encoding e;

    if (!found.text.p)
        return TK_NO_VAL;
    tk_encode_begin(&e, TK_JSON, t->arena);
    t->format->write_error(t, &e.w, &found);
    return tk_read_again(t->k, tk_encode_end(&e), TK_JSON, t->k->first);
}

void tk_turn_error_members(struct tk_work *k)
{
    struct tk_stream_turn *t = tk_turn_of(k);
    const struct tk_stream_error *error = &k->s->error;
    bool made = !tk_is_kept(&error->error_event);
    struct tk_val event, object;

    if (tk_turn_tells_parts(t))
        return;
    event = made ? made_error(t) : tk_read_kept(k, &error->error_event, k->first);
    if (!tk_exists(event))
        return;
    object = tk_turn_error_of(t, event);
    if (tk_exists(object)) {
        tk_write_key(k->w, "error");
        tk_write_any(k->w, object);
    }
    if (k->s->setup.form != TK_FORM_EVENTS) {
        uint32_t frames = k->s->frames; /* the error is written more than once */

        tk_write_bytes_member(
            k, tk_event_bytes(k, event,
                              made ? TK_FRAME_EVENT : (enum tk_wire_frame_kind)t->event_kind));
        k->s->frames = frames;
    }
}

/* ---- choices, by index ---- */

static int by_index(const void *a, const void *b)
{
    const struct tk_choice *x = *(struct tk_choice *const *)a;
    const struct tk_choice *y = *(struct tk_choice *const *)b;

    return x->index < y->index ? -1 : x->index > y->index;
}

/* Returns the choices by index; the only, empty one if none began. NULL without memory. */
static struct tk_choice **sorted(struct tk_stream_turn *t, uint32_t *ret_n)
{
    struct tk_choice **all;

    if (t->choice_count == 0)
        tk_turn_choice(t, 0);
    *ret_n = t->choice_count;
    all = tk_arena_alloc(t->arena, *ret_n * sizeof(*all));
    if (!all || *ret_n == 0)
        return NULL;
    memcpy(all, t->choices, *ret_n * sizeof(*all));
    qsort(all, *ret_n, sizeof(*all), by_index);
    return all;
}

/* ---- the finish ---- */

static void write_reason(struct tk_writer *w, const struct tk_choice *choice)
{
    tk_write_kv_cstr(w, "reason", tk_finish_reason_name((enum tk_finish_reason)choice->reason));
    tk_write_key(w, "stop_reason");
    if (choice->stop_reason.p)
        tk_write_str(w, choice->stop_reason);
    else
        tk_write_null(w);
}

static void write_choices(struct tk_writer *w, struct tk_choice *const *all, uint32_t n)
{
    tk_write_key(w, "choices");
    tk_write_list(w);
    for (uint32_t i = 0; i < n; i++) {
        tk_write_map(w);
        tk_write_kv_int(w, "choice", all[i]->index);
        write_reason(w, all[i]);
        tk_write_end(w);
    }
    tk_write_end(w);
}

static void write_usage(struct tk_stream_turn *t)
{
    struct tk_work *k = t->k;

    if (!tk_is_kept(&t->usage)) {
        tk_write_null(k->w);
        return;
    }
    tk_finish_tokens(k, t->tokens, t->total_tokens);
    tk_write_key(k->w, "raw");
    tk_write_kept(k, &t->usage);
    tk_write_end(k->w);
}

static void write_finish(struct tk_stream_turn *t)
{
    struct tk_work *k = t->k;
    uint32_t n = 0;
    struct tk_choice **all = sorted(t, &n);

    if (!all) {
        tk_write_null(k->w);
        return;
    }
    tk_finish_begin(k, (enum tk_finish_reason)all[0]->reason, all[0]->stop_reason);
    write_usage(t);
    tk_write_key(k->w, "pending_operations");
    tk_stream_write_pending(k->s, k->w);
    if (t->format->write_finish)
        t->format->write_finish(t, k->w);
    if (n > 1)
        write_choices(k->w, all, n);
    tk_write_end(k->w);
}

/* ---- the turn ---- */

static const char *const kinds[TK_TURN_KINDS] = {
    [TK_TURN_TEXT] = "item",           [TK_TURN_REASONING] = "reasoning", [TK_TURN_CALL] = "call",
    [TK_TURN_OPERATION] = "operation", [TK_TURN_RESULT] = "result",       [TK_TURN_OTHER] = "item",
};

/* Returns the kind of a part that is held. Items have a type, so only calls have a kind of their own. */
static const char *kind_of(const struct tk_stream_turn *t, const struct tk_turn_part *part)
{
    bool is_call = part->kind == TK_TURN_CALL || part->kind == TK_TURN_OPERATION;

    return t->format->entries_are_items && !is_call ? kinds[TK_TURN_OTHER] : kinds[part->kind];
}

static const char *const reasons[TK_HELDS] = {
    [TK_HELD_NOT] = "",
    [TK_HELD_CUT] = "cut",
    [TK_HELD_NO_RESULT] = "no_result",
    [TK_HELD_NO_NEXT] = "no_next",
    [TK_HELD_AFTER_HELD] = "after_held",
    [TK_HELD_NO_NAME] = "no_name",
    [TK_HELD_MALFORMED] = "malformed",
};

static void write_text(struct tk_writer *w, const char *key, struct tk_str text)
{
    tk_write_key(w, key);
    if (text.p)
        tk_write_str(w, text);
    else
        tk_write_null(w);
}

static bool write_held(struct tk_stream_turn *t, const struct tk_choice *choice)
{
    struct tk_writer *w = t->k->w;
    bool any = false;

    tk_write_key(w, "held");
    tk_write_list(w);
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct tk_turn_part *part = choice->parts[i];

        if (part->held == TK_HELD_NOT)
            continue;
        any = true;
        tk_write_map(w);
        tk_write_kv_cstr(w, "kind", kind_of(t, part));
        tk_write_key(w, "wire_index");
        if (part->wire_index == TK_NO_INDEX)
            tk_write_null(w);
        else
            tk_write_int(w, part->wire_index);
        if (t->format->entries_are_items)
            write_text(w, "type", part->type);
        write_text(w, "id", part->id);
        write_text(w, "name", part->name);
        tk_write_kv_cstr(w, "reason", reasons[part->held]);
        tk_write_end(w);
    }
    tk_write_end(w);
    return any;
}

static void write_calls(struct tk_stream_turn *t, const struct tk_choice *choice)
{
    struct tk_writer *w = t->k->w;

    tk_write_key(w, "calls");
    tk_write_list(w);
    for (uint32_t i = 0; i < choice->count; i++) {
        const struct tk_turn_part *part = choice->parts[i];

        if (part->kind != TK_TURN_CALL || part->held != TK_HELD_NOT)
            continue;
        tk_write_map(w);
        write_text(w, "id", part->id);
        write_text(w, "name", part->name);
        if (t->format->output_type)
            tk_write_kv_str(w, "output_type", t->format->output_type(part));
        tk_write_end(w);
    }
    tk_write_end(w);
}

/* Returns the entries of a choice as an encoded list; `.p == NULL` without memory. */
static struct tk_str entries_of(struct tk_stream_turn *t, const struct tk_choice *choice)
{
    struct tk_encoding e;

    tk_encode_begin(&e, t->k->w->codec, t->arena);
    tk_write_list(&e.w);
    t->format->write_entries(t, choice, &e.w);
    tk_write_end(&e.w);
    return tk_encode_end(&e);
}

/* Writes the members of the turn of a choice, without the end. */
static void write_choice(struct tk_stream_turn *t, const struct tk_choice *choice,
                         struct tk_str entries, bool several)
{
    struct tk_writer *w = t->k->w;
    bool held;

    tk_write_map(w);
    tk_write_key(w, "entries");
    tk_write_raw(w, entries);
    write_calls(t, choice);
    held = write_held(t, choice);
    tk_write_kv_bool(w, "complete", t->k->s->state == TK_STREAM_DONE && !held);
    if (several)
        tk_write_kv_int(w, "choice", choice->index);
}

static void write_turn(struct tk_stream_turn *t, struct tk_choice *const *all, uint32_t n,
                       struct tk_str entries)
{
    struct tk_writer *w = t->k->w;

    tk_write_key(w, "turn");
    write_choice(t, all[0], entries, n > 1);
    if (n > 1) {
        tk_write_key(w, "other_turns");
        tk_write_list(w);
        for (uint32_t i = 1; i < n; i++) {
            entries = entries_of(t, all[i]);
            if (!entries.p)
                break;
            write_choice(t, all[i], entries, true);
            tk_write_end(w);
        }
        tk_write_end(w);
    }
    if (t->format->write_turn)
        t->format->write_turn(t, w);
    tk_write_end(w);
}

/* Writes the first entry, if the history gets messages and the stream is done. */
static void write_message(struct tk_stream_turn *t, struct tk_str entries)
{
    struct tk_work *k = t->k;
    struct tk_val list, first = TK_NO_VAL;

    tk_write_key(k->w, "message");
    if (k->s->state == TK_STREAM_DONE && !t->format->entries_are_items) {
        list = tk_read_again(k, entries, k->w->codec, k->third);
        first = tk_exists(list) ? tk_first(list) : list;
    }
    if (tk_exists(first))
        tk_write_val(k->w, first);
    else
        tk_write_null(k->w);
}

static void write_null(struct tk_writer *w, const char *key)
{
    tk_write_key(w, key);
    tk_write_null(w);
}

void tk_turn_write_outcome(struct tk_work *k)
{
    struct tk_stream_turn *t = tk_turn_of(k);
    bool done = k->s->state == TK_STREAM_DONE;
    struct tk_choice **all;
    struct tk_str entries;
    uint32_t n = 0;

    call_end(t, done);
    tk_write_key(k->w, "finish");
    if (done)
        write_finish(t);
    else
        tk_write_null(k->w);
    tk_write_key(k->w, "error");
    if (done)
        tk_write_null(k->w);
    else
        tk_write_error(k);
    all = sorted(t, &n);
    entries = all ? entries_of(t, all[0]) : (struct tk_str){NULL, 0};
    if (!entries.p)
        return;
    write_message(t, entries);
    write_null(k->w, "seal");
    write_turn(t, all, n, entries);
}
