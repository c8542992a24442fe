/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/edit/edit.h"

#include <errno.h>

#include "rules/edit/edit_part.h"
#include "rules/edit/markers.h"
#include "shapes/shape.h"
#include "value/splice.h"

/* Edits that scan the whole history take some 100 ms for this many of them at a million parts. */
#define STEPS_BETWEEN_POLLS 32

const char *const tk_action_names[TK_ACTION_COUNT] = {
    [TK_ACTION_NONE] = "",
    [TK_ACTION_DROP] = "drop",
    [TK_ACTION_TEXTIFY] = "textify",
    [TK_ACTION_MOVE] = "move",
    [TK_ACTION_MERGE] = "merge",
    [TK_ACTION_DROP_MESSAGE] = "drop_message",
    [TK_ACTION_INSERT_RESULT] = "insert_result",
    [TK_ACTION_DEMOTE] = "demote",
    [TK_ACTION_RESTORE] = "restore",
    [TK_ACTION_REWRITE] = "rewrite",
    [TK_ACTION_APPEND] = "append",
};

void tk_edits_init(struct tk_edits *e, struct tk_transcript *t, const struct tk_pairing *pairing)
{
    *e = (struct tk_edits){.t = t,
                           .pairing = pairing,
                           .changed_last = TK_NONE,
                           .marker_from = TK_NONE,
                           .marker_to = TK_NONE};
    tk_doc_init(&e->scratch, tk_arena_allocator(t->arena));
}

/* ---- the report ---- */

/* Adds `one` to the counters of an edit of a part. kind: the part's kind before the edit. */
static void count_part(struct tk_stats *s, enum tk_action action, enum tk_part_kind kind,
                       uint32_t one)
{
    bool gone = action == TK_ACTION_DROP || action == TK_ACTION_TEXTIFY;
    bool thinking = kind == TK_PART_THINKING || kind == TK_PART_REDACTED;

    s->removed_tool_calls += gone && kind == TK_PART_CALL ? one : 0;
    s->removed_tool_results += gone && kind == TK_PART_RESULT ? one : 0;
    s->removed_thinking += action == TK_ACTION_DROP && thinking ? one : 0;
    s->demoted_thinking += action == TK_ACTION_DEMOTE ? one : 0;
    s->textified += action == TK_ACTION_TEXTIFY ? one : 0;
    s->moved += action == TK_ACTION_MOVE ? one : 0;
    s->inserted_results += action == TK_ACTION_INSERT_RESULT ? one : 0;
}

/* Adds an edit to the counters. one: 1, or its negative to take a line back. */
static void count(struct tk_edits *e, const struct tk_edit *edit, uint32_t one)
{
    enum tk_action action = (enum tk_action)edit->action;

    e->by_action[action] += one;
    e->stats.dropped_messages += action == TK_ACTION_DROP_MESSAGE ? one : 0;
    e->stats.merged_messages += action == TK_ACTION_MERGE ? one : 0;
    e->stats.restored_turns += action == TK_ACTION_RESTORE ? one : 0;
    e->stats.rewritten += action == TK_ACTION_REWRITE || action == TK_ACTION_APPEND ? one : 0;
    if (edit->site.part != TK_NONE)
        count_part(&e->stats, action, (enum tk_part_kind)edit->kind, one);
}

void tk_edit_take_back(struct tk_edits *e, uint32_t message, uint32_t first)
{
    uint32_t kept = first;

    for (uint32_t i = first; i < e->count; i++) {
        if (e->list[i].site.entry == message && e->list[i].action != TK_ACTION_INSERT_RESULT)
            count(e, &e->list[i], UINT32_MAX);
        else
            e->list[kept++] = e->list[i];
    }
    e->count = kept;
}

/* Marks a part as one that was sent without an id; compared by address. */
static const char no_id[] = "";

struct tk_str tk_sent_id(const struct tk_edits *e, uint32_t part)
{
    const struct tk_part *p = &e->t->parts[part];
    struct tk_str kept = {0};

