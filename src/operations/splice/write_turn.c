/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the outcome. Unchanged values are spans of the request's bytes. */
#include "operations/splice/splice.h"
#include "providers/provider.h"
#include "providers/splice.h"
#include "shapes/shape.h"

#include "value/patch.h"
#include "value/pointer.h"
#include "value/splice.h"

static const char *const action_names[] = {
    [TK_SPLICE_CONTINUE] = "continue",
    [TK_SPLICE_RESUME] = "resume",
    [TK_SPLICE_STOP] = "stop",
};

static const char *const note_names[] = {
#define NOTE_NAME(id, text) [TK_SPLICE_NOTE_##id] = text,
    TK_SPLICE_NOTES(NOTE_NAME)
#undef NOTE_NAME
};

const char *tk_splice_action_name(enum tk_splice_action action)
{
    return action_names[action];
}

void tk_splice_write_notes(struct tk_writer *w, const struct tk_spliced *s)
{
    tk_write_list(w);
    for (size_t i = 0; i < TK_SPLICE_NOTE_COUNT; i++)
        if (s->notes & 1u << i)
            tk_write_cstr(w, note_names[i]);
    tk_write_end(w);
}

/* ---- parts, and messages that are results or texts alone ---- */

/* Writes a text: a part, or a message of its own. encoded: a string in the writer's codec. */
static void write_encoded(struct tk_writer *w, const struct tk_spliced *s, struct tk_str encoded)
{
    const struct tk_shape *shape = s->provider->rules.shapes[0];

    if (s->provider->splice->write_text)
        s->provider->splice->write_text(w, shape, encoded);
    else
        shape->write_text(w, encoded, (struct tk_str){NULL, 0});
}

static void write_as_is(struct tk_writer *w, const struct tk_spliced *s,
                        const struct tk_splice_block *block)
{
    (void)s;
    tk_write_val(w, block->val);
}

static void write_string(struct tk_writer *w, const struct tk_spliced *s,
                         const struct tk_splice_block *block)
{
    write_encoded(w, s, tk_span(block->val));
}

static void write_text(struct tk_writer *w, const struct tk_spliced *s,
                       const struct tk_splice_block *block)
{
    struct tk_encoding e;

    tk_encode_begin(&e, w->codec, w->out->arena);
    tk_write_str(&e.w, block->text);
    write_encoded(w, s, tk_encode_end(&e));
}

static void write_with_toolset(struct tk_writer *w, const struct tk_spliced *s,
                               const struct tk_splice_block *block)
{
    tk_write_with_member(w, block->val, tk_str_of(s->provider->splice->toolset), block->toolset);
}

static void write_made(struct tk_writer *w, const struct tk_spliced *s,
                       const struct tk_splice_block *block)
{
    const struct tk_made_result result = {.call = block->call,
                                          .neutral = block->val,
                                          .text = block->text,
                                          .toolset = block->toolset,
                                          .facts = s->facts};

    s->provider->splice->write_result(w, &result);
}

static void (*const forms[])(struct tk_writer *w, const struct tk_spliced *s,
                             const struct tk_splice_block *block) = {
    [TK_SPLICE_AS_IS] = write_as_is, [TK_SPLICE_STRING] = write_string,
    [TK_SPLICE_TEXT] = write_text,   [TK_SPLICE_WITH_TOOLSET] = write_with_toolset,
    [TK_SPLICE_MADE] = write_made,
};

static void write_block(struct tk_writer *w, const struct tk_spliced *s,
                        const struct tk_splice_block *block)
{
    forms[block->form](w, s, block);
}

/* ---- messages ---- */

static void write_content(struct tk_writer *w, const struct tk_spliced *s,
                          const struct tk_splice_message *m)
{
    if (!m->rewritten) {
        tk_write_val(w, m->content);
        return;
    }
    tk_write_list(w);
    for (uint32_t i = 0; i < m->block_count; i++)
        write_block(w, s, &m->blocks[i]);
    tk_write_end(w);
}

/* Writes a message with new content; its other members keep their bytes. */
static void write_edited(struct tk_writer *w, const struct tk_spliced *s,
                         const struct tk_splice_message *m)
{
    struct tk_writer inner;

    tk_write_raw(w, tk_span_before(m->whole, m->content));
    tk_writer_init(&inner, w->codec, w->out);
    write_content(&inner, s, m);
    tk_out_ref(w->out, tk_span_after(m->whole, m->content));
}

