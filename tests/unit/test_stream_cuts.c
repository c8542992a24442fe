/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Each stream that the conformance cases record, as bytes, cut in two at every byte, and into
 * single bytes: the outputs and the end must be the same, byte for byte, as those of one feed.
 */
#include "calls.h"
#include "tap.h"
#include "value/base64.h"
#include "value/compact.h"

#include <stdlib.h>

/* Longer streams are cut in two at every so many bytes; into single bytes all are. */
#define EVERY_BYTE ((size_t)8192)
#define STRIDE     ((size_t)97)

struct recorded {
    struct tk_str open, bytes, end;
};

/* ---- cases ---- */

static struct tk_str read_cases(void)
{
    const char *top = getenv("top_srcdir");
    char path[4096];
    FILE *file;
    char *p;
    long n;

    snprintf(path, sizeof(path), "%s/tests/conformance/stream.json", top ? top : ".");
    file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0 || (n = ftell(file)) < 0)
        abort();
    rewind(file);
    p = malloc((size_t)n);
    if (!p || fread(p, 1, (size_t)n, file) != (size_t)n)
        abort();
    fclose(file);
    return (struct tk_str){p, (size_t)n};
}

static void put_event(struct tk_out *out, struct tk_val event, struct tk_arena *arena)
{
    struct tk_str type = tk_text(tk_get(event, TK_STR("type")), arena);

    if (type.p && !memchr(type.p, '\n', type.n)) {
        tk_out_put(out, "event: ", 7);
        tk_out_put(out, type.p, type.n);
        tk_out_put(out, "\n", 1);
    }
    tk_out_put(out, "data: ", 6);
    tk_compact_json(out, event, NULL);
    tk_out_put(out, "\n\n", 2);
}

/* What a step feeds. False for one that isn't a feed of the stream "s". */
static bool put_feed(struct tk_out *out, struct tk_val step, struct tk_arena *arena)
{
    struct tk_val params = tk_get(step, TK_STR("params"));
    struct tk_val events = tk_get(params, TK_STR("events"));
    struct tk_str text = tk_text(tk_get(params, TK_STR("data")), arena);
    struct tk_str base64 = tk_text(tk_get(params, TK_STR("data_base64")), arena);

    if (!tk_text_is(tk_get(step, TK_STR("method")), TK_STR("stream.feed")) ||
        tk_exists(tk_get(step, TK_STR("error"))) ||
        !tk_text_is(tk_get(params, TK_STR("stream")), TK_STR("s")))
        return false;
    for (struct tk_val e = tk_first(events); tk_exists(e); e = tk_after(events, e))
        put_event(out, e, arena);
    if (base64.p && tk_base64_decode(base64, arena, &text) != 0)
        return false;
    tk_out_put(out, text.p, text.n);
    return true;
}

/* A case that opens one stream, feeds it and ends it; one with a limit on its size would hit that.
 */
static bool read_case(struct caller *c, struct tk_val test, struct recorded *ret)
{
    struct tk_val steps = tk_get(test, TK_STR("steps")), step = tk_first(steps), last;
    struct tk_val params = tk_get(step, TK_STR("params"));
    struct tk_out out;

    if (!tk_exists(step) || !tk_text_is(tk_get(step, TK_STR("method")), TK_STR("stream.open")) ||
        tk_exists(tk_get(params, TK_STR("max_buffer"))) ||
        !tk_text_is(tk_get(params, TK_STR("stream")), TK_STR("s")))
        return false;
    ret->open = caller_request(c, TK_MSGPACK, "stream.open", params);
    tk_out_init(&out, &c->arena);
    for (step = tk_after(steps, step);; step = tk_after(steps, step)) {
        last = step;
        if (!tk_exists(step) || !put_feed(&out, step, &c->arena))
            break;
    }
    if (!tk_exists(last) || tk_exists(tk_after(steps, last)) ||
        !tk_text_is(tk_get(last, TK_STR("method")), TK_STR("stream.end")))
        return false;
    ret->bytes = tk_out_join(&out);
    ret->end = caller_request(c, TK_MSGPACK, "stream.end", tk_get(last, TK_STR("params")));
    return true;
}

/* ---- running ---- */

