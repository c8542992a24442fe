/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256, and the tagged digests H(tag, ...) of OPERATIONS.md C.1. Nettle makes them, which uses
 * the CPU's own instructions for it. A build that defines TK_PORTABLE_SHA256 needs no nettle.
 */
#ifndef TK_VALUE_DIGEST_H
#define TK_VALUE_DIGEST_H

#include <stdint.h>

#ifndef TK_PORTABLE_SHA256
#include <nettle/sha2.h>
#endif

#include "value/sha256.h"
#include "value/str.h"

#define TK_SHA256_HEX (2 * TK_SHA256_SIZE)

struct tk_digest {
    uint8_t bytes[TK_SHA256_SIZE];
};

/* A digest that is being made. A copy of it continues on its own. */
struct tk_hasher {
#ifdef TK_PORTABLE_SHA256
    struct tk_sha256 sha;
#else
    struct sha256_ctx sha;
#endif
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
void tk_hash_begin(struct tk_hasher *hasher, struct tk_str tag);

/* Adds bytes. `hasher` is the struct tk_hasher: this is also a `put` for struct tk_canon. */
void tk_hash_put(void *hasher, const void *bytes, size_t n);

/* Returns the digest of all bytes that were put. */
struct tk_digest tk_hash_end(struct tk_hasher *hasher);

#endif
