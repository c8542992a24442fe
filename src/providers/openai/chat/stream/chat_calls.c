/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls of a choice. OpenAI's own streams tell index, id, type and name in the first delta of a call, and
 * only index and arguments in the next ones. Other servers leave out the index, use it twice, repeat or
 * change id and name, or tell them late: STREAM-PROVIDERS.md section 5 has the table.
 */
#include <errno.h>
#include <string.h>

#include "providers/openai/chat/stream/chat_stream.h"
#include "value/compact.h"
#include "value/unicode.h"

/* ---- which call a delta is of ---- */

/* The facts of a delta that tell. */
struct chat_delta {
    int64_t index;
    bool has_index;
    struct tk_str id, name; /* blank, or `.p == NULL`: the delta tells none */
};

/* Reads a string that may be absent or null. Returns false for another value. */
static bool read_text(struct tk_stream_turn *t, struct tk_val v, struct tk_str *ret)
{
    *ret = tk_text(v, t->arena);
    return !tk_exists(v) || tk_is(v, TK_NULL) || tk_is(v, TK_STRING);
}

static struct tk_val payload_of(struct tk_val entry)
{
    struct tk_val v = tk_get(entry, TK_STR("function"));

    return tk_exists(v) && !tk_is(v, TK_NULL) ? v : tk_get(entry, TK_STR("custom"));
}

static bool read_delta(struct tk_stream_turn *t, struct tk_val entry, struct chat_delta *ret)
{
    struct tk_val index = tk_get(entry, TK_STR("index"));
    struct tk_val payload = payload_of(entry);

    ret->index = 0;
    ret->has_index = tk_int64(index, &ret->index);
    if (ret->has_index ? ret->index == TK_NO_INDEX : tk_exists(index) && !tk_is(index, TK_NULL))
        return false;
    if (tk_exists(payload) && !tk_is(payload, TK_OBJECT) && !tk_is(payload, TK_NULL))
        return false;
    return read_text(t, tk_get(entry, TK_STR("id")), &ret->id) && ret->id.n <= TK_ID_MAX &&
           read_text(t, tk_get(payload, TK_STR("name")), &ret->name);
}

static struct tk_chat_call *add_call(struct tk_stream_turn *t, struct tk_choice *choice,
                                     int64_t index)
{
    struct tk_chat_choice *c = tk_chat_of(choice);
    struct tk_chat_call *call = tk_turn_add(t, choice, TK_TURN_CALL, index, sizeof(*call));

    if (!call || !TK_GROW(t->keep, c->all, c->calls, c->capacity))
        return NULL;
    call->wants_payload = true;
    call->at = c->calls;
    c->all[c->calls++] = call;
    if (index != TK_NO_INDEX && index >= c->next_index && index < INT64_MAX)
        c->next_index = index + 1;
    tk_chat_end_run(t, choice);
    return call;
}

static struct tk_chat_call *call_with_id(const struct tk_chat_choice *c, struct tk_str id)
{
    const uint32_t *known = tk_is_said(id) ? tk_map_get(&c->by_id, id) : NULL;

    return known ? c->all[*known] : NULL;
}

/* Returns the call of a delta without index. */
static struct tk_chat_call *call_by_other_facts(struct tk_stream_turn *t, struct tk_choice *choice,
                                                const struct chat_delta *d)
{
    struct tk_chat_choice *c = tk_chat_of(choice);
    struct tk_chat_call *call = call_with_id(c, d->id);

    tk_turn_warn(t, TK_WARNING_MISSING_INDEX);
    if (!call && !tk_is_said(d->id) && !tk_is_said(d->name))
        call = c->last;
    return call ? call : add_call(t, choice, c->next_index);
}

