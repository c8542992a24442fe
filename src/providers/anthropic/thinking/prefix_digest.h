/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The prefix of a turn (OPERATIONS.md C.1): three digests of the request that produced the turn.
 * Newer models bind thinking to it.
 *
 *     system     the system blocks
 *     tools      the tools, without deferred ones that nothing before the turn mentions
 *     messages   the messages before the turn, from the newest compaction block on, without
 *                thinking, neighbours of one role joined
 *
 * The digests grow with the conversation: messages are added one by one, and after each of them the
 * digests of all that were added are available. So a history full of seals is hashed once; only the
 * tools are hashed again if a deferred one was mentioned since the last time.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_THINKING_PREFIX_DIGEST_H
#define TK_PROVIDERS_ANTHROPIC_THINKING_PREFIX_DIGEST_H

#include "history/history.h"
#include "request/view.h"
#include "value/digest.h"

struct tk_prefix {
    const struct tk_transcript *t;
    const struct tk_request_view *request;
    struct tk_hasher messages; /* of the messages after the newest compaction block */
    bool open;                 /* the last message may get more blocks of its role */
    bool indeterminate;        /* a block refers to what only the provider fetched */
    uint8_t role;              /* of the open message, enum tk_role */
    struct tk_digest system, tools;
    bool tools_known;       /* tools is up to date */
    struct tk_map deferred; /* names of deferred tools; value: mentioned or not */
};

struct tk_prefix_digests {
    struct tk_digest system, tools, messages;
    bool indeterminate; /* messages has no digest */
};

/* Begins a prefix with the system blocks and tools of the request. All memory is the transcript's
 * arena, whose failure tells if it runs out. */
void tk_prefix_init(struct tk_prefix *x, const struct tk_transcript *t,
                    const struct tk_request_view *request);

/* Adds a message with the content that it has now. */
void tk_prefix_add(struct tk_prefix *x, uint32_t message);

/* Returns the digests of what was added so far. */
struct tk_prefix_digests tk_prefix_digests(struct tk_prefix *x);

#endif
