/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/chat/rules.h"

#include <errno.h>

#include "providers/common/texts.h"
#include "providers/openai/chat/state.h"
#include "value/unicode.h"

/* ---- the text ---- */

static bool is_text_type(const struct tk_part *p)
{
    return p->block == TK_CHAT_TEXT || p->block == TK_CHAT_INPUT_TEXT ||
           p->block == TK_CHAT_OUTPUT_TEXT || p->block == TK_CHAT_REFUSAL;
}

static bool is_kept_part(const struct tk_part *p)
{
    return p->block == TK_CHAT_IMAGE_URL || p->block == TK_CHAT_INPUT_AUDIO ||
           p->block == TK_CHAT_FILE;
}

static bool has_media(const struct tk_transcript *t, uint32_t message)
{
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (is_kept_part(&t->parts[i]))
            return true;
    return false;
}

/* Returns the text of one part; empty if it has none. */
static struct tk_str text_of_part(struct tk_arena *arena, const struct tk_part *p)
{
    if ((p->flags & TK_PART_STRING) || is_text_type(p))
        return tk_text(tk_part_val(p, p->payload), arena);
    return is_kept_part(p) ? TK_STR("") : tk_readable_json(tk_part_val(p, p->node), arena);
}

struct tk_str tk_chat_payload(const struct tk_transcript *t, uint32_t message)
{
    struct tk_words w = tk_words_begin(t->arena, "\n");

    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (!(t->parts[i].flags & TK_PART_IN_CALLS))
            tk_words_add(&w, text_of_part(t->arena, &t->parts[i]));
    return tk_words_end(&w);
}

/* ---- the mark ---- */

/* Notes the first call of each id, as the history was sent. */
static int note_sent_calls(struct tk_plan *p)
{
    struct tk_chat *own = tk_chat(p->j);
    struct tk_transcript *t = p->j->t;

    if (own->sent_known)
        return 0;
    tk_map_init(&own->sent, t->arena, t->hash_key);
    for (uint32_t i = 0; i < t->input_parts; i++) {
        struct tk_str id;
        uint32_t *call;
        bool is_new;

        if (!(t->parts[i].flags & TK_PART_IN_CALLS))
            continue;
        id = tk_sent_id(p->e, i);
        call = id.n > 0 ? tk_map_put(&own->sent, id, &is_new) : NULL;
        if (id.n > 0 && !call)
            return -ENOMEM;
        if (call && is_new)
            *call = i + 1;
    }
    own->sent_known = true;
    return 0;
}

/* Returns the name for the mark of a tool message; empty if it has none. */
static struct tk_str name_of(struct tk_plan *p, uint32_t message)
{
    struct tk_transcript *t = p->j->t;
    const struct tk_message *m = &t->messages[message];
    struct tk_message was = {.doc = t->doc, .node = m->sent};
    struct tk_str name = {0};
    const uint32_t *call = NULL;

    if (message < t->input_messages) {
        struct tk_str id = tk_message_id(t->shape, &was, t->arena);

        call = id.n > 0 ? tk_map_get(&tk_chat(p->j)->sent, id) : NULL;
    }
    if (call && t->parts[*call - 1].from_message < message)
        name = tk_part_name(t, &t->parts[*call - 1]);
    if (name.n == 0)
        name = tk_text(tk_chat_member(m, TK_CHAT_M_NAME), t->arena);
    return name;
}

/* Returns the text with its mark, if the policy wants one; `.p == NULL` when out of memory. */
static struct tk_str marked(struct tk_plan *p, uint32_t message, struct tk_str text)
{
    if (!p->j->policy->mark_text)
        return text;
    if (note_sent_calls(p) < 0)
        return (struct tk_str){0};
    return tk_marked_text(p->j->t->arena, name_of(p, message), text);
}

/* ---- the message ---- */

static bool says_something(struct tk_val v)
{
    return tk_is(v, TK_STRING) ? !tk_text_is_blank(v) : tk_exists(tk_first(v));
}

bool tk_chat_has_to_stay(const struct tk_message *m)
{
    static const char *const names[] = {"tool_calls", "refusal", "audio", "function_call"};
    struct tk_val v = {m->doc, m->node};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (says_something(tk_get(v, tk_str_of(names[i]))))
            return true;
    return (m->flags & TK_MESSAGE_KEPT) || tk_chat_has_reasoning(m);
}

struct tk_decision tk_chat_want_text(struct tk_judge *j, uint32_t message)
{
    if (has_media(j->t, message) || !tk_is_blank(tk_chat_payload(j->t, message)))
        return tk_edit_by(TK_ACTION_TEXTIFY);
    return tk_chat_has_to_stay(&j->t->messages[message]) ? tk_no_edit()
                                                         : tk_edit_by(TK_ACTION_DROP);
}

/* Writes the new content: a string, or a list of the text and the media. */
static struct tk_str content(struct tk_plan *p, uint32_t message, struct tk_str text)
{
    struct tk_transcript *t = p->j->t;
    struct tk_encoding out;

