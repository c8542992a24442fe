/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transcript: the form of a history that rules examine and repair edits (RULES.md section 1).
 *
 * A conversation with a model is a list of messages, oldest first; the client stores it and
 * sends all of it again with every request. A message has a role and parts:
 *
 *     user:       "what's the weather?"                       text
 *     assistant:  let me think...                             thinking (signed by the provider)
 *                 search("weather Oslo"), id srvtoolu_1       call, executed by the provider
 *                 {hits...}               for srvtoolu_1      its result
 *                 read_file("a.c"),       id toolu_1          call, executed by the client
 *     user:       {bytes...}              for toolu_1         the client's result
 *
 * Calls and results pair by id. Adjacent messages of one role are one TURN: the provider joins
 * them, so pairing, emptiness and protection are judged by the turn.
 *
 * A shape (src/shapes) reads a document into this form. Repair then edits it. Parts and messages
 * are linked lists over arrays: an edit costs the same wherever it happens, and the order of the
 * arrays remains that of the input. A value that no edit touched is a span of the document and is
 * never copied.
 */
#ifndef TK_HISTORY_HISTORY_H
#define TK_HISTORY_HISTORY_H

#include "value/doc.h"
#include "value/hash.h"

#define TK_NONE UINT32_MAX

/* Repair appends this text to a turn that ends in thinking, which providers refuse. */
#define TK_INTERRUPTED "(interrupted)"

/* Repair puts this text into a message that must stay and has nothing else. */
#define TK_EMPTY_MESSAGE "(empty)"

enum tk_role {
    TK_ROLE_USER, /* in fantasy and ai-sdk also role `tool` */
    TK_ROLE_ASSISTANT,
    TK_ROLE_SYSTEM,
    TK_ROLE_OTHER, /* unknown or missing */
};

enum tk_part_kind {
    TK_PART_TEXT,
    TK_PART_THINKING,
    TK_PART_REDACTED, /* thinking that the provider encrypted */
    TK_PART_CALL,
    TK_PART_RESULT,
    TK_PART_MEDIA,
    TK_PART_OTHER, /* passes through untouched */
};

/* Flags of a part. */
enum {
    TK_PART_PROVIDER = 1 << 0, /* call or result: executed by the provider; unset: by the client */
    TK_PART_SIGNED = 1 << 1,   /* thinking with a signature, redacted thinking with data */
    TK_PART_STRING = 1 << 2,   /* the message's content is a string, and this is it */
    TK_PART_REMOVED = 1 << 3,  /* dropped by an edit */
    TK_PART_MADE = 1 << 4,     /* by an edit: inserted, or put in the place of another part */
    TK_PART_TOUCHED = 1 << 5,  /* a member of it was edited */
    TK_PART_MOVED = 1 << 6,    /* is in another place than in the input */
    TK_PART_CHANGED = 1 << 7,  /* differs from the input in more than cache markers */
    TK_PART_RESULT_GONE = 1 << 8, /* was a result whose structure an edit took away */
    TK_PART_INVISIBLE = 1 << 9,   /* the adapter leaves it out on the wire */
    TK_PART_MARKABLE = 1 << 10,   /* may carry a cache marker */
    TK_PART_EDITED = 1 << 11,     /* was edited in this round; a round edits a part at most once */
    TK_PART_WANTED = 1 << 12,     /* stays: set while its message is restored */
    /* lacks a member of its type, has a member that its type doesn't know, or has an unknown
     * type */
    TK_PART_ODD = 1 << 13,
    TK_PART_FITS = 1 << 14,    /* result: its content is known to be what its type says */
    TK_PART_DEMOTED = 1 << 15, /* was thinking in the input and is text now */
    /* is an element of the message's list of calls, not of its content */
    TK_PART_IN_CALLS = 1 << 16,
    TK_PART_WHOLE = 1 << 17, /* is a whole message (TK_MESSAGE_WHOLE), or was one in the input */
};

struct tk_part {
    const struct tk_doc *doc; /* the request, or a fragment that an edit made */
    uint32_t node;            /* the part; for TK_PART_STRING the string itself */
    /* Nodes of `doc`; TK_NO_NODE if absent. */
    uint32_t type;    /* the part's type */
    uint32_t id;      /* call: its id; result: the id of its call */
    uint32_t name;    /* tool name of a call; in fantasy and ai-sdk also of a result */
    uint32_t payload; /* call: input; result: content or output; text and thinking: the text */
    uint32_t caller;  /* the caller, if a tool made the call and not the model */
    uint32_t own_id;  /* of an item of a flat list: its own id, which isn't that of its pair */
    uint32_t message; /* message that holds it now */
    uint32_t prev, next;
    uint32_t from_message; /* message that held it in the input; TK_NONE: an edit added it */
    uint32_t finding;      /* first of its findings, see finding.h */
    uint32_t flags;
    uint16_t block; /* row in the shape's table of blocks (shapes/blocks.h); 0: none */
    uint8_t kind;
};

