/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A kit for pairing calls with their results. It knows no rule and no code: a provider walks over the
 * history, tells the kit what it meets and asks which open call a result may have.
 *
 * An END is a call or a result. It has the number of its part; in a shape where a whole message is the
 * result, tk_message_end() is its number. Of each end the kit keeps a LINK: its partner, and how it was
 * matched.
 *
 * A KEY is a text by which ends find each other: an id, or a name. Ends without an id may share the key "",
 * if the provider takes them for equal, or have no key.
 *
 * A SCOPE is a stretch of the history whose calls belong together: one message, a turn, neighbouring calls.
 * The provider begins one with tk_begin_scope(). Calls and results that it adds after that are of this scope, the
 * newest one.
 *
 * Calls that wait for a result are OPEN. tk_open_call() puts a call on a list, and three searches find one
 * there: the first one of the newest scope, or the first or last one of the newest scope that has any. There is
 * a list for each key and each number that the provider chooses. For example, in an API that pairs by id or by
 * name a call is on two lists:
 *
 *     tk_open_call(p, call, BY_ID, id);
 *     tk_open_call(p, call, BY_NAME, name);
 *
 * If several lists may have the call, tk_better_open() takes the better one. A call that was matched leaves
 * all its lists by itself.
 *
 * A result that answers nothing where it is, is a STRAY. It may CLAIM an open call, so that one mistake gives
 * one finding. The usual walk over a history:
 *
 *     tk_pairs_begin()
 *     for each message with calls
 *         tk_begin_scope(); tk_add_call() and tk_open_call() for each call
 *         for each result where results of these calls belong
 *             tk_add_result(), tk_first_open_in_scope()
 *             found: tk_pair_up() as TK_MATCH_PAIR
 *             none, but tk_scope_has_key(), as a call of the scope has its key: tk_match_second()
 *             else it stays TK_MATCH_STRAY
 *         tk_withdraw() calls that no stray may claim
 *         for each stray so far
 *             tk_first_open_before() or tk_last_open(); found: tk_pair_up() as TK_MATCH_CLAIM
 *
 * All of it is linear: a call leaves a list once, and a search looks at one call of a scope.
 */
#ifndef TK_ENGINE_PAIRS_LINKS_H
#define TK_ENGINE_PAIRS_LINKS_H

#include "history/history.h"

/* How an end is matched. */
enum tk_link_match {
    TK_MATCH_OPEN,    /* call: no result answers or claims it */
    TK_MATCH_PAIR,    /* call: `partner` answers it; result: it answers `partner` */
    TK_MATCH_CLAIMED, /* call: the stray `partner` claims it */
    TK_MATCH_CLAIM,   /* result: a stray that claims `partner` */
    TK_MATCH_SECOND,  /* result: the call of its key has another one; `partner` may be that call */
    TK_MATCH_STRAY,   /* result: it has no call */
    TK_MATCH_COUNT,
    TK_MATCH_NONE = UINT8_MAX, /* not an end; an end that an edit added */
};

struct tk_link {
    uint32_t partner; /* end; TK_NONE */
    uint32_t key;     /* index of its key; TK_NONE: it has none */
    uint32_t scope;
    uint32_t at; /* how many ends were added before it */
    uint32_t
        first; /* the first call, or result, of its scope with its key, if that is another; TK_NONE */
    uint32_t before; /* call: the call with its key before it, in any scope; TK_NONE */
    uint8_t match;   /* enum tk_link_match */
    bool withdrawn;  /* call: it can't be found any more */
};

/* Facts about a key. TK_NONE: there is none. */
struct tk_pair_key {
    uint32_t first_at;     /* `at` of the first end with this key */
    uint32_t scope;        /* the newest scope with a call */
    uint32_t first;        /* the first call of that scope */
    uint32_t newest;       /* the newest call */
    uint32_t result_scope; /* the newest scope with a result */
    uint32_t first_result; /* the first result of that scope */
    uint32_t answered;     /* the call that was paired up last */
    uint32_t lists;        /* the first of its lists of open calls */
    uint32_t has_lists;    /* the numbers of its lists, as bits */
    uint32_t owner;        /* see tk_own_id() (new_id.h) */
    uint32_t suffix;       /* the last number that was tried in making a new id */
};

/* Private: open calls. A list is a stack of groups; a group has the calls of one scope, in their order. */
struct tk_open_list {
    uint32_t number, newest, next; /* the provider's number; group; the next list of the key */
};
struct tk_open_group {
    uint32_t first, last; /* entries; TK_NONE: none is open any more */
    uint32_t scope, older;
};
struct tk_open_entry {
    uint32_t call, prev, next;
};

struct tk_pairs {
    struct tk_arena *arena;
    struct tk_link *links; /* by end */
    uint32_t link_count, link_capacity;
    uint32_t part_count;              /* number of parts, which are the first ends */
    uint32_t scope_count;             /* scopes begun */
    uint32_t end_count;               /* ends added */
    uint32_t repeated;                /* calls whose key an earlier call has */
    uint32_t matched[TK_MATCH_COUNT]; /* ends by how they are matched */
    bool known;          /* for the provider: nothing that is paired has changed since */
    struct tk_map index; /* from a key's text to its index in `keys` */
    struct tk_pair_key *keys;
    uint32_t key_count, key_capacity;
    struct tk_open_list *lists;
    uint32_t list_count, list_capacity;
    struct tk_open_group *groups;
    uint32_t group_count, group_capacity;
    struct tk_open_entry *entries;
    uint32_t entry_count, entry_capacity;
};

