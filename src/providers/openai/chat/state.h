/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts that judging Chat Completions keeps next to the transcript: `own` of struct tk_judge.
 *
 * The survey notes what there is to look at, so that a check whose bit isn't set returns at once. It is
 * made again after every change of the history; `seen` may have bits without a fault, never the other
 * way round. Pairs and rows are found when the first check asks for them.
 */
#ifndef TK_PROVIDERS_OPENAI_CHAT_STATE_H
#define TK_PROVIDERS_OPENAI_CHAT_STATE_H

#include "engine/judge.h"
#include "engine/pairs/links.h"
#include "providers/openai/models.h"
#include "shapes/openai_chat.h"

/* The most characters of a tool's name, or a message's. */
#define TK_CHAT_NAME_MAX 64

/* Things that the survey saw in any message. */
enum {
    TK_SEEN_OTHER_ROLE = 1 << 0,
    TK_SEEN_SYSTEM = 1 << 1, /* or developer */
    TK_SEEN_NO_CONTENT = 1 << 2,
    TK_SEEN_ODD_CONTENT = 1 << 3,
    TK_SEEN_EMPTY_CALLS = 1 << 4,
    TK_SEEN_NAME = 1 << 5,
    TK_SEEN_PART = 1 << 6,   /* content that is a list with a part other than a text */
    TK_SEEN_LIST = 1 << 7,   /* content that is a list */
    TK_SEEN_CALL = 1 << 8,   /* an assistant's call */
    TK_SEEN_TOOL = 1 << 9,   /* a message of role tool */
    TK_SEEN_EMPTY = 1 << 10, /* an assistant's message that may be empty */
    TK_SEEN_HOLE = 1 << 11,  /* a null in the place of an assistant's call */
};

/* Rows: a message that isn't a tool message, and the tool messages right after it. */
struct tk_chat_rows {
    bool known;
    uint32_t *head; /* by message: the message that begins its row */
    uint32_t *last; /* by head: the row's last message */
    uint32_t *text; /* by head: the last message that was put after the row; TK_NONE */
    uint32_t count;
};

struct tk_chat {
    uint32_t facts; /* TK_OPENAI_* of the target */
    uint32_t seen;  /* TK_SEEN_* */
    struct tk_pairs
        pairs;      /* of calls and tool messages (PROVIDERS.md 3); a tool message is an end */
    uint32_t owner; /* pairs/fix.c: the message that owns the ids of its calls; TK_NONE */
    struct tk_chat_rows rows;
    struct tk_doc scratch; /* arguments that are read as JSON */
    struct tk_map sent;    /* from an id as sent to its first call plus one */
    bool sent_known;
};

static inline struct tk_chat *tk_chat(const struct tk_judge *j)
{
    return j->own;
}

/* Returns true if all these facts of the target hold. */
static inline bool tk_chat_is(const struct tk_judge *j, uint32_t facts)
{
    return (tk_chat(j)->facts & facts) == facts;
}

static inline bool tk_chat_saw(const struct tk_judge *j, uint32_t seen)
{
    return (tk_chat(j)->seen & seen) != 0;
}

/* ---- messages ---- */

static inline bool tk_is_assistant(const struct tk_message *m)
{
    return m->role == TK_ROLE_ASSISTANT;
}

static inline bool tk_is_tool_message(const struct tk_message *m)
{
    return (m->flags & TK_MESSAGE_RESULT) != 0;
}

static inline bool tk_is_chat_user(const struct tk_message *m)
{
    return m->role == TK_ROLE_USER && !(m->flags & (TK_MESSAGE_RESULT | TK_MESSAGE_VARIANT));
}

/* Returns true if the message's list of calls isn't empty: it may hold nothing but holes. */
static inline bool tk_has_calls_or_holes(const struct tk_transcript *t, const struct tk_message *m)
{
    return m->last != TK_NONE && (t->parts[m->last].flags & TK_PART_IN_CALLS);
}