/* Flags of a message. */
enum {
    TK_MESSAGE_DROPPED = 1 << 0,
    TK_MESSAGE_MADE = 1 << 1, /* added by an edit */
    /* an edit removed its last part, and the message isn't dropped or refilled yet */
    TK_MESSAGE_EMPTIED = 1 << 2,
    TK_MESSAGE_RELISTED = 1 << 3, /* its content was a string, or is replaced as a whole */
    TK_MESSAGE_TOUCHED = 1 << 4,  /* parts were added, removed or changed */
    TK_MESSAGE_TOOL = 1 << 5,     /* role `tool`: contains only results */
    TK_MESSAGE_GAP = 1 << 6,      /* the message after it was dropped */
    TK_MESSAGE_MERGED = 1 << 7,   /* dropped, since the message before it took over its parts */
    /* lifted out by the library's adapter: belongs to no turn and doesn't separate turns */
    TK_MESSAGE_TRANSPARENT = 1 << 8,
    TK_MESSAGE_SETTLE = 1 << 10, /* was emptied before this round began */
    TK_MESSAGE_FILLED = 1 << 13, /* came without content and was given some */
    TK_MESSAGE_MOVED = 1 << 12,  /* is in another place than in the input */
    /* belongs to the newest assistant turn, and that turn is signed (protect.h) */
    TK_MESSAGE_PROTECTED = 1 << 9,
    TK_MESSAGE_WHOLE = 1 << 16, /* has no list of parts: it is itself its only part */
    /* was a list and is a string as long as it has only one text without options */
    TK_MESSAGE_PLAIN = 1 << 19,
    TK_MESSAGE_EXTRA = 1 << 14, /* has members that its shape doesn't know */
    /* has TK_MESSAGE_EXTRA, and some of those members are neither bookkeeping nor empty: no edit
     * drops it or joins it to another (RULES.md 8) */
    TK_MESSAGE_KEPT = 1 << 15,
    TK_MESSAGE_NO_ROLE = 1 << 20, /* its role is absent or null */
    /* an edit replaced all of it: the patch contains it whole */
    TK_MESSAGE_RECAST = 1 << 23,
    /* an edit gave it a new content, or a new list of calls: the patch contains that whole */
    TK_MESSAGE_NEW_CONTENT = 1 << 17,
    TK_MESSAGE_NEW_CALLS = 1 << 18,
    TK_MESSAGE_RESULT = 1 << 21,  /* is itself the client's result of a call */
    TK_MESSAGE_VARIANT = 1 << 22, /* its role is a second word for a role, such as `developer` */
};

struct tk_message {
    const struct tk_doc *doc;
    uint32_t node;        /* the message */
    uint32_t sent;        /* its node in the request; TK_NO_NODE: added by an edit */
    uint32_t content;     /* its content; TK_NO_NODE: missing */
    uint32_t calls;       /* its list of calls, if the shape has one; TK_NO_NODE: missing */
    uint32_t first, last; /* parts: those of the content, then those of its calls */
    /* the first part of the input that was in this message, or would have been if it had any */
    uint32_t input_first;
    uint32_t input_calls; /* likewise, of its list of calls */
    uint32_t prev, next;  /* messages; dropped ones are skipped */
    /* messages that have parts; empty and dropped ones are skipped */
    uint32_t filled_prev, filled_next;
    uint32_t turn;    /* as of the last tk_turns(); TK_NONE for transparent messages */
    uint32_t finding; /* first finding about the message itself */
    uint32_t options; /* message-level provider options, if any (fantasy, ai-sdk) */
    uint32_t own_id;  /* of a message in a flat list of items: its id; else TK_NO_NODE */
    uint32_t flags;
    uint8_t item; /* row in the shape's table of items; 0: it has none */
    uint8_t role;
    uint16_t noted; /* bits of the members it has, by index in the shape's `message_members` */
    bool filled;    /* has parts, so it is linked by filled_prev and filled_next */
};

/* Flags of a turn. */
enum {
    TK_TURN_SIGNED = 1 << 0,
    TK_TURN_HAS_PARTS = 1 << 1,
    TK_TURN_CLIENT_CALL = 1 << 2,  /* contains a client call */
    TK_TURN_ONLY_RESULTS = 1 << 3, /* contains only client results, or nothing */
    /* a call in flight was made before this turn and is answered after it */
    TK_TURN_CROSSED = 1 << 4,
    TK_TURN_EMPTIED = 1 << 5, /* an edit emptied one of its messages before this round */
    /* one of its messages stays: it is never dropped (TK_MESSAGE_KEPT), or it came without content
     * and no rule minds */
    TK_TURN_KEPT = 1 << 6,
};

