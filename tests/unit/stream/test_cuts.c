/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each recorded stream, as bytes, cut at every byte, and into single bytes: the outputs and the end
 * must be the same, byte for byte, as those of one feed (STREAM.md section 2, rule 8).
 */
#include "../calls.h"
#include "../recorded.h"
#include "../recording.h"
#include "../tap.h"

/*
 * Up to this size a stream is cut in two at each byte. For a longer one that would take quadratic
 * time, so it is cut into pieces of PIECE bytes, after a first piece of each size up to PIECE.
 */
#define SHORT ((size_t)8192)
#define PIECE ((size_t)97)
/* That size for streams of other providers, which have many long ones. */
#define OTHER_SHORT ((size_t)512)

struct requests {
    struct tk_str open, end; /* in msgpack, whose `data` may end inside a character */
};

static bool is_open(struct tk_val result, bool failed)
{
    return !failed && tk_text_is(tk_get(result, TK_STR("state")), TK_STR("open"));
}

static bool feed(struct caller *c, struct tk_str bytes, struct record *r)
{
    bool failed;
    struct tk_val result = caller_call(c, caller_feed(c, bytes), &failed);

    if (failed)
        record_bytes(r, tk_span(result));
    else
        record_outputs(r, result);
    return is_open(result, failed);
}

/* Feeds a first piece, then pieces of `size` bytes. */
static void run(struct caller *c, const struct requests *q, struct tk_str bytes, size_t first,
                size_t size, struct record *ret)
{
    bool failed, open;
    struct tk_val result = caller_call(c, q->open, &failed);

    ret->n = 0;
    open = is_open(result, failed);
    if (open && first > 0)
        open = feed(c, (struct tk_str){bytes.p, first}, ret);
    for (size_t at = first; open && at < bytes.n; at += size) {
        size_t n = bytes.n - at < size ? bytes.n - at : size;

        open = feed(c, (struct tk_str){bytes.p + at, n}, ret);
    }
    result = caller_call(c, q->end, &failed);
    CU_ASSERT_FALSE(failed);
    record_outputs(ret, result);
    record_end(ret, result);
    caller_forget(c);
}

/* The first cut that makes a difference; SIZE_MAX if none does. */
static size_t find_difference(struct caller *c, const struct requests *q, struct tk_str bytes,
                              size_t brief)
{
    struct record whole = {NULL, 0, 0}, other = {NULL, 0, 0};
    size_t piece = bytes.n <= brief ? bytes.n : PIECE, found = SIZE_MAX;

    run(c, q, bytes, bytes.n, 1, &whole);
    run(c, q, bytes, 0, 1, &other);
    if (!record_same(&whole, &other))
        found = bytes.n;
    for (size_t cut = 1; cut <= piece && found == SIZE_MAX; cut++) {
        run(c, q, bytes, cut, piece, &other);
        if (!record_same(&whole, &other))
            found = cut;
    }
    record_done(&whole);
    record_done(&other);
    return found;
}

static void test_every_cut(void)
{
    struct recordings all;
    struct caller asking, c;

    recordings_init(&all);
    CU_ASSERT_TRUE_FATAL(caller_init(&asking, tk_libc_allocator));
    CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
    for (size_t i = 0; i < all.stream_count; i++) {
        const struct recorded *s = &all.streams[i];
        struct requests q = {caller_request(&asking, TK_MSGPACK, "stream.open", s->open),
                             caller_request(&asking, TK_MSGPACK, "stream.end", s->end)};
        size_t cut = find_difference(&c, &q, s->bytes, s->of_blocks ? SHORT : OTHER_SHORT);

        if (cut != SIZE_MAX) {
            printf("# %.*s, cut at %zu of %zu\n", (int)s->name.n, s->name.p, cut, s->bytes.n);
            CU_FAIL("a cut makes a difference");
        }
        caller_forget(&asking);
    }
    printf("# %zu streams\n", all.stream_count);
    CU_ASSERT(all.stream_count > 300);
    caller_done(&asking);
    caller_done(&c);
    CU_ASSERT_TRUE(recordings_done(&all));
}

TAP_MAIN("stream_cuts", TAP_TEST(test_every_cut))