    if (e->sent_ids && part < e->t->input_parts)
        kept = e->sent_ids[part];
    if (kept.p == no_id)
        return (struct tk_str){0};
    return kept.p ? kept : tk_text(tk_part_val(p, p->id), e->t->arena);
}

int tk_keep_sent_id(struct tk_edits *e, uint32_t part)
{
    if (part >= e->t->input_parts)
        return 0;
    if (!e->sent_ids)
        e->sent_ids = tk_arena_zalloc(e->t->arena, e->t->input_parts, sizeof(*e->sent_ids));
    if (!e->sent_ids)
        return -ENOMEM;
    if (!e->sent_ids[part].p) {
        struct tk_str id = tk_sent_id(e, part);

        e->sent_ids[part] = id.p ? id : (struct tk_str){no_id, 0};
    }
    return 0;
}

int tk_edit_note(struct tk_edits *e, uint32_t message, uint32_t part, uint16_t code,
                 enum tk_action action)
{
    struct tk_edit *edit;

    if (++e->steps % STEPS_BETWEEN_POLLS == 0 && e->late && e->late(e->late_arg))
        return -ECANCELED;
    if (part != TK_NONE)
        e->t->parts[part].flags |= TK_PART_EDITED;
    /* A part or message that an edit added was never sent, so it gets no line. */
    if (part == TK_NONE ? message == TK_NONE : e->t->parts[part].from_message == TK_NONE)
        return 0;
    if (!TK_GROW(e->t->arena, e->list, e->count, e->capacity))
        return -ENOMEM;
    edit = &e->list[e->count++];
    *edit = (struct tk_edit){
        .site = tk_site_of(message, TK_NONE), .code = code, .action = (uint8_t)action};
    if (part != TK_NONE) {
        struct tk_part *p = &e->t->parts[part];

        edit->site = tk_site_of(p->from_message, part);
        if (p->kind == TK_PART_CALL || p->kind == TK_PART_RESULT) {
            edit->id = tk_sent_id(e, part);
            edit->tool = tk_tool_label(e->t, e->pairing, p);
        }
        edit->kind = p->kind;
    }
    count(e, edit, 1);
    return 0;
}

/* ---- fragments ---- */

struct tk_str tk_encode_text(struct tk_edits *e, struct tk_str text)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    tk_write_str(&out.w, text);
    return tk_encode_end(&out);
}

bool tk_is_readable(struct tk_edits *e, struct tk_str encoded)
{
    const struct tk_read_limits limits = {
        UINT32_MAX, UINT32_MAX, {e->t->hash_key[0], e->t->hash_key[1]}};
    struct tk_read_error error;

    if (!encoded.p)
        return false;
    return (e->t->doc->codec == TK_JSON ? tk_json_read : tk_msgpack_read)(
               &e->scratch, encoded.p, encoded.n, &limits, e->t->arena, &error) == 0;
}

/* The tape is reused for the next fragment, so the document gets a copy. */
const struct tk_doc *tk_fragment(struct tk_edits *e, struct tk_str encoded)
{
    struct tk_doc *doc = tk_arena_alloc(e->t->arena, sizeof(*doc));

    if (!doc || !tk_is_readable(e, encoded))
        return NULL;
    *doc = e->scratch;
    doc->capacity = doc->count;
    doc->nodes = tk_arena_alloc(e->t->arena, doc->count * sizeof(*doc->nodes));
    if (!doc->nodes)
        return NULL;
    memcpy(doc->nodes, e->scratch.nodes, doc->count * sizeof(*doc->nodes));
    return doc;
}

/* Reads the part again from a fragment. Its place, links and origin stay as they are. */
static int refill(struct tk_edits *e, uint32_t part, struct tk_str encoded, uint32_t flags)
{
    const struct tk_doc *doc = tk_fragment(e, encoded);
    struct tk_part *p = &e->t->parts[part];

    if (!doc)
        return -ENOMEM;
    p->doc = doc;
    p->node = 0;
    p->type = p->id = p->name = p->payload = p->caller = TK_NO_NODE;
    p->flags = ((p->flags & (TK_PART_MOVED | TK_PART_CHANGED | TK_PART_RESULT_GONE | TK_PART_MADE |
                             TK_PART_TOUCHED | TK_PART_EDITED)) |
                flags);
    e->t->shape->read_part(p, &e->t->messages[p->message], e->t->arena);
    e->t->messages[p->message].flags |= TK_MESSAGE_TOUCHED;
    return 0;
}

