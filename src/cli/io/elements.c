/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/elements.h"

#include "cli/io/reading.h"

#include <errno.h>

static int add(struct cli_buf *buf, struct tk_str s)
{
    return cli_buf_add(buf, s.p, s.n);
}

int cli_elements_join(struct cli_buf *ret, struct tk_str text)
{
    const char *p = text.p, *end = text.p + text.n;
    const char *before = "[";
    int r = cli_buf_reserve(ret, text.n + 2);

    while (p < end && r == 0) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        const char *next = lf ? lf + 1 : end;
        struct tk_str line = {p, (size_t)(next - p)};

        if (!cli_is_blank_line(line)) {
            r = cli_buf_add(ret, before, 1);
            before = ",";
        }
        if (r == 0)
            r = add(ret, line);
        p = next;
    }
    return r < 0 ? r : cli_buf_add(ret, "]", 1);
}

/* Adds the bytes between two elements without the comma, and a line feed if they have none. */
static int add_between(struct cli_buf *ret, struct tk_str between)
{
    const char *comma = memchr(between.p, ',', between.n);
    struct tk_str a = {between.p, (size_t)(comma - between.p)};
    struct tk_str b = {comma + 1, between.n - a.n - 1};
    int r = add(ret, a);

    if (r == 0)
        r = add(ret, b);
    if (r == 0 && !memchr(between.p, '\n', between.n))
        r = cli_buf_add(ret, "\n", 1);
    return r;
}

int cli_elements_split(struct cli_buf *ret, struct tk_val list)
{
    struct tk_str all = tk_span(list);
    const char *at = all.p + 1;
    int r = 0;

    for (struct tk_val v = tk_first(list); tk_exists(v) && r == 0; v = tk_after(list, v)) {
        struct tk_str element = tk_span(v), between = {at, (size_t)(element.p - at)};

        r = v.node == list.node + 1 ? add(ret, between) : add_between(ret, between);
        if (r == 0)
            r = add(ret, element);
        at = element.p + element.n;
    }
    return r < 0 ? r : add(ret, (struct tk_str){at, (size_t)(all.p + all.n - 1 - at)});
}