/* Forgets all ends. */
void tk_pairs_clear(struct tk_pairs *pairs);

/* Forgets all ends and makes room for those of a history as it is now. `messages`: messages may be ends, too.
 * `pairs` is zeroed before the first call. Returns 0 or -ENOMEM. */
int tk_pairs_begin(struct tk_pairs *pairs, const struct tk_transcript *t, bool messages);

/* Returns the end that a message is. */
static inline uint32_t tk_message_end(const struct tk_pairs *pairs, uint32_t message)
{
    return pairs->part_count + message;
}

/* Returns the message that an end is. */
static inline uint32_t tk_end_message(const struct tk_pairs *pairs, uint32_t end)
{
    return end - pairs->part_count;
}

/* Return the link of a part or of a message. Its match is TK_MATCH_NONE if that is no end: it is neither
 * call nor result, or an edit added it. */
const struct tk_link *tk_part_link(const struct tk_pairs *pairs, uint32_t part);
const struct tk_link *tk_message_link(const struct tk_pairs *pairs, uint32_t message);

/* ---- keys ---- */

/* Makes room for so many keys, right after tk_pairs_begin(). Returns 0 or -ENOMEM. */
int tk_expect_keys(struct tk_pairs *pairs, uint32_t count);

/* Returns the index of a key, which is added if it is new. `text` must outlive the pairs. TK_NONE without
 * memory. */
uint32_t tk_put_key(struct tk_pairs *pairs, struct tk_str text);

/* Returns the facts about a key; NULL: it is unknown. tk_put_key() invalidates the pointer. */
struct tk_pair_key *tk_get_key(const struct tk_pairs *pairs, struct tk_str text);

/* ---- adding ---- */

/* Begins a scope. There is one from the start, for results that come before all calls. */
static inline void tk_begin_scope(struct tk_pairs *pairs)
{
    pairs->scope_count++;
}

/* Returns the newest scope. */
static inline uint32_t tk_scope(const struct tk_pairs *pairs)
{
    return pairs->scope_count - 1;
}

/* Add a call or a result to the scope, in the order of the history. `key.p == NULL`: it has no key. A call
 * is on no list yet; a result is a stray. Return 0 or -ENOMEM. */
int tk_add_call(struct tk_pairs *pairs, uint32_t call, struct tk_str key);
int tk_add_result(struct tk_pairs *pairs, uint32_t result, struct tk_str key);

/* Adds a part that has a key and a place but no match: it only makes the key a used one. Returns 0 or -ENOMEM. */
int tk_add_other(struct tk_pairs *pairs, uint32_t part, struct tk_str key);

/* Returns true if a call of the newest scope has the key of this end. */
bool tk_scope_has_key(const struct tk_pairs *pairs, uint32_t end);

/* ---- open calls ---- */

/* Puts a call of the newest scope on a list. list: less than 32. key: an index. Returns 0 or -ENOMEM. */
int tk_open_call(struct tk_pairs *pairs, uint32_t call, unsigned list, uint32_t key);

/* Return an open call of a list, which stays open; TK_NONE: there is none. key: an index; TK_NONE: nothing is
 * found. tk_first_open_in_scope(): the first one of the newest scope. The others: of the newest scope that has one,
 * the first call if that comes before the end, or the last call. */
uint32_t tk_first_open_in_scope(struct tk_pairs *pairs, unsigned list, uint32_t key);
uint32_t tk_first_open_before(struct tk_pairs *pairs, unsigned list, uint32_t key, uint32_t end);
uint32_t tk_last_open(struct tk_pairs *pairs, unsigned list, uint32_t key);

/* Returns the lists that calls of a key were put on, open or not, as bits 1 << list. key: an index or TK_NONE. */
static inline uint32_t tk_lists_of(const struct tk_pairs *pairs, uint32_t key)
{
    return key == TK_NONE ? 0 : pairs->keys[key].has_lists;
}

/* Returns the better one of two calls that were found: that of the newer scope, in one scope the earlier one.
 * Either may be TK_NONE. */
uint32_t tk_better_open(const struct tk_pairs *pairs, uint32_t a, uint32_t b);

/* Takes a call from its lists without a match: no later search finds it. */
static inline void tk_withdraw(struct tk_pairs *pairs, uint32_t call)
{
    pairs->links[call].withdrawn = true;
}

/* ---- matches ---- */

/* Makes an open call and a result partners. match: TK_MATCH_PAIR or TK_MATCH_CLAIM. */
void tk_pair_up(struct tk_pairs *pairs, uint32_t call, uint32_t result, enum tk_link_match match);

/* Notes that a result is a second one; its partner is the call of its key that was paired up last. */
void tk_match_second(struct tk_pairs *pairs, uint32_t result);

#endif