/* All outputs, then the outcome, as encoded. */
struct record {
    char *p;
    size_t n, room;
};

static void record(struct record *r, struct tk_str s)
{
    if (r->room - r->n < s.n) {
        r->room = 2 * r->room + s.n;
        r->p = realloc(r->p, r->room);
        if (!r->p)
            abort();
    }
    memcpy(r->p + r->n, s.p, s.n);
    r->n += s.n;
}

static bool record_call(struct caller *c, struct tk_str request, bool outcome, struct record *r)
{
    bool failed;
    struct tk_val result = caller_call(c, request, &failed);
    struct tk_val outputs = tk_get(result, TK_STR("outputs"));

    for (struct tk_val o = tk_first(outputs); tk_exists(o); o = tk_after(outputs, o))
        record(r, tk_span(o));
    for (struct tk_val m = tk_first(result); outcome && tk_exists(m); m = tk_after(result, m))
        if (!tk_key_is(m, TK_STR("outputs")))
            record(r, tk_span(m));
    return !failed && tk_text_is(tk_get(result, TK_STR("state")), TK_STR("open"));
}

/* Pieces of `size` bytes behind a first one. */
static void run(struct caller *c, const struct recorded *s, size_t first, size_t size,
                struct record *ret)
{
    struct record nothing = {NULL, 0, 0};
    bool open = record_call(c, s->open, false, &nothing);

    free(nothing.p);
    ret->n = 0;
    if (open)
        open = record_call(c, caller_feed(c, (struct tk_str){s->bytes.p, first}), false, ret);
    for (size_t at = first; open && at < s->bytes.n; at += size) {
        size_t n = s->bytes.n - at < size ? s->bytes.n - at : size;

        open = record_call(c, caller_feed(c, (struct tk_str){s->bytes.p + at, n}), false, ret);
    }
    record_call(c, s->end, true, ret);
    caller_forget(c);
}

static bool same(const struct record *a, const struct record *b)
{
    return a->n == b->n && memcmp(a->p, b->p, a->n) == 0;
}

/* The first cut that makes a difference; SIZE_MAX if none does. */
static size_t find_difference(struct caller *c, const struct recorded *s)
{
    size_t n = s->bytes.n, stride = n <= EVERY_BYTE ? 1 : STRIDE, found = SIZE_MAX;
    struct record whole = {NULL, 0, 0}, other = {NULL, 0, 0};

    run(c, s, n, 1, &whole);
    run(c, s, 0, 1, &other);
    if (!same(&whole, &other))
        found = n;
    for (size_t cut = 0; cut < n && found == SIZE_MAX; cut += stride) {
        run(c, s, cut, n, &other);
        if (!same(&whole, &other))
            found = cut;
    }
    free(whole.p);
    free(other.p);
    return found;
}

static void test_every_cut(void)
{
    struct tk_str text = read_cases();
    struct reading cases;
    struct caller asking, c;
    unsigned done = 0;

    reading_init(&cases);
    CU_ASSERT_EQUAL_FATAL(reading_json(&cases, text), 0);
    CU_ASSERT_TRUE_FATAL(caller_init(&asking, tk_libc_allocator));
    CU_ASSERT_TRUE_FATAL(caller_init(&c, tk_libc_allocator));
    for (struct tk_val v = tk_first(tk_root(&cases.doc)); tk_exists(v);
         v = tk_after(tk_root(&cases.doc), v)) {
        struct recorded s;
        size_t cut;

        if (!read_case(&asking, v, &s))
            continue;
        cut = find_difference(&c, &s);
        if (cut != SIZE_MAX) {
            struct tk_str name = tk_text(tk_get(v, TK_STR("name")), &cases.arena);

            printf("# %.*s, cut at %zu of %zu\n", (int)name.n, name.p, cut, s.bytes.n);
            CU_FAIL("a cut makes a difference");
        }
        caller_forget(&asking);
        done++;
    }
    printf("# %u streams\n", done);
    CU_ASSERT(done > 300);
    caller_done(&asking);
    caller_done(&c);
    CU_ASSERT_TRUE(reading_done(&cases));
    free((void *)(uintptr_t)text.p);
}

TAP_MAIN("stream_cuts", TAP_TEST(test_every_cut))
