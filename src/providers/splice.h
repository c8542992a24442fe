/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Facts about a provider that splice needs (OPERATIONS.md part A, OPERATIONS-PROVIDERS.md 1): where an
 * answer has its turn and why that ended, what a received turn loses, and the forms of results and
 * texts. The provider's own shape says what the parts of a message are.
 */
#ifndef TK_PROVIDERS_SPLICE_H
#define TK_PROVIDERS_SPLICE_H

#include "engine/target.h"
#include "history/history.h"
#include "providers/output_only.h"
#include "providers/provider.h"
#include "shapes/shape.h"
#include "value/digest.h"
#include "value/writer.h"

/* Flags of struct tk_splice_rules. */
enum {
    /* the caller sends what a message of the turn contains, not the message */
    TK_SPLICE_TURN_IS_CONTENT = 1 << 0,
    /* a result is a message or an item of its own, and so is a text that takes its place; else they are
     * parts of a message of the user */
    TK_SPLICE_RESULTS_ARE_MESSAGES = 1 << 1,
    /* the turn is a list of items, each of which may be copied alone, and neighbouring items of the model
     * belong together */
    TK_SPLICE_ITEMS = 1 << 2,
    /* texts next to results stay in a message of their own */
    TK_SPLICE_RESULTS_APART = 1 << 3,
    TK_SPLICE_JOINS_USERS = 1 << 4,      /* neighbouring messages of the user are always joined */
    TK_SPLICE_SYSTEM_LAST = 1 << 5,      /* system messages go last in their run */
    TK_SPLICE_WAITS_FOR_SERVER = 1 << 6, /* a call that the provider runs may still be open */
    TK_SPLICE_PAIRS_BY_NAME = 1 << 7,    /* calls and results without ids pair by the tool's name */
    /* a call has the executor of the part that shares its id */
    TK_SPLICE_ID_TELLS_EXECUTOR = 1 << 8,
    /* a turn that was cut off before it had any content is told as such, not as empty */
    TK_SPLICE_EMPTY_IS_TRUNCATED = 1 << 9,
    TK_SPLICE_MAY_JOIN_USERS = 1 << 10, /* neighbouring messages of the user may be joined or not */
    TK_SPLICE_COMPACTS = 1 << 11,       /* a turn may sum up all before it */
    TK_SPLICE_CHOICES = 1 << 12,        /* an answer may have several turns to choose from */
    /* what the caller wrote first is looked for after copies of the turn */
    TK_SPLICE_FIRST_AFTER_COPIES = 1 << 13,
};

/* Facts about a target. */
enum {
    /* the user's messages can't follow results: they wait until the model has answered these */
    TK_SPLICE_RESULTS_FIRST = 1 << 0,
    TK_SPLICE_NO_STATUS = 1 << 1, /* a result can't say that its call failed */
    TK_SPLICE_KEEPS_IDS = 1 << 2, /* reasoning must keep its id, also if it wasn't stored */
};

/* The reason why a value hasn't the form that it must have. */
struct tk_form_fault {
    struct tk_val at;
    const char *member; /* absent in `at`; NULL: `at` is at fault itself */
    const char *why;    /* a sentence for people, without content */
};

/* A turn as received. */
struct tk_received {
    struct tk_val turn; /* the message, or the list of items; absent: the answer has none */
    enum tk_stop stop;
    struct tk_val stop_at;      /* the value that tells that the turn isn't finished */
    struct tk_val id;           /* of the answer; absent if it isn't known */
    struct tk_val stored;       /* the answer's statement whether it was stored */
    struct tk_form_fault fault; /* if it isn't a turn */
};

/* A result that splice writes: of the neutral form, or for a call that nobody ran. */
struct tk_made_result {
    const struct tk_part *call;
    struct tk_val neutral; /* {id, name, content, is_error}; absent: nobody ran the call */
    struct tk_str text;    /* what is said then */
    struct tk_val toolset; /* of the call; may be absent */
    uint32_t facts;        /* about the target */
};

/* The member `splice` of a provider's row. Functions that it doesn't need are NULL. */
struct tk_splice_rules {
    unsigned flags;

    /* ---- the request ---- */

    /* member of a request and of its answer: the container in which the provider ran code; NULL: the
     * provider has no containers */
    const char *container;
    /* Members of a request whose history is at the provider: the id of the answer before, and the
     * conversation that keeps its own place; NULL: it has none. */
    const char *previous, *conversation;
    /* Returns the member of a request which says that its history is at the provider, so that no turn
     * can be added; absent: it can. */
    struct tk_val (*continues)(struct tk_val request);
    /* Returns facts about a target, TK_SPLICE_* bits. */
    uint32_t (*facts)(const struct tk_target *target);

    /* ---- the turn ---- */

