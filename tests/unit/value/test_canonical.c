/* SPDX-License-Identifier: Apache-2.0 */
/* The canonical form and the digests on it, against what a separate implementation computed. */
#include "../documents.h"
#include "../tap.h"
#include "providers/anthropic/seals/make.h"

#include <stdlib.h>

/* JSON text and its canonical form. */
static const struct {
    const char *json, *canonical;
} values[] = {
    {"null", "n"},
    {"[true,false]", "[tf]"},
    {"0", "i0;"},
    {"-0", "i0;"},
    {"-17", "i-17;"},
    {"-9223372036854775808", "i-9223372036854775808;"},
    {"18446744073709551615", "i18446744073709551615;"},
    {"100.0", "d4059000000000000;"},
    {"1e2", "d4059000000000000;"},
    {"1.5", "d3ff8000000000000;"},
    {"-0.0", "d8000000000000000;"},
    {"5e-324", "d0000000000000001;"},
    {"\"a\"", "s1:a"},
    {"\"\"", "s0:"},
    {"\"\\u00e9\\/\\n\"", "s4:\303\251/\012"},
    {"\"\\ud83d\\ude00\"", "s4:\360\237\230\200"},
    {"[]", "[]"},
    {"{}", "{}"},
    {"{\"b\":1,\"a\":2,\"\":3}", "{s0:i3;s1:ai2;s1:bi1;}"},
    {" { \"aa\" : 1 , \"a\" : {\"z\":[1, {\"y\":null,\"x\":2}]} } ",
     "{s1:a{s1:z[i1;{s1:xi2;s1:yn}]}s2:aai1;}"},
    {"{\"\\u00e9\":1,\"z\":2,\"e\":3}", "{s1:ei3;s1:zi2;s2:\303\251i1;}"},
    {"{\"\\u0061\":1,\"A\":2}", "{s1:Ai2;s1:ai1;}"},
    {"[[[1]],\"x\",{\"k\":[]}]", "[[[i1;]]s1:x{s1:k[]}]"},
    {"{\"j\":1,\"i\":2,\"h\":3,\"g\":4,\"f\":5,\"e\":6,\"d\":7,\"c\":8,\"b\":9,\"a\":10,\"k\":11,"
     "\"l\":12,\"aa\":13,\"ab\":14,\"Z\":15,\"z\":16,\"zz\":17,\"y\":18,\"x\":19,\"w\":20}",
     "{s1:Zi15;s1:ai10;s2:aai13;s2:abi14;s1:bi9;s1:ci8;s1:di7;s1:ei6;s1:fi5;s1:gi4;s1:hi3;s1:ii2;"
     "s1:ji1;s1:ki11;s1:li12;s1:wi20;s1:xi19;s1:yi18;s1:zi16;s2:zzi17;}"},
};

/* Integers that msgpack can't hold: it has a double for them, which is another value. */
static const struct {
    const char *json, *canonical;
} huge[] = {
    {"18446744073709551616", "i18446744073709551616;"},
    {"123456789012345678901234567890", "i123456789012345678901234567890;"},
};

struct text {
    char *p;
    size_t n, room;
};

static void append(void *arg, const void *bytes, size_t n)
{
    struct text *t = arg;

    if (!t->p || t->room - t->n < n) { /* doubling: a sanitizer's realloc() copies every time */
        t->room = 2 * t->room + n + 1;
        t->p = realloc(t->p, t->room);
    }
    if (n > 0)
        memcpy(t->p + t->n, bytes, n);
    t->n += n;
}

static struct text canonical(struct tk_val v, struct tk_arena *arena)
{
    struct text t = {NULL, 0, 0};
    struct tk_canon canon = {append, &t, arena};

    tk_canon_value(&canon, v);
    return t;
}

static bool is_text(struct tk_val v, struct tk_arena *arena, const char *want)
{
    struct text t = canonical(v, arena);
    bool same = tk_str_is((struct tk_str){t.p, t.n}, want);

    free(t.p);
    return same;
}

/* The document in the other codec, read into `to`. */
static void convert(struct reading *from, struct reading *to)
{
    struct tk_writer w;
    struct tk_out out;

    tk_out_init(&out, &from->arena);
    tk_writer_init(&w, from->doc.codec == TK_JSON ? TK_MSGPACK : TK_JSON, &out);
    tk_write_any(&w, tk_root(&from->doc));
    reading_init(to);
    CU_ASSERT_EQUAL(
        (from->doc.codec == TK_JSON ? reading_msgpack : reading_json)(to, tk_out_join(&out)), 0);
}