/* text: an encoded string. */
static struct tk_str encoded_text_part(struct tk_edits *e, struct tk_str text, struct tk_str marker)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    e->t->shape->write_text(&out.w, text, marker);
    return tk_encode_end(&out);
}

struct tk_str tk_encode_text_part(struct tk_edits *e, struct tk_str text, struct tk_str marker)
{
    return encoded_text_part(e, tk_encode_text(e, text), marker);
}

static int read_message_again(struct tk_edits *e, uint32_t message, struct tk_str encoded)
{
    const struct tk_doc *doc = tk_fragment(e, encoded);
    struct tk_message *m = &e->t->messages[message];

    if (!doc)
        return -ENOMEM;
    m->doc = doc;
    m->node = 0;
    m->options = TK_NO_NODE;
    m->flags &= ~(uint32_t)(TK_MESSAGE_EXTRA | TK_MESSAGE_KEPT);
    m->flags |= TK_MESSAGE_TOUCHED;
    tk_shape_read_message(e->t->shape, m, e->t->arena);
    return 0;
}

static int add_content(struct tk_edits *e, uint32_t message)
{
    struct tk_message *m = &e->t->messages[message];
    struct tk_val whole = {m->doc, m->node};
    struct tk_str nothing = e->t->doc->codec == TK_JSON ? TK_STR("[]") : TK_STR("\x90");

    m->flags |= TK_MESSAGE_FILLED;
    return read_message_again(
        e, message,
        tk_splice_add(e->t->arena, whole, whole, tk_parts_name(e->t->shape).p, nothing));
}

int tk_open_content(struct tk_edits *e, uint32_t message)
{
    struct tk_message *m = &e->t->messages[message];

    m->flags |= TK_MESSAGE_TOUCHED;
    if ((m->flags & TK_MESSAGE_MADE) || tk_is((struct tk_val){m->doc, m->content}, TK_ARRAY))
        return 0;
    m->flags |= TK_MESSAGE_RELISTED;
    return m->content == TK_NO_NODE ? add_content(e, message) : 0;
}

int tk_edit_insert(struct tk_edits *e, uint32_t message, uint32_t after, struct tk_str encoded)
{
    uint32_t part = tk_new_part(e->t);
    const struct tk_doc *doc;

    if (part == TK_NONE)
        return -ENOMEM;
    doc = tk_fragment(e, encoded);
    if (!doc)
        return -ENOMEM;
    if (tk_open_content(e, message) < 0)
        return -ENOMEM;
    e->t->messages[message].flags &= ~(uint32_t)TK_MESSAGE_EMPTIED;
    tk_link_part(e->t, message, after, part);
    return refill(e, part, encoded, TK_PART_MADE | TK_PART_CHANGED);
}

/* ---- parts ---- */

static void drop_message(struct tk_edits *e, uint32_t message)
{
    struct tk_message *m = &e->t->messages[message];

    for (uint32_t i = m->first; i != TK_NONE; i = e->t->parts[i].next)
        e->t->parts[i].flags |= TK_PART_REMOVED;
    m->flags |= TK_MESSAGE_DROPPED;
    m->flags &= ~(uint32_t)TK_MESSAGE_EMPTIED;
    if (m->prev != TK_NONE)
        e->t->messages[m->prev].flags |= TK_MESSAGE_GAP;
    tk_unlink_message(e->t, message);
}

void tk_take_out(struct tk_edits *e, uint32_t part)
{
    struct tk_part *p = &e->t->parts[part];
    uint32_t message = p->message;
    struct tk_message *m = &e->t->messages[message];

    tk_unlink_part(e->t, part);
    m->flags |= TK_MESSAGE_TOUCHED;
    if (p->flags & TK_PART_STRING)
        m->flags |= TK_MESSAGE_RELISTED;
    if (m->first == TK_NONE && (m->flags & TK_MESSAGE_WHOLE))
        drop_message(e, message);
    else if (m->first == TK_NONE)
        m->flags |= TK_MESSAGE_EMPTIED;
}

