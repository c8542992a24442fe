/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256, by nettle, which uses the CPU's own instructions for it, and the tagged digests
 * H(tag, ...) of OPERATIONS.md C.1.
 */
#ifndef TK_VALUE_DIGEST_H
#define TK_VALUE_DIGEST_H

#include <nettle/sha2.h>
#include <stdint.h>

#include "value/str.h"

#define TK_SHA256_HEX (2 * SHA256_DIGEST_SIZE)

struct tk_digest {
    uint8_t bytes[SHA256_DIGEST_SIZE];
};

static inline bool tk_digest_eq(const struct tk_digest *a, const struct tk_digest *b)
{
    return memcmp(a->bytes, b->bytes, sizeof(a->bytes)) == 0;
}

/* Writes a digest as lower-case hex, not NUL-terminated. */
void tk_digest_hex(const struct tk_digest *digest, char ret_hex[TK_SHA256_HEX]);

/* Writes the SHA-256 of some bytes as lower-case hex, not NUL-terminated. */
void tk_sha256_hex(struct tk_str bytes, char ret_hex[TK_SHA256_HEX]);

/* ---- H(tag, ...) of C.1 ---- */

/* Begins a digest with its tag. */
void tk_hash_begin(struct sha256_ctx *ctx, struct tk_str tag);

/* Adds bytes. `ctx` is the struct sha256_ctx: this is also a `put` for struct tk_canon. */
void tk_hash_put(void *ctx, const void *bytes, size_t n);

/* Returns the digest of all bytes that were put. */
struct tk_digest tk_hash_end(struct sha256_ctx *ctx);

#endif
