/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/seals/read.h"

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a digest: lower-case hex, nothing else. */
static bool read_digest(struct tk_val v, struct tk_arena *arena, struct tk_digest *ret)
{
    struct tk_str hex = tk_text(v, arena);

    if (hex.n != TK_SHA256_HEX)
        return false;
    for (size_t i = 0; i < sizeof(ret->bytes); i++) {
        int high = digit(hex.p[2 * i]), low = digit(hex.p[2 * i + 1]);

        if (high < 0 || low < 0)
            return false;
        ret->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

/* ---- blocks ---- */

static bool is_string_or_absent(struct tk_val v)
{
    return !tk_exists(v) || tk_is(v, TK_STRING);
}

static enum tk_seal_fault read_block(struct tk_val v, struct tk_arena *arena,
                                     struct tk_sealed_block *ret)
{
    static const struct tk_str names[] = {TK_STR_INIT("type"), TK_STR_INIT("digest"),
                                          TK_STR_INIT("id"), TK_STR_INIT("opaque"),
                                          TK_STR_INIT("text")};
    struct tk_val m[5];

    tk_pick(v, names, 5, m);
    if (!tk_is(m[0], TK_STRING) || !tk_is(m[1], TK_STRING) || !is_string_or_absent(m[2]) ||
        !is_string_or_absent(m[3]) || !is_string_or_absent(m[4]))
        return TK_SEAL_BLOCK;
    *ret = (struct tk_sealed_block){
        .type = tk_text(m[0], arena),
        .id = tk_text(m[2], arena),
        .has_opaque = tk_exists(m[3]),
        .has_text = tk_exists(m[4]),
    };
    if (!read_digest(m[1], arena, &ret->block) ||
        (ret->has_opaque && !read_digest(m[3], arena, &ret->opaque)) ||
        (ret->has_text && !read_digest(m[4], arena, &ret->text)))
        return TK_SEAL_INVALID;
    return TK_SEAL_FINE;
}

static enum tk_seal_fault read_blocks(struct tk_val list, struct tk_arena *arena,
                                      struct tk_given_seal *ret, struct tk_val *ret_blamed)
{
    enum tk_seal_fault fault = TK_SEAL_FINE;
    uint32_t n = 0;

    ret->count = tk_count(list);
    ret->blocks = tk_arena_alloc(arena, ret->count * sizeof(*ret->blocks));
    for (struct tk_val v = tk_first(list); ret->blocks && tk_exists(v); v = tk_after(list, v)) {
        enum tk_seal_fault now = read_block(v, arena, &ret->blocks[n++]);

        if (now == TK_SEAL_BLOCK) {
            *ret_blamed = v;
            return now;
        }
        fault = fault == TK_SEAL_FINE ? now : fault;
    }
    return fault;
}

static bool agrees(const struct tk_sealed_block *a, const struct tk_sealed_block *b)
{
    return tk_str_eq(a->type, b->type) && tk_digest_eq(&a->block, &b->block) &&
           tk_str_eq(a->id, b->id) && a->has_opaque == b->has_opaque &&
           (!a->has_opaque || tk_digest_eq(&a->opaque, &b->opaque)) && a->has_text == b->has_text &&
           (!a->has_text || tk_digest_eq(&a->text, &b->text));
}

static bool content_agrees(const struct tk_given_seal *s, struct tk_arena *arena)
{
    uint32_t n = 0;

    for (struct tk_val v = tk_first(s->content); tk_exists(v); v = tk_after(s->content, v)) {
        struct tk_sealed_block block;

        if (n == s->count)
            return false;
        block = tk_seal_block(v, arena);
        if (!agrees(&block, &s->blocks[n++]))
            return false;
    }
    return !tk_exists(s->content) || n == s->count;
}

/* ---- the prefix ---- */

static bool read_carried(struct tk_val list, struct tk_arena *arena, struct tk_given_seal *ret)
{
    uint32_t n = 0;

    ret->thinking_count = tk_count(list);
    ret->thinking = tk_arena_alloc(arena, ret->thinking_count * sizeof(*ret->thinking));
    for (struct tk_val v = tk_first(list); ret->thinking && tk_exists(v); v = tk_after(list, v))
        if (!read_digest(v, arena, &ret->thinking[n++]))
            return false;
    return true;
}

static bool read_prefix(struct tk_val prefix, struct tk_arena *arena, struct tk_given_seal *ret)
{
    static const struct tk_str names[] = {TK_STR_INIT("system"), TK_STR_INIT("tools"),
                                          TK_STR_INIT("messages"), TK_STR_INIT("thinking")};
    struct tk_val m[4];

    if (!tk_exists(prefix))
        return true;
    tk_pick(prefix, names, 4, m);
    ret->has_prefix = true;
    ret->has_system = tk_exists(m[0]);
    ret->has_tools = tk_exists(m[1]);
    ret->has_messages = tk_exists(m[2]) && !tk_text_is(m[2], TK_STR(TK_INDETERMINATE));
    return (!ret->has_system || read_digest(m[0], arena, &ret->system)) &&
           (!ret->has_tools || read_digest(m[1], arena, &ret->tools)) &&
           (!ret->has_messages || read_digest(m[2], arena, &ret->messages)) &&
           read_carried(m[3], arena, ret);
}

/* ---- the seal ---- */

static bool is_supported(struct tk_val seal)
{
    int64_t v;

    return tk_int64(tk_get(seal, TK_STR("v")), &v) && v == 1 &&
           tk_text_is(tk_get(seal, TK_STR("alg")), TK_STR("sha256"));
}

static bool agrees_with_itself(struct tk_val seal, struct tk_arena *arena,
                               struct tk_given_seal *ret)
{
    struct tk_digest turn = tk_seal_turn(ret->blocks, ret->count);

    return read_digest(tk_get(seal, TK_STR("turn")), arena, &ret->turn) &&
           tk_digest_eq(&turn, &ret->turn) && content_agrees(ret, arena);
}

enum tk_seal_fault tk_seal_read(struct tk_val entry, struct tk_arena *arena,
                                struct tk_given_seal *ret, struct tk_val *ret_blamed)
{
    struct tk_val seal = tk_get(entry, TK_STR("seal"));
    enum tk_seal_fault fault;
    int64_t index = 0;

    *ret = (struct tk_given_seal){.content = tk_get(seal, TK_STR("content"))};
    *ret_blamed = seal;
    if (!is_supported(seal))
        return TK_SEAL_UNSUPPORTED;
    fault = read_blocks(tk_get(seal, TK_STR("blocks")), arena, ret, ret_blamed);
    if (fault != TK_SEAL_FINE || tk_arena_failed(arena))
        return fault;
    if (!agrees_with_itself(seal, arena, ret) ||
        !read_prefix(tk_get(seal, TK_STR("prefix")), arena, ret))
        return TK_SEAL_INVALID;
    ret->has_index = tk_int64(tk_get(entry, TK_STR("message_index")), &index);
    ret->index = (uint32_t)index;
    ret->restore = !tk_is(tk_get(entry, TK_STR("restore")), TK_FALSE);
    return TK_SEAL_FINE;
}
