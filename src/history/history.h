/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The transcript: what rules look at, and nothing else (RULES.md section 1).
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
 * A dialect (src/dialects) reads a document into this form. Repair edits the form: parts and
 * messages are linked lists over arrays, so that an edit costs the same wherever it happens,
 * and the arrays still tell where everything stood in the input. What was not edited is
 * still a span of the document and is never copied.
 */
#ifndef TK_HISTORY_HISTORY_H
#define TK_HISTORY_HISTORY_H

#include "value/doc.h"
#include "value/hash.h"

#define TK_NONE UINT32_MAX

/* Repair puts this text at the end of a turn that ends in thinking. */
#define TK_INTERRUPTED "(interrupted)"

enum tk_role {
    TK_ROLE_USER, /* dialects fantasy and ai-sdk: role `tool`, too */
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
    TK_PART_PROVIDER = 1 << 0,    /* call or result: executed by the provider, else by the client */
    TK_PART_SIGNED = 1 << 1,      /* thinking with a signature, redacted thinking with data */
    TK_PART_STRING = 1 << 2,      /* the message's content is a string, and this is it */
    TK_PART_REMOVED = 1 << 3,     /* dropped by an edit */
    TK_PART_MADE = 1 << 4,        /* by an edit: inserted, or put in the place of another part */
    TK_PART_TOUCHED = 1 << 5,     /* a member of it was edited */
    TK_PART_MOVED = 1 << 6,       /* stands elsewhere than in the input */
    TK_PART_CHANGED = 1 << 7,     /* differs in more than cache markers from the input's */
    TK_PART_RESULT_GONE = 1 << 8, /* was a result whose structure an edit took away */
    TK_PART_INVISIBLE = 1 << 9,   /* the adapter leaves it out on the wire */
    TK_PART_MARKABLE = 1 << 10,   /* may carry a cache marker */
    TK_PART_EDITED = 1 << 11,     /* in this round: one edit a part and round */
    TK_PART_WANTED = 1 << 12,     /* while its message is restored: it stays */
    TK_PART_ODD = 1 << 13,     /* has a member that its type doesn't know, or lacks one, or is of no
                                  type that is known */
    TK_PART_FITS = 1 << 14,    /* result: found to hold what its type says */
    TK_PART_DEMOTED = 1 << 15, /* was thinking in the input, and is text now */
};

struct tk_part {
    const struct tk_doc *doc; /* the request, or a fragment that an edit made */
    uint32_t node;            /* the part; for TK_PART_STRING the string */
    /* Nodes of doc, TK_NO_NODE where there is none. */
    uint32_t type; /* the part's type */
    uint32_t id;   /* of a call; a result's reference to it */
    uint32_t name; /* tool name of a call (fantasy, ai-sdk: of a result, too) */
    uint32_t
        payload;     /* input of a call, content or output of a result, text of text and thinking */
    uint32_t caller; /* who made the call, if not the model itself */
    uint32_t message; /* where it stands now */
    uint32_t prev, next;
    uint32_t from_message; /* where it stood in the input; TK_NONE: nowhere */
    uint32_t finding;      /* first of its findings, see finding.h */
    uint32_t flags;
    uint16_t block; /* its row in the shape's table of blocks (shapes/blocks.h), 0 for none */
    uint8_t kind;
};

/* Flags of a message. */
enum {
    TK_MESSAGE_DROPPED = 1 << 0,
    TK_MESSAGE_MADE = 1 << 1,        /* put in by an edit */
    TK_MESSAGE_EMPTIED = 1 << 2,     /* an edit took its last part and nothing settled it yet */
    TK_MESSAGE_RELISTED = 1 << 3,    /* its content was a string, or is replaced as a whole */
    TK_MESSAGE_TOUCHED = 1 << 4,     /* parts came, went or changed */
    TK_MESSAGE_TOOL = 1 << 5,        /* role `tool`: holds results and nothing else */
    TK_MESSAGE_GAP = 1 << 6,         /* a message right behind it was dropped */
    TK_MESSAGE_MERGED = 1 << 7,      /* took in the parts of another */
    TK_MESSAGE_TRANSPARENT = 1 << 8, /* lifted out by the adapter: no turn, no border of turns */
    TK_MESSAGE_SETTLE = 1 << 10,     /* was emptied before this round began */
    TK_MESSAGE_STRIPPED = 1 << 11,   /* its provider options went to its last part */
    TK_MESSAGE_FILLED = 1 << 13,     /* came without content, and was given some */
    TK_MESSAGE_MOVED = 1 << 12,      /* stands elsewhere than in the input */
    TK_MESSAGE_PROTECTED = 1 << 9,   /* of the newest assistant turn, which is signed (protect.h) */
    TK_MESSAGE_WHOLE = 1 << 16,      /* has no list of parts: it is itself its only part */
    TK_MESSAGE_EXTRA = 1 << 14,      /* has members that its dialect doesn't know */
    TK_MESSAGE_KEPT = 1 << 15,       /* and not all are bookkeeping or empty: it isn't bare, so no
                                        edit drops it or joins it to another (RULES.md 8) */
};