/* Keeps the place of a result of the input: citations may refer to its content. */
static int note_gone(struct tk_edits *e, uint32_t part)
{
    struct tk_part *p = &e->t->parts[part];

    if (!tk_is_result(p, true) || part >= e->t->input_parts)
        return 0;
    if (!e->gone) {
        e->gone = tk_arena_alloc(e->t->arena, e->t->input_parts * sizeof(*e->gone));
        if (!e->gone)
            return -ENOMEM;
    }
    p->flags |= TK_PART_RESULT_GONE;
    e->gone[part] = tk_part_val(p, p->node);
    return 0;
}

int tk_edit_drop(struct tk_edits *e, uint32_t part, uint16_t code)
{
    int r = tk_edit_note(e, TK_NONE, part, code, TK_ACTION_DROP);

    if (r < 0)
        return r;
    r = note_gone(e, part);
    if (r == 0)
        r = tk_marker_hand_on(e, part);
    tk_take_out(e, part);
    e->t->parts[part].flags |= TK_PART_REMOVED;
    return r;
}

int tk_edit_textify(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text)
{
    int r = tk_edit_note(e, TK_NONE, part, code, TK_ACTION_TEXTIFY);

    if (r == 0)
        r = note_gone(e, part);
    return r < 0 ? r
                 : refill(e, part, tk_encode_text_part(e, text, tk_marker_of(e->t, part)),
                          TK_PART_MADE | TK_PART_CHANGED);
}

/* Removes the part and inserts a text part after a part of the message. */
static int move_text(struct tk_edits *e, uint32_t part, uint16_t code, enum tk_action action,
                     struct tk_str encoded, uint32_t message, uint32_t after)
{
    int r = tk_edit_note(e, TK_NONE, part, code, action);

    if (r == 0)
        r = note_gone(e, part);
    if (r < 0)
        return r;
    tk_take_out(e, part);
    e->t->parts[part].flags |= TK_PART_REMOVED;
    return tk_edit_insert(e, message, after, encoded);
}

int tk_edit_textify_into(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text,
                         uint32_t message, uint32_t after)
{
    return move_text(e, part, code, TK_ACTION_TEXTIFY,
                     tk_encode_text_part(e, text, tk_marker_of(e->t, part)), message, after);
}

int tk_edit_rewrite_into(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_val text,
                         uint32_t message, uint32_t after)
{
    return move_text(e, part, code, TK_ACTION_REWRITE,
                     encoded_text_part(e, tk_span(text), tk_marker_of(e->t, part)), message, after);
}

/* The message's bytes are written later, when its parts are known. */
uint32_t tk_edit_add_message(struct tk_edits *e, uint32_t after, enum tk_role role, uint32_t flags)
{
    uint32_t message = tk_new_message(e->t);

    if (message == TK_NONE)
        return TK_NONE;
    e->t->messages[message].role = (uint8_t)role;
    e->t->messages[message].flags =
        TK_MESSAGE_MADE | flags | (e->t->shape->is_whole ? TK_MESSAGE_WHOLE : 0);
    tk_link_message(e->t, after, message);
    return message;
}

/* Returns a new user message right after the part's. Texts of one round share it. */
static uint32_t message_after(struct tk_edits *e, uint32_t part)
{
    const uint16_t kind = TK_MESSAGE_MADE | TK_MESSAGE_TOOL;
    uint32_t message = e->t->parts[part].message, next = e->t->messages[message].next;

    if (next == TK_NONE || next < e->round_messages ||
        (e->t->messages[next].flags & kind) != TK_MESSAGE_MADE ||
        e->t->messages[next].role != TK_ROLE_USER)
        next = tk_edit_add_message(e, message, TK_ROLE_USER, 0);
    return next;
}

int tk_edit_textify_after(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text)
{
    uint32_t next = message_after(e, part);

    return next == TK_NONE
               ? -ENOMEM
               : tk_edit_textify_into(e, part, code, text, next, e->t->messages[next].last);
}

