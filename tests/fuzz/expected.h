/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A simple reader of what a client sends: it has all bytes at once and looks for the next request.
 * Harnesses compare it with the server's reader, which gets the bytes in pieces.
 */
#ifndef TK_TESTS_FUZZ_EXPECTED_H
#define TK_TESTS_FUZZ_EXPECTED_H

#include "net/frame.h"

struct expected {
    const uint8_t *data; /* all that the client sends, up to its end */
    size_t size, at;
    bool lines;
    size_t max_frame;
};

/* Begins to read; the first byte tells frames and lines apart. */
struct expected expected_of(const uint8_t *data, size_t size, size_t max_frame);

/* Returns the next frame; TK_FRAME_MORE at the end. */
struct tk_frame expect(struct expected *e);

/* Returns true if the bytes are white space of a line. */
bool expected_is_blank(const uint8_t *bytes, size_t n);

#endif
