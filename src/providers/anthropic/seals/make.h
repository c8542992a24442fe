/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Seals (OPERATIONS.md C.1, C.2): fingerprints of an assistant turn, block by block, so that what
 * comes back later can be proven to be what the provider sent.
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

/* In place of the digest of messages that hold what only the provider fetched. */
#define TK_INDETERMINATE "indeterminate"

struct tk_sealed_block {
    struct tk_str type;
    struct tk_str id; /* of tool_use, server_tool_use, mcp_tool_use; p NULL: has none */
    struct tk_digest block, opaque, text;
    bool has_opaque, has_text;
};

/* Digests of one block; a string is the text block that it stands for. Strings refer to its
 * document or the arena, which is scratch, too. */
struct tk_sealed_block tk_seal_block(struct tk_val block, struct tk_arena *arena);

/* The digest `block` alone; a string counts as the text block that it stands for. */
struct tk_digest tk_block_digest(struct tk_val block, struct tk_arena *arena);

/* The digest of a thinking block as if it said nothing. */
struct tk_digest tk_seal_untold(struct tk_val block, struct tk_arena *arena);

/* The opaque digest alone, of a signed block. */
struct tk_digest tk_seal_opaque(struct tk_val block, struct tk_arena *arena);

/* Whether a seal tells the ids of blocks of that type. */
bool tk_seal_has_id(struct tk_str type);

/* Of the blocks' digests in order. */
struct tk_digest tk_seal_turn(const struct tk_sealed_block *blocks, size_t n);

/* A member whose value is a digest. */
void tk_write_kv_digest(struct tk_writer *w, const char *key, const struct tk_digest *digest);

/* {"v", "alg", "turn", "blocks"; the caller may write further members and ends the map. */
void tk_seal_begin(struct tk_writer *w, const struct tk_sealed_block *blocks, size_t n);

#endif
