/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msgpack-c as oracle: over generated and damaged documents both have to accept and refuse the same
 * and to find the same values. The known differences:
 *
 *     what                              msgpack-c     we
 *     str that isn't UTF-8              accepts       parse error
 *     map keys that aren't str          accepts       parse error
 *     one key twice                     accepts       duplicate key
 *     bytes after the document          leaves them   trailing bytes
 *     more than 32 levels               refuses       accept, up to max_depth
 *     a count beyond the bytes left     asks for more, or for gigabytes    parse error
 */
#include "../documents.h"
#include "../tap.h"
#include "value/msgpack_format.h"
#include "value/unicode.h"

#include <msgpack.h>
#include <stdlib.h>

/* ---- the same values ---- */

static bool same(struct tk_val v, const msgpack_object *o);

static bool same_bytes(struct tk_str s, const char *p, size_t n)
{
    return s.n == n && (n == 0 || memcmp(s.p, p, n) == 0);
}

static bool same_integer(struct tk_val v, const msgpack_object *o)
{
    int64_t n;

    if (!tk_int64(v, &n))
        return o->type == MSGPACK_OBJECT_POSITIVE_INTEGER &&
               o->via.u64 == tk_load_be((const uint8_t *)tk_span(v).p + 1, 8);
    return n < 0 ? o->type == MSGPACK_OBJECT_NEGATIVE_INTEGER && o->via.i64 == n
                 : o->type == MSGPACK_OBJECT_POSITIVE_INTEGER && o->via.u64 == (uint64_t)n;
}

static bool same_real(struct tk_val v, const msgpack_object *o)
{
    double d = tk_msgpack_real((const uint8_t *)tk_span(v).p);

    return (o->type == MSGPACK_OBJECT_FLOAT32 || o->type == MSGPACK_OBJECT_FLOAT64) &&
           (memcmp(&d, &o->via.f64, sizeof(d)) == 0 || (d != d && o->via.f64 != o->via.f64));
}

static bool same_children(struct tk_val v, const msgpack_object *o)
{
    uint32_t i = 0;
    bool map = tk_is(v, TK_OBJECT);

    for (struct tk_val e = tk_first(v); tk_exists(e); e = tk_after(v, e), i++) {
        if (i >= (map ? o->via.map.size : o->via.array.size))
            return false;
        if (map) {
            const msgpack_object_kv *kv = &o->via.map.ptr[i];

            if (!same_bytes(tk_raw_key(e), kv->key.via.str.ptr, kv->key.via.str.size) ||
                !same(e, &kv->val))
                return false;
        } else if (!same(e, &o->via.array.ptr[i])) {
            return false;
        }
    }
    return i == (map ? o->via.map.size : o->via.array.size);
}

static bool same(struct tk_val v, const msgpack_object *o)
{
    struct tk_str raw = tk_raw(v);

    switch ((enum tk_kind)tk_node(v)->kind) {
    case TK_NULL:
        return o->type == MSGPACK_OBJECT_NIL;
    case TK_FALSE:
        return o->type == MSGPACK_OBJECT_BOOLEAN && !o->via.boolean;
    case TK_TRUE:
        return o->type == MSGPACK_OBJECT_BOOLEAN && o->via.boolean;
    case TK_INT:
        return same_integer(v, o);
    case TK_REAL:
        return same_real(v, o);
    case TK_STRING:
        return o->type == MSGPACK_OBJECT_STR && same_bytes(raw, o->via.str.ptr, o->via.str.size);
    case TK_BIN:
        return o->type == MSGPACK_OBJECT_BIN && same_bytes(raw, o->via.bin.ptr, o->via.bin.size);
    case TK_EXT: /* its type comes first */
        return o->type == MSGPACK_OBJECT_EXT && raw.n > 0 && (int8_t)raw.p[0] == o->via.ext.type &&
               same_bytes((struct tk_str){raw.p + 1, raw.n - 1}, o->via.ext.ptr, o->via.ext.size);
    case TK_ARRAY:
        return o->type == MSGPACK_OBJECT_ARRAY && same_children(v, o);
    case TK_OBJECT:
        return o->type == MSGPACK_OBJECT_MAP && same_children(v, o);
    }
    return false;
}

/* ---- what may differ ---- */

static bool has_twins(const msgpack_object_map *map)
{
    for (uint32_t i = 0; i < map->size; i++)
        for (uint32_t k = 0; k < i; k++)
            if (msgpack_object_equal(map->ptr[i].key, map->ptr[k].key))
                return true;
    return false;
}