struct tk_turn {
    uint32_t first, last; /* messages */
    uint8_t role;
    uint8_t flags;
};

struct tk_shape;

struct tk_shared_texts;

struct tk_transcript {
    const struct tk_shape *shape;
    struct tk_arena *arena;
    const uint64_t *hash_key;
    const struct tk_doc *doc; /* the request */
    /* what was read: the list of messages; for a lone turn, its list of parts */
    struct tk_val list;
    struct tk_str root; /* pointer to the list of messages: "/messages"; empty for a lone turn */
    struct tk_str parts_at; /* pointer from a message to its parts: "/content" */
    struct tk_str calls_at; /* pointer from a message to its list of calls; empty: it has none */
    bool lone_turn;         /* repair_turn: a single message; pointers begin with /content */
    bool is_turn;           /* repair_turn, also of a shape whose turns are lists of messages */

    struct tk_message *messages; /* those of the input in order, then those that edits added */
    uint32_t message_count, message_capacity, input_messages;
    uint32_t first_message, last_message;
    uint32_t with_role;    /* how many of the linked messages have a role, known or not */
    uint32_t first_filled; /* the first message that has parts; TK_NONE: no message has any */
    uint32_t arrivals;     /* how many messages were added or moved */

    struct tk_part *parts; /* those of the input in order, then those that edits made */
    uint32_t part_count, part_capacity, input_parts;
    /* how many of the input's parts aren't counted: items that are no messages, calls of an unknown role */
    uint32_t input_whole;
    struct tk_shared_texts *shared; /* see tk_shared_text(); NULL: nothing is shared */
    uint32_t *named_by; /* by part of the input, see names.h; NULL: there are no client results */

    struct tk_turn *turns; /* built by tk_turns() */
    uint32_t turn_count, turn_capacity;
    uint32_t first_signed_turn; /* TK_NONE: no turn is signed */
    /* newest signed message of the protected turn; TK_NONE: nothing is protected */
    uint32_t protected_message;
};

/* Lets strings be shared by tk_shared_text(). Returns 0 or -ENOMEM. */
int tk_share_texts(struct tk_transcript *t);

/* Divides the messages as they are now into turns. Returns 0 or -ENOMEM. */
int tk_turns(struct tk_transcript *t);

/* Append an element to its array: zeroed, with all links TK_NONE. Return its index, or TK_NONE when
 * out of memory. Pointers into the array become invalid. */
uint32_t tk_new_part(struct tk_transcript *t);
uint32_t tk_new_message(struct tk_transcript *t);

/* Links a part after the part `after` of the message; `after` == TK_NONE: as its first part. */
void tk_link_part(struct tk_transcript *t, uint32_t message, uint32_t after, uint32_t part);
void tk_unlink_part(struct tk_transcript *t, uint32_t part);
/* Links a message after the message `after`; TK_NONE: as the first of all. */
void tk_link_message(struct tk_transcript *t, uint32_t after, uint32_t message);
void tk_unlink_message(struct tk_transcript *t, uint32_t message);

/* Returns the part before `part`, which may be in an earlier message; TK_NONE: `part` is the first.
 * `part` must be linked in a message. Skips emptied messages in constant time. */
uint32_t tk_part_before(const struct tk_transcript *t, uint32_t part);

/* ---- looking up ---- */

/* Returns tk_text() of a string that many parts may ask for: a long one with escapes is unescaped only
 * once. */
struct tk_str tk_shared_text(const struct tk_transcript *t, struct tk_val string);

static inline struct tk_val tk_part_val(const struct tk_part *p, uint32_t node)
{
    return (struct tk_val){p->doc, node};
}

/* Returns the id of a call, or the one that a result refers to. A missing or ill-typed id is "". */
static inline struct tk_str tk_part_id(const struct tk_transcript *t, const struct tk_part *p)
{
    struct tk_str s = tk_text(tk_part_val(p, p->id), t->arena);

    return s.p ? s : TK_STR("");
}

/* Returns the tool's name; `.p == NULL` if there is none. */
static inline struct tk_str tk_part_name(const struct tk_transcript *t, const struct tk_part *p)
{
    return tk_shared_text(t, tk_part_val(p, p->name));
}

static inline bool tk_is_call(const struct tk_part *p, bool provider)
{
    return p->kind == TK_PART_CALL && !(p->flags & TK_PART_PROVIDER) == !provider;
}