void tk_splice_write_message(struct tk_writer *w, const struct tk_spliced *s,
                             const struct tk_splice_message *m)
{
    if (m->is_block) {
        write_block(w, s, m->blocks);
    } else if (m->written.p) {
        tk_write_raw(w, m->written);
    } else if (tk_exists(m->whole) && m->rewritten) {
        write_edited(w, s, m);
    } else if (tk_exists(m->whole)) {
        tk_write_val(w, m->whole);
    } else {
        tk_write_map(w);
        tk_write_kv_cstr(w, "role", m->role == TK_ROLE_USER ? "user" : "assistant");
        tk_write_key_str(w, tk_parts_name(s->provider->rules.shapes[0]));
        write_content(w, s, m);
        tk_write_end(w);
    }
}

static void write_new(struct tk_writer *w, const struct tk_spliced *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        tk_splice_write_message(w, s, &s->messages[i]);
}

/* Writes the history into an open list. */
static void write_history(struct tk_writer *w, const struct tk_spliced *s)
{
    struct tk_val history = s->history, first = tk_first(history), last = first;
    uint32_t count = 0;

    if (tk_is(history, TK_STRING)) {
        tk_write_map(w);
        tk_write_kv_cstr(w, "role", "user");
        tk_write_key_str(w, tk_parts_name(s->provider->rules.shapes[0]));
        tk_write_val(w, history);
        tk_write_end(w);
        return;
    }
    for (struct tk_val v = first; tk_exists(v); v = tk_after(history, v)) {
        last = v;
        count++;
    }
    if (count > 0)
        tk_write_run(w, tk_span_between(first, last), count);
}

void tk_splice_write_messages(struct tk_writer *w, const struct tk_spliced *s)
{
    tk_write_list(w);
    if (!s->replaces_history)
        write_history(w, s);
    write_new(w, s);
    tk_write_end(w);
}

/* ---- what is set besides ---- */

struct tk_str tk_splice_set_name(const struct tk_spliced *s)
{
    return tk_str_of(s->set_member);
}

void tk_splice_write_set_value(struct tk_writer *w, const struct tk_spliced *s,
                               struct tk_val request)
{
    if (s->set_inside)
        tk_write_with_member(w, tk_get(request, tk_splice_set_name(s)), TK_STR("id"), s->set);
    else
        tk_write_val(w, s->set);
}

static struct tk_str set_path(const struct tk_spliced *s, struct tk_arena *arena)
{
    return tk_arena_printf(arena, "/%s%s", s->set_member, s->set_inside ? "/id" : "");
}

void tk_splice_write_set(struct tk_writer *w, const struct tk_spliced *s)
{
    tk_write_map(w);
    tk_write_key_str(w, set_path(s, w->out->arena));
    tk_write_val(w, s->set);
    tk_write_end(w);
}

/* ---- the patch ---- */

/* Replaces the history, or makes a list of one that is none. */
static void write_whole(struct tk_writer *w, const struct tk_spliced *s)
{
    tk_patch_set(w, tk_exists(s->history), s->provider->rules.shapes[0]->root);
    tk_splice_write_messages(w, s);
    tk_write_end(w);
}

static void write_additions(struct tk_writer *w, const struct tk_spliced *s)
{
    struct tk_str end =
        tk_pointer_add(s->provider->rules.shapes[0]->root, TK_STR("-"), w->out->arena);

    for (uint32_t i = 0; i < s->count; i++) {
        tk_patch_op(w, "add", end);
        tk_splice_write_message(w, s, &s->messages[i]);
        tk_write_end(w);
    }
}

void tk_splice_write_operations(struct tk_writer *w, const struct tk_spliced *s, bool whole_body)
{
    bool whole = s->replaces_history || !tk_is(s->history, TK_ARRAY);

    if (tk_splice_changes_messages(s))
        (whole ? write_whole : write_additions)(w, s);
    if (whole_body && tk_exists(s->set)) {
        tk_patch_set(w, s->set_before, set_path(s, w->out->arena));
        tk_write_val(w, s->set);
        tk_write_end(w);
    }
}
