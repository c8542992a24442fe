/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Beta values: names of features that aren't generally available yet. A request asks for them in a
 * header, or in its body where an endpoint takes no header. The header isn't part of the body, so
 * rules know it only if the caller tells (OPERATIONS.md B.2).
 *
 * A provider that has such values says which there are, which facts of a request need one, and
 * which of them a request with those facts lacks. The facts are bits that only the provider knows.
 */
#ifndef TK_PROVIDERS_BETAS_H
#define TK_PROVIDERS_BETAS_H

#include "request/view.h"
#include "value/hash.h"

struct tk_judge;

/* Values of a request, as a set of bits by their number in the provider's list. */
struct tk_known_betas {
    bool known;
    uint64_t has;
};

/* Facts about a request, as bits. */
struct tk_beta_scan {
    uint64_t seen;
};

/* Values of a request as text, without regard to case. */
struct tk_betas {
    struct tk_arena *arena;
    struct tk_map seen; /* in lower case */
    struct tk_str *values;
    uint32_t count, capacity;
    uint32_t given; /* how many of them are the caller's */
    bool failed;    /* no memory */
};

/* Circumstances of a request that matter for its values. */
struct tk_beta_call {
    bool vertex;
    bool count_tokens;
    bool interleaved; /* the caller wants thinking between calls */
    bool legacy;      /* the caller wants the values that web tools needed in the past */
};

/* The member `betas` of a provider's row. */
struct tk_beta_rules {
    const char *header; /* name of the header */
    const char *member; /* name of the body's member, for endpoints without the header */
    const struct tk_str *values;
    unsigned count; /* of them, at most 64 */

    /* Each adds the facts of one piece of a request: an entry of `tools`; the servers whose tools
     * the provider calls itself, of which there is one at least; a block of a message; a message
     * without its blocks; the body's other members. */
    void (*scan_tool)(struct tk_beta_scan *scan, struct tk_val tool, struct tk_arena *arena);
    void (*scan_servers)(struct tk_beta_scan *scan);
    void (*scan_block)(struct tk_beta_scan *scan, struct tk_val block, struct tk_arena *arena);
    void (*scan_message)(struct tk_beta_scan *scan, struct tk_val message);
    void (*scan_request)(struct tk_beta_scan *scan, const struct tk_request_view *request);

    /* Returns the values, as bits, that a request with these facts needs. */
    uint64_t (*needs)(const struct tk_betas *sent, const struct tk_beta_scan *scan,
                      const struct tk_beta_call *call);
    /* Returns a value that was sent and that the provider refuses together with these facts;
     * `.p == NULL`: there is none. */
    struct tk_str (*conflict)(const struct tk_betas *sent, const struct tk_beta_scan *scan);
    /* Tells the judge of a history which values its request has. */
    void (*tell)(struct tk_judge *j, const struct tk_known_betas *known);
};

static inline uint64_t tk_beta_bit(unsigned beta)
{
    return UINT64_C(1) << beta;
}

/* Takes the next value off a header line, which is split at commas; blanks around values and empty
 * values are left out. Returns false at the end. */
bool tk_beta_next(struct tk_str *line, struct tk_str *ret_value);

/* Adds the values of a line, or of a list of lines, without regard to case. An absent value or null
 * tells nothing. */
void tk_known_betas_add(struct tk_known_betas *b, const struct tk_beta_rules *rules,
                        struct tk_val lines, struct tk_arena *arena);

/* Returns true if a value, given in lower case, was sent. */
static inline bool tk_beta_is_sent(const struct tk_betas *b, struct tk_str value)
{
    return tk_map_get(&b->seen, value) != NULL;
}

#endif
