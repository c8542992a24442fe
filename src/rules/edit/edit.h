/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits. Each of these functions changes the transcript in one way and notes it in the report.
 * None of them asks whether it may: plan.c does.
 *
 * New bytes are FRAGMENTS: small documents of their own in the request's codec, read by the
 * same reader, so that a part that an edit made looks to the rules like any other.
 */
#ifndef TK_RULES_EDIT_EDIT_H
#define TK_RULES_EDIT_EDIT_H

#include "history/history.h"
#include "rules/catalogue/rule.h"
#include "rules/pairs/executed.h"
#include "rules/site.h"
#include "shapes/shape.h"

enum tk_action {
    TK_ACTION_NONE,
    TK_ACTION_DROP,
    TK_ACTION_TEXTIFY,
    TK_ACTION_MOVE,
    TK_ACTION_MERGE,
    TK_ACTION_DROP_MESSAGE,
    TK_ACTION_INSERT_RESULT,
    TK_ACTION_DEMOTE,
    TK_ACTION_RESTORE,
    TK_ACTION_REWRITE,
    TK_ACTION_APPEND,
    TK_ACTION_COUNT,
};

/* As they are called on the wire; "" for TK_ACTION_NONE. */
extern const char *const tk_action_names[TK_ACTION_COUNT];

struct tk_request_change;

/* One line of the report. Places are those of the input. */
struct tk_edit {
    struct tk_site site;
    struct tk_str id, tool; /* of a call or result, where they are strings; else p NULL */
    uint16_t code;
    uint8_t action;
    uint8_t kind; /* of the part, as it was when edited */
};

/* The counters of `stats` in a repair's answer. */
#define TK_STATS(X)                                                                                \
    X(removed_tool_calls)                                                                          \
    X(removed_tool_results)                                                                        \
    X(textified)                                                                                   \
    X(dropped_messages)                                                                            \
    X(merged_messages)                                                                             \
    X(inserted_results)                                                                            \
    X(demoted_thinking)                                                                            \
    X(removed_thinking)                                                                            \
    X(restored_turns)                                                                              \
    X(moved)                                                                                       \
    X(rewritten)

struct tk_stats {
#define TK_STAT_MEMBER(name) uint32_t name;
    TK_STATS(TK_STAT_MEMBER)
#undef TK_STAT_MEMBER
};

/* A change inside a part, for the patch: an operation on a place relative to the part. */
struct tk_change {
    struct tk_str path;  /* "/caller" */
    struct tk_str value; /* encoded; p NULL: the place is removed */
    bool replaces;       /* the place was there before */
    uint32_t next;
};

/* What becomes of an element of a list inside a part. */
struct tk_element {
    uint32_t index;
    struct tk_str value; /* its new bytes, encoded; p NULL: it goes */
};

/* A value at any depth of a part, but the part itself, and what becomes of it. */
struct tk_spot {
    struct tk_val at;
    struct tk_str value; /* its new bytes; p NULL: it goes, as the only one of its parent */
};

struct tk_edits {
    struct tk_transcript *t;
    bool (*late)(void *arg); /* may be NULL; asked every few edits: true is -ECANCELED */
    void *late_arg;
    const struct tk_pairing *pairing; /* names the tools in the report */
    struct tk_edit *list;
    uint32_t count, capacity;
    uint32_t steps; /* edits made, those of parts and messages that were never sent included */
    uint32_t round_messages; /* how many messages there were before the round */
    struct tk_change *changes;
    uint32_t change_count, change_capacity;
    uint32_t changed_last; /* the part that the newest change is of */
    struct tk_stats stats;
    uint32_t by_action[TK_ACTION_COUNT];
    struct tk_doc scratch;           /* for reading fragments */
    uint32_t marker_from, marker_to; /* where the last cache marker was looked for, and went */
    struct tk_val
        *gone; /* by part of the input: a result that lost its structure; NULL: none did */
    struct tk_str *sent_ids; /* by part of the input: the id that it was sent with, where it has
                                another now; p NULL: it hasn't; NULL: none has */
    uint32_t *changes_of;    /* by part of the input: its first change; NULL: no part has any */
    uint32_t *changes_of_message;      /* the same by message of the input */
    struct tk_request_change *request; /* outside the history (request_change.h); NULL: none */
};

void tk_edits_init(struct tk_edits *e, struct tk_transcript *t, const struct tk_pairing *pairing);

/* Everything below returns 0 or -ENOMEM, what makes a line of the report also -ECANCELED; -EINVAL
 * would be a fragment of ours that can't be read. */

/* ---- parts ---- */

/* Takes a part out. Its cache marker goes to a part in front of it that may carry one. */
int tk_edit_drop(struct tk_edits *e, uint32_t part, uint16_t code);

/* Puts text in the place of a part; its cache marker stays. */
int tk_edit_textify(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text);

/* The same, but the text goes behind a part of a message (TK_NONE: to its front). */
int tk_edit_textify_into(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text,
                         uint32_t message, uint32_t after);

/* The same with a string of the part's own, as it stands, and the action rewrite. */
int tk_edit_rewrite_into(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_val text,
                         uint32_t message, uint32_t after);

/* Puts text into a new user message right after the part's: one for all texts of a round. */
int tk_edit_textify_after(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text);

/* Puts what a thinking part says, bare, in its place, or in front of another part of its message.
 */
int tk_edit_demote(struct tk_edits *e, uint32_t part, uint16_t code, uint32_t before);

/* Takes a part from its place and puts it behind a part of a message (TK_NONE: to its front). */
int tk_edit_move(struct tk_edits *e, uint32_t part, uint16_t code, uint32_t message,
                 uint32_t after);
/* The same for what goes along with an edit. Not a line of the report. */
int tk_edit_carry(struct tk_edits *e, uint32_t part, uint32_t message, uint32_t after);