struct tk_message {
    const struct tk_doc *doc;
    uint32_t node;        /* the message */
    uint32_t sent;        /* its node in the request, TK_NO_NODE for one that an edit put in */
    uint32_t content;     /* its content, TK_NO_NODE when missing */
    uint32_t first, last; /* parts */
    uint32_t input_first; /* of the input's parts the first that stood here, or would */
    uint32_t prev, next;  /* messages, dropped ones left out */
    uint32_t filled_prev, filled_next; /* the same, those without parts left out, too */
    uint32_t turn;                     /* as of the last tk_turns(); TK_NONE for transparent ones */
    uint32_t finding;                  /* first finding about the message itself */
    uint32_t options; /* message-level provider options, if any (fantasy, ai-sdk) */
    uint32_t flags;
    uint8_t role;
    bool filled; /* has parts and is in the list of such messages */
};

/* Flags of a turn. */
enum {
    TK_TURN_SIGNED = 1 << 0,
    TK_TURN_HAS_PARTS = 1 << 1,
    TK_TURN_CLIENT_CALL = 1 << 2,  /* holds a client call */
    TK_TURN_ONLY_RESULTS = 1 << 3, /* nothing but client results (empty counts) */
    TK_TURN_CROSSED = 1 << 4,      /* a call in flight is open in front of it and behind it */
    TK_TURN_EMPTIED = 1 << 5,      /* an edit emptied one of its messages before this round */
};

struct tk_turn {
    uint32_t first, last; /* messages */
    uint8_t role;
    uint8_t flags;
};

struct tk_shape;

struct tk_transcript {
    const struct tk_shape *shape;
    struct tk_arena *arena;
    const uint64_t *hash_key;
    const struct tk_doc *doc; /* the request */
    struct tk_val list;       /* what was read: the list of messages, or of a lone turn's parts */
    struct tk_str root;     /* where the list of messages is: "/messages"; empty for a lone turn */
    struct tk_str parts_at; /* the member of a message that holds its parts: "/content" */
    bool lone_turn;         /* repair_turn: one message, whose pointers begin with /content */

    struct tk_message *messages; /* the input's first, in order; then what edits put in */
    uint32_t message_count, message_capacity, input_messages;
    uint32_t first_message, last_message;
    uint32_t first_filled; /* the first message that has parts, TK_NONE */
    uint32_t arrivals;     /* how many messages were put into the list, or to another place of it */

    struct tk_part *parts; /* the input's first, in order; then what edits made */
    uint32_t part_count, part_capacity, input_parts;
    uint32_t *named_by; /* see names.h; by part of the input, NULL if there are no client results */

    struct tk_turn *turns; /* rebuilt by tk_turns() */
    uint32_t turn_count, turn_capacity;
    uint32_t first_signed_turn; /* TK_NONE */
    uint32_t protected_message; /* newest signed message of the protected turn, TK_NONE */
};

/* Finds the turns of what is there now. Returns 0 or -ENOMEM. */
int tk_turns(struct tk_transcript *t);

/* New elements at the end of the arrays, zeroed but for their links; TK_NONE when out of memory.
 * Pointers into the arrays don't survive it. */
uint32_t tk_new_part(struct tk_transcript *t);
uint32_t tk_new_message(struct tk_transcript *t);

/* Links a part behind `after`, or at the front of the message when that is TK_NONE. */
void tk_link_part(struct tk_transcript *t, uint32_t message, uint32_t after, uint32_t part);
void tk_unlink_part(struct tk_transcript *t, uint32_t part);
/* The same for messages. */
void tk_link_message(struct tk_transcript *t, uint32_t after, uint32_t message);
void tk_unlink_message(struct tk_transcript *t, uint32_t message);

/* Returns the part before another one, over the borders of messages, or TK_NONE. Messages that
 * edits emptied cost nothing. The part must be in its message. */
