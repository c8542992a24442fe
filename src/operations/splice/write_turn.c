/* SPDX-License-Identifier: Apache-2.0 */
/* The outcome on the wire. What came in leaves as spans of the request. */
#include "operations/splice/splice.h"
#include "shapes/shape.h"

#include "value/patch.h"
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

void tk_splice_write_notes(struct tk_writer *w, const struct tk_splicing *s)
{
    tk_write_list(w);
    for (size_t i = 0; i < TK_SPLICE_NOTE_COUNT; i++)
        if (s->notes & 1u << i)
            tk_write_cstr(w, note_names[i]);
    tk_write_end(w);
}

/* ---- blocks ---- */

static void write_as_is(struct tk_writer *w, const struct tk_splice_block *block)
{
    tk_write_val(w, block->val);
}

static void write_string(struct tk_writer *w, const struct tk_splice_block *block)
{
    tk_shape_anthropic.write_text(w, tk_span(block->val), (struct tk_str){NULL, 0});
}

static void write_text(struct tk_writer *w, const struct tk_splice_block *block)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "text");
    tk_write_kv_str(w, "text", block->text);
    tk_write_end(w);
}

static void write_with_toolset(struct tk_writer *w, const struct tk_splice_block *block)
{
    tk_write_with_member(w, block->val, TK_STR("toolset_name"), block->toolset);
}

static void write_filled(struct tk_writer *w, const struct tk_splice_block *block)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "tool_result");
    tk_write_key(w, "tool_use_id");
    tk_write_val(w, block->val);
    tk_write_kv_bool(w, "is_error", true);
    tk_write_kv_str(w, "content", block->text);
    if (tk_exists(block->toolset)) {
        tk_write_key(w, "toolset_name");
        tk_write_val(w, block->toolset);
    }
    tk_write_end(w);
}

static void (*const forms[])(struct tk_writer *w, const struct tk_splice_block *block) = {
    [TK_SPLICE_AS_IS] = write_as_is,   [TK_SPLICE_STRING] = write_string,
    [TK_SPLICE_TEXT] = write_text,     [TK_SPLICE_WITH_TOOLSET] = write_with_toolset,
    [TK_SPLICE_FILLED] = write_filled,
};

/* ---- messages ---- */

static void write_content(struct tk_writer *w, const struct tk_splice_message *m)
{
    if (!m->rewritten) {
        tk_write_val(w, m->content);
        return;
    }
    tk_write_list(w);
    for (uint32_t i = 0; i < m->block_count; i++)
        forms[m->blocks[i].form](w, &m->blocks[i]);
    tk_write_end(w);
}

/* The message as it came, but for its content. */
static void write_edited(struct tk_writer *w, const struct tk_splice_message *m)
{
    struct tk_writer inner;

    tk_write_raw(w, tk_span_before(m->whole, m->content));
    tk_writer_init(&inner, w->codec, w->out);
    write_content(&inner, m);
    tk_out_ref(w->out, tk_span_after(m->whole, m->content));
}

void tk_splice_write_message(struct tk_writer *w, const struct tk_splice_message *m)
{
    if (tk_exists(m->whole)) {
        if (m->rewritten)
            write_edited(w, m);
        else
            tk_write_val(w, m->whole);
        return;
    }
    tk_write_map(w);
    tk_write_kv_cstr(w, "role", m->role == TK_ROLE_USER ? "user" : "assistant");
    tk_write_key(w, "content");
    write_content(w, m);
    tk_write_end(w);
}

static void write_new(struct tk_writer *w, const struct tk_splicing *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        tk_splice_write_message(w, &s->messages[i]);
}

void tk_splice_write_messages(struct tk_writer *w, const struct tk_splicing *s,
                              struct tk_val history)
{
    struct tk_val first = tk_first(history), last = first;
    uint32_t count = 0;

    for (struct tk_val v = first; tk_exists(v); v = tk_after(history, v)) {
        last = v;
        count++;
    }
    tk_write_list(w);
    if (count > 0 && !s->replaces_history)
        tk_write_run(w, tk_span_between(first, last), count);
    write_new(w, s);
    tk_write_end(w);
}

/* ---- the patch ---- */

static const char *container_path(const struct tk_splicing *s)
{
    return s->container_inside ? "/container/id" : "/container";
}

void tk_splice_write_operations(struct tk_writer *w, const struct tk_splicing *s, bool whole_body)
{
    if (s->replaces_history) {
        tk_patch_op(w, "replace", TK_STR("/messages"));
        tk_write_list(w);
        write_new(w, s);
        tk_write_end(w);
        tk_write_end(w);
    }
    for (uint32_t i = 0; i < s->count && !s->replaces_history; i++) {
        tk_patch_op(w, "add", TK_STR("/messages/-"));
        tk_splice_write_message(w, &s->messages[i]);
        tk_write_end(w);
    }
    if (whole_body && tk_exists(s->container)) {
        tk_patch_set(w, s->has_container, tk_str_of(container_path(s)));
        tk_write_val(w, s->container);
        tk_write_end(w);
    }
}

void tk_splice_write_set(struct tk_writer *w, const struct tk_splicing *s)
{
    tk_write_map(w);
    tk_write_key(w, container_path(s));
    tk_write_val(w, s->container);
    tk_write_end(w);
}
