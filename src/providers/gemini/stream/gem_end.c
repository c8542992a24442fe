/* SPDX-License-Identifier: Apache-2.0 */
/* The end of a stream of responses, and the content that the history gets. */
#include <errno.h>

#include "providers/gemini/stream/gem_stream.h"
#include "value/unicode.h"

/* ---- reasons ---- */

/* `malformed`: the model made a call that is none. The last row is any other. */
static const struct gem_reason {
    struct tk_str name;
    uint8_t reason; /* enum tk_finish_reason */
    bool malformed;
} reasons[] = {
    {TK_STR_INIT("STOP"), TK_FINISH_STOP, false},
    {TK_STR_INIT("MAX_TOKENS"), TK_FINISH_LENGTH, false},
    {TK_STR_INIT("SAFETY"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("RECITATION"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("LANGUAGE"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("BLOCKLIST"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("PROHIBITED_CONTENT"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("SPII"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("IMAGE_SAFETY"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("IMAGE_PROHIBITED_CONTENT"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("IMAGE_RECITATION"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("MODEL_ARMOR"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("JAILBREAK"), TK_FINISH_CONTENT_FILTER, false},
    {TK_STR_INIT("MALFORMED_FUNCTION_CALL"), TK_FINISH_UNKNOWN, true},
    {TK_STR_INIT("UNEXPECTED_TOOL_CALL"), TK_FINISH_UNKNOWN, true},
    {TK_STR_INIT("TOO_MANY_TOOL_CALLS"), TK_FINISH_UNKNOWN, true},
    {TK_STR_INIT("MALFORMED_RESPONSE"), TK_FINISH_UNKNOWN, true},
    {{NULL, 0}, TK_FINISH_UNKNOWN, false},
};

static const struct gem_reason *row_of(struct tk_str reason)
{
    const struct gem_reason *row = reasons;

    while (row->name.p && !tk_str_eq(reason, row->name))
        row++;
    return row;
}

/* Notes the call that the provider says was none. */
static int add_malformed(struct tk_stream_turn *t, struct tk_choice *choice)
{
    struct tk_gem_part *p = tk_turn_add(t, choice, TK_TURN_CALL, TK_NO_INDEX, sizeof(*p));

    if (!p)
        return -ENOMEM;
    p->part.held = TK_HELD_MALFORMED;
    return 0;
}

int tk_gem_stream_finish(struct tk_stream_turn *t, struct tk_choice *choice, struct tk_str reason)
{
    const struct gem_reason *row = row_of(reason);
    bool again = choice->stop_reason.p != NULL;
    int r = 0;

    choice->stop_reason = tk_arena_dup(t->keep, reason);
    choice->reason = row->reason;
    if (row->reason == TK_FINISH_STOP)
        r = tk_gem_end_call(t, choice, false);
    tk_gem_leave_all(t, choice);
    return r == 0 && row->malformed && !again ? add_malformed(t, choice) : r;
}

bool tk_gem_stream_is_complete(struct tk_stream_turn *t)
{
    for (uint32_t i = 0; i < t->choice_count; i++)
        if (!t->choices[i]->stop_reason.p)
            return false;
    return t->choice_count > 0 || tk_is_kept(&tk_gem_of(t)->blocked);
}

void tk_gem_stream_settle(struct tk_stream_turn *t)
{
    for (uint32_t i = 0; i < t->choice_count; i++)
        if (t->choices[i]->own)
            tk_gem_leave_all(t, t->choices[i]);
}

/* ---- the end ---- */

/* Writes the pages that the answer is grounded on. */
static void tell_sources(struct tk_stream_turn *t, const struct tk_choice *choice)
{
    struct tk_val grounding = tk_turn_read_kept(t, &tk_gem_choice_of(choice)->grounding);
    struct tk_val list = tk_gem_get(grounding, TK_GEM_NAME("groundingChunks", "grounding_chunks"));

    for (struct tk_val e = tk_first(list); tk_exists(e); e = tk_after(list, e)) {
        struct tk_val page = tk_first(e);
        const struct tk_stream_source_view source = {.url = tk_get(page, TK_STR("uri")),
                                                     .title = tk_get(page, TK_STR("title"))};

        if (tk_is(source.url, TK_STRING))
            tk_tell_source(t, choice, TK_NO_INDEX, &source, (struct tk_str){NULL, 0});
    }
}

/* Thoughts belong to what follows them, and a blank text is no message: at the end of a broken stream
 * they are left out. */
static void hold_last(struct tk_stream_turn *t, struct tk_choice *choice)
{
    for (uint32_t i = choice->count; i-- > 0;) {
        struct tk_gem_part *p = (struct tk_gem_part *)choice->parts[i];
        struct tk_str text;

        if (p->part.held != TK_HELD_NOT)
            continue;
        text = p->joins ? tk_text_plain(t, &p->part.text) : (struct tk_str){NULL, 0};
        if (!p->joins || (p->part.kind == TK_TURN_TEXT && text.p && !tk_is_blank(text)))
            return;
        if (p->part.kind == TK_TURN_REASONING)
            p->part.held = TK_HELD_NO_NEXT;
        else
            p->left_out = true;
    }
}

static void end_choice(struct tk_stream_turn *t, struct tk_choice *choice, bool done)
{
    struct tk_gem_choice *c = tk_gem_choice_of(choice);

    if (c->call)
        c->call->part.held = TK_HELD_CUT;
    tk_operations_hold(t, choice);
    if (!done) {
        hold_last(t, choice);
        return;
    }
    tk_gem_end_text(t, choice);
    if (c->has_calls && choice->reason == TK_FINISH_STOP)
        choice->reason = TK_FINISH_TOOL_CALLS;
    tell_sources(t, choice);
}

/* The prompt was blocked: the answer is one empty choice. */
static void end_blocked(struct tk_stream_turn *t)
{
    struct tk_choice *choice = tk_turn_choice(t, 0);

    if (!choice)
        return;
    choice->stop_reason = tk_gem_of(t)->block_reason;
    choice->reason = TK_FINISH_CONTENT_FILTER;
    tk_turn_details(t, tk_turn_read_kept(t, &tk_gem_of(t)->blocked));
}

void tk_gem_stream_end(struct tk_stream_turn *t, bool done)
{
    if (t->choice_count == 0 && tk_is_kept(&tk_gem_of(t)->blocked))
        end_blocked(t);
    for (uint32_t i = 0; i < t->choice_count; i++)
        if (t->choices[i]->own)
            end_choice(t, t->choices[i], done);
}

void tk_gem_stream_write_finish(struct tk_stream_turn *t, struct tk_writer *w)
{
    tk_write_key(w, "metadata");
    tk_write_map(w);
    for (size_t i = 0; i < TK_GEM_METADATA; i++) {
        if (!tk_is_kept(&tk_gem_of(t)->metadata[i]))
            continue;
        tk_write_key_str(w, tk_gem_metadata_names[i].camel);
        tk_turn_write_kept(t, &tk_gem_of(t)->metadata[i], w);
    }
    tk_write_end(w);
}

/* ---- the content ---- */

static const struct tk_gem_name pieces = {TK_STR_INIT("partialArgs"), TK_STR_INIT("partial_args")},
                                goes_on = {TK_STR_INIT("willContinue"),
                                           TK_STR_INIT("will_continue")},
                                call_name = {TK_STR_INIT("functionCall"),
                                             TK_STR_INIT("function_call")},
                                signature = {TK_STR_INIT("thoughtSignature"),
                                             TK_STR_INIT("thought_signature")};

static void write_member(struct tk_stream_turn *t, struct tk_val m, struct tk_writer *w)
{
    tk_write_key_str(w, tk_key(m, t->arena));
    tk_write_any(w, m);
}

/* Writes the call of a part in one piece. */
static void write_call(struct tk_stream_turn *t, const struct tk_gem_part *p, struct tk_val call,
                       struct tk_writer *w)
{
    tk_write_map(w);
    for (struct tk_val m = tk_first(call); tk_exists(m); m = tk_after(call, m))
        if (!tk_gem_is(m, pieces) && !tk_gem_is(m, goes_on) && !tk_key_is(m, TK_STR("args")))
            write_member(t, m, w);
    tk_write_key(w, "args");
    tk_gem_args_write(t, &p->args, w);
    tk_write_end(w);
}

static void write_call_in_pieces(struct tk_stream_turn *t, const struct tk_gem_part *p,
                                 struct tk_writer *w)
{
    struct tk_val v = tk_turn_read_kept(t, &p->part.start);
    bool is_signed = tk_is_kept(&p->signature);
    struct tk_str key = signature.camel;

    tk_write_map(w);
    for (struct tk_val m = tk_first(v); tk_exists(m); m = tk_after(v, m)) {
        if (tk_gem_is(m, call_name)) {
            if (tk_key_is(m, call_name.snake))
                key = signature.snake;
            tk_write_key_str(w, tk_key(m, t->arena));
            write_call(t, p, m, w);
        } else if (!tk_gem_is(m, signature) || !is_signed) {
            write_member(t, m, w);
        }
    }
    if (is_signed) {
        tk_write_key_str(w, key);
        tk_turn_write_kept(t, &p->signature, w);
    }
    tk_write_end(w);
}

static void write_part(struct tk_stream_turn *t, const struct tk_gem_part *p, struct tk_writer *w)
{
    if (p->in_pieces) {
        write_call_in_pieces(t, p, w);
    } else if (p->joins) {
        tk_write_map(w);
        tk_write_key(w, "text");
        tk_text_write(t, &p->part.text, w);
        if (p->part.kind == TK_TURN_REASONING)
            tk_write_kv_bool(w, "thought", true);
        tk_write_end(w);
    } else {
        tk_turn_write_kept(t, &p->part.start, w);
    }
}

static bool stays(const struct tk_turn_part *part)
{
    return part->held == TK_HELD_NOT && !((const struct tk_gem_part *)part)->left_out;
}

void tk_gem_stream_write_entries(struct tk_stream_turn *t, const struct tk_choice *choice,
                                 struct tk_writer *w)
{
    bool any = false;

    for (uint32_t i = 0; i < choice->count; i++)
        any = any || stays(choice->parts[i]);
    if (!any)
        return;
    tk_write_map(w);
    tk_write_kv_cstr(w, "role", "model");
    tk_write_key(w, "parts");
    tk_write_list(w);
    for (uint32_t i = 0; i < choice->count; i++)
        if (stays(choice->parts[i]))
            write_part(t, (const struct tk_gem_part *)choice->parts[i], w);
    tk_write_end(w);
    tk_write_end(w);
}
