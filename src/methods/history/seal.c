/* SPDX-License-Identifier: Apache-2.0 */
/* seal: fingerprints of an assistant turn, as the end of a stream gives them (OPERATIONS.md C.2).
 */
#include <errno.h>

#include "methods/core/request.h"
#include "providers/anthropic/request.h"
#include "providers/anthropic/seals/make.h"
#include "providers/anthropic/thinking/prefix_digest.h"
#include "shapes/read.h"
#include "shapes/shape.h"

static int read_request(struct tk_request *rq, struct tk_transcript *ret,
                        struct tk_request_view *ret_view)
{
    int r = tk_transcript_read(ret, tk_param(&rq->params, TK_P_MESSAGES), &tk_shape_anthropic,
                               rq->arena, rq->hash_key);

    return r < 0 ? r
                 : tk_anthropic_read_request(ret_view, tk_param(&rq->params, TK_P_REQUEST),
                                             rq->arena);
}

/* The thinking that the request carried. */
static void write_carried(struct tk_writer *w, const struct tk_transcript *t)
{
    tk_write_key(w, "thinking");
    tk_write_list(w);
    for (uint32_t i = 0; i < t->part_count; i++) {
        struct tk_digest opaque;
        char hex[TK_SHA256_HEX];

        if (!(t->parts[i].flags & TK_PART_SIGNED))
            continue;
        opaque = tk_seal_opaque(tk_part_val(&t->parts[i], t->parts[i].node), t->arena);
        tk_digest_hex(&opaque, hex);
        tk_write_str(w, (struct tk_str){hex, sizeof(hex)});
    }
    tk_write_end(w);
}

static int write_prefix(struct tk_writer *w, struct tk_request *rq)
{
    struct tk_request_view request;
    struct tk_transcript t;
    struct tk_prefix prefix;
    struct tk_prefix_digests digests;
    int r = read_request(rq, &t, &request);

    if (r < 0)
        return r;
    tk_prefix_init(&prefix, &t, &request);
    for (uint32_t m = t.first_message; m != TK_NONE; m = t.messages[m].next)
        tk_prefix_add(&prefix, m);
    digests = tk_prefix_digests(&prefix);
    tk_write_key(w, "prefix");
    tk_write_map(w);
    tk_write_kv_digest(w, "system", &digests.system);
    tk_write_kv_digest(w, "tools", &digests.tools);
    if (digests.indeterminate)
        tk_write_kv_cstr(w, "messages", TK_INDETERMINATE);
    else
        tk_write_kv_digest(w, "messages", &digests.messages);
    write_carried(w, &t);
    tk_write_end(w);
    return 0;
}

static void write_blocks(struct tk_writer *w, struct tk_val content)
{
    tk_write_key(w, "content");
    if (tk_is(content, TK_ARRAY)) {
        tk_write_val(w, content);
        return;
    }
    tk_write_list(w);
    if (tk_raw(content).n > 0)
        tk_shape_anthropic.write_text(w, tk_span(content), (struct tk_str){0});
    tk_write_end(w);
}

/* Their digests; NULL without memory. */
static struct tk_sealed_block *seal_content(struct tk_request *rq, struct tk_val content,
                                            uint32_t *ret_count)
{
    bool string = tk_is(content, TK_STRING);
    uint32_t n = string ? tk_raw(content).n > 0 : tk_count(content), i = 0;
    struct tk_sealed_block *blocks = tk_arena_alloc(rq->arena, n * sizeof(*blocks));

    *ret_count = n;
    if (blocks && string && n > 0)
        blocks[i] = tk_seal_block(content, rq->arena);
    for (struct tk_val v = tk_first(content); blocks && tk_exists(v); v = tk_after(content, v))
        blocks[i++] = tk_seal_block(v, rq->arena);
    return blocks;
}

int tk_method_seal(struct tk_request *rq)
{
    struct tk_val content = tk_param(&rq->params, TK_P_CONTENT);
    uint32_t n = 0;
    struct tk_sealed_block *blocks = seal_content(rq, content, &n);
    struct tk_writer *w = tk_answer_begin_result(rq);
    int r = blocks ? 0 : -ENOMEM;

    if (r < 0)
        return r;
    tk_write_map(w);
    tk_write_key(w, "seal");
    tk_seal_begin(w, blocks, n);
    if (tk_exists(tk_param(&rq->params, TK_P_REQUEST)))
        r = write_prefix(w, rq);
    if (tk_param_bool(&rq->params, TK_P_BLOCKS))
        write_blocks(w, content);
    tk_write_end(w);
    tk_write_end(w);
    return r < 0 ? r : tk_answer_end(rq);
}
