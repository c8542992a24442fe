/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/seals/digest.h"

void tk_digest_hex(const struct tk_digest *digest, char ret_hex[TK_SHA256_HEX])
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < sizeof(digest->bytes); i++) {
        ret_hex[2 * i] = digits[digest->bytes[i] >> 4];
        ret_hex[2 * i + 1] = digits[digest->bytes[i] & 15];
    }
}

void tk_sha256_hex(struct tk_str bytes, char ret_hex[TK_SHA256_HEX])
{
    struct tk_digest digest;
    struct sha256_ctx ctx;

    sha256_init(&ctx);
    sha256_update(&ctx, bytes.n, (const uint8_t *)bytes.p);
    sha256_digest(&ctx, sizeof(digest.bytes), digest.bytes);
    tk_digest_hex(&digest, ret_hex);
}
