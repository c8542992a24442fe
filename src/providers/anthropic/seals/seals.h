/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seals that come back (OPERATIONS.md C.3): which messages they are of, and what became of those.
 *
 * A seal and a message share KEYS: ids of calls and opaque digests of signed thinking. Messages of
 * one turn that share a key of a seal, and seals of one message, are one GROUP: its messages'
 * blocks as one list are compared with its seals' blocks as one list.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_SEALS_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_SEALS_H

#include "history/history.h"
#include "providers/anthropic/seals/read.h"

/* The verdicts, as they are called on the wire. */
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

/* Whether what precedes a message is what the prefix of its seal says (thinking/bound_find.h). */
enum tk_binding {
    TK_BINDING_UNKNOWN, /* it has no prefix */
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
    uint32_t *taken; /* by sealed block: the part that is it, TK_NONE: absent */
    enum tk_verdict verdict;
    bool dead;       /* its signatures are proven dead */
    bool in_order;   /* all that is present, `interrupted` apart, is sealed, and in that order */
    bool elsewhere;  /* what it lacks is in another message (seals/moved.c) */
    uint32_t blamed; /* part, TK_NONE */
    uint32_t interrupted; /* the last part, if it is not sealed and such a text; TK_NONE */
    enum tk_binding binding;
};

/* What is known of a part's bytes. */
struct tk_sealed_part;

/* How a message was restored the last time. */
struct tk_restored_by {
    uint32_t seals; /* how many said what it was; 0: it wasn't restored */
    bool newest;    /* it was of the newest turn */
};

struct tk_seals {
    struct tk_given_seal *list; /* as sent; NULL: none were */
    uint32_t count;
    struct tk_sealed_part **known; /* by part, NULL: not yet */
    uint32_t known_count;

    /* As of the last tk_seals_match(). */
    struct tk_sealed_turn *groups; /* by their first message */
    uint32_t group_count;
    uint32_t *group_of;      /* by message: its group, TK_NONE */
    uint32_t message_count;  /* how many messages there were */
    uint32_t *group_of_seal; /* by seal, TK_NONE: matches nothing */
    struct tk_map cleared;   /* opaque digests that turns whose prefix fits were made with */

    struct tk_restored_by *restored; /* by message of the input; NULL: none was */
};

/* Finds the groups of the transcript as it is now, and their verdicts; tk_turns() was called.
 * Linear. Returns 0 or -ENOMEM. */
int tk_seals_match(struct tk_seals *s, struct tk_transcript *t);

/* The digests of a part as it is now; kept until its bytes change. NULL without memory. */
const struct tk_sealed_block *tk_seals_block(struct tk_seals *s, const struct tk_transcript *t,
                                             uint32_t part);

/* The group of a message, NULL for none. */
static inline const struct tk_sealed_turn *tk_sealed_turn_of(const struct tk_seals *s,
                                                             uint32_t message)
{
    if (message >= s->message_count || s->group_of[message] == TK_NONE)
        return NULL;
    return &s->groups[s->group_of[message]];
}

/* A seal proves that the message is as the provider sent it. */
static inline bool tk_is_intact(const struct tk_seals *s, uint32_t message)
{
    const struct tk_sealed_turn *g = tk_sealed_turn_of(s, message);

    return g && g->verdict == TK_VERDICT_INTACT;
}

/* Nothing is where it wasn't: intact, or as restoring leaves it where some blocks stay out. */
static inline bool tk_is_in_order(const struct tk_seals *s, uint32_t message, bool restores)
{
    const struct tk_sealed_turn *g = tk_sealed_turn_of(s, message);

    return g && (g->verdict == TK_VERDICT_INTACT || (restores && g->in_order));
}

#endif
