/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/seals/make.h"

#include "providers/anthropic/seals/canonical_block.h"

struct tk_digest tk_block_digest(struct tk_val block, struct tk_arena *arena)
{
    struct tk_hasher hasher;
    struct tk_canon canon = {tk_hash_put, &hasher, arena};

    tk_hash_begin(&hasher, TK_STR("block"));
    tk_canon_block(&canon, block);
    return tk_hash_end(&hasher);
}

/* Members with a block's signature; other blocks have none. */
static const struct {
    struct tk_str type, signature, text;
} signed_types[] = {
    {TK_STR_INIT("thinking"), TK_STR_INIT("signature"), TK_STR_INIT("thinking")},
    {TK_STR_INIT("redacted_thinking"), TK_STR_INIT("data"), {NULL, 0}},
};

/* Finds the type of a block and its signature; returns false if it has none. *ret_text: the text
 * that is signed. */
static bool find_signed(struct tk_val block, struct tk_val ret_opaque[2], struct tk_val *ret_text)
{
    struct tk_val type = tk_get(block, TK_STR("type"));

    for (size_t i = 0; i < sizeof(signed_types) / sizeof(signed_types[0]); i++) {
        struct tk_val signature;

        if (!tk_text_is(type, signed_types[i].type))
            continue;
        signature = tk_get(block, signed_types[i].signature);
        ret_opaque[0] = type;
        ret_opaque[1] = signature;
        *ret_text = signed_types[i].text.p ? tk_get(block, signed_types[i].text) : TK_NO_VAL;
        return tk_is(signature, TK_STRING) && tk_raw(signature).n > 0;
    }
    return false;
}

static void seal_signed(struct tk_sealed_block *sealed, struct tk_val block, struct tk_arena *arena)
{
    struct tk_val opaque[2], text;

    if (!find_signed(block, opaque, &text))
        return;
    sealed->has_opaque = true;
    sealed->opaque = tk_values_digest(TK_STR("opaque"), opaque, 2, arena);
    sealed->has_text = tk_exists(text);
    if (sealed->has_text)
        sealed->text = tk_value_digest(TK_STR("text"), text, arena);
}

struct tk_digest tk_seal_opaque(struct tk_val block, struct tk_arena *arena)
{
    struct tk_val opaque[2], text;

    return find_signed(block, opaque, &text) ? tk_values_digest(TK_STR("opaque"), opaque, 2, arena)
                                             : (struct tk_digest){{0}};
}

bool tk_seal_has_id(struct tk_str type)
{
    return tk_str_is(type, "tool_use") || tk_str_is(type, "server_tool_use") ||
           tk_str_is(type, "mcp_tool_use");
}

struct tk_sealed_block tk_seal_block(struct tk_val block, struct tk_arena *arena)
{
    struct tk_sealed_block sealed = {
        .type = tk_is(block, TK_STRING) ? TK_STR("text")
                                        : tk_text(tk_get(block, TK_STR("type")), arena),
        .block = tk_block_digest(block, arena),
    };

    if (tk_seal_has_id(sealed.type))
        sealed.id = tk_text(tk_get(block, TK_STR("id")), arena);
    seal_signed(&sealed, block, arena);
    return sealed;
}

struct tk_digest tk_seal_untold(struct tk_val block, struct tk_arena *arena)
{
    struct tk_hasher hasher;
    struct tk_canon canon = {tk_hash_put, &hasher, arena};

    tk_hash_begin(&hasher, TK_STR("block"));
    tk_canon_block_emptied(&canon, block, TK_STR("thinking"));
    return tk_hash_end(&hasher);
}

struct tk_digest tk_seal_turn(const struct tk_sealed_block *blocks, size_t n)
{
    struct tk_hasher hasher;

    tk_hash_begin(&hasher, TK_STR("turn"));
    for (size_t i = 0; i < n; i++)
        tk_hash_put(&hasher, blocks[i].block.bytes, sizeof(blocks[i].block.bytes));
    return tk_hash_end(&hasher);
}

void tk_write_kv_digest(struct tk_writer *w, const char *key, const struct tk_digest *digest)
{
    char hex[TK_SHA256_HEX];

    tk_digest_hex(digest, hex);
    tk_write_kv_str(w, key, (struct tk_str){hex, sizeof(hex)});
}

static void write_block(struct tk_writer *w, const struct tk_sealed_block *block)
{
    tk_write_map(w);
    tk_write_kv_str(w, "type", block->type);
    tk_write_kv_digest(w, "digest", &block->block);
    if (block->id.p)
        tk_write_kv_str(w, "id", block->id);
    if (block->has_opaque)
        tk_write_kv_digest(w, "opaque", &block->opaque);
    if (block->has_text)
        tk_write_kv_digest(w, "text", &block->text);
    tk_write_end(w);
}

void tk_seal_begin(struct tk_writer *w, const struct tk_sealed_block *blocks, size_t n)
{
    struct tk_digest turn = tk_seal_turn(blocks, n);

    tk_write_map(w);
    tk_write_kv_int(w, "v", 1);
    tk_write_kv_cstr(w, "alg", "sha256");
    tk_write_kv_digest(w, "turn", &turn);
    tk_write_key(w, "blocks");
    tk_write_list(w);
    for (size_t i = 0; i < n; i++)
        write_block(w, &blocks[i]);
    tk_write_end(w);
}
