/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/wire/eventstream.h"

#include "stream/wire/crc32.h"
#include "value/arena.h"

#define PRELUDE ((size_t)12)  /* both lengths and their checksum */
#define AROUND  (PRELUDE + 4) /* all but headers and payload */

static const char bad_prelude[] = "undecodable frame: prelude checksum";
static const char bad_frame[] = "undecodable frame: frame checksum";
static const char bad_length[] = "undecodable frame: frame length";
static const char bad_headers[] = "undecodable frame: headers";

void tk_eventstream_init(struct tk_eventstream *es, struct tk_memory *memory)
{
    *es = (struct tk_eventstream){.memory = memory};
}

void tk_eventstream_done(struct tk_eventstream *es)
{
    tk_grow_done(&es->held, es->memory);
}

void tk_eventstream_feed(struct tk_eventstream *es, struct tk_str chunk)
{
    es->at = chunk.n > 0 ? chunk.p : "";
    es->end = es->at + chunk.n;
}

/* ---- numbers ---- */

static uint32_t number(const char *p, size_t size)
{
    uint32_t n = 0;

    for (size_t i = 0; i < size; i++)
        n = n << 8 | (uint8_t)p[i];
    return n;
}

static char *put_number(char *to, uint32_t n, size_t size)
{
    for (size_t i = 0; i < size; i++)
        to[i] = (char)(n >> (8 * (size - 1 - i)));
    return to + size;
}

/* ---- headers ---- */

/* The headers that say what a frame is. */
enum header_id {
    MESSAGE_TYPE,
    EVENT_TYPE,
    EXCEPTION_TYPE,
    ERROR_CODE,
    ERROR_MESSAGE,
    HEADERS,
};

static const struct tk_str header_names[HEADERS] = {
    [MESSAGE_TYPE] = TK_STR_INIT(":message-type"),     [EVENT_TYPE] = TK_STR_INIT(":event-type"),
    [EXCEPTION_TYPE] = TK_STR_INIT(":exception-type"), [ERROR_CODE] = TK_STR_INIT(":error-code"),
    [ERROR_MESSAGE] = TK_STR_INIT(":error-message"),
};

/* The types of values: bytes of the value, or of the length before it. */
enum {
    BYTES = 6,
    STRING = 7,
    TYPES = 10,
};
static const uint8_t sizes[TYPES] = {0, 0, 1, 2, 4, 8, 2, 2, 8, 16};

/* Takes n bytes from the front. Returns false if there are fewer. */
static bool take(struct tk_str *rest, size_t n, struct tk_str *ret)
{
    if (rest->n < n)
        return false;
    *ret = (struct tk_str){rest->p, n};
    rest->p += n;
    rest->n -= n;
    return true;
}

static bool take_value(struct tk_str *rest, struct tk_str *ret, bool *ret_string)
{
    struct tk_str type;

    if (!take(rest, 1, &type) || (uint8_t)type.p[0] >= TYPES)
        return false;
    *ret_string = type.p[0] == STRING;
    if (!take(rest, sizes[(uint8_t)type.p[0]], ret))
        return false;
    if (type.p[0] != STRING && type.p[0] != BYTES)
        return true;
    return take(rest, number(ret->p, 2), ret);
}

/* Reads the headers that are known. Returns false if the bytes are no headers. */
static bool read_headers(struct tk_str rest, struct tk_str *ret)
{
    struct tk_str name, value;
    bool string;

    while (rest.n > 0) {
        if (!take(&rest, 1, &name) || !take(&rest, (uint8_t)name.p[0], &name) ||
            !take_value(&rest, &value, &string))
            return false;
        for (int i = 0; i < HEADERS && string; i++)
            if (tk_str_eq(name, header_names[i]))
                ret[i] = value;
    }
    return true;
}

