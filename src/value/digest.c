/* SPDX-License-Identifier: Apache-2.0 */
#include "value/digest.h"

#define PREFIX TK_STR("turnkeeper.")

/* ---- the library that makes them ---- */

#ifdef TK_PORTABLE_SHA256
static void begin(struct tk_hasher *hasher)
{
    tk_sha256_begin(&hasher->sha);
}

static void put(struct tk_hasher *hasher, const void *bytes, size_t n)
{
    tk_sha256_add(&hasher->sha, bytes, n);
}

static void end(struct tk_hasher *hasher, struct tk_digest *ret)
{
    tk_sha256_end(&hasher->sha, ret->bytes);
}
#else
static void begin(struct tk_hasher *hasher)
{
    sha256_init(&hasher->sha);
}

static void put(struct tk_hasher *hasher, const void *bytes, size_t n)
{
    sha256_update(&hasher->sha, n, bytes);
}

static void end(struct tk_hasher *hasher, struct tk_digest *ret)
{
    sha256_digest(&hasher->sha, sizeof(ret->bytes), ret->bytes);
}
#endif

/* ---- of bytes ---- */

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
    struct tk_hasher hasher;

    begin(&hasher);
    put(&hasher, bytes.p, bytes.n);
    end(&hasher, &digest);
    tk_digest_hex(&digest, ret_hex);
}

/* ---- H(tag, ...) of C.1 ---- */

void tk_hash_put(void *hasher, const void *bytes, size_t n)
{
    put(hasher, bytes, n);
}

void tk_hash_begin(struct tk_hasher *hasher, struct tk_str tag)
{
    static const char after_tag[] = ".v1"; /* with its zero byte */

    begin(hasher);
    put(hasher, PREFIX.p, PREFIX.n);
    put(hasher, tag.p, tag.n);
    put(hasher, after_tag, sizeof(after_tag));
}

struct tk_digest tk_hash_end(struct tk_hasher *hasher)
{
    struct tk_digest digest;

    end(hasher, &digest);
    return digest;
}