    if (!has_media(t, message))
        return tk_encode_text(p->e, text);
    tk_encode_begin(&out, (enum tk_codec)t->doc->codec, t->arena);
    tk_write_list(&out.w);
    if (!tk_is_blank(text))
        tk_write_raw(&out.w, tk_encode_text_part(p->e, text, (struct tk_str){0}));
    for (uint32_t i = t->messages[message].first; i != TK_NONE; i = t->parts[i].next)
        if (is_kept_part(&t->parts[i]))
            tk_write_val(&out.w, tk_part_val(&t->parts[i], t->parts[i].node));
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

/* ---- rows ---- */

/* Takes a tool message out of its row. */
static void leave_row(struct tk_chat_rows *rows, const struct tk_transcript *t, uint32_t message)
{
    uint32_t head = message < rows->count ? rows->head[message] : TK_NONE;

    if (head != TK_NONE && rows->last[head] == message && head != message)
        rows->last[head] = t->messages[message].prev;
}

/* Returns the head of a message's row; the message itself if an edit added it. */
static uint32_t head_of(const struct tk_chat_rows *rows, uint32_t message)
{
    return message < rows->count ? rows->head[message] : TK_NONE;
}

int tk_chat_put_in_row(struct tk_plan *p, uint32_t message, uint32_t of)
{
    struct tk_chat_rows *rows = &tk_chat(p->j)->rows;
    int r = tk_chat_find_rows(p->j);
    uint32_t head;

    if (r < 0)
        return r;
    leave_row(rows, p->j->t, message);
    head = head_of(rows, of);
    tk_put_message_after(p->e, message, head == TK_NONE ? of : rows->last[head]);
    if (head != TK_NONE)
        rows->last[head] = message;
    if (head != TK_NONE && message < rows->count)
        rows->head[message] = head;
    return 0;
}

int tk_chat_add_to_row(struct tk_plan *p, uint32_t of, struct tk_str encoded)
{
    struct tk_chat_rows *rows = &tk_chat(p->j)->rows;
    int r = tk_chat_find_rows(p->j);
    uint32_t head = r < 0 ? TK_NONE : head_of(rows, of), made;

    if (r < 0)
        return r;
    made = tk_edit_new_message(p->e, head == TK_NONE ? of : rows->last[head], encoded);
    if (made == TK_NONE)
        return -ENOMEM;
    if (head != TK_NONE)
        rows->last[head] = made;
    return 0;
}

/* Returns the place after a row for the next message that is put there. */
static uint32_t after_row(const struct tk_chat_rows *rows, uint32_t head)
{
    return rows->text[head] != TK_NONE ? rows->text[head] : rows->last[head];
}

int tk_chat_add_after_row(struct tk_plan *p, uint32_t of, struct tk_str encoded)
{
    struct tk_chat_rows *rows = &tk_chat(p->j)->rows;
    int r = tk_chat_find_rows(p->j);
    uint32_t head = r < 0 ? TK_NONE : head_of(rows, of), made;

    if (r < 0)
        return r;
    made = tk_edit_new_message(p->e, head == TK_NONE ? of : after_row(rows, head), encoded);
    if (made == TK_NONE)
        return -ENOMEM;
    if (head != TK_NONE)
        rows->text[head] = made;
    return 0;
}

/* Puts a message that was a tool message after its row. A row that only it began has no other place. */
static void put_after_row(struct tk_plan *p, uint32_t message)
{
    struct tk_chat_rows *rows = &tk_chat(p->j)->rows;
    uint32_t head = head_of(rows, message);

    if (head == TK_NONE)
        return;
    leave_row(rows, p->j->t, message);
    if (head != message || rows->last[head] != message || rows->text[head] != TK_NONE)
        tk_put_message_after(p->e, message, after_row(rows, head));
    rows->text[head] = message;
}

int tk_chat_make_text(struct tk_plan *p, uint32_t message, uint16_t code, struct tk_decision d)
{
    int r = tk_chat_find_rows(p->j);
    struct tk_str text, bytes;

    if (d.action == TK_ACTION_DROP && p->j->t->first_message == p->j->t->last_message)
        return 0; /* a list without messages is refused, too */
    if (r == 0)
        r = tk_edit_message(p->e, message, code, d.action);
    if (r < 0)
        return r;
    if (d.action == TK_ACTION_DROP) {
        leave_row(&tk_chat(p->j)->rows, p->j->t, message);
        tk_remove_message(p->e, message);
        return 0;
    }
    text = marked(p, message, tk_chat_payload(p->j->t, message));
    bytes = text.p ? content(p, message, text) : text;
    r = tk_message_set(p->e, message, "content", bytes);
    if (r == 0)
        r = tk_message_set(p->e, message, "role", tk_encode_text(p->e, TK_STR("user")));
    if (r == 0)
        r = tk_message_remove(p->e, message, "tool_call_id");
    if (r == 0)
        r = tk_message_remove(p->e, message, "name");
    if (r == 0)
        put_after_row(p, message);
    return r;
}
