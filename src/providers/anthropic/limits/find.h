/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits (CATALOGUE 3.7): how large a request may be, and how much of a kind it may hold. A
 * conversation reaches them by growing: an agent that looks at its screen sends a picture with every
 * step, and all of them again with every request.
 *
 *                                      first party   Vertex    Bedrock
 *     bytes of the request             32 MiB        32 MiB    20 MiB
 *     characters of an image's base64  10 MiB        5 MiB     5 MiB
 *     images of a request              600; models below 4.6: 100
 *     messages                         100,000
 */
#ifndef TK_PROVIDERS_ANTHROPIC_LIMITS_FIND_H
#define TK_PROVIDERS_ANTHROPIC_LIMITS_FIND_H

#include "engine/judge.h"

/* Those contents of the messages that have a limit, as of the last judging. */
struct tk_limited {
    uint32_t images; /* in messages and in the client's results */
    uint64_t bytes;  /* of the request; 0: it was sent without its body */
    bool judged;     /* a judging went before: the messages may have changed since they came */
};

/* Return the most that the target takes. */
uint64_t tk_most_bytes(const struct tk_judge *j);
uint32_t tk_most_image_bytes(const struct tk_judge *j);
uint32_t tk_most_images(const struct tk_judge *j);

/* Finds what is over its limit in the request as a whole. Runs after the images were counted.
 * Returns 0 or -ENOMEM. */
int tk_judge_limits(struct tk_judge *j);

#endif
