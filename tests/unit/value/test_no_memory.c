/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sweep: each function that needs memory is called again and again, the first time with its
 * first allocation failing, then its second and so on, until it succeeds. Each time the answer has
 * to be -ENOMEM or a failed arena, and no memory may be left.
 */
#include "../documents.h"
#include "../tap.h"
#include "value/compact.h"
#include "value/pointer.h"
#include "value/writer.h"

#include <errno.h>
#include <stdlib.h>

/* Does its work; 0 or -ENOMEM. */
typedef int (*work_fn)(struct reading *r, struct tk_str input);

static void sweep(work_fn work, struct tk_str input)
{
    size_t fail_at = 1;
    int result = -ENOMEM;

    for (; result != 0 && fail_at < 10000; fail_at++) {
        struct reading r;

        reading_init(&r);
        r.memory.fail_at = fail_at;
        result = work(&r, input);
        if (result != 0 && result != -ENOMEM)
            CU_FAIL_FATAL("neither success nor -ENOMEM");
        CU_ASSERT_TRUE(reading_done(&r));
    }
    CU_ASSERT_EQUAL(result, 0);
    CU_ASSERT(fail_at > 2); /* something was allocated at all */
}

static int read_it(struct reading *r, struct tk_str input)
{
    int result = tk_doc_read(&r->doc, input.p, input.n, &r->limits, &r->arena, &r->error);

    if (result == -ENOMEM)
        CU_ASSERT_EQUAL(r->doc.count, 0);
    return result;
}

/* A refusal needs memory for its pointer. */
static int be_refused(struct reading *r, struct tk_str input)
{
    int result = read_it(r, input);

    CU_ASSERT(result != 0);
    return result > 0 ? 0 : result;
}

/* All that writes, in both codecs. */
static int write_it(struct reading *r, struct tk_str input)
{
    struct tk_out out;
    struct tk_writer w;
    struct tk_str joined;
    int result = read_it(r, input);

    if (result != 0)
        return result;
    for (int codec = TK_JSON; codec <= TK_MSGPACK; codec++) {
        tk_out_init(&out, &r->arena);
        tk_writer_init(&w, (enum tk_codec)codec, &out);
        tk_write_map(&w);
        for (int i = 0; i < 200; i++) {
            tk_write_key_str(&w, tk_arena_printf(&r->arena, "key\n%d", i));
            tk_write_list(&w);
            tk_write_strf(&w, "%080d", i);
            tk_write_real(&w, i / 7.0);
            tk_write_end(&w);
        }
        tk_write_key(&w, "any");
        tk_write_any(&w, tk_root(&r->doc));
        tk_write_end(&w);
        joined = tk_out_join(&out);
        CU_ASSERT_EQUAL(joined.p == NULL, joined.n == 0);
    }
    tk_out_init(&out, &r->arena);
    tk_compact_json(&out, tk_root(&r->doc), NULL);
    for (uint32_t i = 0; i < r->doc.count; i += 7) {
        struct tk_str p = tk_pointer_of((struct tk_val){&r->doc, i}, TK_STR("/p~q"), &r->arena);

        tk_pointer_get(tk_root(&r->doc), p, &r->arena);
    }
    return tk_arena_failed(&r->arena) ? -ENOMEM : 0;
}

/* ---- inputs ---- */

static struct tk_str many_members(bool escaped, bool twice)
{
    size_t room = 40000, at = 0;
    char *text = malloc(room);

    at += (size_t)snprintf(text, room, "{");
    for (int i = 0; i < 1000; i++)
        at += (size_t)snprintf(text + at, room - at, "%s\"%sey %d\":[%d]", i > 0 ? "," : "",
                               escaped ? "\\u006b" : "k", i, i);
    at += (size_t)snprintf(text + at, room - at, twice ? ",\"key 500\":1}" : "}");
    return (struct tk_str){text, at};
}

static void test_reading(void)
{
    for (int i = 0; i < 4; i++) {
        struct tk_str text = many_members((i & 1) != 0, (i & 2) != 0);

        sweep(i & 2 ? be_refused : read_it, text);
        free((void *)(uintptr_t)text.p);
    }
    sweep(be_refused, TK_STR("{\"a\":[[{\"\\u0062\\n\":[1,2,[tru]]}]]}"));
    sweep(be_refused, TK_STR("\x81\xa1"
                             "a\x91\x91\xc1"));
}

static void test_writing(void)
{
    struct tk_str text = many_members(true, false);
    uint64_t seed = 5;

    sweep(write_it, text);
    free((void *)(uintptr_t)text.p);
    sweep(write_it,
          TK_STR("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[{\"\\n\":1}]]]]]]]]]]]]]]]]]]]"
                 "]]]]]]]]]]]]]]]]]]]]]]]"));
    for (int i = 0; i < 40; i++) {
        struct tk_arena arena;

        tk_arena_init(&arena, tk_libc_allocator);
        text = i % 2 ? generate_json(&seed, &arena) : generate_msgpack(&seed, &arena);
        if (text.n > 2) {
            enum tk_codec codec;

            if (tk_codec_of(text.p, text.n, &codec)) /* a container, and not a scalar */
                sweep(write_it, text);
        }
        tk_arena_done(&arena);
    }
}

TAP_MAIN("no_memory", TAP_TEST(test_reading), TAP_TEST(test_writing))