    /* Finds the turn in what was received. choice: which of several. Returns false if there is a fault,
     * which is filled in then. */
    bool (*receive)(struct tk_val received, uint32_t choice, struct tk_received *ret);
    /* Returns true if the turn says nothing. NULL: a turn without parts does. */
    bool (*is_empty)(const struct tk_transcript *turn);
    /* Members that an answer has and a request doesn't, and which rows of the list count for a message or
     * item, as bits; NULL: all. */
    const struct tk_output_only *output_only;
    unsigned (*which_output_only)(const struct tk_transcript *turn, uint32_t message);
    /* Sets the bits `TK_OUTPUT_ONLY_ID` of the items that can't keep their ids in a turn that the
     * provider didn't store. */
    void (*find_lost_ids)(const struct tk_transcript *turn, uint8_t *which);
    /* Returns the role to be given to a message of the turn that has none. */
    const char *added_role;

    /* ---- calls ---- */

    struct tk_path call_id; /* from a call to its id, for refusals */
    const char *toolset;    /* member of a call and its result: the toolset of the tool */
    /* Returns true for ids that the provider gives to calls that it runs itself. */
    bool (*is_provider_id)(struct tk_str id);
    /* Returns true if a client's call was made by code that runs at the provider. */
    bool (*is_called_by_code)(const struct tk_part *call);
    /* Returns true for a block after which another model continued the turn. */
    bool (*is_seam)(const struct tk_part *block);
    /* Returns true for a block other than thinking and calls that the next model didn't see. */
    bool (*is_dropped_before_seam)(const struct tk_part *block);
    /* Returns true for a request for the caller's approval, and for an approval. *ret_id: its id, or the
     * one that it refers to. */
    bool (*is_approval)(const struct tk_part *part, struct tk_val *ret_id);

    /* ---- copies ---- */

    /* Returns a digest that is equal for parts with the same meaning. NULL: that of the canonical form,
     * without members that only an answer has, and without `unlike`, names ended by `.p == NULL`. */
    struct tk_digest (*digest)(struct tk_val block, struct tk_arena *arena);
    const struct tk_str *unlike;

    /* ---- results ---- */

    struct tk_path result_id; /* from a result to the id of its call, for refusals */
    /* Members that tell a result in the provider's form from a neutral one, ended by NULL, and the
     * values that they may have; NULL: any object. */
    const char *const *own_members;
    const char *const *own_values;
    /* Returns true if a call's result can't be made of the neutral form, or can't be made up. */
    bool (*needs_own_form)(const struct tk_part *call);
    bool (*needs_result)(const struct tk_part *call);
    /* Writes a result as one value. */
    void (*write_result)(struct tk_writer *w, const struct tk_made_result *result);
    /* Returns the text of a result of the client; *ret_string: it is this string of the document, else
     * absent. `.n == 0`: it has none. part: TK_NONE if the message is itself the result. */
    struct tk_str (*text_of)(const struct tk_transcript *t, uint32_t message, uint32_t part,
                             struct tk_val *ret_string);
    /* Writes a message of the user with an encoded text, where results are messages. */
    void (*write_text)(struct tk_writer *w, const struct tk_shape *shape, struct tk_str text);

    /* ---- the caller's messages ---- */

    /* Roles that they may have, ended by NULL; NULL: any. The shape says if a role may be missing. */
    const char *const *roles;
    /* Returns true if a message without content still has a meaning. */
    bool (*has_meaning)(const struct tk_message *m);
};

/* ---- for functions of the table ---- */

/* Returns an element of a list; absent if it has fewer. */
struct tk_val tk_received_choice(struct tk_val list, uint32_t choice);

/* Each of these returns false, and blames a value, if it isn't as it must be. */

/* Takes a message as the turn, which must be an object with this role. optional: the role may be missing. */
bool tk_receive_message(struct tk_received *ret, struct tk_val message, const char *role,
                        bool optional);
/* Takes the reason why the turn ended, which is a string, null or absent. */
bool tk_receive_stop(struct tk_received *ret, const struct tk_stop_name *names,
                     struct tk_val reason);
/* Blames a value, or its member that is missing. Returns false. */
bool tk_receive_fault(struct tk_received *ret, struct tk_val v, const char *member,
                      const char *why);

/* Returns true for a value that says something: neither absent nor null, nor empty. */
bool tk_is_said(struct tk_val v);

/* ---- results ---- */

/* Returns true if a result has the provider's own form. */
bool tk_is_own_result(const struct tk_splice_rules *rules, struct tk_val result);

/* Returns true if it has the members that its form must have: the provider's own, or the neutral one, in which
 * the id may be missing where names pair. */
bool tk_check_result(const struct tk_splice_rules *rules, struct tk_val result,
                     struct tk_form_fault *ret);

/* Returns true if a result says that its call failed. */
bool tk_made_failed(const struct tk_made_result *result);
/* Returns the content of a result that is an object; absent: it is a text. */
struct tk_val tk_made_object(const struct tk_made_result *result);
/* Returns true if its text is blank. An object isn't. */
bool tk_made_is_blank(const struct tk_made_result *result);
/* Writes its text as a string; an object as compact JSON. */
void tk_made_write_text(struct tk_writer *w, const struct tk_made_result *result);

#endif
