/* SPDX-License-Identifier: Apache-2.0 */
/*
 * splice (OPERATIONS.md part A, OPERATIONS-PROVIDERS.md 1): an assistant turn, the results of its calls
 * and what the caller appended meanwhile, in the one order that the provider takes.
 *
 *     history, untouched
 *     assistant   the turn, as received, once
 *     user        results of its calls, in the order of the calls
 *     user ...    the caller's messages in their order
 *     assistant   one that the caller wrote itself, user with its results, and so on
 *
 * Providers differ in their tables (providers/splice.h): the turn may be a list of items, and each result a
 * message of its own.
 *
 * The input is values of one request document, or of several in one codec; the outcome refers to
 * them and copies nothing. The time is linear in the input, except for binary searches for copies.
 */
#ifndef TK_OPERATIONS_SPLICE_SPLICE_H
#define TK_OPERATIONS_SPLICE_SPLICE_H

#include "engine/target.h"
#include "operations/refusal.h"
#include "value/writer.h"

struct tk_part;
struct tk_provider;

/*
 * The input: the request, the answer to it, and the results and messages that the tool runner and
 * the caller add. The parameter check has verified kinds: lists of objects, and messages with contents whose
 * elements are objects. The rest is checked here.
 */
struct tk_splice_input {
    struct tk_arena *arena;
    const uint64_t *hash_key;
    const struct tk_provider *provider; /* has `splice` */
    struct tk_val
        messages;          /* the history, in the provider's own shape; may be a string or absent */
    struct tk_val request; /* the whole body with the history; may be absent */
    struct tk_val assistant;    /* the turn as received */
    struct tk_val tool_results; /* the tool runner's; may be absent */
    struct tk_val appended;     /* the caller's messages; may be absent */
    struct tk_val container;    /* pinned by the caller; may be absent */
    struct tk_target target;    /* where the request goes */
    uint32_t choice;            /* which of several answers is the turn */
    bool strict;                /* refuses instead of filling, dropping or textifying */
    bool single;                /* adjacent user messages become one */
    bool replace_turn;          /* an authored message that comes first replaces the turn */
    bool replace_history;       /* a compaction turn replaces all before it */
    bool chain;                 /* the server has the history, also if the request doesn't say so */
};

enum tk_splice_action {
    TK_SPLICE_CONTINUE, /* send it */
    TK_SPLICE_RESUME,   /* send it, nothing may follow the turn */
    TK_SPLICE_STOP,     /* send nothing */
};

/* Changes other than the order, as the answer names them, in this order. */
#define TK_SPLICE_NOTES(X)                                                                         \
    X(ASSISTANT_COPY_DROPPED, "assistant_copy_dropped")                                            \
    X(ASSISTANT_COPY_REPLACED, "assistant_copy_replaced_by_original")                              \
    X(MISSING_TOOL_RESULT_FILLED, "missing_tool_result_filled")                                    \
    X(ASSISTANT_TURN_REPLACED, "assistant_turn_replaced")                                          \
    X(AUTHORED_CALL_AFTER_RESULTS, "authored_call_after_results")                                  \
    X(DEFERRED_UNTIL_TURN_RESUMES, "deferred_until_turn_resumes")                                  \
    X(SERVER_TOOL_RESULT_DROPPED, "server_tool_result_dropped")                                    \
    X(DEFERRED_UNTIL_SERVER_TOOL_RESOLVES, "deferred_until_server_tool_resolves")                  \
    X(UNKNOWN_TOOL_RESULT_TEXTIFIED, "unknown_tool_result_textified")                              \
    X(UNKNOWN_TOOL_RESULT_DROPPED, "unknown_tool_result_dropped")                                  \
    X(TRUNCATED_TURN_NOT_REPLAYED, "truncated_turn_not_replayed")                                  \
    X(REFUSAL_TURN_NOT_REPLAYED, "refusal_turn_not_replayed")                                      \
    X(FAILED_TURN_NOT_REPLAYED, "failed_turn_not_replayed")                                        \
    X(FALLBACK_SEAM_TRIMMED, "fallback_seam_trimmed")                                              \
    X(SYSTEM_MESSAGE_MOVED_LAST, "system_message_moved_last")                                      \
    X(TOOLSET_NAME_COPIED, "toolset_name_copied")                                                  \
    X(EMPTY_MESSAGE_DROPPED, "empty_message_dropped")                                              \
    X(DUPLICATE_TOOL_RESULT_LAST_WINS, "duplicate_tool_result_last_wins")                          \
    X(UNKNOWN_AUTOMATIC_RESULT_IGNORED, "unknown_automatic_result_ignored")                        \
    X(EMPTY_TURN_NOT_REPLAYED, "empty_turn_not_replayed")                                          \
    X(SERVER_CALL_LEFT_OPEN, "server_call_left_open")                                              \
    X(OUTPUT_ONLY_REMOVED, "output_only_removed")                                                  \
    X(ITEM_IDS_REMOVED, "item_ids_removed")                                                        \
    X(ROLE_ADDED, "role_added")                                                                    \
    X(APPROVAL_LEFT_OPEN, "approval_left_open")                                                    \
    X(DEFERRED_UNTIL_RESULTS_ARE_ANSWERED, "deferred_until_results_are_answered")                  \
    X(CHAINED, "chained")

