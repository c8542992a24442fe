/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Values of the header `anthropic-beta` (OPERATIONS.md B.2): those of the caller first, as it
 * spelled them, then what its request needs and lacks, in the order of the table.
 *
 *     tk_betas_init(&b, arena, hash_key);
 *     tk_betas_add(&b, header);                what the caller has
 *     tk_beta_scan_request(&scan, &view); tk_beta_scan_messages(...); tk_beta_scan_tool(...) ...
 *     tk_betas_complete(&b, &scan, &where);    what is missing
 *
 * The scan is told piece by piece what the request is made of, so pieces may come from several
 * documents: a history that is only being put together can be scanned, too.
 */
#ifndef TK_OPERATIONS_TOOLS_BETA_H
#define TK_OPERATIONS_TOOLS_BETA_H

#include "operations/refusal.h"
#include "providers/anthropic/betas/values.h"
#include "request/view.h"
#include "value/hash.h"
#include "value/writer.h"

/* Facts about a request that matter for several values, after the bits of the values. */
enum {
    TK_BETA_FALLBACK_BLOCK = TK_BETA_KNOWN,
    TK_BETA_CLIENT_TOOLSET,
    TK_BETA_MANUAL_THINKING,
};

/* ---- what a request has ---- */

struct tk_beta_scan {
    uint64_t seen; /* bits by enum tk_beta and those above */
};

void tk_beta_see(struct tk_beta_scan *scan, unsigned what);

/* Returns the facts of both. */
static inline struct tk_beta_scan tk_beta_both(struct tk_beta_scan a, struct tk_beta_scan b)
{
    return (struct tk_beta_scan){a.seen | b.seen};
}

/* An entry of `tools`. */
void tk_beta_scan_tool(struct tk_beta_scan *scan, struct tk_val tool, struct tk_arena *arena);

/* A block of a message's content. */
void tk_beta_scan_block(struct tk_beta_scan *scan, struct tk_val block, struct tk_arena *arena);

/* A message without its blocks; with them; a list of messages. */
void tk_beta_scan_members(struct tk_beta_scan *scan, struct tk_val message);
void tk_beta_scan_message(struct tk_beta_scan *scan, struct tk_val message, struct tk_arena *arena);
void tk_beta_scan_messages(struct tk_beta_scan *scan, struct tk_val messages,
                           struct tk_arena *arena);

/* Members of the request other than tools, history and MCP servers: of the last one only matters
 * whether it holds any (TK_BETA_MCP_SERVERS). */
void tk_beta_scan_request(struct tk_beta_scan *scan, const struct tk_request_view *request);

/* ---- values ---- */

struct tk_betas {
    struct tk_arena *arena;
    struct tk_map seen; /* in lower case */
    struct tk_str *values;
    uint32_t count, capacity;
    uint32_t given; /* how many of them are the caller's */
    bool failed;    /* no memory */
};

void tk_betas_init(struct tk_betas *b, struct tk_arena *arena, const uint64_t *hash_key);

/* The caller's: a line, or a list of lines; each is split at commas, blanks around values, empty
 * values and repeats are left out. What isn't text says nothing. */
void tk_betas_add(struct tk_betas *b, struct tk_val lines);

/* Where and for what the request is made, as far as it matters here. */
struct tk_beta_call {
    bool vertex;
    bool count_tokens;
    bool interleaved; /* the caller wants thinking between calls */
    bool legacy;      /* and the values that once were needed for web tools */
};

/* Adds what is missing; b->given is how many came before. Returns 0 or -ENOMEM. */
int tk_betas_complete(struct tk_betas *b, const struct tk_beta_scan *scan,
                      const struct tk_beta_call *call);

/* Returns the values that are sent or needed, as a set for the rules; adds none. */
struct tk_known_betas tk_betas_known(const struct tk_betas *b, const struct tk_beta_scan *scan,
                                     const struct tk_beta_call *call);

/*
 * Refuses a value that the API doesn't accept with these tools: returns TK_REFUSED, blaming
 * `lines`, or 0.
 */
int tk_betas_check(const struct tk_betas *b, const struct tk_beta_scan *scan, struct tk_val lines,
                   struct tk_refusal *refusal);

/* True if `list` contains just these values, in this order. */
bool tk_betas_equal(const struct tk_betas *b, struct tk_val list);

/* The values from the first one on as a list; all of them as one header line. */
void tk_betas_write(struct tk_writer *w, const struct tk_betas *b, uint32_t from);
void tk_betas_write_header(struct tk_writer *w, const struct tk_betas *b);

#endif
