/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seals (OPERATIONS.md C.1, C.2): fingerprints of an assistant turn, block by block, so that a turn
 * that comes back can be proven to be what the provider sent. The first step; seals.h lists the
 * others.
 *
 *     block    the whole block, without cache markers and the like
 *     opaque   of signed thinking: its type and signature (or data), whatever became of its text
 *     text     of signed thinking: its text, whatever became of its signature
 *     turn     the block digests in order
 */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_MAKE_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_MAKE_H

#include "value/canonical.h"
#include "value/writer.h"

/* Written in place of the digest of messages that refer to what only the provider fetched. */
#define TK_INDETERMINATE "indeterminate"

struct tk_sealed_block {
    struct tk_str type;
    struct tk_str id; /* of tool_use, server_tool_use, mcp_tool_use; `.p == NULL`: has none */
    struct tk_digest block, opaque, text;
    bool has_opaque, has_text;
};

/* Returns the digests of one block; a string is the text block that it is short for. Strings of the
 * result refer to the block's document or to the arena, which is scratch memory, too. */
struct tk_sealed_block tk_seal_block(struct tk_val block, struct tk_arena *arena);

/* Returns the digest `block` alone; a string counts as the text block that it is short for. */
struct tk_digest tk_block_digest(struct tk_val block, struct tk_arena *arena);

/* Returns the digest `block` of a thinking block as if its text were empty. */
struct tk_digest tk_seal_untold(struct tk_val block, struct tk_arena *arena);

/* Returns the digest `opaque` alone; the block must be signed. */
struct tk_digest tk_seal_opaque(struct tk_val block, struct tk_arena *arena);

/* Returns true if a seal tells the ids of blocks of that type. */
bool tk_seal_has_id(struct tk_str type);

/* Returns the digest `turn`: of the blocks' digests in order. */
struct tk_digest tk_seal_turn(const struct tk_sealed_block *blocks, size_t n);

/* Writes a member whose value is a digest. */
void tk_write_kv_digest(struct tk_writer *w, const char *key, const struct tk_digest *digest);

/* Begins the map of a seal with `v`, `alg`, `turn` and `blocks`. The caller may write further
 * members and ends the map. */
void tk_seal_begin(struct tk_writer *w, const struct tk_sealed_block *blocks, size_t n);

#endif