enum tk_splice_note {
#define TK_SPLICE_NOTE_ENUM(id, text) TK_SPLICE_NOTE_##id,
    TK_SPLICE_NOTES(TK_SPLICE_NOTE_ENUM)
#undef TK_SPLICE_NOTE_ENUM
    TK_SPLICE_NOTE_COUNT,
};

/* How a part of a changed message is written; where results are messages, how a message is. */
enum tk_splice_form {
    TK_SPLICE_AS_IS,
    TK_SPLICE_STRING,       /* val is a string: a text of it */
    TK_SPLICE_TEXT,         /* a text of `text` */
    TK_SPLICE_WITH_TOOLSET, /* val with the toolset's name of its call */
    TK_SPLICE_MADE,         /* a result for `call`: of the neutral result val, else of `text` */
};

struct tk_splice_block {
    struct tk_val val;
    const struct tk_part *call;
    struct tk_val toolset; /* the call's toolset_name; may be absent */
    struct tk_str text;
    uint8_t form;
};

/* A message of the outcome. */
struct tk_splice_message {
    struct tk_val whole; /* as received; absent: made of role and content */
    struct tk_str
        written; /* its bytes without what a request doesn't have; `.p == NULL`: as received */
    struct tk_val content;                /* its content as received; absent: see blocks */
    const struct tk_splice_block *blocks; /* the content if `rewritten` */
    uint32_t block_count;
    uint8_t role; /* enum tk_role */
    bool rewritten;
    bool is_block; /* the only block is itself the message */
};

struct tk_spliced {
    const struct tk_provider *provider;
    enum tk_splice_action action;
    struct tk_val history;
    bool replaces_history; /* the messages replace the history, too */
    struct tk_splice_message *messages;
    uint32_t count;
    struct tk_splice_message *deferred; /* to be handed in again as appended */
    uint32_t deferred_count;
    /* A member of the request that has to be set: its value, an id; absent: nothing has to. */
    struct tk_val set;
    const char *set_member;
    bool set_inside; /* the id goes into the member, which is an object that lacks it */
    bool set_before; /* the request has such a member, which may be null */
    uint32_t facts;  /* about the target, TK_SPLICE_* of providers/splice.h */
    uint32_t notes;  /* bits by enum tk_splice_note */
    struct tk_refusal refusal;
};

/* Returns 0; TK_REFUSED with only ret->refusal filled; or -ENOMEM. */
int tk_splice(const struct tk_splice_input *in, struct tk_spliced *ret);

/* Refuses a request whose history is at the provider: a turn can't be added to it, and it can't be
 * judged. Returns TK_REFUSED, or 0; also 0 if the provider has no such requests. tk_splice() calls
 * it itself. */
int tk_refuse_thread(const struct tk_provider *provider, struct tk_val request,
                     struct tk_refusal *refusal);

/* ---- the outcome on the wire ---- */

/* Returns the name of an action. */
const char *tk_splice_action_name(enum tk_splice_action action);

/* Writes the notes as a list of names. */
void tk_splice_write_notes(struct tk_writer *w, const struct tk_spliced *s);

/* Writes one message. */
void tk_splice_write_message(struct tk_writer *w, const struct tk_spliced *s,
                             const struct tk_splice_message *m);

/* Returns true if the list of messages changes. */
static inline bool tk_splice_changes_messages(const struct tk_spliced *s)
{
    return s->count > 0 || s->replaces_history;
}

/* Writes the history and the messages as one list. A history that is a string is a message of the user. */
void tk_splice_write_messages(struct tk_writer *w, const struct tk_spliced *s);

/* Writes operations of a patch (RFC 6902) of the request body into an open list. */
void tk_splice_write_operations(struct tk_writer *w, const struct tk_spliced *s, bool whole_body);

/* Writes {"/container": id}. Call it only if there is something to set. */
void tk_splice_write_set(struct tk_writer *w, const struct tk_spliced *s);

/* Returns the name of the request's member that is set, and writes its new value. */
struct tk_str tk_splice_set_name(const struct tk_spliced *s);
void tk_splice_write_set_value(struct tk_writer *w, const struct tk_spliced *s,
                               struct tk_val request);

#endif
