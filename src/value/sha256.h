/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SHA-256 (FIPS 180-4) in portable C, for builds without nettle: the WebAssembly module. Other code
 * uses value/digest.h, which chooses.
 */
#ifndef TK_VALUE_SHA256_H
#define TK_VALUE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define TK_SHA256_SIZE  32 /* bytes of a digest */
#define TK_SHA256_BLOCK 64 /* bytes that are hashed at once */

/* A digest that is being made. A copy of it continues on its own. */
struct tk_sha256 {
    uint32_t words[8];
    uint64_t size;                  /* bytes so far */
    uint8_t block[TK_SHA256_BLOCK]; /* the last size % 64 of them, which wait for more */
};

/* Begins the digest of no bytes. */
void tk_sha256_begin(struct tk_sha256 *sha);

/* Adds n bytes. */
void tk_sha256_add(struct tk_sha256 *sha, const void *bytes, size_t n);

/* Writes the digest of all bytes that were added. `sha` must not be used again before it begins. */
void tk_sha256_end(struct tk_sha256 *sha, uint8_t ret_digest[TK_SHA256_SIZE]);

#endif
