/* SPDX-License-Identifier: Apache-2.0 */
/* Facts that judging Converse keeps next to the transcript: `own` of struct tk_judge. Pairs are found
 * again at each judging; parts that an edit added since have no entry. */
#ifndef TK_PROVIDERS_BEDROCK_STATE_H
#define TK_PROVIDERS_BEDROCK_STATE_H

#include "engine/judge.h"
#include "engine/pairs/links.h"
#include "providers/bedrock/models.h"
#include "shapes/bedrock.h"

/* The provider-executed calls and results of one id in one message. */
struct tk_brk_group {
    uint32_t message;
    uint32_t calls, results; /* how many */
    uint32_t call, result;   /* the first of each; TK_NONE */
    uint32_t answer;         /* the first result after the first call; TK_NONE */
    bool result_first;       /* the first result comes before the first call */
};

/* Notes that the fixes of a round share. */
struct tk_brk_round {
    uint32_t *leading; /* by message: the last of the results at its start, as far as is known */
    uint32_t leading_count, leading_capacity;
    bool *leads;         /* by part: it is one of the results at the start of its message */
    uint32_t lead_count; /* how many parts have an entry */
    uint32_t *texts; /* results that became texts and may have to go after others, in their order */
    uint32_t text_count, text_capacity;
    struct tk_map names; /* of documents up to `named`: to the last number that was tried for it */
    uint32_t name_message, named; /* the last document whose name is noted; TK_NONE */
    struct tk_map uses;           /* from an id to how many calls and results have it */
    struct tk_map sealed;         /* ids of the protected message */
    bool knows_sealed;
    bool is_signed;       /* a block of the message `asked` is */
    uint32_t asked;       /* the message of the last provider's call without a result; TK_NONE */
    uint32_t end_message; /* the message whose end in the pairs is known; TK_NONE */
    uint32_t end;         /* the place after its last call or result */
};

struct tk_bedrock {
    uint32_t facts; /* TK_BRK_* of the target's model */
    uint32_t
        newest; /* the newest message of the model when it was protected, plus one; 0: not yet */
    struct tk_pairs pairs; /* the client's calls and results */
    struct tk_brk_group *groups;
    uint32_t group_count, group_capacity;
    uint32_t *group_of; /* by part; TK_NONE; NULL: the history has no provider-executed part */
    uint32_t grouped;   /* how many parts have an entry */
    struct tk_brk_round round;
    struct tk_doc tape; /* for reading strings that hold JSON */
};

static inline struct tk_bedrock *tk_bedrock(const struct tk_judge *j)
{
    return j->own;
}

/* Returns true if one of these facts of the model holds. */
static inline bool tk_brk_is(const struct tk_judge *j, uint32_t facts)
{
    return (tk_bedrock(j)->facts & facts) != 0;
}

static inline bool tk_brk_is_model(const struct tk_transcript *t, uint32_t message)
{
    return t->messages[message].role == TK_ROLE_ASSISTANT;
}

static inline bool tk_brk_is_cache_point(const struct tk_part *p)
{
    return p->block == TK_BEDROCK_CACHE_POINT;
}

/* Returns the group of a provider-executed part; NULL: it has none. */
static inline const struct tk_brk_group *tk_brk_group_of(const struct tk_judge *j, uint32_t part)
{
    const struct tk_bedrock *own = tk_bedrock(j);

    return own->group_of && part < own->grouped && own->group_of[part] != TK_NONE
               ? &own->groups[own->group_of[part]]
               : NULL;
}

#endif
