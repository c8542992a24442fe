/* SPDX-License-Identifier: Apache-2.0 */
#include "stream/wire/json_array.h"

#include <errno.h>

/* Bytes that may come next, apart from white space. */
enum {
    START,  /* [ or an object */
    FIRST,  /* an object or ] */
    VALUE,  /* an object */
    OBJECT, /* the rest of one */
    NEXT,   /* a comma or ] */
    OVER,   /* nothing */
    STATES,
};

/* One row a byte that may come in a state, and the state after it. */
static const struct {
    uint8_t state;
    char byte;
    uint8_t then;
} moves[] = {
    {START, '[', FIRST},  {START, '{', OBJECT}, {FIRST, '{', OBJECT}, {FIRST, ']', OVER},
    {VALUE, '{', OBJECT}, {NEXT, ',', VALUE},   {NEXT, ']', OVER},
};
#define MOVES (sizeof(moves) / sizeof(moves[0]))

void tk_json_array_init(struct tk_json_array *a, struct tk_memory *memory)
{
    *a = (struct tk_json_array){.memory = memory};
}

void tk_json_array_done(struct tk_json_array *a)
{
    tk_grow_done(&a->held, a->memory);
}

void tk_json_array_feed(struct tk_json_array *a, struct tk_str chunk)
{
    a->at = chunk.n > 0 ? chunk.p : "";
    a->end = a->at + chunk.n;
}

/* Takes one byte of an object. Returns true if it is the last one. */
static bool ends_object(struct tk_json_array *a, char c)
{
    if (a->inside) {
        if (a->escaped)
            a->escaped = false;
        else if (c == '\\')
            a->escaped = true;
        else if (c == '"')
            a->inside = false;
        return false;
    }
    if (c == '"')
        a->inside = true;
    else if (c == '{' || c == '[')
        a->depth++;
    else if ((c == '}' || c == ']') && --a->depth == 0)
        return true;
    return false;
}

/* Reads on in an object. */
static int read_object(struct tk_json_array *a, struct tk_wire_frame *ret)
{
    const char *from = a->at;
    bool whole = false;
    struct tk_str piece;

    while (a->at < a->end && !whole)
        whole = ends_object(a, *a->at++);
    piece = (struct tk_str){from, (size_t)(a->at - from)};
    if (whole && a->held.n == 0) {
        *ret = (struct tk_wire_frame){.data = piece, .in_chunk = true};
    } else {
        if (tk_grow_put(&a->held, a->memory, piece) < 0)
            return -ENOMEM;
        a->read = whole;
        *ret = (struct tk_wire_frame){.data = tk_grow_str(&a->held)};
    }
    if (whole)
        a->state = a->alone ? OVER : NEXT;
    return whole;
}

/* Takes one byte between objects. Returns TK_WIRE_FRAME for the end of the array, 0 or
 * TK_WIRE_BROKEN. */
static int read_between(struct tk_json_array *a, struct tk_wire_frame *ret)
{
    char c = *a->at;
    size_t i = 0;

    if (strchr(" \t\r\n", c) && c) {
        a->at++;
        return 0;
    }
    while (i < MOVES && (moves[i].state != a->state || moves[i].byte != c))
        i++;
    if (i == MOVES) {
        a->broken = "undecodable frame: no JSON array of objects";
        return TK_WIRE_BROKEN;
    }
    a->alone = a->alone || (a->state == START && c == '{');
    a->state = moves[i].then;
    if (a->state != OBJECT) /* its first byte is the object's */
        a->at++;
    if (a->state != OVER)
        return 0;
    *ret = (struct tk_wire_frame){.kind = TK_FRAME_END, .data = TK_STR("]"), .in_chunk = true};
    return TK_WIRE_FRAME;
}

int tk_json_array_next(struct tk_json_array *a, struct tk_wire_frame *ret)
{
    int r = 0;

    if (a->read)
        tk_grow_reset(&a->held, a->memory);
    a->read = false;
    while (r == 0 && a->at < a->end)
        r = a->state == OBJECT ? read_object(a, ret) : read_between(a, ret);
    return r;
}
