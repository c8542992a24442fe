/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a JSON array of objects, each as soon as it is whole; or one object without an array. What is
 * inside of the objects is the business of the JSON reader: only their ends are looked for here.
 */
#ifndef TK_STREAM_WIRE_JSON_ARRAY_H
#define TK_STREAM_WIRE_JSON_ARRAY_H

#include "stream/wire/wire.h"

struct tk_json_array {
    struct tk_memory *memory;
    struct tk_grow held;  /* the part of an object that earlier chunks brought */
    bool read;            /* `held` is the object that was read last */
    uint8_t state;        /* what may come next */
    bool alone;           /* the object is in no array */
    bool inside, escaped; /* a string; after a backslash */
    size_t depth;         /* objects and arrays that are open in the object, itself included */
    const char *at, *end;
    const char *broken; /* why the bytes are no array; NULL: they are */
};

void tk_json_array_init(struct tk_json_array *a, struct tk_memory *memory);
void tk_json_array_done(struct tk_json_array *a);

/* Starts to read the next bytes, which must live until tk_json_array_next() returned 0. */
void tk_json_array_feed(struct tk_json_array *a, struct tk_str chunk);

/* Reads the next object, or the end of the array. Returns TK_WIRE_FRAME and the frame; 0 if the chunk
 * is used up, after copying what is unfinished; TK_WIRE_BROKEN; or -ENOMEM. */
int tk_json_array_next(struct tk_json_array *a, struct tk_wire_frame *ret);

#endif