/* Returns the first element of the message's list of calls, which may be a hole; TK_NONE: none. */
static inline uint32_t tk_first_call_or_hole(const struct tk_transcript *t,
                                             const struct tk_message *m)
{
    uint32_t i = m->first;

    if (!tk_has_calls_or_holes(t, m))
        return TK_NONE;
    while (!(t->parts[i].flags & TK_PART_IN_CALLS))
        i = t->parts[i].next;
    return i;
}

/* Returns the first call from an element of the list on; TK_NONE: there is none. Rules look at calls
 * alone, so they pass holes over. */
static inline uint32_t tk_call_from(const struct tk_transcript *t, uint32_t call)
{
    while (call != TK_NONE && t->parts[call].block == TK_CHAT_HOLE)
        call = t->parts[call].next;
    return call;
}

/* Return the message's first call, and the call after a call; TK_NONE: there is none. */
static inline uint32_t tk_first_call(const struct tk_transcript *t, const struct tk_message *m)
{
    return tk_call_from(t, tk_first_call_or_hole(t, m));
}

static inline uint32_t tk_next_call(const struct tk_transcript *t, uint32_t call)
{
    return tk_call_from(t, t->parts[call].next);
}

static inline bool tk_has_calls(const struct tk_transcript *t, const struct tk_message *m)
{
    return tk_has_calls_or_holes(t, m) &&
           (t->parts[m->last].block != TK_CHAT_HOLE || tk_first_call(t, m) != TK_NONE);
}

/* Returns a member of a message, absent if it has none of that name or it is null. */
static inline struct tk_val tk_chat_member(const struct tk_message *m, int member)
{
    struct tk_val v = TK_NO_VAL;

    if (m->noted & (1u << member))
        v = tk_get((struct tk_val){m->doc, m->node}, tk_chat_members[member]);
    return tk_is(v, TK_NULL) ? TK_NO_VAL : v;
}

/* Returns true if the message has reasoning, which is never dropped (PROVIDERS.md 3). */
static inline bool tk_chat_has_reasoning(const struct tk_message *m)
{
    return tk_exists(tk_chat_member(m, TK_CHAT_M_REASONING_CONTENT)) ||
           tk_exists(tk_chat_member(m, TK_CHAT_M_REASONING)) ||
           tk_exists(tk_chat_member(m, TK_CHAT_M_REASONING_DETAILS));
}

static inline struct tk_val tk_chat_content(const struct tk_message *m)
{
    return (struct tk_val){m->doc, m->content};
}

/* ---- ids ---- */

/* Return the id of a call, or of the call that a tool message answers; "" counts as missing and so does
 * what isn't a string: `.n == 0`. */
static inline struct tk_str tk_chat_call_id(const struct tk_transcript *t, uint32_t call)
{
    return tk_text(tk_part_val(&t->parts[call], t->parts[call].id), t->arena);
}

static inline struct tk_str tk_chat_result_id(const struct tk_transcript *t, uint32_t message)
{
    const struct tk_message *m = &t->messages[message];

    return tk_text(tk_chat_member(m, TK_CHAT_M_TOOL_CALL_ID), t->arena);
}

/* Fills `pairs` or `rows` if they aren't known. Return 0 or -ENOMEM. */
int tk_chat_find_pairs(struct tk_judge *j);
int tk_chat_find_rows(struct tk_judge *j);

/* Return what pairing found out about a call or a tool message. */
static inline const struct tk_link *tk_chat_call(const struct tk_judge *j, uint32_t part)
{
    return tk_part_link(&tk_chat(j)->pairs, part);
}

static inline const struct tk_link *tk_chat_result(const struct tk_judge *j, uint32_t message)
{
    return tk_message_link(&tk_chat(j)->pairs, message);
}

/* Returns the tool message that answers a call; TK_NONE: there is none. */
static inline uint32_t tk_chat_answer(const struct tk_judge *j, uint32_t call)
{
    const struct tk_link *link = tk_chat_call(j, call);

    return link->match == TK_MATCH_PAIR ? tk_end_message(&tk_chat(j)->pairs, link->partner)
                                        : TK_NONE;
}

#endif
