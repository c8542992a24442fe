/* SPDX-License-Identifier: Apache-2.0 */
/* A view of bytes that somebody else owns. Never NUL-terminated, may hold any byte. */
#ifndef TK_VALUE_STR_H
#define TK_VALUE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct tk_str {
    const char *p;
    size_t n;
};

/* The same as an initializer in a table: a compound literal is no constant expression. */
#define TK_STR_INIT(lit)                                                                           \
    {                                                                                              \
        (lit), sizeof(lit) - 1                                                                     \
    }

/* From a literal. */
#define TK_STR(lit) ((struct tk_str){(lit), sizeof(lit) - 1})

static inline struct tk_str tk_str_of(const char *z)
{
    return (struct tk_str){z, z ? strlen(z) : 0};
}

static inline bool tk_str_eq(struct tk_str a, struct tk_str b)
{
    return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
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
