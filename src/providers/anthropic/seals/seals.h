/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seals (OPERATIONS.md C.1 to C.3). When a turn with signed thinking is received, its blocks are
 * fingerprinted; the client stores that seal and sends it back with later requests. It then proves
 * whether the turn still is what the provider signed, and can bring back what was lost. In order:
 *
 *     make.c      makes the seal of a received turn; canonical_block.c: the bytes that are hashed
 *     read.c      reads the seals that come with a request
 *     match.c     finds the messages that each seal is of
 *     compare.c   compares those messages with their seals, which gives a verdict;
 *                 moved.c: are absent blocks in another message?
 *     find.c      makes findings of verdicts
 *     fix.c       decides what becomes of a turn that differs;
 *                 demoted.c: which absent thinking is there as text?
 *     restore.c   makes a message what its seals say
 *
 * A seal and a message share KEYS: ids of calls and opaque digests of signed thinking. Messages of
 * one turn that share a key of a seal, and seals of one message, are one GROUP: its messages'
 * blocks as one list are compared with its seals' blocks as one list.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_SEALS_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_SEALS_H

#include "history/history.h"
#include "providers/anthropic/seals/read.h"

/* Verdicts about sealed turns, and their names on the wire. */
#define TK_VERDICTS(X)                                                                             \
    X(INTACT, "intact")                                                                            \
    X(REORDERED, "reordered")                                                                      \
    X(ALTERED, "altered")                                                                          \
    X(MISSING_THINKING, "missing_thinking")                                                        \
    X(MISSING_TOOL_USE, "missing_tool_use")                                                        \
    X(FOREIGN_BLOCK, "foreign_block")                                                              \
    X(UNKNOWN, "unknown")

enum tk_verdict {
#define TK_VERDICT_ENUM(id, text) TK_VERDICT_##id,
    TK_VERDICTS(TK_VERDICT_ENUM)
#undef TK_VERDICT_ENUM
};

const char *tk_verdict_name(enum tk_verdict verdict);

/* Result of comparing the prefix of a message with the one in its seal (thinking/bound_find.h). */
enum tk_binding {
    TK_BINDING_UNKNOWN, /* the seal has no prefix */
    TK_BINDING_FITS,
    TK_BINDING_DIFFERS,
};

struct tk_sealed_turn {
    uint32_t *messages; /* in order; of one turn */
    uint32_t message_count;
    uint32_t *seals; /* as listed */
    uint32_t seal_count;
    const struct tk_sealed_block *sealed; /* the blocks of all its seals */
    uint32_t sealed_count;
    uint32_t *taken; /* by sealed block: the part with that block, TK_NONE: absent */
    enum tk_verdict verdict;
    bool dead;     /* the provider would refuse its signatures */
    bool in_order; /* its blocks, except for `interrupted`, are sealed ones in their sealed order */
    bool elsewhere; /* its absent blocks are in another message (seals/moved.c) */
    bool doubled;   /* another message has the id of one of its sealed calls, in a call or result */
    uint32_t blamed; /* the part to blame, or TK_NONE */
    /* The last part, if it is the text that repair adds after final thinking; else TK_NONE. */
    uint32_t interrupted;
    enum tk_binding binding;
};

/* Cached digests of a part; see match.c. */
struct tk_sealed_part;

/* Circumstances of the last time that a message was restored. */
struct tk_restored_by {
    uint32_t seals; /* number of its seals; 0: it wasn't restored */
    bool newest;    /* it was in the newest turn */
    bool doubled;   /* another message had the id of one of its calls, and may win it */
};

struct tk_seals {
    struct tk_given_seal *list; /* as the caller sent them; NULL: none */
    uint32_t count;
    struct tk_sealed_part **known; /* by part; NULL: not computed yet */
    uint32_t known_count;

    /* Results of the last tk_seals_match(). */
    struct tk_sealed_turn *groups; /* by their first message */
    uint32_t group_count;
    uint32_t *group_of;      /* by message: its group, TK_NONE */
    uint32_t message_count;  /* number of messages at that time */
    uint32_t *group_of_seal; /* by seal, TK_NONE: matches nothing */
    struct tk_map
        cleared; /* opaque digests in prefixes that fit: the provider accepted that thinking */

    struct tk_restored_by *restored; /* by message of the input; NULL: no message was restored */
};

/* Finds the groups of the transcript in its present form, and their verdicts. tk_turns() must have
 * been called. Linear. Returns 0 or -ENOMEM. */
int tk_seals_match(struct tk_seals *s, struct tk_transcript *t);

/* Returns the digests of a part in its present form, kept until its bytes change. NULL: out of
 * memory. */
const struct tk_sealed_block *tk_seals_block(struct tk_seals *s, const struct tk_transcript *t,
                                             uint32_t part);

/* Returns the group of a message, or NULL. */
static inline const struct tk_sealed_turn *tk_sealed_turn_of(const struct tk_seals *s,
                                                             uint32_t message)
{
    if (message >= s->message_count || s->group_of[message] == TK_NONE)
        return NULL;
    return &s->groups[s->group_of[message]];
}

/* Returns true if a seal proves that the message is what the provider sent. */
static inline bool tk_is_intact(const struct tk_seals *s, uint32_t message)
{
    const struct tk_sealed_turn *g = tk_sealed_turn_of(s, message);

    return g && g->verdict == TK_VERDICT_INTACT;
}

/* Returns true if no block moved: the message is intact, or restored without some of its blocks. */
static inline bool tk_is_in_order(const struct tk_seals *s, uint32_t message, bool restores)
{
    const struct tk_sealed_turn *g = tk_sealed_turn_of(s, message);

    return g && (g->verdict == TK_VERDICT_INTACT || (restores && g->in_order));
}

#endif