/* The kinds of frames: the value of :message-type, and the headers of name and message. */
static const struct {
    struct tk_str type;
    uint8_t name;
} kinds[] = {
    [TK_FRAME_EVENT] = {TK_STR_INIT("event"), EVENT_TYPE},
    [TK_FRAME_EXCEPTION] = {TK_STR_INIT("exception"), EXCEPTION_TYPE},
    [TK_FRAME_ERROR] = {TK_STR_INIT("error"), ERROR_CODE},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* ---- reading ---- */

static int broken(struct tk_eventstream *es, const char *why)
{
    es->broken = why;
    return TK_WIRE_BROKEN;
}

/* Reads a whole frame whose prelude is good. */
static int read_frame(struct tk_eventstream *es, struct tk_str bytes, struct tk_wire_frame *ret)
{
    struct tk_str headers[HEADERS] = {{NULL, 0}};
    size_t n = number(bytes.p + 4, 4), kind = 0;

    if (tk_crc32((struct tk_str){bytes.p, bytes.n - 4}) != number(bytes.p + bytes.n - 4, 4))
        return broken(es, bad_frame);
    if (!read_headers((struct tk_str){bytes.p + PRELUDE, n}, headers))
        return broken(es, bad_headers);
    while (kind < KINDS && !tk_str_eq(headers[MESSAGE_TYPE], kinds[kind].type))
        kind++;
    if (kind == KINDS || !headers[kinds[kind].name].p)
        return broken(es, bad_headers);
    *ret = (struct tk_wire_frame){
        .kind = (uint8_t)kind,
        .name = headers[kinds[kind].name],
        .data = {bytes.p + PRELUDE + n, bytes.n - AROUND - n},
    };
    if (kind == TK_FRAME_ERROR)
        ret->data = headers[ERROR_MESSAGE].p ? headers[ERROR_MESSAGE] : TK_STR("");
    return TK_WIRE_FRAME;
}

/* Returns the bytes of the frame that begins with a prelude; 0 if that is broken. */
static size_t frame_size(struct tk_eventstream *es, const char *prelude)
{
    size_t total = number(prelude, 4), headers = number(prelude + 4, 4);

    if (tk_crc32((struct tk_str){prelude, PRELUDE - 4}) != number(prelude + 8, 4))
        es->broken = bad_prelude;
    else if (headers > TK_EVENTSTREAM_HEADERS || total < AROUND + headers ||
             total - AROUND - headers > TK_EVENTSTREAM_PAYLOAD)
        es->broken = bad_length;
    return es->broken ? 0 : total;
}

/* Copies bytes of the chunk until `held` has `want`. Returns 1 if it has them, 0 or -ENOMEM. */
static int hold(struct tk_eventstream *es, size_t want)
{
    size_t left = (size_t)(es->end - es->at), n = want - es->held.n;
    int r;

    if (n > left)
        n = left;
    r = tk_grow_put(&es->held, es->memory, (struct tk_str){es->at, n});
    es->at += n;
    return r < 0 ? r : es->held.n == want;
}

/* Reads a frame that is not whole in the chunk. */
static int next_held(struct tk_eventstream *es, struct tk_wire_frame *ret)
{
    size_t size;
    int r = es->held.n < PRELUDE ? hold(es, PRELUDE) : 1;

    if (r <= 0)
        return r;
    size = frame_size(es, es->held.p);
    if (size == 0)
        return TK_WIRE_BROKEN;
    r = hold(es, size);
    if (r <= 0)
        return r;
    es->read = true;
    return read_frame(es, tk_grow_str(&es->held), ret);
}

static int next(struct tk_eventstream *es, struct tk_wire_frame *ret)
{
    size_t left = (size_t)(es->end - es->at), size;
    int r;

    if (es->held.n > 0 || left < PRELUDE)
        return next_held(es, ret);
    size = frame_size(es, es->at);
    if (size == 0)
        return TK_WIRE_BROKEN;
    if (left < size)
        return next_held(es, ret);
    r = read_frame(es, (struct tk_str){es->at, size}, ret);
    es->at += size;
    ret->in_chunk = true;
    return r;
}

int tk_eventstream_next(struct tk_eventstream *es, struct tk_wire_frame *ret)
{
    int r;

    do {
        if (es->read)
            tk_grow_reset(&es->held, es->memory);
        es->read = false;
        r = next(es, ret);
    } while (r == TK_WIRE_FRAME && ret->kind == TK_FRAME_EVENT &&
             tk_str_is(ret->name, "initial-response"));
    return r;
}

/* ---- writing ---- */

static size_t header_size(struct tk_str name, struct tk_str value)
{
    return 1 + name.n + 1 + 2 + value.n;
}

static char *put(char *to, struct tk_str s)
{
    if (s.n > 0)
        memcpy(to, s.p, s.n);
    return to + s.n;
}

static char *put_header(char *to, struct tk_str name, struct tk_str value)
{
    to = put(put_number(to, (uint32_t)name.n, 1), name);
    *to++ = STRING;
    return put(put_number(to, (uint32_t)value.n, 2), value);
}

struct tk_str tk_eventstream_write(enum tk_wire_frame_kind kind, struct tk_str name,
                                   struct tk_str payload, struct tk_arena *arena)
{
    struct header_row {
        struct tk_str name, value;
    } rows[] = {
        {header_names[kinds[kind].name], name},
        {TK_STR(":content-type"), TK_STR("application/json")},
        {header_names[MESSAGE_TYPE], kinds[kind].type},
    };
    size_t headers = 0, total;
    char *frame, *at;

    if (kind == TK_FRAME_ERROR) {
        rows[1] = (struct header_row){header_names[ERROR_MESSAGE], payload};
        payload = TK_STR("");
    }
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        headers += header_size(rows[i].name, rows[i].value);
    total = AROUND + headers + payload.n;
    frame = tk_arena_alloc(arena, total);
    if (!frame)
        return (struct tk_str){NULL, 0};
    put_number(put_number(frame, (uint32_t)total, 4), (uint32_t)headers, 4);
    at = put_number(frame + 8, tk_crc32((struct tk_str){frame, 8}), 4);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        at = put_header(at, rows[i].name, rows[i].value);
    at = put(at, payload);
    put_number(at, tk_crc32((struct tk_str){frame, total - 4}), 4);
    return (struct tk_str){frame, total};
}