uint32_t tk_part_before(const struct tk_transcript *t, uint32_t part);

/* ---- looking ---- */

static inline struct tk_val tk_part_val(const struct tk_part *p, uint32_t node)
{
    return (struct tk_val){p->doc, node};
}

/* Text of a call's or result's id; a missing or ill-typed id counts as the empty one. */
static inline struct tk_str tk_part_id(const struct tk_transcript *t, const struct tk_part *p)
{
    struct tk_str s = tk_text(tk_part_val(p, p->id), t->arena);

    return s.p ? s : TK_STR("");
}

/* Text of the tool's name; p NULL when there is none. */
static inline struct tk_str tk_part_name(const struct tk_transcript *t, const struct tk_part *p)
{
    return tk_text(tk_part_val(p, p->name), t->arena);
}

static inline bool tk_is_call(const struct tk_part *p, bool provider)
{
    return p->kind == TK_PART_CALL && !(p->flags & TK_PART_PROVIDER) == !provider;
}

static inline bool tk_is_result(const struct tk_part *p, bool provider)
{
    return p->kind == TK_PART_RESULT && !(p->flags & TK_PART_PROVIDER) == !provider;
}

/* The message's index in the input; TK_NONE for one that an edit put in. */
static inline uint32_t tk_message_from(const struct tk_transcript *t, uint32_t message)
{
    return message < t->input_messages ? message : TK_NONE;
}

/* The part's index in its message of the input; TK_NONE for one that an edit put in. */
static inline uint32_t tk_part_from(const struct tk_transcript *t, uint32_t part)
{
    uint32_t message = t->parts[part].from_message;

    return message == TK_NONE ? TK_NONE : part - t->messages[message].input_first;
}

static inline bool tk_is_thinking(const struct tk_part *p)
{
    return p->kind == TK_PART_THINKING || p->kind == TK_PART_REDACTED;
}

/* Content that is missing, or neither a list nor a string, takes no part in, unless an edit mended
 * it. */
static inline bool tk_takes_parts(const struct tk_message *m)
{
    struct tk_val content = {m->doc, m->content};

    return (m->flags & (TK_MESSAGE_MADE | TK_MESSAGE_RELISTED)) || tk_is(content, TK_ARRAY) ||
           tk_is(content, TK_STRING);
}

/* What a walk to the front has seen: the first part that reaches the wire, from a part on, and from
 * a message on if that has lost its parts since. Zeroed, with `from` and `message` TK_NONE: nothing
 * yet. So that parts that are asked about one after the other, and taken out, don't cost a walk
 * over the same invisible ones, or the same emptied messages, each. */
struct tk_separator_walk {
    uint32_t from, seen, message;
};

/*
 * Whether the part stands directly between two signed thinking parts of its turn, as they are now:
 * a blank text does good there. walk: may be NULL.
 */
bool tk_is_separator(const struct tk_transcript *t, uint32_t part, struct tk_separator_walk *walk);

/* Parts of a turn, over all its messages. */
uint32_t tk_turn_first(const struct tk_transcript *t, const struct tk_turn *turn);
uint32_t tk_turn_next(const struct tk_transcript *t, const struct tk_turn *turn, uint32_t part);

/* How a place is written: the message itself, one of the parts in its list, or the list as a whole
 * (content that is a string is one part and the whole list). */
enum tk_place_of {
    TK_AT_MESSAGE,
    TK_AT_PART,
    TK_AT_PARTS,
};

/*
 * A place as a pointer, by indexes: "/messages/3", "/messages/3/content/1" or
 * "/messages/3/content". Of a lone turn:
 * "", "/content/1", "/content".
 */
struct tk_str tk_place(const struct tk_transcript *t, uint32_t message, uint32_t part,
                       enum tk_place_of of);

/* How a part is found in its message: TK_AT_MESSAGE if the message has no list, TK_AT_PARTS for a
 * string. */
static inline enum tk_place_of tk_place_of_part(const struct tk_transcript *t, uint32_t message,
                                                uint32_t part)
{
    if (t->messages[message].flags & TK_MESSAGE_WHOLE)
        return TK_AT_MESSAGE;
    return t->parts[part].flags & TK_PART_STRING ? TK_AT_PARTS : TK_AT_PART;
}

/* The same for a part (TK_NONE: the message itself) as it stood in the request. */
struct tk_str tk_pointer_from(const struct tk_transcript *t, uint32_t message, uint32_t part);

#endif
