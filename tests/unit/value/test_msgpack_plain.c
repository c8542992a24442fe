/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast way through msgpack (msgpack_plain.h) against the reader without it: documents that are
 * nearly plain, whole, cut and damaged, give the same tape, or the same refusal at the same place.
 */
#include "../documents.h"
#include "../tap.h"
#include "value/msgpack_plain.h"

#include <stdlib.h>

#define DOCUMENTS 6000
#define BYTES_MAX 40000u

/* A document that is being written. */
struct bytes {
    uint64_t *seed;
    uint8_t p[BYTES_MAX];
    size_t n;
    uint32_t odd; /* one of so many pieces isn't plain */
};

static void put(struct bytes *b, const void *p, size_t n)
{
    if (b->n + n <= sizeof(b->p)) {
        memcpy(b->p + b->n, p, n);
        b->n += n;
    }
}

static void put_byte(struct bytes *b, uint32_t byte)
{
    put(b, &(uint8_t){(uint8_t)byte}, 1);
}

/* Writes a big-endian number of `width` bytes. */
static void put_number(struct bytes *b, uint32_t n, uint32_t width)
{
    while (width-- > 0)
        put_byte(b, n >> (8 * width));
}

/* Writes a header of n as short as it can be, or a longer one: fix, the number of bytes of the
 * first longer one, and its first byte. */
static void put_header(struct bytes *b, uint32_t n, uint32_t fix, uint32_t fix_count,
                       uint32_t width, uint32_t first)
{
    uint32_t longer = random_below(b->seed, b->odd) == 0 ? 1 + random_below(b->seed, 2) : 0;

    if (longer == 0 && n < fix_count) {
        put_byte(b, fix | n);
        return;
    }
    for (; width < 4 && (longer > 1 || n >> (8 * width) != 0); longer = 0, width *= 2)
        first++;
    put_byte(b, first);
    put_number(b, n, width);
}

static void put_str(struct bytes *b, const char *p, size_t n)
{
    put_header(b, (uint32_t)n, 0xa0, 32, 1, 0xd9);
    put(b, p, n);
}

static void put_text(struct bytes *b)
{
    static const char *const odd[] = {"\xc3\xa9", "\xe6\x97\xa5", "\x01", "\xf0\x9f\x98\x80"};
    static const char *const broken[] = {"\xff", "\xe6\x97", "\xed\xa0\x80"};
    static const uint32_t most[] = {20, 20, 20, 33, 80, 300, 1000};
    char text[1100];
    uint32_t n = random_below(b->seed, most[random_below(b->seed, 7)]), size = 0;

    for (uint32_t i = 0; i < n; i++) {
        const char *piece = "x";

        if (random_below(b->seed, 20 * b->odd) == 0)
            piece = odd[random_below(b->seed, 4)];
        else if (random_below(b->seed, 4000) == 0)
            piece = broken[random_below(b->seed, 3)];
        memcpy(text + size, piece, strlen(piece));
        size += (uint32_t)strlen(piece);
        if (size > 1050)
            break;
    }
    put_str(b, text, size);
}

/* Now and then a key twice in an object, the watched one, or what can't be one. */
static void put_key(struct bytes *b, uint32_t index)
{
    static const char *const keys[] = {"",
                                       "a",
                                       "watched",
                                       "type",
                                       "type",
                                       "\xc3\xa9",
                                       "a key of more than thirty-one bytes in all"};
    char unique[16];

    if (random_below(b->seed, 200 * b->odd) == 0) {
        put_byte(b, 0xc0);
        return;
    }
    if (random_below(b->seed, b->odd) == 0) {
        const char *key = keys[random_below(b->seed, 7)];

        put_str(b, key, strlen(key));
        return;
    }
    snprintf(unique, sizeof(unique), "k%u", (unsigned)index);
    put_str(b, unique, strlen(unique));
}

static void put_scalar(struct bytes *b)
{
    static const struct {
        uint8_t first, size; /* of the payload */
    } scalars[] = {
        {0xc0, 0}, {0xc2, 0}, {0xc3, 0}, {0x07, 0}, {0xff, 0}, {0xcc, 1}, {0xcd, 2}, {0xd1, 2},
        {0xce, 4}, {0xcf, 8}, {0xd3, 8}, {0xca, 4}, {0xcb, 8}, {0xd4, 2}, {0xc1, 0},
    };
    uint32_t i = random_below(b->seed, random_below(b->seed, 100) == 0 ? 15 : 14);

    put_byte(b, scalars[i].first);
    for (uint32_t k = 0; k < scalars[i].size; k++)
        put_byte(b, random_below(b->seed, 256));
}

static void put_value(struct bytes *b, uint32_t depth)
{
    uint32_t kind = random_below(b->seed, depth == 0 ? 1 : 9), n;
    bool object = kind == 0 || kind > 6;

    if (depth > 6 || (kind > 0 && kind < 5)) {
        put_text(b);
    } else if (kind == 5) {
        put_scalar(b);
    } else {
        n = random_below(b->seed, depth == 0 ? 20 : 5);
        put_header(b, n, object ? 0x80 : 0x90, 16, 2, object ? 0xde : 0xdc);
        for (uint32_t i = 0; i < n; i++) {
            if (object)
                put_key(b, i);
            put_value(b, depth + 1);
        }
    }
}

