/* SPDX-License-Identifier: Apache-2.0 */
#include "net/frame.h"

#include <string.h>

/* The input of one step. */
struct offer {
    const uint8_t *bytes;
    size_t n;
    bool eof;
    uint64_t max_frame;
};

static size_t min_size(uint64_t a, size_t b)
{
    return a < b ? (size_t)a : b;
}

static size_t step_start(struct tk_framer *f, const struct offer *in, struct tk_frame *frame)
{
    (void)frame;
    if (in->n == 0)
        return 0;
    f->framing = in->bytes[0] == '{' ? &tk_framing_line : &tk_framing_length;
    f->state = f->framing->next;
    return 0;
}

/* Chooses the next state for the announced length. */
static void announce(struct tk_framer *f, uint64_t length, uint64_t max_frame,
                     struct tk_frame *frame)
{
    if (length == 0) {
        frame->kind = TK_FRAME_EMPTY;
        return;
    }
    f->left = length;
    f->state = TK_FRAMER_BODY;
    if (length > max_frame) {
        f->state = TK_FRAMER_SKIP;
        frame->kind = TK_FRAME_TOO_LARGE;
    }
}

static size_t step_header(struct tk_framer *f, const struct offer *in, struct tk_frame *frame)
{
    size_t take = min_size(TK_FRAME_HEADER - (uint64_t)f->header_size, in->n);
    const uint8_t *h = f->header;

    if (take == 0)
        return 0;
    memcpy(f->header + f->header_size, in->bytes, take);
    f->header_size = (uint8_t)(f->header_size + take);
    if (f->header_size == TK_FRAME_HEADER) {
        f->header_size = 0;
        announce(f, (uint64_t)h[0] << 24 | (uint64_t)h[1] << 16 | (uint64_t)h[2] << 8 | h[3],
                 in->max_frame, frame);
    }
    return take;
}

static size_t step_body(struct tk_framer *f, const struct offer *in, struct tk_frame *frame)
{
    if (in->n < f->left)
        return 0;
    *frame = (struct tk_frame){TK_FRAME_REQUEST, in->bytes, (size_t)f->left};
    f->state = f->framing->next;
    return frame->size;
}

static size_t step_skip(struct tk_framer *f, const struct offer *in, struct tk_frame *frame)
{
    size_t take = min_size(f->left, in->n);

    (void)frame;
    f->left -= take;
    if (f->left == 0)
        f->state = f->framing->next;
    return take;
}

static bool is_blank(const uint8_t *line, size_t n)
{
    while (n > 0 && (line[n - 1] == ' ' || line[n - 1] == '\t' || line[n - 1] == '\r'))
        n--;
    return n == 0;
}

/* Returns a line as a request, without its LF and a CR before that. Blank lines are ignored. */
static void take_line(const struct offer *in, const uint8_t *line, size_t n, struct tk_frame *frame)
{
    if (n > 0 && line[n - 1] == '\r')
        n--;
    if (n > in->max_frame)
        frame->kind = TK_FRAME_TOO_LARGE;
    else if (!is_blank(line, n))
        *frame = (struct tk_frame){TK_FRAME_REQUEST, line, n};
}

/* Waits for the end of a line, or gives up one that is too long already. A final CR may belong to
 * a CR LF, so it may exceed max_frame by one. */
static size_t wait_line(struct tk_framer *f, const uint8_t *line, size_t n, uint64_t max_frame,
                        struct tk_frame *frame)
{
    f->scanned = n;
    if (n <= max_frame || (n == max_frame + 1 && line[n - 1] == '\r'))
        return 0;
    frame->kind = TK_FRAME_TOO_LARGE;
    tk_framer_skip(f, n);
    return n;
}

static size_t step_line(struct tk_framer *f, const struct offer *in, struct tk_frame *frame)
{
    size_t used = 0;

    while (frame->kind == TK_FRAME_MORE && used < in->n) {
        const uint8_t *line = in->bytes + used;
        size_t n = in->n - used;
        const uint8_t *lf = memchr(line + f->scanned, '\n', n - f->scanned);

        if (!lf && !in->eof)
            return used + wait_line(f, line, n, in->max_frame, frame);
        if (lf)
            n = (size_t)(lf - line);
        f->scanned = 0;
        take_line(in, line, n, frame);
        used += n + (lf != NULL);
    }
    return used;
}

static size_t step_skip_line(struct tk_framer *f, const struct offer *in, struct tk_frame *frame)
{
    const uint8_t *lf = in->n > 0 ? memchr(in->bytes, '\n', in->n) : NULL;

    (void)frame;
    if (lf || in->eof)
        f->state = f->framing->next;
    return lf ? (size_t)(lf - in->bytes) + 1 : in->n;
}

typedef size_t step(struct tk_framer *f, const struct offer *in, struct tk_frame *frame);

static step *const steps[TK_FRAMER_STATES] = {
    [TK_FRAMER_START] = step_start, [TK_FRAMER_HEADER] = step_header,
    [TK_FRAMER_BODY] = step_body,   [TK_FRAMER_SKIP] = step_skip,
    [TK_FRAMER_LINE] = step_line,   [TK_FRAMER_SKIP_LINE] = step_skip_line,
};

size_t tk_framer_next(struct tk_framer *f, const uint8_t *bytes, size_t n, bool eof,
                      uint64_t max_frame, struct tk_frame *ret_frame)
{
    struct tk_frame frame = {.kind = TK_FRAME_MORE};
    enum tk_framer_state before;
    size_t used = 0;

    do {
        struct offer in = {bytes + used, n - used, eof, max_frame};

        before = f->state;
        used += steps[before](f, &in, &frame);
    } while (frame.kind == TK_FRAME_MORE && f->state != before);
    *ret_frame = frame;
    return used;
}

void tk_framer_skip(struct tk_framer *f, size_t kept)
{
    if (f->state == TK_FRAMER_BODY) {
        f->left -= kept;
        f->state = TK_FRAMER_SKIP;
    } else if (f->state == TK_FRAMER_LINE) {
        f->scanned = 0;
        f->state = TK_FRAMER_SKIP_LINE;
    }
}

size_t tk_framer_body(const struct tk_framer *f)
{
    return f->state == TK_FRAMER_BODY ? (size_t)f->left : 0;
}

bool tk_framer_midway(const struct tk_framer *f)
{
    return f->state == TK_FRAMER_BODY || f->state == TK_FRAMER_SKIP ||
           f->state == TK_FRAMER_SKIP_LINE || f->header_size > 0 || f->scanned > 0;
}

/* ---- framings ---- */

static size_t write_length(uint8_t to[TK_FRAME_HEADER], size_t size)
{
    to[0] = (uint8_t)(size >> 24);
    to[1] = (uint8_t)(size >> 16);
    to[2] = (uint8_t)(size >> 8);
    to[3] = (uint8_t)size;
    return TK_FRAME_HEADER;
}

static size_t write_nothing(uint8_t to[TK_FRAME_HEADER], size_t size)
{
    (void)to;
    (void)size;
    return 0;
}

const struct tk_framing tk_framing_length = {
    .next = TK_FRAMER_HEADER,
    .head = write_length,
    .tail = "",
};

const struct tk_framing tk_framing_line = {
    .next = TK_FRAMER_LINE,
    .json_only = true,
    .head = write_nothing,
    .tail = "\n",
    .tail_size = 1,
};

const struct tk_framing *tk_framer_framing(const struct tk_framer *f)
{
    return f->framing ? f->framing : &tk_framing_length;
}
