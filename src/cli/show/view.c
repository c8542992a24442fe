/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walks both lists of messages in parallel. Unedited messages have equal bytes, so they pair up by
 * themselves; where two differ, the edits tell if a message was changed or dropped, and a look at
 * the next message tells if one was inserted.
 */
#include "cli/show/view.h"

#include "engine/edit/edit.h"

#include <errno.h>
#include <stdlib.h>

#define EXCERPT    72 /* characters of a text that are shown */
#define LOOK_AHEAD 64 /* old parts that are compared with a new one */

static const struct {
    const char *sign;
    enum cli_style style;
    const char *done;
} actions[TK_ACTION_COUNT] = {
    [TK_ACTION_NONE] = {"~", CLI_WARNING, NULL}, /* an action of a later version */
    [TK_ACTION_DROP] = {"-", CLI_OLD, "dropped"},
    [TK_ACTION_TEXTIFY] = {"-", CLI_OLD, "turned into text"},
    [TK_ACTION_MOVE] = {"~", CLI_WARNING, "moved"},
    [TK_ACTION_MERGE] = {"~", CLI_WARNING, "merged with its neighbour"},
    [TK_ACTION_DROP_MESSAGE] = {"-", CLI_OLD, "message dropped"},
    [TK_ACTION_INSERT_RESULT] = {"~", CLI_WARNING, "result inserted"},
    [TK_ACTION_DEMOTE] = {"-", CLI_OLD, "demoted to text"},
    [TK_ACTION_RESTORE] = {"~", CLI_WARNING, "restored as received"},
    [TK_ACTION_REWRITE] = {"~", CLI_WARNING, "rewritten"},
    [TK_ACTION_APPEND] = {"~", CLI_WARNING, "text put after it"},
};

struct view_edit {
    struct tk_val val;
    size_t message; /* index in the old list; SIZE_MAX: none */
    size_t order;   /* place in the report */
};

struct view_walk {
    const struct cli_sink *sink;
    struct tk_arena *arena;
    struct view_edit *edits; /* sorted by message */
    size_t count, next;
    struct tk_val before, after; /* the lists */
    const struct tk_shape *shape;
};

static struct tk_str text_of(const struct view_walk *w, struct tk_val object, const char *key)
{
    return tk_text(tk_get(object, tk_str_of(key)), w->arena);
}

/* Returns the action of an edit; TK_ACTION_NONE: one of a later version. */
static enum tk_action action_of(const struct view_walk *w, struct tk_val edit)
{
    struct tk_str name = text_of(w, edit, "action");
    int i = TK_ACTION_COUNT - 1;

    while (i > TK_ACTION_NONE && !tk_str_is(name, tk_action_names[i]))
        i--;
    return (enum tk_action)i;
}

static bool same(struct tk_val a, struct tk_val b)
{
    return tk_exists(a) && tk_exists(b) && tk_str_eq(tk_span(a), tk_span(b));
}

/* ---- edits by message ---- */

/* "/messages/12/content/3" -> 12. */
static size_t message_of(const struct view_walk *w, struct tk_str pointer)
{
    struct tk_str root = w->shape->root;
    size_t n = 0, i = root.n + 1;

    if (!tk_str_starts(pointer, root) || pointer.n == root.n || pointer.p[root.n] != '/')
        return SIZE_MAX;
    for (; i < pointer.n && pointer.p[i] >= '0' && pointer.p[i] <= '9'; i++)
        n = n * 10 + (size_t)(pointer.p[i] - '0');
    return i > root.n + 1 ? n : SIZE_MAX;
}

static int by_message(const void *a, const void *b)
{
    const struct view_edit *x = a, *y = b;

    if (x->message != y->message)
        return x->message < y->message ? -1 : 1;
    return x->order < y->order ? -1 : x->order > y->order;
}

static int collect_edits(struct view_walk *w, struct tk_val edits)
{
    size_t count = tk_count(edits);

    w->edits = tk_arena_zalloc(w->arena, count ? count : 1, sizeof(*w->edits));
    if (!w->edits)
        return -ENOMEM;
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        w->edits[w->count] =
            (struct view_edit){e, message_of(w, text_of(w, e, "pointer")), w->count};
        w->count++;
    }
    qsort(w->edits, w->count, sizeof(*w->edits), by_message);
    return 0;
}

static bool has_edit(const struct view_walk *w, size_t message)
{
    return w->next < w->count && w->edits[w->next].message == message;
}

/* Returns true if an edit drops the message or merges it into its neighbour. */
static bool is_dropped(const struct view_walk *w, size_t message)
{
    for (size_t i = w->next; i < w->count && w->edits[i].message == message; i++) {
        struct tk_str pointer = text_of(w, w->edits[i].val, "pointer");
        enum tk_action action = action_of(w, w->edits[i].val);
        size_t root = w->shape->root.n + 1;
        bool whole = memchr(pointer.p + root, '/', pointer.n - root) == NULL;

        if (action == TK_ACTION_DROP_MESSAGE ||
            (whole && (action == TK_ACTION_MERGE ||
                       action == TK_ACTION_DROP))) /* the message is itself a part */
            return true;
    }
    return false;
}

