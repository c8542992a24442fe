/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seals: digests of a turn as it was received (OPERATIONS.md part C). The client stores a turn's
 * seal and sends it back with later requests, so that rules know if the turn still is what the
 * provider sent.
 */
#ifndef TK_PROVIDERS_SEAL_RULES_H
#define TK_PROVIDERS_SEAL_RULES_H

#include "value/writer.h"

struct tk_judge;

/* Faults of a seal that a client sent. */
enum tk_seal_fault {
    TK_SEAL_FINE,
    TK_SEAL_UNSUPPORTED, /* of another version or algorithm */
    TK_SEAL_INVALID,     /* doesn't agree with itself */
    TK_SEAL_BLOCK,       /* a block's member is of the wrong type */
};

struct tk_seal_refusal {
    enum tk_seal_fault fault;
    struct tk_val at; /* the value at fault */
};

/* A turn to seal. */
struct tk_seal_input {
    struct tk_val content;  /* text, or a list of blocks */
    struct tk_val request;  /* the body that the turn answers; may be absent */
    struct tk_val messages; /* the list of messages in it */
    bool with_blocks;       /* the seal includes the blocks, so that they can be restored */
    struct tk_arena *arena;
    const uint64_t *hash_key;
};

/* Condition of `read`, positive as conditions are: *ret_refusal says why. */
enum {
    TK_SEALS_REFUSED = 1,
};

/* The member `seals` of a provider's row. */
struct tk_seal_rules {
    /* Reads the list of seals that came with a request, for the judge. Returns 0, -ENOMEM,
     * -ECANCELED or TK_SEALS_REFUSED. */
    int (*read)(struct tk_judge *j, struct tk_val list, struct tk_seal_refusal *ret_refusal);
    /* Writes the seal of a turn. Returns 0 or -ENOMEM. */
    int (*write)(struct tk_writer *w, const struct tk_seal_input *in);
};

#endif