/* Returns the call of a delta; NULL without memory. */
static struct tk_chat_call *call_of(struct tk_stream_turn *t, struct tk_choice *choice,
                                    const struct chat_delta *d)
{
    struct tk_chat_call *call, *known;

    if (!d->has_index)
        return call_by_other_facts(t, choice, d);
    call = tk_turn_find(t, choice, d->index);
    if (!call || call->form == TK_CHAT_LEGACY)
        return add_call(t, choice, d->index);
    if (!tk_is_said(d->id) || !call->part.id.p || tk_str_eq(d->id, call->part.id))
        return call;
    known = call_with_id(tk_chat_of(choice), d->id);
    if (known && known->part.wire_index == d->index)
        return known;
    if (!tk_is_said(d->name))
        return call;
    tk_turn_warn(t, TK_WARNING_INDEX_REUSED);
    return add_call(t, choice, d->index);
}

/* ---- what it adds ---- */

static void take_id(struct tk_stream_turn *t, struct tk_chat_call *call, struct tk_str id)
{
    struct tk_chat_choice *c = tk_chat_of(call->part.choice);
    uint32_t *at;
    bool is_new;

    if (!tk_is_said(id))
        return;
    if (call->part.id.p) {
        if (!tk_str_eq(id, call->part.id))
            tk_turn_warn(t, TK_WARNING_CALL_ID_CHANGED);
        return;
    }
    call->part.id = tk_arena_dup(t->keep, id);
    if (!call->part.id.p)
        return;
    tk_turn_note_id(t, &call->part);
    at = tk_map_put(&c->by_id, call->part.id, &is_new);
    if (at && is_new)
        *at = call->at;
}

/* Takes a name, or a piece of one. The room for it doubles, as there may be many pieces. */
static void take_name(struct tk_stream_turn *t, struct tk_chat_call *call, struct tk_str name)
{
    const struct tk_str old = call->part.name;
    size_t room = 2 * (old.n + name.n);
    char *p = call->name;

    if (!tk_is_said(name) || (old.p && tk_str_eq(name, old)))
        return;
    if (old.n + name.n > call->name_room) {
        p = tk_arena_alloc(t->keep, room);
        if (!p)
            return;
        if (old.n > 0)
            memcpy(p, old.p, old.n);
        call->name = p;
        call->name_room = room;
    }
    memcpy(p + old.n, name.p, name.n);
    call->part.name = (struct tk_str){p, old.n + name.n};
}

/* Makes a string that is in no document a value. */
static struct tk_val string_of(struct tk_stream_turn *t, struct tk_str text)
{
    struct tk_encoding e;
    struct tk_kept kept = {{NULL, 0}, TK_JSON};

    tk_encode_begin(&e, TK_JSON, t->arena);
    tk_write_str(&e.w, text);
    kept.bytes = tk_encode_end(&e);
    return tk_turn_read_kept(t, &kept);
}

/* Adds a piece of the arguments. Returns 0, -ENOMEM or TK_TURN_MALFORMED. */
static int take_arguments(struct tk_stream_turn *t, struct tk_chat_call *call, struct tk_val v)
{
    struct tk_out text;

    if (!tk_exists(v) || tk_is(v, TK_NULL))
        return 0;
    if (tk_is(v, TK_OBJECT)) { /* some servers send them so */
        tk_out_init(&text, t->arena);
        tk_compact_json(&text, v, NULL);
        v = string_of(t, tk_out_join(&text));
        if (!tk_exists(v))
            return -ENOMEM;
    }
    if (!tk_is(v, TK_STRING))
        return TK_TURN_MALFORMED;
    tk_text_put(t, &call->part.text, v);
    if (call->part.run.begun)
        tk_run_delta(t, &call->part.run, v, NULL);
    return 0;
}

