/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inside of a core: memory that it keeps between requests, so that the next allocates none.
 *
 *     core -- tape of the last document, free for the next
 *          -- the answer to `info`, once a client asked for it
 *          -- spare replies, each with an arena that keeps one small block
 *     reply -- arena: working memory of the request, and bytes of the answer
 *
 * Any number of replies may outlive their calls: each has its own arena, and none refers to the
 * tape.
 */
#ifndef TK_METHODS_CORE_CORE_H
#define TK_METHODS_CORE_CORE_H

#include "methods/core/host.h"
#include "stream/stream.h"
#include "value/budget.h"
#include "value/doc.h"
#include "value/out.h"

/* Largest amounts that are kept for the next request: replies, bytes, nodes of the tape. */
#define TK_CORE_SPARE_REPLIES 8
#define TK_CORE_SPARE_BYTES   (1024 * 1024)
#define TK_CORE_SPARE_NODES   (64 * 1024)

struct tk_core {
    struct tk_budget budget; /* of the request that runs */
    tk_allocator allocator;  /* counts in the budget */
    struct tk_read_limits limits;
    const struct tk_host *host;
    struct tk_doc doc;
    size_t max_answer;
    uint64_t max_memory;
    struct tk_doc tapes[TK_STREAM_TAPES]; /* of events that streams read */
    uint32_t max_streams;                 /* of one session */
    uint64_t max_stream_buffer;
    tk_reply *spare;
    size_t spare_count, spare_bytes;
    struct tk_str info[2]; /* the answer to `info` by codec; empty until asked for */
    uint64_t defects;      /* `internal` answers so far */
    bool keyed;            /* limits.hash_key is secret: the program chose it */
};

struct tk_reply {
    tk_core *core;
    tk_reply *next; /* among the core's spare ones */
    struct tk_arena arena;
    struct tk_out out;
    struct tk_str
        owned; /* the request of tk_repair_body(), from the core's allocator; or .p == NULL */
    struct tk_str body; /* what tk_reply_body() returns; .p == NULL: nothing */
    tk_reply_info info;
    tk_error error; /* only if info.error */
    struct tk_tally tally;
    char caller[TK_CALLER_MAX + 1];
    uint64_t correlation;
};

/* Returns how many bytes of memory a request of that size may make. */
uint64_t tk_core_memory_limit(const tk_core *core, size_t request_size);

/* Returns an empty reply, a spare one if there is one; NULL if out of memory. */
tk_reply *tk_core_take_reply(tk_core *core);

/*
 * Answers `request` as tk_call() does. `body` are those bytes of it that must be the parameter
 * `request`, neither more nor less.
 */
int tk_call_with_body(tk_core *core, struct tk_str request, struct tk_str body,
                      const tk_call_options *options, tk_reply **ret_reply);

/* Keeps a copy of the answer to `info` until limits or host change; keeps none if out of memory. */
void tk_core_keep_info(tk_core *core, enum tk_codec codec, struct tk_str answer);

/* Frees tapes that the last documents made large. */
void tk_core_trim(tk_core *core);

/* Returns a new random number, never 0, which names one failure in the log and to the client. */
uint64_t tk_core_correlation(tk_core *core);

#endif
