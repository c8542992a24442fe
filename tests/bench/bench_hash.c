/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures SHA-256 alone on this machine: the least that sealing can cost.
 *
 *     bench_hash --json FILE...            one object a line, as bench_call's
 */
#include "bench.h"

#include <nettle/sha2.h>

#define RUN_NS ((uint64_t)200 * 1000 * 1000)

static uint64_t hash_ns(const struct bytes *bytes)
{
    uint64_t before = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    struct sha256_ctx ctx;
    uint8_t digest[SHA256_DIGEST_SIZE];

    sha256_init(&ctx);
    sha256_update(&ctx, bytes->n, (const uint8_t *)bytes->p);
    sha256_digest(&ctx, sizeof(digest), digest);
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before;
}

int main(int argc, char **argv)
{
    for (int i = 2; i < argc; i++) {
        struct bytes bytes = read_file(argv[i]);
        uint64_t start = clock_ns(CLOCK_MONOTONIC), least = UINT64_MAX;

        do {
            uint64_t ns = hash_ns(&bytes);

            if (ns < least)
                least = ns;
        } while (clock_ns(CLOCK_MONOTONIC) - start < RUN_NS);
        printf("{\"file\": \"%s\", \"bytes\": %zu, \"us\": %.2f}\n", argv[i], bytes.n,
               (double)least / 1000);
        free(bytes.p);
    }
    return 0;
}
