/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of the report: one for each edit that a client is told about. */
#include "engine/edit/edit_part.h"

#include <errno.h>

#include "engine/judge.h"
#include "engine/pairs/names.h"

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
    s->inserted_results += action == TK_ACTION_INSERT_RESULT ? one : 0;
}

/* Returns true for an item of a flat list that is neither call nor result nor thinking. */
static bool is_other_item(const struct tk_edits *e, const struct tk_edit *edit)
{
    return edit->kind == TK_PART_OTHER &&
           (edit->site.part == TK_NONE || (e->t->parts[edit->site.part].flags & TK_PART_WHOLE));
}

/* Adds an edit to the counters. one: 1, or its negative to take a line back. */
static void count(struct tk_edits *e, const struct tk_edit *edit, uint32_t one)
{
    enum tk_action action = (enum tk_action)edit->action;

    e->by_action[action] += one;
    e->stats.moved += action == TK_ACTION_MOVE ? one : 0;
    e->stats.dropped_messages +=
        action == TK_ACTION_DROP_MESSAGE || (action == TK_ACTION_DROP && is_other_item(e, edit))
            ? one
            : 0;
    e->stats.merged_messages += action == TK_ACTION_MERGE ? one : 0;
    e->stats.restored_turns += action == TK_ACTION_RESTORE ? one : 0;
    e->stats.rewritten += action == TK_ACTION_REWRITE || action == TK_ACTION_APPEND ? one : 0;
    if (edit->site.part != TK_NONE || edit->kind == TK_PART_RESULT)
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

int tk_note_sent(struct tk_edits *e, uint32_t part)
{
    const struct tk_part *p = &e->t->parts[part];

    if (!e->t->shape->names_as_sent || part >= e->t->input_parts || p->doc != e->t->doc)
        return 0;
    if (!e->sent) {
        e->sent = tk_arena_alloc(e->t->arena, e->t->input_parts * sizeof(*e->sent));
        if (!e->sent)
            return -ENOMEM;
        for (uint32_t i = 0; i < e->t->input_parts; i++)
            e->sent[i] = TK_NO_VAL;
    }
    e->sent[part] = tk_part_val(p, p->node);
    return 0;
}

struct tk_part tk_part_as_sent(const struct tk_edits *e, uint32_t part)
{
    const struct tk_part *p = &e->t->parts[part];
    struct tk_part was = *p;

    if (!e->sent || part >= e->t->input_parts || !tk_exists(e->sent[part]))
        return was;
    was.doc = e->sent[part].doc;
    was.node = e->sent[part].node;
    was.type = was.id = was.name = was.payload = was.caller = TK_NO_NODE;
    was.flags &= TK_PART_IN_CALLS | TK_PART_STRING;
    e->t->shape->read_part(&was, &e->t->messages[p->from_message], e->t->arena);
    return was;
}

/* Fills in the id and the tool's name of a message or item. */
static void name_message(const struct tk_edits *e, struct tk_edit *edit)
{
    const struct tk_message *m = &e->t->messages[edit->site.entry];
    struct tk_message was = {.doc = e->t->doc, .node = m->sent};

    if (e->t->shape->name_item) {
        e->t->shape->name_item((struct tk_val){was.doc, was.node}, e->t->arena, &edit->id,
                               &edit->tool);
        return;
    }
    if (!e->t->shape->names_as_sent)
        return;

    tk_shape_read_message(e->t->shape, &was, e->t->arena);
    if (!(was.flags & TK_MESSAGE_RESULT))
        return;
    edit->kind = TK_PART_RESULT;
    edit->id = tk_message_id(e->t->shape, &was, e->t->arena);
    edit->tool = tk_message_tool(e->t->shape, &was, e->t->arena);
}

struct tk_str tk_sent_id(const struct tk_edits *e, uint32_t part)
{
    const struct tk_part *p = &e->t->parts[part];
    struct tk_str kept = {0};

    if (e->t->shape->names_as_sent) {
        struct tk_part was = tk_part_as_sent(e, part);

        return tk_text(tk_part_val(&was, was.id), e->t->arena);
    }
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

/* Returns the name of the tool of a call or result, for the line about it. */
static struct tk_str sent_tool(const struct tk_edits *e, uint32_t part)
{
    const struct tk_ruleset *rules = e->j->rules;
    const struct tk_part *p = &e->t->parts[part];
    struct tk_part was;

    if (!e->t->shape->names_as_sent)
        return rules->sent_tool ? rules->sent_tool(e->j, p) : tk_tool_label(e->t, p, TK_NONE);
    was = tk_part_as_sent(e, part);
    return tk_own_tool(e->t, &was);
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
    *edit = (struct tk_edit){.site = tk_site_of(message, TK_NONE),
                             .code = code,
                             .action = (uint8_t)action,
                             .kind = TK_PART_OTHER};
    if (part != TK_NONE) {
        struct tk_part *p = &e->t->parts[part];

        edit->site = tk_site_of(p->from_message, part);
        if (!e->t->shape->name_item && (p->kind == TK_PART_CALL || p->kind == TK_PART_RESULT)) {
            edit->id = tk_sent_id(e, part);
            edit->tool = sent_tool(e, part);
        }
        edit->kind = p->kind;
    }
    if (part == TK_NONE || (e->t->shape->name_item && (e->t->parts[part].flags & TK_PART_WHOLE)))
        name_message(e, edit);
    count(e, edit, 1);
    return 0;
}
