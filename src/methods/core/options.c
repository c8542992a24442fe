/* SPDX-License-Identifier: Apache-2.0 */
#include "methods/core/options.h"

#include <errno.h>
#include <string.h>

/* Returns the size of a struct whose last member is `member`. */
#define SIZE_UP_TO(type, member) (offsetof(type, member) + sizeof(((type *)NULL)->member))

/* The structs as the first release with sizes has them. */
#define FIRST_OPTIONS      SIZE_UP_TO(tk_options, max_streams)
#define FIRST_CALL_OPTIONS SIZE_UP_TO(tk_call_options, flags)

static bool are_zero(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (bytes[i] != 0)
            return false;
    }
    return true;
}

/* Copies a struct that begins with its size into `known` bytes. Returns 0 or -EINVAL. */
static int copy(const void *from, size_t first, void *to, size_t known)
{
    size_t size;

    memset(to, 0, known);
    if (!from)
        return 0;
    memcpy(&size, from, sizeof(size));
    if (size < first)
        return -EINVAL;
    if (size > known && !are_zero((const unsigned char *)from + known, size - known))
        return -EINVAL;
    memcpy(to, from, size < known ? size : known);
    return 0;
}

int tk_read_options(const tk_options *options, tk_options *ret)
{
    return copy(options, FIRST_OPTIONS, ret, sizeof(*ret));
}

int tk_read_call_options(const tk_call_options *options, tk_call_options *ret)
{
    int r = copy(options, FIRST_CALL_OPTIONS, ret, sizeof(*ret));

    return r == 0 && (ret->flags & ~TK_CALL_JSON_ONLY) != 0 ? -EINVAL : r;
}