static inline bool tk_is_result(const struct tk_part *p, bool provider)
{
    return p->kind == TK_PART_RESULT && !(p->flags & TK_PART_PROVIDER) == !provider;
}

/* Return how many messages and parts were sent. Items that are no messages are counted as messages
 * alone. A list that is a text is one message with one part. */
static inline uint32_t tk_messages_sent(const struct tk_transcript *t)
{
    return t->input_messages + tk_is(t->list, TK_STRING);
}

static inline uint32_t tk_parts_sent(const struct tk_transcript *t)
{
    return t->input_parts - t->input_whole + (tk_is(t->list, TK_STRING) && tk_raw(t->list).n > 0);
}

/* Returns the message's index in the input; TK_NONE if an edit added it. */
static inline uint32_t tk_message_from(const struct tk_transcript *t, uint32_t message)
{
    return message < t->input_messages ? message : TK_NONE;
}

/* Returns the part's index in its message of the input, in which those of its calls come
 * after the content's parts; TK_NONE if an edit added it. */
static inline uint32_t tk_part_from(const struct tk_transcript *t, uint32_t part)
{
    uint32_t message = t->parts[part].from_message;

    return message == TK_NONE ? TK_NONE : part - t->messages[message].input_first;
}

/* Returns the part's index in its list of the input; TK_NONE if an edit added it. */
static inline uint32_t tk_part_index_from(const struct tk_transcript *t, uint32_t part)
{
    uint32_t message = t->parts[part].from_message;

    if (message == TK_NONE || !(t->parts[part].flags & TK_PART_IN_CALLS))
        return tk_part_from(t, part);
    return part - t->messages[message].input_calls;
}

static inline bool tk_is_thinking(const struct tk_part *p)
{
    return p->kind == TK_PART_THINKING || p->kind == TK_PART_REDACTED;
}

/* Returns true if parts can be added to the message: its content is a list or a string, or an edit
 * repaired it. */
static inline bool tk_takes_parts(const struct tk_message *m)
{
    struct tk_val content = {m->doc, m->content};

    return (m->flags & (TK_MESSAGE_MADE | TK_MESSAGE_RELISTED)) || tk_is(content, TK_ARRAY) ||
           tk_is(content, TK_STRING);
}

/* Result of the last backward search for a visible part. Blank texts are often examined and
 * dropped one after the other; the search for the next one stops where the last one began, so that
 * invisible parts and emptied messages aren't walked again each time. Initialise `from` and
 * `message` with TK_NONE. */
struct tk_separator_walk {
    uint32_t from, seen, message;
};

/*
 * Returns true if the nearest visible parts of the turn before and after the part are both signed
 * thinking. A blank text there separates the two blocks and must stay. walk: may be NULL.
 */
bool tk_is_separator(const struct tk_transcript *t, uint32_t part, struct tk_separator_walk *walk);

/* Iterate over the parts of a turn, over all its messages. Return TK_NONE at the end. */
uint32_t tk_turn_first(const struct tk_transcript *t, const struct tk_turn *turn);
uint32_t tk_turn_next(const struct tk_transcript *t, const struct tk_turn *turn, uint32_t part);

/* The kinds of places: a message, one of the parts in its list, or the list as a whole; an element
 * of its calls, or the list of them. Content that is a string is one part and the whole list. */
enum tk_place_of {
    TK_AT_MESSAGE,
    TK_AT_PART,
    TK_AT_PARTS,
    TK_AT_CALL,
    TK_AT_CALLS,
};

/*
 * Returns a place as a JSON pointer: "/messages/3", "/messages/3/content/1", "/messages/3/content",
 * "/messages/3/tool_calls/0" or "/messages/3/tool_calls"; for a lone turn: "", "/content/1" or
 * "/content". part: the index in the list that the place is in. `.p == NULL` when out of memory.
 */
struct tk_str tk_place(const struct tk_transcript *t, uint32_t message, uint32_t part,
                       enum tk_place_of of);

/* Returns how a part is addressed in its message: TK_AT_MESSAGE if the message has no list,
 * TK_AT_PARTS if its content is a string. */
static inline enum tk_place_of tk_place_of_part(const struct tk_transcript *t, uint32_t message,
                                                uint32_t part)
{
    (void)message;
    if (t->parts[part].flags & TK_PART_WHOLE)
        return TK_AT_MESSAGE;
    if (t->parts[part].flags & TK_PART_IN_CALLS)
        return TK_AT_CALL;
    return t->parts[part].flags & TK_PART_STRING ? TK_AT_PARTS : TK_AT_PART;
}

/* Returns the pointer to a part (TK_NONE: to the message) where it was in the request. */
struct tk_str tk_pointer_from(const struct tk_transcript *t, uint32_t message, uint32_t part);

#endif
