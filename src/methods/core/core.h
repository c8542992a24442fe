/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a core: what it keeps between requests so that the next one needs no memory.
 *
 *     core -- tape of the last document, free for the next
 *          -- the answer to `info`, once somebody asked
 *          -- spare replies, each with an arena that keeps one small block
 *     reply -- arena: all that the request needed and the answer is made of
 *
 * Replies may outlive the call in any number; each has its own arena. None refers to the tape.
 */
#ifndef TK_METHODS_CORE_CORE_H
#define TK_METHODS_CORE_CORE_H

#include "methods/core/host.h"
#include "stream/stream.h"
#include "value/doc.h"
#include "value/out.h"

/* What is kept for the next request, at most. */
#define TK_CORE_SPARE_REPLIES 8
#define TK_CORE_SPARE_BYTES   (1024 * 1024)
#define TK_CORE_SPARE_NODES   (64 * 1024)

struct tk_core {
    tk_allocator allocator;
    struct tk_read_limits limits;
    const struct tk_host *host;
    struct tk_doc doc;
    size_t max_answer;
    struct tk_doc tapes[TK_STREAM_TAPES]; /* for what streams read */
    uint32_t max_streams;                 /* of one session */
    uint64_t max_stream_buffer;
    tk_reply *spare;
    size_t spare_count, spare_bytes;
    struct tk_str info[2]; /* what `info` answers, by codec; of no bytes until somebody asks */
    uint64_t defects;      /* `internal` answers so far */
};

struct tk_reply {
    tk_core *core;
    tk_reply *next; /* among the core's spare ones */
    struct tk_arena arena;
    struct tk_out out;
    tk_reply_info info;
    struct tk_tally tally;
    uint64_t correlation;
};

/* An empty reply, a spare one if there is one; NULL when there is no memory. */
tk_reply *tk_core_take_reply(tk_core *core);

/* Keeps a copy of what `info` answers, until limits or host change; without memory none. */
void tk_core_keep_info(tk_core *core, enum tk_codec codec, struct tk_str answer);

/* Gives tapes back that the last documents made large. */
void tk_core_trim(tk_core *core);

/* A number for the log and for the client that nobody can guess or mix up. Never 0. */
uint64_t tk_core_correlation(tk_core *core);

#endif
