/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A view of bytes that somebody else owns. It isn't NUL-terminated and may contain any byte. Where
 * a function can fail or find nothing, `.p == NULL` says so and `.n` is 0; an empty text has a `.p`.
 */
#ifndef TK_VALUE_STR_H
#define TK_VALUE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct tk_str {
    const char *p;
    size_t n;
};

/* TK_STR() for the tables: C wants constant expressions there, and a compound literal is none. */
#define TK_STR_INIT(lit)                                                                           \
    {                                                                                              \
        (lit), sizeof(lit) - 1                                                                     \
    }

/* A view of a string literal. */
#define TK_STR(lit) ((struct tk_str){(lit), sizeof(lit) - 1})

/* Returns a view of a C string, without its NUL; NULL gives an empty view with `.p == NULL`. */
static inline struct tk_str tk_str_of(const char *z)
{
    return (struct tk_str){z, z ? strlen(z) : 0};
}

/* Compares n > 0 bytes. Names are short: two loads that overlap are faster than a call. */
static inline bool tk_same_bytes(const char *a, const char *b, size_t n)
{
    uint64_t x[2], y[2];
    uint32_t v[2], w[2];

    if (n > 16 || n < 4)
        return memcmp(a, b, n) == 0;
    if (n < 8) {
        memcpy(&v[0], a, 4);
        memcpy(&v[1], a + n - 4, 4);
        memcpy(&w[0], b, 4);
        memcpy(&w[1], b + n - 4, 4);
        return v[0] == w[0] && v[1] == w[1];
    }
    memcpy(&x[0], a, 8);
    memcpy(&x[1], a + n - 8, 8);
    memcpy(&y[0], b, 8);
    memcpy(&y[1], b + n - 8, 8);
    return x[0] == y[0] && x[1] == y[1];
}

static inline bool tk_str_eq(struct tk_str a, struct tk_str b)
{
    return a.n == b.n && (a.n == 0 || tk_same_bytes(a.p, b.p, a.n));
}

static inline bool tk_str_is(struct tk_str a, const char *z)
{
    return tk_str_eq(a, tk_str_of(z));
}

static inline bool tk_str_ends(struct tk_str a, struct tk_str tail)
{
    return a.n >= tail.n && memcmp(a.p + a.n - tail.n, tail.p, tail.n) == 0;
}

static inline bool tk_str_starts(struct tk_str a, struct tk_str head)
{
    return a.n >= head.n && memcmp(a.p, head.p, head.n) == 0;
}

#endif
