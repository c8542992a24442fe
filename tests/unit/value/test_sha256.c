/* SPDX-License-Identifier: Apache-2.0 */
/* The portable SHA-256 against the vectors of NIST, and against nettle over drawn bytes. */
#include "../drawn.h"
#include "../tap.h"
#include "value/sha256.h"

#include <nettle/sha2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void hex_of(const uint8_t digest[TK_SHA256_SIZE], char ret_hex[2 * TK_SHA256_SIZE + 1])
{
    for (size_t i = 0; i < TK_SHA256_SIZE; i++)
        sprintf(ret_hex + 2 * i, "%02x", digest[i]);
}

/* Examples of FIPS 180-2, appendix B, and NIST's CAVP vectors (SHA256ShortMsg, SHA256LongMsg). */
static void test_vectors_of_nist(void)
{
    static const struct {
        const char *bytes;
        size_t times;
        const char *digest;
    } rows[] = {
        {"", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"\xd3", 1, "28969cdfa74a12c82f3bad960b0b000aca2ac329deea5c2328ebc6f2ba9802c1"},
        {"\x11\xaf", 1, "5ca7133fa735326081558ac312c620eeca9970d1e70a4b95533d956f072d1f98"},
        {"\xb4\x19\x0e", 1, "dff2e73091f6c05e528896c4c831b9448653dc2ff043528f6769437bc7b975c2"},
        {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint8_t digest[TK_SHA256_SIZE];
        char hex[2 * TK_SHA256_SIZE + 1];
        struct tk_sha256 sha;

        tk_sha256_begin(&sha);
        for (size_t k = 0; k < rows[i].times; k++)
            tk_sha256_add(&sha, rows[i].bytes, strlen(rows[i].bytes));
        tk_sha256_end(&sha, digest);
        hex_of(digest, hex);
        CU_ASSERT_STRING_EQUAL(hex, rows[i].digest);
    }
}

static bool equals_nettle(const uint8_t *bytes, size_t n, const uint8_t digest[TK_SHA256_SIZE])
{
    uint8_t wanted[SHA256_DIGEST_SIZE];
    struct sha256_ctx ctx;

    sha256_init(&ctx);
    sha256_update(&ctx, n, bytes);
    sha256_digest(&ctx, sizeof(wanted), wanted);
    return memcmp(wanted, digest, sizeof(wanted)) == 0;
}

/* Adds the bytes in pieces of up to `most` bytes, some of them empty. */
static void add_in_pieces(struct tk_sha256 *sha, const uint8_t *bytes, size_t n, uint32_t most)
{
    for (size_t i = 0, piece; i < n; i += piece) {
        piece = random_below(most + 1);
        piece = piece < n - i ? piece : n - i;
        tk_sha256_add(sha, bytes + i, piece);
    }
}

/* Every length over several borders of blocks, whole and in pieces. */
static void test_as_nettle_at_every_length(void)
{
    uint8_t bytes[5 * TK_SHA256_BLOCK], digest[TK_SHA256_SIZE];
    unsigned wrong = 0;

    for (size_t n = 0; n <= sizeof(bytes); n++) {
        static const uint32_t most[] = {1, 7, 63, 64, 65, 400};

        for (size_t i = 0; i < n; i++)
            bytes[i] = (uint8_t)random_below(256);
        for (size_t k = 0; k < sizeof(most) / sizeof(most[0]); k++) {
            struct tk_sha256 sha;

            tk_sha256_begin(&sha);
            add_in_pieces(&sha, bytes, n, most[k]);
            tk_sha256_end(&sha, digest);
            wrong += !equals_nettle(bytes, n, digest);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_as_nettle_for_long_bytes(void)
{
    size_t room = 300000;
    uint8_t *bytes = malloc(room), digest[TK_SHA256_SIZE];
    unsigned wrong = 0;

    for (size_t i = 0; i < room; i++)
        bytes[i] = (uint8_t)random_below(256);
    for (int round = 0; round < 30; round++) {
        size_t n = random_below((uint32_t)room);
        struct tk_sha256 sha;

        tk_sha256_begin(&sha);
        add_in_pieces(&sha, bytes, n, 5000);
        tk_sha256_end(&sha, digest);
        wrong += !equals_nettle(bytes, n, digest);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    free(bytes);
}

static void test_a_copy_continues_on_its_own(void)
{
    static const uint8_t bytes[] =
        "one block of sixty-four bytes and a few more, so that some wait.";
    uint8_t digest[TK_SHA256_SIZE];
    struct tk_sha256 sha, copy;

    tk_sha256_begin(&sha);
    tk_sha256_add(&sha, bytes, 10);
    copy = sha;
    tk_sha256_add(&sha, "other", 5);
    tk_sha256_end(&sha, digest);
    tk_sha256_add(&copy, bytes + 10, sizeof(bytes) - 10);
    tk_sha256_end(&copy, digest);
    CU_ASSERT_TRUE(equals_nettle(bytes, sizeof(bytes), digest));
}

TAP_MAIN("sha256", TAP_TEST(test_vectors_of_nist), TAP_TEST(test_as_nettle_at_every_length),
         TAP_TEST(test_as_nettle_for_long_bytes), TAP_TEST(test_a_copy_continues_on_its_own))