/* Puts the provider's error shape behind a call. */
int tk_edit_error_result(struct tk_edits *e, uint32_t call, uint16_t code,
                         struct tk_str result_type);

/* Puts the result of a client call that nobody ran behind a part of a message. */
int tk_edit_unexecuted(struct tk_edits *e, uint32_t call, uint16_t code, uint32_t message,
                       uint32_t after);

/* The id that a call or result was sent with; p NULL where that is no string. */
struct tk_str tk_sent_id(const struct tk_edits *e, uint32_t part);
/* Keeps it, for it is about to change. Returns 0 or -ENOMEM. */
int tk_keep_sent_id(struct tk_edits *e, uint32_t part);

/* Takes out the member at `path` and parents that it leaves empty. Not a line of the report. */
int tk_change_remove(struct tk_edits *e, uint32_t part, const struct tk_path *path);
/* Sets the member at `path`, with the parents it needs. Not a line of the report. */
int tk_change_set(struct tk_edits *e, uint32_t part, const struct tk_path *path,
                  struct tk_str value);
/* Changes elements of the list at `path`, named by ascending index. Not a line of the report. */
int tk_change_elements(struct tk_edits *e, uint32_t part, const struct tk_path *path,
                       const struct tk_element *elements, uint32_t count);
/* Changes values at any depth, by ascending node. Not a line of the report. */
int tk_change_spots(struct tk_edits *e, uint32_t part, const struct tk_spot *spots, uint32_t count);
/* Gives a text part, string content too, another text, an encoded string. Not a line of the
 * report. */
int tk_change_text(struct tk_edits *e, uint32_t part, struct tk_str text);
/* Gives a part other bytes altogether. Not a line of the report. Returns 0 or -ENOMEM. */
int tk_change_all(struct tk_edits *e, uint32_t part, struct tk_str encoded);
/*
 * Puts other values in the places of values inside a part, by ascending place, in one splice: a
 * path from the part ("/content/3/source/media_type"), what stands there, the encoded value. Not a
 * line of the report.
 */
struct tk_swap {
    struct tk_str path;
    struct tk_val old;
    struct tk_str value;
};
int tk_change_values(struct tk_edits *e, uint32_t part, const struct tk_swap *swaps,
                     uint32_t count);
/* The line for changes of a part: action rewrite. */
int tk_edit_rewritten(struct tk_edits *e, uint32_t part, uint16_t code);
/* The same where nothing but cache markers changed: no content (OPERATIONS.md C.1). */
int tk_edit_remarked(struct tk_edits *e, uint32_t part, uint16_t code);
/* The line for a part from whose inside something moved elsewhere: action move. */
int tk_edit_unloaded(struct tk_edits *e, uint32_t part, uint16_t code);
/* Puts an encoded part behind a part of a message; it is the newest then. Not a line of the report.
 */
int tk_edit_insert(struct tk_edits *e, uint32_t message, uint32_t after, struct tk_str encoded);

/* ---- messages ---- */

/* A text part behind the last one of a message (append), or as its only one (rewrite). */
int tk_edit_append(struct tk_edits *e, uint32_t message, uint16_t code, enum tk_action action,
                   struct tk_str text);

/* The line for changes of a message's own members: action rewrite. */
int tk_edit_message_rewritten(struct tk_edits *e, uint32_t message, uint16_t code);

/* What the patch has to say of such a change: the place from the message on, its new bytes (p NULL:
 * gone), whether the place was there before. */
int tk_message_change_note(struct tk_edits *e, uint32_t message, struct tk_str path,
                           struct tk_str value, bool replaces);
/* The message has these bytes from now on; its parts stay what they are. Returns 0 or -ENOMEM. */
int tk_change_message(struct tk_edits *e, uint32_t message, struct tk_str encoded);

/* Makes a list of a content that is a lone block. */
int tk_edit_wrap(struct tk_edits *e, uint32_t message, uint16_t code);

/* A new message behind another (TK_NONE: the first); flags: TK_MESSAGE_TOOL. TK_NONE without
 * memory. Not a line of the report. */
uint32_t tk_edit_add_message(struct tk_edits *e, uint32_t behind, enum tk_role role,
                             uint32_t flags);

/* Puts a message behind another. */
int tk_edit_move_message(struct tk_edits *e, uint32_t message, uint16_t code, uint32_t behind);

int tk_edit_drop_message(struct tk_edits *e, uint32_t message, uint16_t code);

/* Puts a user message that holds a text in the place of a message that can't hold one. */
int tk_edit_stand_in(struct tk_edits *e, uint32_t message, uint16_t code, struct tk_str text);

/*
 * The adapters of fantasy and ai-sdk apply a message's provider options to its last part. Before
 * messages merge, the options go to that part, unless it has its own. Not a line of the report.
 */
int tk_options_to_parts(struct tk_edits *e, uint32_t message);

/* Moves all parts of a message to the end of the one in front of it, and drops it. */
int tk_edit_merge(struct tk_edits *e, uint32_t message, uint16_t code);

/* ---- for other files of this folder ---- */

/* Whether encoded bytes can be read at all: new keys could be old ones. */
bool tk_is_readable(struct tk_edits *e, struct tk_str encoded);
/* Reads encoded bytes as a document of their own; NULL without memory. */
const struct tk_doc *tk_fragment(struct tk_edits *e, struct tk_str encoded);
/* Plain text as an encoded string, in the request's codec. */
struct tk_str tk_encode_text(struct tk_edits *e, struct tk_str text);
/* The same as an encoded text part, with an encoded cache marker or p NULL. */
struct tk_str tk_encode_text_part(struct tk_edits *e, struct tk_str text, struct tk_str marker);

#endif