/* Cuts the document, or changes one byte of it, but not of every document. */
static void damage(struct bytes *b)
{
    uint32_t how = random_below(b->seed, 6);

    if (how == 0)
        b->n = random_below(b->seed, (uint32_t)b->n + 1);
    if (how == 1 && b->n > 0)
        b->p[random_below(b->seed, (uint32_t)b->n)] = (uint8_t)random_below(b->seed, 256);
}

/* ---- comparing ---- */

static const uint8_t *stop_at_once(struct tk_reader *r, const uint8_t *p)
{
    (void)r;
    return p;
}

static int read_by(const uint8_t *(*plain)(struct tk_reader *r, const uint8_t *p),
                   struct reading *r, struct tk_str bytes, uint32_t max_values, uint32_t max_depth)
{
    reading_init(r);
    r->limits.max_values = max_values;
    r->limits.max_depth = max_depth;
    r->doc.watched = TK_STR("watched");
    return tk_msgpack_read_by(plain, &r->doc, bytes.p, bytes.n, &r->limits, &r->arena, &r->error);
}

static bool same_tape(const struct tk_doc *a, const struct tk_doc *b)
{
    return a->count == b->count && a->foreign == b->foreign &&
           a->watched_first == b->watched_first && a->watched_last == b->watched_last &&
           memcmp(a->nodes, b->nodes, a->count * sizeof(*a->nodes)) == 0;
}

static bool same_error(const struct tk_read_error *a, const struct tk_read_error *b)
{
    return a->offset == b->offset && strcmp(a->what, b->what) == 0 &&
           tk_str_eq(a->pointer, b->pointer);
}

static int check(struct tk_str bytes, uint32_t max_values, uint32_t max_depth)
{
    struct reading slow, fast;
    int result = read_by(stop_at_once, &slow, bytes, max_values, max_depth);
    int r = read_by(tk_msgpack_read_plain, &fast, bytes, max_values, max_depth);

    CU_ASSERT_EQUAL_FATAL(r, result);
    CU_ASSERT_FATAL(r == 0 ? same_tape(&fast.doc, &slow.doc)
                           : same_error(&fast.error, &slow.error));
    CU_ASSERT_TRUE(reading_done(&fast));
    CU_ASSERT_TRUE(reading_done(&slow));
    return result;
}

static void test_generated_documents(void)
{
    static struct bytes b;
    uint64_t seed = 7;
    uint32_t results[TK_READ_TRAILING_BYTES + 1] = {0};

    for (int i = 0; i < DOCUMENTS; i++) {
        uint32_t values = random_below(&seed, 4) == 0 ? 1 + random_below(&seed, 60) : UINT32_MAX;
        uint32_t depth = random_below(&seed, 8) == 0 ? 1 + random_below(&seed, 5) : 256;
        char *copy;
        int result;

        b.seed = &seed;
        b.n = 0;
        b.odd = i % 3 == 0 ? 2 : 60;
        put_value(&b, 0);
        damage(&b);
        /* A block of exactly the document's size, so that sanitizers see a step beyond it. */
        copy = malloc(b.n + 1);
        memcpy(copy + 1, b.p, b.n);
        result = check((struct tk_str){copy + 1, b.n}, values, depth);
        free(copy);
        CU_ASSERT_FATAL(result >= 0 && result <= TK_READ_TRAILING_BYTES);
        results[result]++;
    }
    /* The documents try all of it. */
    CU_ASSERT(results[TK_READ_OK] > DOCUMENTS / 10);
    CU_ASSERT(results[TK_READ_PARSE_ERROR] > DOCUMENTS / 10);
    CU_ASSERT(results[TK_READ_DUPLICATE_KEY] > 20);
    CU_ASSERT(results[TK_READ_TOO_DEEP] > 20);
    CU_ASSERT(results[TK_READ_TOO_MANY_VALUES] > 20);
}

/* Strings of every size from which a header has another form, at every place before the end. */
static void test_sizes_of_strings(void)
{
    static const uint32_t sizes[] = {0, 1, 31, 32, 33, 63, 64, 255, 256, 300, 65535, 65536};
    static struct bytes b;
    static char text[65536];
    uint64_t seed = 9;

    memset(text, 'x', sizeof(text));
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        for (uint32_t after = 0; after < 80; after++) {
            uint8_t *all = malloc(sizes[i] + after + 40), *p = all;
            uint32_t width = sizes[i] < 32 ? 0 : sizes[i] < 256 ? 1 : sizes[i] < 65536 ? 2 : 4;

            b = (struct bytes){.seed = &seed, .odd = UINT32_MAX};
            put_byte(&b, 0x81);
            put_byte(&b, 0xa1);
            put_byte(&b, 'k');
            put_byte(&b, 0xdc);
            put_number(&b, after + 1, 2);
            put_byte(&b, width == 0 ? 0xa0 | sizes[i] : 0xd8 + (width == 4 ? 3 : width));
            put_number(&b, sizes[i], width);
            memcpy(p, b.p, b.n);
            p += b.n;
            memcpy(p, text, sizes[i]);
            p += sizes[i];
            memset(p, 0x07, after);
            p += after;
            CU_ASSERT_EQUAL(check((struct tk_str){(char *)all, (size_t)(p - all)}, UINT32_MAX, 256),
                            TK_READ_OK);
            free(all);
        }
}

TAP_MAIN("msgpack_plain", TAP_TEST(test_generated_documents), TAP_TEST(test_sizes_of_strings))
