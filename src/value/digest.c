/* SPDX-License-Identifier: Apache-2.0 */
#include "value/digest.h"

#define PREFIX TK_STR("turnkeeper.")

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

/* ---- H(tag, ...) of C.1 ---- */

void tk_hash_put(void *ctx, const void *bytes, size_t n)
{
    sha256_update(ctx, n, bytes);
}

void tk_hash_begin(struct sha256_ctx *ctx, struct tk_str tag)
{
    static const char end[] = ".v1"; /* with its zero byte */

    sha256_init(ctx);
    tk_hash_put(ctx, PREFIX.p, PREFIX.n);
    tk_hash_put(ctx, tag.p, tag.n);
    tk_hash_put(ctx, end, sizeof(end));
}

struct tk_digest tk_hash_end(struct sha256_ctx *ctx)
{
    struct tk_digest digest;

    sha256_digest(ctx, sizeof(digest.bytes), digest.bytes);
    return digest;
}
