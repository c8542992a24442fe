/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pairs outputs with the calls that they answer (PROVIDERS.md 4.2). Outputs are taken in document
 * order. Neighbouring calls are a batch. An output answers an unanswered call before it that has its id and
 * a fitting type: of the newest batch with such a call, the first one.
 *
 *     call a                  batch 0, answered by the last output
 *     message
 *     call a, call b, call a  batch 1
 *     output a                answers the first call of batch 1
 *     output a                answers the third
 *     output a                answers batch 0
 *     output a                answers nothing: a second output
 */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_PAIRING_H
#define TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_PAIRING_H

#include "shapes/openai_items.h"
#include "value/hash.h"

/* How a call or an output is paired. */
enum tk_item_match {
    TK_MATCH_NONE,      /* neither call nor output, or one without an id */
    TK_MATCH_PAIR,      /* call: `partner` answers it; output: it answers `partner` */
    TK_MATCH_OPEN,      /* call: no output answers or claims it */
    TK_MATCH_SECOND,    /* output: its call, perhaps `partner`, is answered or claimed already */
    TK_MATCH_CLAIM,     /* output: it has the wrong type for `partner`, an unanswered call */
    TK_MATCH_CLAIMED,   /* call: such a call; `partner` is the output */
    TK_MATCH_STORED,    /* output: the server has its call */
    TK_MATCH_REFERENCE, /* output: a reference before it may be its call */
    TK_MATCH_ORPHAN,    /* output: it has no call */
};

struct tk_item_link {
    uint32_t partner;    /* part; TK_NONE */
    uint32_t batch;      /* of a call */
    uint32_t at;         /* how many calls and outputs with an id come before it */
    uint32_t prev, next; /* while a call is open: others of its group */
    uint8_t match;       /* enum tk_item_match */
    bool repeated;       /* call: an earlier call has its id */
};

/* Calls of one id and type of one batch that are open, in their order. */
struct tk_item_group {
    uint32_t first, last; /* parts; TK_NONE: all are taken */
    uint32_t batch;
    uint32_t older; /* group of the same id and type; TK_NONE */
};

enum {
    TK_ITEM_CALL_TYPES = TK_ITEM_CALLS_END / 2,
};

/* Facts about an id that calls or outputs have. */
struct tk_item_call_id {
    uint32_t first_at;                   /* `at` of its first call or output */
    uint32_t newest[TK_ITEM_CALL_TYPES]; /* by type of call: the newest group; TK_NONE */
    uint32_t answered;                   /* the call that was answered last; TK_NONE */
    uint16_t seen;                       /* rows of its calls so far: bits 1 << row */
};

struct tk_item_pairs {
    struct tk_item_link *links; /* by part; NULL: there are no calls and outputs */
    uint32_t link_count, link_capacity;
    struct tk_map index; /* from an id to its index in `ids` */
    struct tk_item_call_id *ids;
    uint32_t id_count, id_capacity;
    struct tk_item_group *groups;
    uint32_t group_count, group_capacity;
    uint32_t batch_count, met; /* batches, and calls and outputs with an id */
    uint16_t matches;          /* how calls and outputs are paired: bits 1 << enum tk_item_match */
    bool repeats;              /* a call has the id of an earlier one */
    bool valid;                /* false: an edit may have changed what is paired */
};

struct tk_judge;

/* Pairs calls and outputs, unless `valid` says that they are paired. Linear. Returns 0, -ENOMEM or
 * -ECANCELED. */
int tk_pair_items(struct tk_judge *j);

/* Returns a part's link; its match is TK_MATCH_NONE if the part isn't paired. */
const struct tk_item_link *tk_item_link(const struct tk_item_pairs *pairs, uint32_t part);

/* Returns true if a call or output has the id, and `at` of its first one is less than this. */
bool tk_call_id_is_used(const struct tk_item_pairs *pairs, struct tk_str id, uint32_t at);

/* Notes an id that an edit gave to a call or output at this place. Returns 0 or -ENOMEM. */
int tk_call_id_note(struct tk_item_pairs *pairs, struct tk_str id, uint32_t at);

#endif
