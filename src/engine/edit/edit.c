/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/edit/edit.h"

#include <errno.h>

#include "engine/edit/edit_part.h"
#include "engine/judge.h"
#include "shapes/shape.h"

void tk_edits_init(struct tk_edits *e, const struct tk_judge *j)
{
    *e = (struct tk_edits){.t = j->t, .j = j, .changed_last = TK_NONE};
    tk_doc_init(&e->scratch, tk_arena_allocator(j->t->arena));
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

    if (!doc || tk_note_sent(e, part) < 0)
        return -ENOMEM;
    p->doc = doc;
    p->node = 0;
    p->type = p->id = p->name = p->payload = p->caller = p->own_id = TK_NO_NODE;
    if (e->t->messages[p->message].flags & TK_MESSAGE_WHOLE)
        flags |= TK_PART_WHOLE;
    p->flags = ((p->flags & (TK_PART_MOVED | TK_PART_CHANGED | TK_PART_RESULT_GONE | TK_PART_MADE |
                             TK_PART_TOUCHED | TK_PART_EDITED | TK_PART_IN_CALLS)) |
                flags);
    e->t->shape->read_part(p, &e->t->messages[p->message], e->t->arena);
    e->t->messages[p->message].flags |= TK_MESSAGE_TOUCHED;
    if (e->t->messages[p->message].flags & TK_MESSAGE_WHOLE)
        e->t->messages[p->message].item = (uint8_t)p->block;
    return 0;
}

struct tk_str tk_encode_string_part(struct tk_edits *e, struct tk_str string, struct tk_str marker)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    e->t->shape->write_text(&out.w, string, marker);
    return tk_encode_end(&out);
}

struct tk_str tk_encode_text_part(struct tk_edits *e, struct tk_str text, struct tk_str marker)
{
    return tk_encode_string_part(e, tk_encode_text(e, text), marker);
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
        tk_remove_message(e, message);
    else if (m->first == TK_NONE)
        m->flags |= TK_MESSAGE_EMPTIED;
}

/* Tells the provider's rules that the part is about to go, or to become a text. */
static int goes(struct tk_edits *e, uint32_t part, enum tk_action action)
{
    const struct tk_ruleset *rules = e->j->rules;

    return rules->part_goes ? rules->part_goes(e, part, action) : 0;
}

/* Returns the marker that a text in the part's place has. */
static struct tk_str marker_of(const struct tk_edits *e, uint32_t part)
{
    return e->j->rules->marker ? e->j->rules->marker(e->t, part) : (struct tk_str){0};
}

int tk_edit_part(struct tk_edits *e, uint32_t part, uint16_t code, enum tk_action action)
{
    return tk_edit_note(e, TK_NONE, part, code, action);
}

int tk_edit_remove(struct tk_edits *e, uint32_t part, uint16_t code, enum tk_action action)
{
    int r = tk_edit_part(e, part, code, action);

    if (r == 0)
        r = goes(e, part, action);
    if (r < 0)
        return r;
    tk_take_out(e, part);
    e->t->parts[part].flags |= TK_PART_REMOVED;
    return 0;
}

int tk_edit_drop(struct tk_edits *e, uint32_t part, uint16_t code)
{
    return tk_edit_remove(e, part, code, TK_ACTION_DROP);
}

int tk_edit_become_text(struct tk_edits *e, uint32_t part, uint16_t code, enum tk_action action,
                        struct tk_str encoded)
{
    int r = tk_edit_part(e, part, code, action);

    if (r == 0)
        r = goes(e, part, action);
    return r < 0 ? r : refill(e, part, encoded, TK_PART_MADE | TK_PART_CHANGED);
}

int tk_edit_textify(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text)
{
    return tk_edit_become_text(e, part, code, TK_ACTION_TEXTIFY,
                               tk_encode_text_part(e, text, marker_of(e, part)));
}

/* Returns the text of a thinking part, byte by byte, as a text part without a cache marker. */
static struct tk_str thought(struct tk_edits *e, uint32_t part)
{
    const struct tk_part *p = &e->t->parts[part];

    return tk_encode_string_part(e, tk_span(tk_part_val(p, p->payload)), (struct tk_str){0});
}

int tk_edit_demote(struct tk_edits *e, uint32_t part, uint16_t code, uint32_t before)
{
    struct tk_str encoded = thought(e, part);
    int r = tk_edit_part(e, part, code, TK_ACTION_DEMOTE);

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
    int r = tk_edit_part(e, part, code, TK_ACTION_MOVE);

    return r < 0 ? r : tk_edit_carry(e, part, message, after);
}

/* Inserts a result for a call after the part `after` of a message. */
static int insert_result(struct tk_edits *e, uint32_t call, uint16_t code, uint32_t message,
                         uint32_t after, struct tk_str encoded)
{
    int r = tk_edit_part(e, call, code, TK_ACTION_INSERT_RESULT);

    return r < 0 ? r : tk_edit_insert(e, message, after, encoded);
}

int tk_edit_error_result(struct tk_edits *e, uint32_t call, uint16_t code,
                         struct tk_str result_type)
{
    const struct tk_part *p = &e->t->parts[call];
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    e->t->shape->write_error_result(&out.w, p, tk_part_id(e->t, p), result_type);
    return insert_result(e, call, code, p->message, call, tk_encode_end(&out));
}

int tk_edit_unexecuted(struct tk_edits *e, uint32_t call, uint16_t code, uint32_t message,
                       uint32_t after)
{
    const struct tk_part *p = &e->t->parts[call];
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)e->t->doc->codec, e->t->arena);
    e->t->shape->write_unexecuted(&out.w, p, tk_part_id(e->t, p));
    return insert_result(e, call, code, message, after, tk_encode_end(&out));
}

int tk_edit_rewritten(struct tk_edits *e, uint32_t part, uint16_t code)
{
    e->t->parts[part].flags |= TK_PART_CHANGED;
    return tk_edit_part(e, part, code, TK_ACTION_REWRITE);
}

int tk_change_all(struct tk_edits *e, uint32_t part, struct tk_str encoded)
{
    return refill(e, part, encoded, TK_PART_MADE);
}

int tk_part_refill(struct tk_edits *e, uint32_t part, struct tk_str encoded)
{
    return refill(e, part, encoded, TK_PART_TOUCHED | (e->t->parts[part].flags & TK_PART_STRING));
}
