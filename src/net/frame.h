/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Framing (PROTOCOL section 1): splits received bytes into requests. No I/O and no allocation.
 *
 *                  '{' first            LF
 *        START ───────────────> LINE ──────> request
 *          │                      │ longer than max_frame
 *          │ any other byte       └────────> too large, SKIP_LINE until LF
 *          v
 *        HEADER ── length 1..max_frame ──> BODY ──> request
 *          │  └─── length 0 ─────────────> empty
 *          └────── longer ───────────────> too large, SKIP until its end
 *
 * The caller keeps the bytes that weren't consumed and passes them again, followed by newer ones.
 * Header bytes are consumed as they arrive, so the kept bytes are payload only.
 */
#ifndef TK_NET_FRAME_H
#define TK_NET_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TK_FRAME_HEADER 4

enum tk_frame_kind {
    TK_FRAME_MORE,      /* no complete request is left */
    TK_FRAME_REQUEST,   /* one document */
    TK_FRAME_EMPTY,     /* a length of 0 was announced */
    TK_FRAME_TOO_LARGE, /* over max_frame; the body will be skipped */
    TK_FRAME_KINDS,
};

struct tk_frame {
    enum tk_frame_kind kind;
    const uint8_t *bytes; /* REQUEST: the payload, inside the bytes that were offered */
    size_t size;
};

enum tk_framer_state {
    TK_FRAMER_START,
    TK_FRAMER_HEADER,
    TK_FRAMER_BODY,
    TK_FRAMER_SKIP,
    TK_FRAMER_LINE,
    TK_FRAMER_SKIP_LINE,
    TK_FRAMER_STATES,
};

/*
 * How a connection divides its bytes into requests and answers: frames have a length before them,
 * lines a LF after them. The first byte of a connection decides.
 */
struct tk_framing {
    enum tk_framer_state next; /* the state in which a request begins */
    bool json_only;            /* documents are JSON, never msgpack */
    /* Writes what precedes an answer of `size` bytes. Returns its length. */
    size_t (*head)(uint8_t to[TK_FRAME_HEADER], size_t size);
    const char *tail; /* what follows an answer; at most TK_FRAME_HEADER bytes */
    size_t tail_size;
};

extern const struct tk_framing tk_framing_length, tk_framing_line;

/* The zeroed struct is a new connection. */
struct tk_framer {
    const struct tk_framing *framing; /* NULL: no byte has arrived */
    enum tk_framer_state state;
    uint8_t header[TK_FRAME_HEADER];
    uint8_t header_size;
    uint64_t left;  /* BODY: the announced length; SKIP: bytes still to come */
    size_t scanned; /* LINE: kept bytes that hold no LF */
};

/*
 * Finds the next request in bytes[0..n). `eof`: no byte will follow, so a last line needs no LF.
 * Returns how many bytes were consumed (they may be dropped once *ret_frame was handled) and sets
 * *ret_frame. After TK_FRAME_MORE the rest must be passed again with more bytes.
 */
size_t tk_framer_next(struct tk_framer *f, const uint8_t *bytes, size_t n, bool eof,
                      uint64_t max_frame, struct tk_frame *ret_frame);

/* Gives up the frame or line of which `kept` bytes are kept: its rest will be skipped. */
void tk_framer_skip(struct tk_framer *f, size_t kept);

/* The length of the body being received, 0 where no length is known. */
size_t tk_framer_body(const struct tk_framer *f);

/* True from the first to the last byte of a frame or line, skipped ones included. */
bool tk_framer_midway(const struct tk_framer *f);

/* Returns how answers are framed: by length until the first byte says otherwise. */
const struct tk_framing *tk_framer_framing(const struct tk_framer *f);

#endif
