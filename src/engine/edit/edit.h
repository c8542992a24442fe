/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Edits. Each function changes the transcript in one way. None of them checks whether the edit is
 * allowed: plan.c does.
 *
 * The functions come in two groups: those that write a line of the report, one for each edit that a
 * client is told about, and those that don't, since they are a step of such an edit.
 *
 * New bytes are FRAGMENTS: small documents of their own in the request's codec. The same reader
 * reads them, so that rules see an added part like any other.
 */
#ifndef TK_ENGINE_EDIT_EDIT_H
#define TK_ENGINE_EDIT_EDIT_H

#include "catalogue/rule.h"
#include "engine/site.h"
#include "history/history.h"
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

/* Names of the actions in the protocol; "" for TK_ACTION_NONE. */
extern const char *const tk_action_names[TK_ACTION_COUNT];

struct tk_judge;

/* A line of the report. Its place is one of the input. */
struct tk_edit {
    struct tk_site site;
    struct tk_str id, tool; /* of a call or result; `.p == NULL` if not a string */
    uint16_t code;
    uint8_t action;
    uint8_t kind; /* of the part, before the edit */
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

/* A change inside a part: an operation of the patch, with its path relative to the part. */
struct tk_change {
    struct tk_str path;  /* "/caller" */
    struct tk_str value; /* encoded; `.p == NULL`: the place is removed */
    bool replaces;       /* the place was there before */
    uint32_t next;
};

/* Replacement or removal of an element of a list inside a part. */
struct tk_element {
    uint32_t index;
    struct tk_str value; /* its new bytes, encoded; `.p == NULL`: removed */
};

/* Replacement or removal of one nested value of a part. */
struct tk_spot {
    struct tk_val at;
    struct tk_str value; /* its new bytes; `.p == NULL`: removed, at most one per parent */
};

struct tk_edits {
    struct tk_transcript *t;
    bool (*late)(void *arg); /* may be NULL; called every few edits; true: -ECANCELED */
    void *late_arg;
    const struct tk_judge *j; /* of the transcript: its provider names the tools in the report */
    struct tk_edit *list;
    uint32_t count, capacity;
    uint32_t steps; /* edits made, with those of parts and messages never sent */
    struct tk_change *changes;
    uint32_t change_count, change_capacity;
    uint32_t changed_last; /* the part with the newest change */
    bool moves_messages;   /* a message was moved */
    struct tk_stats stats;
    uint32_t by_action[TK_ACTION_COUNT];
    struct tk_doc scratch; /* for reading fragments */
    /* by part of the input: the id that it was sent with, if an edit changed it; `.p == NULL` if
     * not; NULL: no id was changed */
    struct tk_str *sent_ids;
    /* by part of the input: what was sent, if an edit changed it; absent if not; NULL: no part was
     * changed, or the shape has no `names_as_sent` */
    struct tk_val *sent;
    /* the first change by part, and by message, of the input; NULL: there are none */
    uint32_t *changes_of, *changes_of_message;
};

void tk_edits_init(struct tk_edits *e, const struct tk_judge *j);

/* The functions below return 0 or -ENOMEM if nothing else is said, those that write a line of the
 * report also -ECANCELED. (-EINVAL would mean that we can't read a fragment of ours: a defect.) */

/*
 * ==== edits that write a line of the report ====
 *
 * A part or message that an edit added was never sent: about those no line is written.
 */

/* ---- parts ---- */

/* Writes the line for an edit of a part, and makes none. */
int tk_edit_part(struct tk_edits *e, uint32_t part, uint16_t code, enum tk_action action);

/* Removes a part, for an action of the report. */
int tk_edit_remove(struct tk_edits *e, uint32_t part, uint16_t code, enum tk_action action);
int tk_edit_drop(struct tk_edits *e, uint32_t part, uint16_t code);

/* Replaces a part by an encoded text part. */
int tk_edit_become_text(struct tk_edits *e, uint32_t part, uint16_t code, enum tk_action action,
                        struct tk_str encoded);

/* Replaces a part by a text. Its cache marker stays. */
int tk_edit_textify(struct tk_edits *e, uint32_t part, uint16_t code, struct tk_str text);

/* Replaces a thinking part by its text, without its signature. before: put the text before this
 * part of the message instead; TK_NONE: in place. */
int tk_edit_demote(struct tk_edits *e, uint32_t part, uint16_t code, uint32_t before);

/* Moves a part to the place after the part `after` of a message (TK_NONE: to its start). */
int tk_edit_move(struct tk_edits *e, uint32_t part, uint16_t code, uint32_t message,
                 uint32_t after);

/* Inserts an error result in the provider's form after a call. */
int tk_edit_error_result(struct tk_edits *e, uint32_t call, uint16_t code,
                         struct tk_str result_type);

/* Inserts a result for a client call that nobody ran, after the part `after` of a message. */
int tk_edit_unexecuted(struct tk_edits *e, uint32_t call, uint16_t code, uint32_t message,
                       uint32_t after);

/* Writes the line for changes inside a part (tk_change_...()): action rewrite. */
int tk_edit_rewritten(struct tk_edits *e, uint32_t part, uint16_t code);

/*
 * Splits a part that has several members of a union: each of them but `stays`, a node, becomes a part of its own,
 * in the order of the members. All other members stay with it. Action rewrite.
 */
int tk_edit_split(struct tk_edits *e, uint32_t part, uint16_t code,
                  bool (*is_of_union)(struct tk_val member), uint32_t stays);

/* ---- messages ---- */

/* Adds a text part at the end of a message (action append), or as its only part (rewrite). */
int tk_edit_append(struct tk_edits *e, uint32_t message, uint16_t code, enum tk_action action,
                   struct tk_str text);

/* Drops a message or an item: action drop. */
int tk_edit_drop_item(struct tk_edits *e, uint32_t message, uint16_t code);

/* Writes the line for any edit of a message, or of an item that is itself a part. A message that is itself a
 * result (TK_MESSAGE_RESULT) has its id and tool in the line and counts as a result. */
int tk_edit_message(struct tk_edits *e, uint32_t message, uint16_t code, enum tk_action action);

/* Drops a message whose words the message before it took over (tk_message_set()): action merge. */
int tk_edit_message_joined(struct tk_edits *e, uint32_t message, uint16_t code);

/* Turns a content that is a single block into a list. */
int tk_edit_wrap(struct tk_edits *e, uint32_t message, uint16_t code);

int tk_edit_drop_message(struct tk_edits *e, uint32_t message, uint16_t code);

/* Adds a user message with a text after the message `after` (TK_NONE: as the first). The line is
 * about `message`, its neighbour: action rewrite. */
int tk_edit_add_user(struct tk_edits *e, uint32_t message, uint16_t code, uint32_t after,
                     struct tk_str text);

/* Moves all parts of a message to the end of the message before it, and drops it. last_result: NULL,
 * or the last of the client's results that begin that message (TK_NONE: none does): the results
 * move after it instead, and it is set to the last of them. */
int tk_edit_merge(struct tk_edits *e, uint32_t message, uint16_t code, uint32_t *last_result);

/*
 * ==== steps of edits, which write no line of the report ====
 */

/* ---- changes inside a part, and parts ---- */

/* Removes the member at `path`, and parents that become empty. */
int tk_change_remove(struct tk_edits *e, uint32_t part, const struct tk_path *path);
/* Sets the member at `path`. Adds missing parents. */
int tk_change_set(struct tk_edits *e, uint32_t part, const struct tk_path *path,
                  struct tk_str value);
/* Replaces or removes elements of the list at `path`. elements: by ascending index. */
int tk_change_elements(struct tk_edits *e, uint32_t part, const struct tk_path *path,
                       const struct tk_element *elements, uint32_t count);
/* Replaces or removes nested values. spots: by ascending node. */
int tk_change_spots(struct tk_edits *e, uint32_t part, const struct tk_spot *spots, uint32_t count);
/* Replaces the text of a text part, which may be string content. text: an encoded string. */
int tk_change_text(struct tk_edits *e, uint32_t part, struct tk_str text);
/* Replaces all bytes of a part. */
int tk_change_all(struct tk_edits *e, uint32_t part, struct tk_str encoded);

/* Moves a part like tk_edit_move(), as a consequence of another edit. */
int tk_edit_carry(struct tk_edits *e, uint32_t part, uint32_t message, uint32_t after);
/* Inserts an encoded part after the part `after` of a message. It becomes the last of t->parts. */
int tk_edit_insert(struct tk_edits *e, uint32_t message, uint32_t after, struct tk_str encoded);

/* Returns the id that a call or result was sent with; `.p == NULL` if that was no string. */
struct tk_str tk_sent_id(const struct tk_edits *e, uint32_t part);
/* Returns a call or result of the input as it was sent, for a shape with `names_as_sent`; other parts
 * as they are. Only its nodes and its kind count. */
struct tk_part tk_part_as_sent(const struct tk_edits *e, uint32_t part);
/* Notes the id that the part was sent with. Call it before the id is changed. */
int tk_keep_sent_id(struct tk_edits *e, uint32_t part);

/* ---- messages ---- */

/* Adds a message after another (TK_NONE: as the first). flags: 0 or TK_MESSAGE_TOOL. Returns its
 * index; TK_NONE when out of memory. */
uint32_t tk_edit_add_message(struct tk_edits *e, uint32_t after, enum tk_role role, uint32_t flags);

/*
 * Adds a message after another (TK_NONE: as the first), given as its encoded bytes. Its parts are read
 * from them. Returns its index; TK_NONE when out of memory. Pointers into t->messages and t->parts
 * become invalid.
 */
uint32_t tk_edit_new_message(struct tk_edits *e, uint32_t after, struct tk_str encoded);

/*
 * Set or remove a member of a message that isn't itself a part. value: the member's new bytes. If the
 * member is the content or the list of calls, its parts go, those of the new value are read, and the
 * patch contains the whole list. A member that is absent is added, or nothing is removed. They cost
 * as much as the message is long: fixes that change many elements of one list use tk_change_...().
 */
int tk_message_set(struct tk_edits *e, uint32_t message, const char *key, struct tk_str value);
int tk_message_remove(struct tk_edits *e, uint32_t message, const char *key);

/* Removes the members of a message for which goes() returns true, in one pass; it is called twice for each
 * member. Neither the content nor the list of calls may go. */
int tk_message_sieve(struct tk_edits *e, uint32_t message,
                     bool (*goes)(const void *arg, struct tk_val member), const void *arg);

/* Replaces all of a message or item by other bytes, in its place; an item may become a message, or a
 * message an item. Its parts go, and those of the new bytes are read. */
int tk_message_recast(struct tk_edits *e, uint32_t message, struct tk_str encoded);

/* Take a message with its parts, or a part, out of the history, as a step of another edit. */
void tk_remove_message(struct tk_edits *e, uint32_t message);
void tk_remove_part(struct tk_edits *e, uint32_t part);

/* Puts a message after another (TK_NONE: as the first), as a consequence of another edit. */
void tk_put_message_after(struct tk_edits *e, uint32_t message, uint32_t after);

/* Reads the members of a message from new bytes. Its parts stay as they are. */
int tk_change_message(struct tk_edits *e, uint32_t message, struct tk_str encoded);
/* Notes the patch's operation for a change of a message's own members. path: from the message.
 * value: the new bytes; `.p == NULL`: removed. replaces: the place existed before. */
int tk_message_change_note(struct tk_edits *e, uint32_t message, struct tk_str path,
                           struct tk_str value, bool replaces);

/* ---- for other files of this folder ---- */

/* Returns true if the encoded bytes can be read. A new key can be the duplicate of an old one. */
bool tk_is_readable(struct tk_edits *e, struct tk_str encoded);
/* Reads encoded bytes as a document of their own. Returns NULL when out of memory. */
const struct tk_doc *tk_fragment(struct tk_edits *e, struct tk_str encoded);
/* Returns a plain text as an encoded string in the request's codec. */
struct tk_str tk_encode_text(struct tk_edits *e, struct tk_str text);
/* Return a plain text, or a string that is encoded already, as an encoded text part. marker: its encoded cache
 * marker; `.p == NULL`: none. */
struct tk_str tk_encode_text_part(struct tk_edits *e, struct tk_str text, struct tk_str marker);
struct tk_str tk_encode_string_part(struct tk_edits *e, struct tk_str string, struct tk_str marker);

#endif