/* Returns the text of a thinking part, byte by byte, as a text part without a cache marker. */
static struct tk_str thought(struct tk_edits *e, uint32_t part)
{
    const struct tk_part *p = &e->t->parts[part];

    return encoded_text_part(e, tk_span(tk_part_val(p, p->payload)), (struct tk_str){0});
}

int tk_edit_demote(struct tk_edits *e, uint32_t part, uint16_t code, uint32_t before)
{
    struct tk_str encoded = thought(e, part);
    int r = tk_edit_note(e, TK_NONE, part, code, TK_ACTION_DEMOTE);

    if (r < 0)
        return r;
    if (before != TK_NONE) {
        tk_unlink_part(e->t, part);
        tk_link_part(e->t, e->t->parts[before].message, e->t->parts[before].prev, part);
        e->t->parts[part].flags |= TK_PART_MOVED;
    }
    return refill(e, part, encoded, TK_PART_MADE | TK_PART_CHANGED | TK_PART_DEMOTED);
}

int tk_edit_carry(struct tk_edits *e, uint32_t part, uint32_t message, uint32_t after)
{
    if (tk_open_content(e, message) < 0)
        return -ENOMEM;
    tk_take_out(e, part);
    tk_link_part(e->t, message, after, part);
    e->t->parts[part].flags |= TK_PART_MOVED | TK_PART_CHANGED;
    e->t->messages[message].flags &= ~(uint32_t)TK_MESSAGE_EMPTIED;
    return 0;
}

int tk_edit_move(struct tk_edits *e, uint32_t part, uint16_t code, uint32_t message, uint32_t after)
{
    int r = tk_edit_note(e, TK_NONE, part, code, TK_ACTION_MOVE);

    return r < 0 ? r : tk_edit_carry(e, part, message, after);
}

int tk_edit_error_result(struct tk_edits *e, uint32_t call, uint16_t code,
                         struct tk_str result_type)
{
    const struct tk_part *p = &e->t->parts[call];
    struct tk_encoding out;
    int r = tk_edit_note(e, TK_NONE, call, code, TK_ACTION_INSERT_RESULT);

    if (r < 0)
        return r;
    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    e->t->shape->write_error_result(&out.w, p, tk_part_id(e->t, p), result_type);
    return tk_edit_insert(e, p->message, call, tk_encode_end(&out));
}

int tk_edit_unexecuted(struct tk_edits *e, uint32_t call, uint16_t code, uint32_t message,
                       uint32_t after)
{
    const struct tk_part *p = &e->t->parts[call];
    struct tk_encoding out;
    int r = tk_edit_note(e, TK_NONE, call, code, TK_ACTION_INSERT_RESULT);

    if (r < 0)
        return r;
    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    e->t->shape->write_unexecuted(&out.w, p, tk_part_id(e->t, p));
    return tk_edit_insert(e, message, after, tk_encode_end(&out));
}

int tk_edit_rewritten(struct tk_edits *e, uint32_t part, uint16_t code)
{
    e->t->parts[part].flags |= TK_PART_CHANGED;
    return tk_edit_note(e, TK_NONE, part, code, TK_ACTION_REWRITE);
}

int tk_edit_remarked(struct tk_edits *e, uint32_t part, uint16_t code)
{
    return tk_edit_note(e, TK_NONE, part, code, TK_ACTION_REWRITE);
}

int tk_change_all(struct tk_edits *e, uint32_t part, struct tk_str encoded)
{
    return refill(e, part, encoded, TK_PART_MADE);
}

int tk_edit_unloaded(struct tk_edits *e, uint32_t part, uint16_t code)
{
    e->t->parts[part].flags |= TK_PART_CHANGED;
    return tk_edit_note(e, TK_NONE, part, code, TK_ACTION_MOVE);
}

int tk_part_refill(struct tk_edits *e, uint32_t part, struct tk_str encoded)
{
    return refill(e, part, encoded, TK_PART_TOUCHED | (e->t->parts[part].flags & TK_PART_STRING));
}

/* ---- messages ---- */

