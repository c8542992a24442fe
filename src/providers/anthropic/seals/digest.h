/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256, by the library that does it with the processor's own instructions. */
#ifndef TK_PROVIDERS_ANTHROPIC_SEALS_DIGEST_H
#define TK_PROVIDERS_ANTHROPIC_SEALS_DIGEST_H

#include <nettle/sha2.h>
#include <stdint.h>

#include "value/str.h"

#define TK_SHA256_HEX (2 * SHA256_DIGEST_SIZE)

struct tk_digest {
    uint8_t bytes[SHA256_DIGEST_SIZE];
};

/* Lower-case hex, not terminated. */
void tk_digest_hex(const struct tk_digest *digest, char ret_hex[TK_SHA256_HEX]);
void tk_sha256_hex(struct tk_str bytes, char ret_hex[TK_SHA256_HEX]);

#endif
