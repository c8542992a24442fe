/* SPDX-License-Identifier: Apache-2.0 */
/* Reads seals that a client sends back with a request: the step after make.c; see seals.h. */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_READ_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_READ_H

#include "history/history.h"
#include "providers/anthropic/seals/make.h"
#include "providers/seal_rules.h"

/* A seal that a caller sent back. */
struct tk_given_seal {
    struct tk_sealed_block *blocks;
    uint32_t count;
    struct tk_digest turn;
    struct tk_val content; /* the blocks themselves; TK_NO_VAL if the seal has none */
    bool has_prefix, has_system, has_tools, has_messages;
    struct tk_digest system, tools, messages; /* of the prefix */
    struct tk_digest *thinking;               /* opaque digests that the prefix carried */
    uint32_t thinking_count;
    bool has_index;
    uint32_t index; /* index of the message in the input, if the caller said so */
    bool restore;   /* the caller allows to restore the message from it */
    bool repeated;  /* a seal of the same turn was listed before: ignored */
};

/* Reads one element of `seals`, whose members have the types that the schema asks for. Returns its
 * fault; *ret_blamed is the value at fault. If memory runs out, the arena's failure tells. */
enum tk_seal_fault tk_seal_read(struct tk_val entry, struct tk_arena *arena,
                                struct tk_given_seal *ret, struct tk_val *ret_blamed);

#endif