/* ---- lines ---- */

/* Returns the first of these members that is a string. Dialects that wrap a part have them in
 * `data`. */
static struct tk_str any_of(const struct view_walk *w, struct tk_val part, const char *const *keys)
{
    struct tk_val data = tk_get(part, TK_STR("data"));

    for (; *keys; keys++) {
        struct tk_val v = tk_get(part, tk_str_of(*keys));

        if (!tk_exists(v))
            v = tk_get(data, tk_str_of(*keys));
        if (tk_is(v, TK_STRING))
            return tk_text(v, w->arena);
    }
    return TK_STR("");
}

static void print_names(const struct view_walk *w, struct tk_str type, struct tk_str tool,
                        struct tk_str id)
{
    if (type.n) {
        fputc(' ', w->sink->file);
        cli_print(w->sink, type);
    }
    if (tool.n) {
        fputc(' ', w->sink->file);
        cli_print_cut(w->sink, tool, EXCERPT);
    }
    if (id.n) {
        fputs(" (", w->sink->file);
        cli_print_cut(w->sink, id, EXCERPT);
        fputc(')', w->sink->file);
    }
}

static void print_edit(const struct view_walk *w, struct tk_val edit, struct tk_val part)
{
    enum tk_action action = action_of(w, edit);

    cli_style(w->sink, actions[action].style);
    fprintf(w->sink->file, "%s ", actions[action].sign);
    cli_print(w->sink, text_of(w, edit, "pointer"));
    print_names(w, text_of(w, part, "type"), text_of(w, edit, "tool"), text_of(w, edit, "id"));
    cli_style(w->sink, CLI_PLAIN);
    fputs(": ", w->sink->file);
    if (actions[action].done)
        fputs(actions[action].done, w->sink->file);
    else
        cli_print(w->sink, text_of(w, edit, "action"));
    fputs(" [", w->sink->file);
    cli_print(w->sink, text_of(w, edit, "code"));
    fputs("]\n", w->sink->file);
}

/* A part of the repaired document. */
struct view_new {
    size_t message;      /* index of its message */
    struct tk_str list;  /* name of its list with a slash, "/content"; empty: it is the message */
    size_t index;        /* in that list; SIZE_MAX: the content is a string */
    struct tk_val part;  /* the part, or that string */
    struct tk_val owner; /* its message */
};

/* Prints a part of the repaired document. A call that has a function (Chat Completions) has its name
 * there; a text that is all of a result has the id next to it. */
static void print_new(const struct view_walk *w, const struct view_new *n)
{
    static const char *const tools[] = {"name", "tool_name", "toolName", NULL};
    static const char *const ids[] = {"call_id",      "id",         "tool_use_id",
                                      "tool_call_id", "toolCallId", NULL};
    static const char *const texts[] = {"text", "content", "output", NULL};
    bool is_text = tk_is(n->part, TK_STRING);
    struct tk_val function = tk_get(n->part, TK_STR("function"));
    struct tk_str text = is_text ? tk_text(n->part, w->arena) : any_of(w, n->part, texts);

    cli_style(w->sink, CLI_NEW);
    fprintf(w->sink->file, "+ %.*s/%zu%.*s", (int)w->shape->root.n, w->shape->root.p, n->message,
            (int)n->list.n, n->list.p);
    if (n->list.n && n->index != SIZE_MAX)
        fprintf(w->sink->file, "/%zu", n->index);
    print_names(w, text_of(w, n->part, "type"),
                any_of(w, tk_exists(function) ? function : n->part, tools),
                any_of(w, is_text ? n->owner : n->part, ids));
    if (text.n) {
        fputs(" \"", w->sink->file);
        cli_print_cut(w->sink, text, EXCERPT);
        fputc('"', w->sink->file);
    }
    cli_style(w->sink, CLI_PLAIN);
    fputc('\n', w->sink->file);
}

/* ---- walking ---- */

/* Returns true if a message is itself a part: an object of a flat list that has no list of parts. */
static bool is_whole(const struct view_walk *w, struct tk_val message)
{
    return tk_is(message, TK_OBJECT) && !tk_exists(tk_get(message, tk_parts_name(w->shape))) &&
           !tk_exists(tk_get(message, tk_calls_name(w->shape)));
}

static struct tk_val child_at(struct tk_val parent, size_t index)
{
    struct tk_val child = tk_first(parent);

    while (index-- && tk_exists(child))
        child = tk_after(parent, child);
    return child;
}

/* Returns the part of a list ("/content") that the rest of a pointer ("/content/3") leads to; absent
 * if it leads elsewhere. */