int tk_message_without(struct tk_edits *e, uint32_t message, struct tk_str encoded)
{
    e->t->messages[message].flags |= TK_MESSAGE_STRIPPED;
    return read_message_again(e, message, encoded);
}

int tk_edit_message_rewritten(struct tk_edits *e, uint32_t message, uint16_t code)
{
    return tk_edit_note(e, tk_message_from(e->t, message), TK_NONE, code, TK_ACTION_REWRITE);
}

int tk_change_message(struct tk_edits *e, uint32_t message, struct tk_str encoded)
{
    return read_message_again(e, message, encoded);
}

int tk_edit_wrap(struct tk_edits *e, uint32_t message, uint16_t code)
{
    uint32_t part = tk_new_part(e->t);
    struct tk_message *m = &e->t->messages[message];
    struct tk_part *p;

    if (part == TK_NONE)
        return -ENOMEM;
    p = &e->t->parts[part];
    p->doc = m->doc;
    p->node = m->content;
    p->flags = TK_PART_MADE | TK_PART_CHANGED;
    m->flags |= TK_MESSAGE_TOUCHED | TK_MESSAGE_RELISTED;
    tk_link_part(e->t, message, TK_NONE, part);
    e->t->shape->read_part(p, m, e->t->arena);
    return tk_edit_message_rewritten(e, message, code);
}

int tk_edit_append(struct tk_edits *e, uint32_t message, uint16_t code, enum tk_action action,
                   struct tk_str text)
{
    int r = tk_edit_note(e, tk_message_from(e->t, message), TK_NONE, code, action);

    return r < 0 ? r
                 : tk_edit_insert(e, message, e->t->messages[message].last,
                                  tk_encode_text_part(e, text, (struct tk_str){0}));
}

int tk_edit_stand_in(struct tk_edits *e, uint32_t message, uint16_t code, struct tk_str text)
{
    uint32_t made = tk_edit_add_message(e, message, TK_ROLE_USER, 0);
    int r = made == TK_NONE
                ? -ENOMEM
                : tk_edit_note(e, tk_message_from(e->t, message), TK_NONE, code, TK_ACTION_REWRITE);

    if (r == 0)
        r = tk_edit_insert(e, made, TK_NONE, tk_encode_text_part(e, text, (struct tk_str){0}));
    if (r == 0)
        drop_message(e, message);
    return r;
}

int tk_edit_move_message(struct tk_edits *e, uint32_t message, uint16_t code, uint32_t after)
{
    int r = tk_edit_note(e, tk_message_from(e->t, message), TK_NONE, code, TK_ACTION_MOVE);

    if (r < 0)
        return r;
    tk_unlink_message(e->t, message);
    tk_link_message(e->t, after, message);
    e->t->messages[message].flags |= TK_MESSAGE_MOVED;
    e->stats.moved++;
    return 0;
}

int tk_edit_drop_message(struct tk_edits *e, uint32_t message, uint16_t code)
{
    int r = tk_edit_note(e, tk_message_from(e->t, message), TK_NONE, code, TK_ACTION_DROP_MESSAGE);

    if (r == 0)
        drop_message(e, message);
    return r;
}

int tk_edit_merge(struct tk_edits *e, uint32_t message, uint16_t code)
{
    struct tk_transcript *t = e->t;
    uint32_t into = t->messages[message].prev;
    bool gap = t->messages[message].flags & TK_MESSAGE_GAP;
    int r = tk_edit_note(e, tk_message_from(t, message), TK_NONE, code, TK_ACTION_MERGE);

    if (r == 0)
        r = tk_open_content(e, message);
    if (r == 0)
        r = tk_open_content(e, into);
    if (r < 0)
        return r;
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->messages[message].first) {
        tk_unlink_part(t, i);
        tk_link_part(t, into, t->messages[into].last, i);
        t->parts[i].flags |= TK_PART_MOVED;
    }
    drop_message(e, message);
    t->messages[into].flags &= ~(uint32_t)TK_MESSAGE_GAP;
    t->messages[into].flags |= gap ? TK_MESSAGE_GAP : 0;
    return 0;
}