/* Merges the members of `function` or `custom`. */
static int take_payload(struct tk_stream_turn *t, struct tk_chat_call *call, struct tk_val payload)
{
    const struct tk_str arguments =
        call->form == TK_CHAT_CUSTOM ? TK_STR("input") : TK_STR("arguments");

    for (struct tk_val m = tk_first(payload); tk_exists(m); m = tk_after(payload, m)) {
        if (tk_key_is(m, TK_STR("name")))
            tk_merge_place(t, &call->payload, TK_STR("name"), TK_CHAT_NAME);
        else if (tk_key_is(m, arguments))
            tk_merge_place(t, &call->payload, arguments, TK_CHAT_ARGUMENTS);
        else
            tk_merge_member(t, &call->payload, m, TK_MERGE_INDEXED, false);
    }
    tk_chat_begin_call(t, call);
    return take_arguments(t, call, tk_get(payload, arguments));
}

/* Merges an entry of `tool_calls`. */
static int take_entry(struct tk_stream_turn *t, struct tk_chat_call *call, struct tk_val entry)
{
    int r = 0;

    for (struct tk_val m = tk_first(entry); tk_exists(m) && r == 0; m = tk_after(entry, m)) {
        bool is_function = tk_key_is(m, TK_STR("function"));

        if (tk_key_is(m, TK_STR("index")))
            continue;
        if (tk_key_is(m, TK_STR("id"))) {
            tk_merge_place(t, &call->members, TK_STR("id"), TK_CHAT_ID);
        } else if ((is_function || tk_key_is(m, TK_STR("custom"))) && tk_is(m, TK_OBJECT) &&
                   (call->wants_payload || is_function == (call->form == TK_CHAT_FUNCTION))) {
            if (call->wants_payload)
                call->form = is_function ? TK_CHAT_FUNCTION : TK_CHAT_CUSTOM;
            call->wants_payload = false;
            tk_merge_place(t, &call->members, tk_key(m, t->arena), TK_CHAT_PAYLOAD);
            r = take_payload(t, call, m);
        } else if (!is_function && !tk_key_is(m, TK_STR("custom"))) {
            tk_merge_member(t, &call->members, m, TK_MERGE_INDEXED, false);
        }
    }
    tk_chat_begin_call(t, call);
    return r;
}

int tk_chat_tool_calls(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val list)
{
    int r = 0;

    for (struct tk_val e = tk_first(list); tk_exists(e) && r == 0; e = tk_after(list, e)) {
        struct tk_chat_call *call;
        struct chat_delta d;

        if (!tk_is(e, TK_OBJECT) || !read_delta(t, e, &d))
            return TK_TURN_MALFORMED;
        call = call_of(t, choice, &d);
        if (!call)
            return -ENOMEM;
        tk_chat_of(choice)->last = call;
        take_id(t, call, d.id);
        take_name(t, call, d.name);
        r = take_entry(t, call, e);
    }
    return r;
}

int tk_chat_function_call(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_val v)
{
    struct tk_chat_choice *c = tk_chat_of(choice);
    struct tk_str name;

    if (!tk_is(v, TK_OBJECT) || !read_text(t, tk_get(v, TK_STR("name")), &name))
        return TK_TURN_MALFORMED;
    if (!c->legacy) {
        c->legacy = add_call(t, choice, TK_NO_INDEX);
        if (!c->legacy)
            return -ENOMEM;
        c->legacy->form = TK_CHAT_LEGACY;
        c->legacy->wants_payload = false;
        c->legacy->part.id = TK_STR("function_call");
        c->legacy->part.wire_index = c->legacy->part.run.wire_index = choice->index;
    }
    take_name(t, c->legacy, name);
    return take_payload(t, c->legacy, v);
}

/* ---- outputs ---- */

void tk_chat_begin_call(struct tk_stream_turn *t, struct tk_chat_call *call)
{
    if (call->part.run.begun || !tk_is_said(call->part.id) || !tk_is_said(call->part.name))
        return;
    tk_tell_call_start(t, &call->part);
    tk_run_delta_text(t, &call->part.run, tk_text_plain(t, &call->part.text), NULL);
}

void tk_chat_leave_call(struct tk_stream_turn *t, struct tk_chat_call *call)
{
    tk_chat_begin_call(t, call);
    tk_tell_call_end(t, &call->part);
}
