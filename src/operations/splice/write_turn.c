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

/* ---- blocks ---- */

static void write_as_is(struct tk_writer *w, const struct tk_provider *provider,
                        const struct tk_splice_block *block)
{
    (void)provider;
    tk_write_val(w, block->val);
}

static void write_string(struct tk_writer *w, const struct tk_provider *provider,
                         const struct tk_splice_block *block)
{
    provider->rules.shapes[0]->write_text(w, tk_span(block->val), (struct tk_str){NULL, 0});
}

static void write_text(struct tk_writer *w, const struct tk_provider *provider,
                       const struct tk_splice_block *block)
{
    provider->splice->write_text(w, block->text);
}

static void write_with_toolset(struct tk_writer *w, const struct tk_provider *provider,
                               const struct tk_splice_block *block)
{
    tk_write_with_member(w, block->val, tk_str_of(provider->splice->toolset), block->toolset);
}

static void write_filled(struct tk_writer *w, const struct tk_provider *provider,
                         const struct tk_splice_block *block)
{
    provider->splice->write_missing(w, block->val, block->text, block->toolset);
}

static void (*const forms[])(struct tk_writer *w, const struct tk_provider *provider,
                             const struct tk_splice_block *block) = {
    [TK_SPLICE_AS_IS] = write_as_is,   [TK_SPLICE_STRING] = write_string,
    [TK_SPLICE_TEXT] = write_text,     [TK_SPLICE_WITH_TOOLSET] = write_with_toolset,
    [TK_SPLICE_FILLED] = write_filled,
};

/* ---- messages ---- */

static void write_content(struct tk_writer *w, const struct tk_provider *provider,
                          const struct tk_splice_message *m)
{
    if (!m->rewritten) {
        tk_write_val(w, m->content);
        return;
    }
    tk_write_list(w);
    for (uint32_t i = 0; i < m->block_count; i++)
        forms[m->blocks[i].form](w, provider, &m->blocks[i]);
    tk_write_end(w);
}

/* Writes a message with new content; its other members keep their bytes. */
static void write_edited(struct tk_writer *w, const struct tk_provider *provider,
                         const struct tk_splice_message *m)
{
    struct tk_writer inner;

    tk_write_raw(w, tk_span_before(m->whole, m->content));
    tk_writer_init(&inner, w->codec, w->out);
    write_content(&inner, provider, m);
    tk_out_ref(w->out, tk_span_after(m->whole, m->content));
}

void tk_splice_write_message(struct tk_writer *w, const struct tk_spliced *s,
                             const struct tk_splice_message *m)
{
    if (tk_exists(m->whole)) {
        if (m->rewritten)
            write_edited(w, s->provider, m);
        else
            tk_write_val(w, m->whole);
        return;
    }
    tk_write_map(w);
    tk_write_kv_cstr(w, "role", m->role == TK_ROLE_USER ? "user" : "assistant");
    tk_write_key_str(w, tk_parts_name(s->provider->rules.shapes[0]));
    write_content(w, s->provider, m);
    tk_write_end(w);
}

static void write_new(struct tk_writer *w, const struct tk_spliced *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        tk_splice_write_message(w, s, &s->messages[i]);
}

void tk_splice_write_messages(struct tk_writer *w, const struct tk_spliced *s,
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

static struct tk_str container_path(const struct tk_spliced *s, struct tk_arena *arena)
{
    return tk_arena_printf(arena, "/%s%s", s->provider->splice->container,
                           s->container_inside ? "/id" : "");
}

void tk_splice_write_operations(struct tk_writer *w, const struct tk_spliced *s, bool whole_body)
{
    struct tk_str root = s->provider->rules.shapes[0]->root;
    struct tk_str end = tk_pointer_add(root, TK_STR("-"), w->out->arena);

    if (s->replaces_history) {
        tk_patch_op(w, "replace", root);
        tk_write_list(w);
        write_new(w, s);
        tk_write_end(w);
        tk_write_end(w);
    }
    for (uint32_t i = 0; i < s->count && !s->replaces_history; i++) {
        tk_patch_op(w, "add", end);
        tk_splice_write_message(w, s, &s->messages[i]);
        tk_write_end(w);
    }
    if (whole_body && tk_exists(s->container)) {
        tk_patch_set(w, s->has_container, container_path(s, w->out->arena));
        tk_write_val(w, s->container);
        tk_write_end(w);
    }
}

void tk_splice_write_set(struct tk_writer *w, const struct tk_spliced *s)
{
    tk_write_map(w);
    tk_write_key_str(w, container_path(s, w->out->arena));
    tk_write_val(w, s->container);
    tk_write_end(w);
}
