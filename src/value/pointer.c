/* SPDX-License-Identifier: Apache-2.0 */
#include "value/pointer.h"

#include <inttypes.h>
#include <stdio.h>

void tk_pointer_put(struct tk_out *out, struct tk_str token)
{
    size_t start = 0;

    tk_out_put(out, "/", 1);
    for (size_t i = 0; i < token.n; i++) {
        if (token.p[i] != '~' && token.p[i] != '/')
            continue;
        tk_out_put(out, token.p + start, i - start);
        tk_out_put(out, token.p[i] == '~' ? "~0" : "~1", 2);
        start = i + 1;
    }
    if (token.n > start)
        tk_out_put(out, token.p + start, token.n - start);
}

void tk_pointer_put_index(struct tk_out *out, uint32_t index)
{
    char text[12];
    int n = snprintf(text, sizeof(text), "/%" PRIu32, index);

    tk_out_put(out, text, (size_t)n);
}

struct tk_str tk_pointer_add(struct tk_str pointer, struct tk_str token, struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    tk_out_put(&out, pointer.p, pointer.n);
    tk_pointer_put(&out, token);
    return tk_out_join(&out);
}

struct tk_str tk_pointer_of(struct tk_val v, struct tk_str prefix, struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    tk_out_put(&out, prefix.p, prefix.n);
    if (tk_exists(v)) {
        struct tk_val at = tk_root(v.doc);

        while (at.node != v.node) {
            struct tk_val child = tk_first(at);
            uint32_t index = 0;

            for (; tk_node(child)->next <= v.node; child = tk_after(at, child))
                index++;
            if (tk_is(at, TK_OBJECT))
                tk_pointer_put(&out, tk_key(child, arena));
            else
                tk_pointer_put_index(&out, index);
            at = child;
        }
    }
    return tk_out_join(&out);
}

/* Unescapes a token: ~1 to '/', ~0 to '~'. False for any other '~', and without memory. */
static bool unescape_token(struct tk_str *token, struct tk_arena *arena)
{
    char *text, *to;

    if (token->n == 0 || !memchr(token->p, '~', token->n))
        return true;
    text = to = tk_arena_alloc(arena, token->n);
    if (!text)
        return false;
    for (size_t i = 0; i < token->n; i++) {
        char c = token->p[i];

        if (c == '~') {
            if (++i == token->n || (token->p[i] != '0' && token->p[i] != '1'))
                return false;
            c = token->p[i] == '0' ? '~' : '/';
        }
        *to++ = c;
    }
    *token = (struct tk_str){text, (size_t)(to - text)};
    return true;
}

/* Returns the element of an array at the token's index. RFC 6901 allows no leading zeros. */
static struct tk_val element(struct tk_val array, struct tk_str token)
{
    uint32_t index = 0;
    struct tk_val e;

    if (token.n == 0 || (token.n > 1 && token.p[0] == '0'))
        return TK_NO_VAL;
    for (size_t i = 0; i < token.n; i++) {
        if (token.p[i] < '0' || token.p[i] > '9' || __builtin_mul_overflow(index, 10u, &index) ||
            __builtin_add_overflow(index, (uint32_t)(token.p[i] - '0'), &index))
            return TK_NO_VAL;
    }
    for (e = tk_first(array); tk_exists(e) && index > 0; index--)
        e = tk_after(array, e);
    return e;
}

struct tk_val tk_pointer_get(struct tk_val root, struct tk_str pointer, struct tk_arena *arena)
{
    struct tk_val at = root;
    const char *p = pointer.p, *end = pointer.n ? pointer.p + pointer.n : pointer.p;

    while (p != end && tk_exists(at)) {
        struct tk_str token;
        const char *slash;

        if (*p++ != '/')
            return TK_NO_VAL;
        slash = p == end ? NULL : memchr(p, '/', (size_t)(end - p));
        token = (struct tk_str){p, (size_t)((slash ? slash : end) - p)};
        p += token.n;
        if (!unescape_token(&token, arena))
            return TK_NO_VAL;
        at = tk_is(at, TK_OBJECT) ? tk_get(at, token) : element(at, token);
    }
    return at;
}