static void test_values(void)
{
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        struct reading json, msgpack;

        reading_init(&json);
        CU_ASSERT_EQUAL(reading_json(&json, tk_str_of(values[i].json)), 0);
        convert(&json, &msgpack);
        CU_ASSERT(is_text(tk_root(&json.doc), &json.arena, values[i].canonical));
        CU_ASSERT(is_text(tk_root(&msgpack.doc), &msgpack.arena, values[i].canonical));
        CU_ASSERT_TRUE(reading_done(&msgpack));
        CU_ASSERT_TRUE(reading_done(&json));
    }
    for (size_t i = 0; i < sizeof(huge) / sizeof(huge[0]); i++) {
        struct reading json;

        reading_init(&json);
        CU_ASSERT_EQUAL(reading_json(&json, tk_str_of(huge[i].json)), 0);
        CU_ASSERT(is_text(tk_root(&json.doc), &json.arena, huge[i].canonical));
        CU_ASSERT_TRUE(reading_done(&json));
    }
}

/* float32 is the double of the same value; wide integers are the same as narrow ones. */
static void test_msgpack_forms(void)
{
    static const struct {
        struct tk_str bytes;
        const char *canonical;
    } forms[] = {
        {TK_STR_INIT("\xca\x3f\xc0\x00\x00"), "d3ff8000000000000;"},
        {TK_STR_INIT("\xd3\x00\x00\x00\x00\x00\x00\x00\x05"), "i5;"},
        {TK_STR_INIT("\xcf\xff\xff\xff\xff\xff\xff\xff\xff"), "i18446744073709551615;"},
        {TK_STR_INIT("\xd9\x01\x61"), "s1:a"},
        {TK_STR_INIT("\xdf\x00\x00\x00\x01\xa1\x61\xdd\x00\x00\x00\x00"), "{s1:a[]}"},
    };

    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        struct reading r;

        reading_init(&r);
        CU_ASSERT_EQUAL(reading_msgpack(&r, forms[i].bytes), 0);
        CU_ASSERT(is_text(tk_root(&r.doc), &r.arena, forms[i].canonical));
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

/* A value has one canonical form in both codecs. */
static void test_codecs_agree(void)
{
    uint64_t seed = 11;

    for (int i = 0; i < 300; i++) {
        struct reading json, msgpack, back;
        struct text a, b;

        reading_init(&msgpack);
        CU_ASSERT_EQUAL(reading_msgpack(&msgpack, generate_msgpack(&seed, &msgpack.arena)), 0);
        convert(&msgpack, &json);
        convert(&json, &back);
        a = canonical(tk_root(&msgpack.doc), &msgpack.arena);
        b = canonical(tk_root(&back.doc), &back.arena);
        CU_ASSERT(a.n == b.n && memcmp(a.p, b.p, a.n) == 0);
        free(a.p);
        free(b.p);
        CU_ASSERT_TRUE(reading_done(&back));
        CU_ASSERT_TRUE(reading_done(&json));
        CU_ASSERT_TRUE(reading_done(&msgpack));
    }
}

/* Depth costs no stack, and chosen keys no time: 10^5 of each. */
static void test_hostile_shapes(void)
{
    enum {
        N = 100000
    };
    struct reading r;
    struct text t;
    size_t room = (size_t)N * 16, at = 0;
    char *text = malloc(room);

    for (int i = 0; i < N; i++)
        text[i] = '[';
    for (int i = N; i < 2 * N; i++)
        text[i] = ']';
    reading_init(&r);
    r.limits.max_depth = N;
    CU_ASSERT_EQUAL(reading_json(&r, (struct tk_str){text, 2 * N}), 0);
    t = canonical(tk_root(&r.doc), &r.arena);
    CU_ASSERT(t.n == 2 * N && memcmp(t.p, text, t.n) == 0);
    free(t.p);
    CU_ASSERT_TRUE(reading_done(&r));
    text[at++] = '{';
    for (int i = N; i > 0; i--)
        at += (size_t)snprintf(text + at, room - at, "%s\"%06d\":0", i < N ? "," : "", i);
    text[at++] = '}';
    reading_init(&r);
    CU_ASSERT_EQUAL(reading_json(&r, (struct tk_str){text, at}), 0);
    t = canonical(tk_root(&r.doc), &r.arena);
    CU_ASSERT(t.n == 2 + (size_t)N * 12 && memcmp(t.p, "{s6:000001i0;s6:000002i0;", 25) == 0);
    free(t.p);
    CU_ASSERT_TRUE(reading_done(&r));
    free(text);
}

/* ---- seals ---- */

static const struct {
    const char *json, *block, *id, *opaque, *text;
} blocks[] = {
    {"{\"type\":\"text\",\"text\":\"a\"}",
     "d0c684053c83a6095455a2f59b91224c6df816ea976eed44ebce412e9ecb0b3c", NULL, NULL, NULL},
    {"{\"type\":\"text\",\"text\":\"a\",\"cache_control\":{\"type\":\"ephemeral\"},"
     "\"citations\":null}",
     "d0c684053c83a6095455a2f59b91224c6df816ea976eed44ebce412e9ecb0b3c", NULL, NULL, NULL},
    {"{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{\"cache_control\":1,"
     "\"x\":{\"cache_control\":2,\"n\":null}},\"caller\":{\"type\":\"direct\"}}",
     "17aa59405d2e39d31651c15d70224d5a656200586a30c0affc353a7872255a16", "t", NULL, NULL},
    {"{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"f\",\"input\":{},"
     "\"caller\":{\"type\":\"direct\",\"tool_id\":\"x\"}}",
     "f75b7af9a3f0d0cd67954eeb80a29d1e5a070a386392c6c90b1d8b459e4c4f4d", "t", NULL, NULL},
    {"{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"s\",\"content\":[{"
     "\"type\":\"web_search_result\",\"page_age\":null,\"cache_control\":{}}]}",
     "4ba48e015e5006afbfff3dbc16135cd676e5cf527c6589d78d5ed29cf9cd3bc2", NULL, NULL, NULL},
    {"{\"type\":\"thinking\",\"thinking\":\"one\",\"signature\":\"s1\"}",
     "aee26b40d1cb9857df6933772bdaa163190f8f297e136e70405e2a0e25a5e84f", NULL,
     "0f80fa9ec41ac3329536ea3148477626606b829ff7cc2d6726ffdd62b76ed47d",
     "76f1d5ee77789008f208b259ee9efa5f5ca8eb8bf201718b280b00e78d62f4c8"},
    {"{\"type\":\"thinking\",\"thinking\":\"x\",\"signature\":\"\"}",
     "6973e34f3df1b164ac77193f81112fa0f283d9d8ba51a6945f4db34baf669178", NULL, NULL, NULL},
    {"{\"type\":\"redacted_thinking\",\"data\":\"encA\"}",
     "601db41a48082c427888985f264eade070f6fb5210c007cd8fd174e2844f24cf", NULL,
     "1a6cb0e2f0ea4311e17ceeaa2d516510b0fb77cb4d4b1314daf6d80d3302c62a", NULL},
    {"{\"type\":\"mcp_tool_use\",\"id\":\"m\",\"name\":\"e\",\"server_name\":\"s\",\"input\":{}}",
     "f26683a81c58c916e84552e67b23145003fc70f035601b6425f60b75881f69e0", "m", NULL, NULL},
};

#define BLOCKS (sizeof(blocks) / sizeof(blocks[0]))

static bool is_hex(bool there, const struct tk_digest *digest, const char *want)
{
    char hex[TK_SHA256_HEX];

    if (!there || !want)
        return there == (want != NULL);
    tk_digest_hex(digest, hex);
    return tk_str_is((struct tk_str){hex, sizeof(hex)}, want);
}

static void test_seals(void)
{
    struct tk_sealed_block sealed[BLOCKS];
    struct reading r[BLOCKS];
    struct tk_digest turn;

    for (size_t i = 0; i < BLOCKS; i++) {
        reading_init(&r[i]);
        CU_ASSERT_EQUAL(reading_json(&r[i], tk_str_of(blocks[i].json)), 0);
        sealed[i] = tk_seal_block(tk_root(&r[i].doc), &r[i].arena);
        CU_ASSERT(is_hex(true, &sealed[i].block, blocks[i].block));
        CU_ASSERT(is_hex(sealed[i].has_opaque, &sealed[i].opaque, blocks[i].opaque));
        CU_ASSERT(is_hex(sealed[i].has_text, &sealed[i].text, blocks[i].text));
        CU_ASSERT_EQUAL(sealed[i].id.p != NULL, blocks[i].id != NULL);
        CU_ASSERT(!blocks[i].id || tk_str_is(sealed[i].id, blocks[i].id));
    }
    turn = tk_seal_turn(sealed, BLOCKS);
    CU_ASSERT(
        is_hex(true, &turn, "e90d28632df108f1013ba7b7d24a502d6c39045e338ab6314110a9074fe226da"));
    turn = tk_seal_turn(NULL, 0);
    CU_ASSERT(
        is_hex(true, &turn, "3f3490b5f6111a51ac348b30496e8f40a88eefce66351c8147d4fdc45044e23d"));
    for (size_t i = 0; i < BLOCKS; i++)
        CU_ASSERT_TRUE(reading_done(&r[i]));
}

/* A string content is one text block. */
static void test_string_as_block(void)
{
    static const char *const strings[] = {"\"a\"", "\"\\u0061\""};

    for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++) {
        struct reading r;
        struct tk_digest digest;

        reading_init(&r);
        CU_ASSERT_EQUAL(reading_json(&r, tk_str_of(strings[i])), 0);
        digest = tk_block_digest(tk_root(&r.doc), &r.arena);
        CU_ASSERT(is_hex(true, &digest, blocks[0].block));
        CU_ASSERT_TRUE(reading_done(&r));
    }
}

TAP_MAIN("canon", TAP_TEST(test_values), TAP_TEST(test_msgpack_forms), TAP_TEST(test_codecs_agree),
         TAP_TEST(test_hostile_shapes), TAP_TEST(test_seals), TAP_TEST(test_string_as_block))