/* True if msgpack-c's document contains something that only we refuse. */
static bool holds_difference(const msgpack_object *o)
{
    if (o->type == MSGPACK_OBJECT_STR)
        return tk_utf8_valid(o->via.str.ptr, o->via.str.size) != o->via.str.size;
    if (o->type == MSGPACK_OBJECT_ARRAY)
        for (uint32_t i = 0; i < o->via.array.size; i++)
            if (holds_difference(&o->via.array.ptr[i]))
                return true;
    if (o->type == MSGPACK_OBJECT_MAP) {
        for (uint32_t i = 0; i < o->via.map.size; i++)
            if (o->via.map.ptr[i].key.type != MSGPACK_OBJECT_STR ||
                holds_difference(&o->via.map.ptr[i].key) ||
                holds_difference(&o->via.map.ptr[i].val))
                return true;
        return has_twins(&o->via.map);
    }
    return false;
}

static const char *judge(struct tk_str bytes)
{
    msgpack_unpacked unpacked;
    size_t end = 0;
    bool accepted, whole;
    struct reading r;
    int result;
    const char *wrong = NULL;

    msgpack_unpacked_init(&unpacked);
    accepted = msgpack_unpack_next(&unpacked, bytes.p, bytes.n, &end) == MSGPACK_UNPACK_SUCCESS;
    whole = accepted && end == bytes.n;
    reading_init(&r);
    result = reading_msgpack(&r, bytes);
    if (result == 0)
        wrong = !whole                                  ? "only msgpack-c refuses it"
                : same(tk_root(&r.doc), &unpacked.data) ? NULL
                                                        : "another value";
    else if (whole && !holds_difference(&unpacked.data))
        wrong = "only we refuse it";
    else if (accepted && !whole && result != TK_READ_TRAILING_BYTES &&
             !holds_difference(&unpacked.data))
        wrong = "bytes behind it aren't the reason";
    if (wrong) {
        printf("# %s:", wrong);
        for (size_t i = 0; i < bytes.n && i < 200; i++)
            printf(" %02x", (uint8_t)bytes.p[i]);
        printf("\n");
    }
    CU_ASSERT_TRUE(reading_done(&r));
    msgpack_unpacked_destroy(&unpacked);
    return wrong;
}

static void test_generated_documents(void)
{
    uint64_t seed = 31337;

    for (int i = 0; i < 3000; i++) {
        struct tk_arena arena;

        tk_arena_init(&arena, tk_libc_allocator);
        CU_ASSERT_PTR_NULL(judge(generate_msgpack(&seed, &arena)));
        tk_arena_done(&arena);
    }
}

/* msgpack-c asks for the memory of any count: keep damage away from headers of four bytes. */
static bool may_be_huge(struct tk_str bytes)
{
    for (size_t i = 0; i + 1 < bytes.n; i++)
        if ((uint8_t)bytes.p[i] == 0xdd || (uint8_t)bytes.p[i] == 0xdf)
            return true;
    return false;
}

static void test_damaged_documents(void)
{
    uint64_t seed = 99;

    for (int i = 0; i < 10000; i++) {
        struct tk_arena arena;
        struct tk_str bytes;
        char *p;

        tk_arena_init(&arena, tk_libc_allocator);
        bytes = generate_msgpack(&seed, &arena);
        p = tk_arena_alloc(&arena, bytes.n);
        memcpy(p, bytes.p, bytes.n);
        p[random_below(&seed, (uint32_t)bytes.n)] = (char)random_below(&seed, 256);
        bytes.p = p;
        if (!may_be_huge(bytes))
            CU_ASSERT_PTR_NULL(judge(bytes));
        tk_arena_done(&arena);
    }
}

/* Random bytes: short documents of all formats, bin and ext among them. */
static void test_random_bytes(void)
{
    uint64_t seed = 1;

    for (int i = 0; i < 100000; i++) {
        char bytes[24];
        size_t n = 1 + random_below(&seed, sizeof(bytes));

        for (size_t k = 0; k < n; k++)
            bytes[k] = (char)(random_below(&seed, 2) ? random_below(&seed, 256)
                                                     : 0xc4 + random_below(&seed, 28));
        if (!may_be_huge((struct tk_str){bytes, n}))
            CU_ASSERT_PTR_NULL(judge((struct tk_str){bytes, n}));
    }
}

static void test_depth(void)
{
    char bytes[40];
    msgpack_unpacked unpacked;
    struct reading r;

    memset(bytes, 0x91, sizeof(bytes));
    bytes[sizeof(bytes) - 1] = 1;
    reading_init(&r);
    CU_ASSERT_EQUAL(reading_msgpack(&r, (struct tk_str){bytes, sizeof(bytes)}), 0);
    CU_ASSERT_TRUE(reading_done(&r));
    msgpack_unpacked_init(&unpacked);
    CU_ASSERT_NOT_EQUAL(msgpack_unpack_next(&unpacked, bytes, sizeof(bytes), NULL),
                        MSGPACK_UNPACK_SUCCESS);
    msgpack_unpacked_destroy(&unpacked);
}

TAP_MAIN("oracle_msgpack", TAP_TEST(test_generated_documents), TAP_TEST(test_damaged_documents),
         TAP_TEST(test_random_bytes), TAP_TEST(test_depth))