static struct tk_val part_in(struct tk_val message, struct tk_str list, struct tk_str rest)
{
    size_t index = 0, i = list.n + 1;

    if (!list.n || !tk_str_starts(rest, list) || rest.n <= i || rest.p[list.n] != '/')
        return TK_NO_VAL;
    for (; i < rest.n && rest.p[i] >= '0' && rest.p[i] <= '9'; i++)
        index = index * 10 + (size_t)(rest.p[i] - '0');
    return child_at(tk_get(message, (struct tk_str){list.p + 1, list.n - 1}), index);
}

/* Returns the old part that an edit points at: ".../content/INDEX", or the whole message. */
static struct tk_val part_of(const struct view_walk *w, struct tk_val edit, struct tk_val message)
{
    struct tk_str pointer = text_of(w, edit, "pointer");
    size_t i = w->shape->root.n + 1;
    struct tk_val part;

    if (tk_exists(message) && is_whole(w, message))
        return message;
    if (pointer.n < i)
        return TK_NO_VAL;
    while (i < pointer.n && pointer.p[i] != '/')
        i++;
    pointer = (struct tk_str){pointer.p + i, pointer.n - i};
    part = part_in(message, w->shape->parts, pointer);
    return tk_exists(part) ? part : part_in(message, w->shape->calls, pointer);
}

static void print_edits(struct view_walk *w, size_t index, struct tk_val message)
{
    for (; has_edit(w, index); w->next++)
        print_edit(w, w->edits[w->next].val, part_of(w, w->edits[w->next].val, message));
}

/* Moves *at after the next old part with the same bytes, if one is near. */
static bool find_old(struct tk_val old, struct tk_val *at, struct tk_val part)
{
    struct tk_val v = *at;

    for (int i = 0; i < LOOK_AHEAD && tk_exists(v); i++, v = tk_after(old, v))
        if (same(v, part)) {
            *at = tk_after(old, v);
            return true;
        }
    return false;
}

/* Prints the parts of one list of the new message that the old one didn't have. */
static void print_added(const struct view_walk *w, struct tk_val old, size_t index,
                        struct tk_val message, struct tk_str list)
{
    struct tk_str name = {list.p + 1, list.n - 1};
    struct tk_val before = tk_exists(old) ? tk_get(old, name) : TK_NO_VAL;
    struct tk_val after = tk_get(message, name), at = tk_first(before);
    struct view_new new = {index, list, SIZE_MAX, after, message};

    if (tk_is(after, TK_STRING) && !same(before, after))
        print_new(w, &new);
    new.index = 0;
    for (new.part = tk_first(after); tk_exists(new.part); new.part = tk_after(after, new.part)) {
        if (!find_old(before, &at, new.part))
            print_new(w, &new);
        new.index++;
    }
}

/* Prints the parts of the new message that the old one (absent if inserted) didn't have. */
static void print_additions(const struct view_walk *w, struct tk_val old, size_t index,
                            struct tk_val message)
{
    if (is_whole(w, message)) {
        if (!same(old, message))
            print_new(w, &(struct view_new){index, TK_STR(""), SIZE_MAX, message, message});
        return;
    }
    print_added(w, old, index, message, w->shape->parts);
    if (w->shape->calls.n)
        print_added(w, old, index, message, w->shape->calls);
}

/* Returns true if the new message was inserted before the old one, false if it replaces it. */
static bool is_inserted(const struct view_walk *w, size_t i, struct tk_val old, struct tk_val new)
{
    struct tk_val following = tk_after(w->after, new);

    return !tk_exists(old) || (!has_edit(w, i) && same(old, following));
}

static void walk_messages(struct view_walk *w)
{
    struct tk_val old = tk_first(w->before), new = tk_first(w->after);
    size_t i = 0, j = 0;

    while (tk_exists(old) || tk_exists(new)) {
        bool dropped = tk_exists(old) && (!tk_exists(new) || is_dropped(w, i));
        bool inserted = !dropped && !same(old, new) && is_inserted(w, i, old, new);

        if (!inserted)
            print_edits(w, i, old);
        if (!dropped && !same(old, new))
            print_additions(w, inserted ? TK_NO_VAL : old, j, new);
        if (!inserted) {
            old = tk_after(w->before, old);
            i++;
        }
        if (!dropped) {
            new = tk_after(w->after, new);
            j++;
        }
    }
}

int cli_view_print(const struct cli_sink *sink, const struct cli_view *view)
{
    struct view_walk w = {.sink = sink,
                          .arena = view->arena,
                          .before = view->before,
                          .after = tk_exists(view->after) ? view->after : view->before,
                          .shape = view->shape};
    int r = collect_edits(&w, view->edits);

    if (r < 0)
        return r;
    walk_messages(&w);
    for (; w.next < w.count; w.next++) /* edits outside the messages */
        print_edit(&w, w.edits[w.next].val, TK_NO_VAL);
    return 0;
}
