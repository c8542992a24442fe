/* SPDX-License-Identifier: Apache-2.0 */
/* Writes seals of turns as they were received, and reads those that come with a request
 * (providers/seal_rules.h). */
#include <errno.h>

#include "providers/anthropic/request.h"
#include "providers/anthropic/seals/write.h"
#include "providers/anthropic/state.h"
#include "providers/anthropic/thinking/prefix_digest.h"
#include "shapes/read.h"

/* ---- writing ---- */

/* Writes digests of the thinking that the request carried. */
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

static int write_prefix(struct tk_writer *w, const struct tk_seal_input *in)
{
    struct tk_request_view request;
    struct tk_transcript t;
    struct tk_prefix prefix;
    struct tk_prefix_digests digests;
    int r = tk_transcript_read(&t, in->messages, &tk_shape_anthropic, in->arena, in->hash_key);

    if (r == 0)
        r = tk_anthropic_read_request(&request, in->request, in->arena);
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

/* Returns the digests of a content's blocks; NULL when out of memory. */
static struct tk_sealed_block *seal_content(const struct tk_seal_input *in, uint32_t *ret_count)
{
    struct tk_val content = in->content;
    bool string = tk_is(content, TK_STRING);
    uint32_t n = string ? tk_raw(content).n > 0 : tk_count(content), i = 0;
    struct tk_sealed_block *blocks = tk_arena_alloc(in->arena, n * sizeof(*blocks));

    *ret_count = n;
    if (blocks && string && n > 0)
        blocks[i] = tk_seal_block(content, in->arena);
    for (struct tk_val v = tk_first(content); blocks && tk_exists(v); v = tk_after(content, v))
        blocks[i++] = tk_seal_block(v, in->arena);
    return blocks;
}

static int write_seal(struct tk_writer *w, const struct tk_seal_input *in)
{
    uint32_t n = 0;
    struct tk_sealed_block *blocks = seal_content(in, &n);
    int r = blocks ? 0 : -ENOMEM;

    if (r < 0)
        return r;
    tk_seal_begin(w, blocks, n);
    if (tk_exists(in->request))
        r = write_prefix(w, in);
    if (in->with_blocks)
        write_blocks(w, in->content);
    tk_write_end(w);
    return r;
}

/* ---- reading ---- */

/* Marks seals of a turn that an earlier seal is of: only the first one counts. */
static int mark_repeated(struct tk_seals *s, const struct tk_transcript *t)
{
    struct tk_map turns;

    tk_map_init(&turns, t->arena, t->hash_key);
    for (uint32_t i = 0; i < s->count; i++) {
        bool is_new;

        if (!tk_map_put(
                &turns,
                (struct tk_str){(const char *)s->list[i].turn.bytes, sizeof(s->list[i].turn)},
                &is_new))
            return -ENOMEM;
        s->list[i].repeated = !is_new;
    }
    return 0;
}

static int read_seals(struct tk_judge *j, struct tk_val list, struct tk_seal_refusal *ret_refusal)
{
    struct tk_arena *arena = j->t->arena;
    struct tk_seals s = {.count = tk_count(list)};
    uint32_t n = 0;
    int r;

    s.list = tk_arena_alloc(arena, s.count * sizeof(*s.list));
    for (struct tk_val v = tk_first(list); s.list && tk_exists(v); v = tk_after(list, v)) {
        ret_refusal->fault = tk_seal_read(v, arena, &s.list[n++], &ret_refusal->at);
        if (tk_arena_failed(arena))
            return -ENOMEM;
        if (ret_refusal->fault != TK_SEAL_FINE)
            return TK_SEALS_REFUSED;
        if ((n & 255) == 0 && tk_judge_is_late(j))
            return -ECANCELED;
    }
    r = s.list ? mark_repeated(&s, j->t) : -ENOMEM;
    tk_anthropic(j)->seals = s;
    return r;
}

const struct tk_seal_rules tk_anthropic_seals = {
    .read = read_seals,
    .write = write_seal,
};
