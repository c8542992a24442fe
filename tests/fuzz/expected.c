/* SPDX-License-Identifier: Apache-2.0 */
#include "expected.h"

#include <string.h>

struct expected expected_of(const uint8_t *data, size_t size, size_t max_frame)
{
    if (size == 0)
        data = (const uint8_t *)""; /* NULL has no place after it, not even the same one */
    return (struct expected){data, size, 0, size > 0 && data[0] == '{', max_frame};
}

static struct tk_frame frame_of(enum tk_frame_kind kind, const uint8_t *bytes, size_t n)
{
    return (struct tk_frame){kind, kind == TK_FRAME_REQUEST ? bytes : NULL,
                             kind == TK_FRAME_REQUEST ? n : 0};
}

bool expected_is_blank(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i] != ' ' && bytes[i] != '\t' && bytes[i] != '\r')
            return false;
    return true;
}

static struct tk_frame expect_line(struct expected *e)
{
    while (e->at < e->size) {
        const uint8_t *line = e->data + e->at;
        const uint8_t *lf = memchr(line, '\n', e->size - e->at);
        size_t n = lf ? (size_t)(lf - line) : e->size - e->at;

        e->at += n + (lf != NULL);
        if (n > 0 && line[n - 1] == '\r')
            n--;
        if (n > e->max_frame)
            return frame_of(TK_FRAME_TOO_LARGE, NULL, 0);
        if (!expected_is_blank(line, n))
            return frame_of(TK_FRAME_REQUEST, line, n);
    }
    return frame_of(TK_FRAME_MORE, NULL, 0);
}

static struct tk_frame expect_frame(struct expected *e)
{
    const uint8_t *h = e->data + e->at;
    size_t left = e->size - e->at;
    uint64_t n;

    if (left < TK_FRAME_HEADER)
        return frame_of(TK_FRAME_MORE, NULL, 0);
    n = (uint64_t)h[0] << 24 | (uint64_t)h[1] << 16 | (uint64_t)h[2] << 8 | h[3];
    left -= TK_FRAME_HEADER;
    if (n <= e->max_frame && n > left)
        return frame_of(TK_FRAME_MORE, NULL, 0);
    e->at = n > left ? e->size : e->at + TK_FRAME_HEADER + (size_t)n;
    if (n == 0)
        return frame_of(TK_FRAME_EMPTY, NULL, 0);
    return frame_of(n > e->max_frame ? TK_FRAME_TOO_LARGE : TK_FRAME_REQUEST, h + TK_FRAME_HEADER,
                    (size_t)n);
}

struct tk_frame expect(struct expected *e)
{
    return e->lines ? expect_line(e) : expect_frame(e);
}
