/* SPDX-License-Identifier: Apache-2.0 */
/* The items that the history gets, and how the next request can be made. */
#include "providers/openai/responses/stream/resp_stream.h"

struct tk_str tk_resp_output_type(const struct tk_turn_part *call)
{
    return ((const struct tk_resp_item *)call)->kind->output;
}

/* ---- items ---- */

/* Writes a message that was not done, with the texts that came. */
static void write_cut_message(struct tk_stream_turn *t, const struct tk_resp_item *item,
                              struct tk_writer *w)
{
    static const struct tk_str but[] = {TK_STR_INIT("id"), TK_STR_INIT("status"),
                                        TK_STR_INIT("content")};
    const struct tk_resp *own = tk_resp_of(t);

    tk_write_map(w);
    tk_turn_write_others(t, tk_turn_read_kept(t, &item->part.start), but, 3, w);
    tk_write_kv_cstr(w, "status", "incomplete");
    tk_write_key(w, "content");
    tk_write_list(w);
    for (uint32_t i = item->first_text; i != TK_NONE; i = own->texts[i].next) {
        const struct tk_resp_text *text = &own->texts[i];
        bool refuses = text->run.kind == TK_RUN_REFUSAL;

        if (!text->text.came)
            continue;
        tk_write_map(w);
        tk_write_kv_cstr(w, "type", refuses ? "refusal" : "output_text");
        tk_write_key(w, refuses ? "refusal" : "text");
        tk_text_write(t, &text->text, w);
        if (!refuses) {
            tk_write_key(w, "annotations");
            tk_write_list(w);
            tk_write_end(w);
        }
        tk_write_end(w);
    }
    tk_write_end(w);
    tk_write_end(w);
}

static bool same_type(struct tk_val v, const struct tk_resp_item *item)
{
    return item->part.type.p && tk_text_is(tk_get(v, TK_STR("type")), item->part.type);
}

static void write_item(struct tk_stream_turn *t, const struct tk_resp_item *item,
                       struct tk_writer *w)
{
    static const struct tk_str id = TK_STR_INIT("id");
    const struct tk_resp *own = tk_resp_of(t);
    struct tk_val v;
    bool strip = !own->over && item->kind->free; /* the server may not have stored it */

    if (!own->over && !item->part.whole && item->kind->class == TK_RESP_MESSAGE) {
        write_cut_message(t, item, w);
        return;
    }
    v = tk_turn_read_kept(t, item->listed ? &item->final : &item->part.start);
    if (!tk_exists(v))
        return;
    tk_write_map(w);
    tk_turn_write_others(t, v, &id, strip, w);
    if (tk_is_kept(&item->cipher) && same_type(v, item) &&
        !tk_is(tk_get(v, TK_STR("encrypted_content")), TK_STRING)) {
        tk_write_key(w, "encrypted_content");
        tk_turn_write_kept(t, &item->cipher, w);
    }
    tk_write_end(w);
}

static bool stays(const struct tk_turn_part *part)
{
    const struct tk_resp_item *item = (const struct tk_resp_item *)part;

    return part->held == TK_HELD_NOT && !item->gone;
}

void tk_resp_write_entries(struct tk_stream_turn *t, const struct tk_choice *choice,
                           struct tk_writer *w)
{
    for (uint32_t i = 0; i < choice->count; i++)
        if (stays(choice->parts[i]))
            write_item(t, (const struct tk_resp_item *)choice->parts[i], w);
}

/* ---- the next request ---- */

static bool is_any_held(const struct tk_stream_turn *t)
{
    for (uint32_t i = 0; i < t->part_count; i++)
        if (t->parts[i]->held != TK_HELD_NOT)
            return true;
    return false;
}

/* Returns true if the stream ended early, for no reason of its own. */
static bool is_broken(const struct tk_stream_turn *t)
{
    enum tk_fault cause = tk_turn_cause(t);

    return cause == TK_STREAM_FAULT_TRANSPORT_ERROR || cause == TK_STREAM_FAULT_TRUNCATED_STREAM;
}

static void write_full_history(struct tk_stream_turn *t, struct tk_writer *w)
{
    const struct tk_resp *own = tk_resp_of(t);

    tk_write_kv_cstr(w, "mode", "full_history");
    tk_write_kv_cstr(w, "why",
                     !own->over                          ? "failed"
                     : own->incomplete || is_any_held(t) ? "incomplete"
                                                         : "not_stored");
    if (!own->over)
        tk_write_kv_cstr(w, "item_ids", "strip");
}

void tk_resp_write_turn(struct tk_stream_turn *t, struct tk_writer *w)
{
    const struct tk_resp *own = tk_resp_of(t);
    struct tk_str id = tk_turn_message_id(t);
    bool all = own->over && own->completed && !is_any_held(t);

    tk_write_key(w, "follow_up");
    tk_write_map(w);
    if (all && own->conversation.p) {
        tk_write_kv_cstr(w, "mode", "conversation");
        tk_write_kv_str(w, "conversation", own->conversation);
    } else if (all && own->stored && id.p) {
        tk_write_kv_cstr(w, "mode", "previous_response_id");
        tk_write_kv_str(w, "previous_response_id", id);
    } else if (is_broken(t) && own->in_background && own->stored && own->numbered && id.p) {
        tk_write_kv_cstr(w, "mode", "resume");
        tk_write_kv_str(w, "response_id", id);
        tk_write_kv_int(w, "starting_after", own->number);
    } else {
        write_full_history(t, w);
    }
    tk_write_end(w);
}
