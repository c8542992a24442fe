/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/rules.h"

#include <errno.h>

#include "engine/edit/emit.h"
#include "providers/anthropic/state.h"

enum {
    MOST_MESSAGES = 100000,
    MOST_IMAGES = 600,
    MOST_IMAGES_OF_FEW = 100, /* of a model that takes few, unless it has a long context */
    MEBIBYTE = 1 << 20,
};

/* The limits that differ by where the request goes, by enum tk_endpoint. */
static const struct {
    uint32_t request, image; /* mebibytes of the request, and of an image's base64 */
} sizes[] = {
    [TK_ENDPOINT_OWN] = {32, 10},
    [TK_ENDPOINT_BEDROCK] = {20, 5},
    [TK_ENDPOINT_VERTEX] = {32, 5},
    [TK_ENDPOINT_COMPATIBLE] = {32, 10},
};

uint64_t tk_most_bytes(const struct tk_judge *j)
{
    return (uint64_t)sizes[j->target.endpoint].request * MEBIBYTE;
}

uint32_t tk_most_image_bytes(const struct tk_judge *j)
{
    return sizes[j->target.endpoint].image * MEBIBYTE;
}

uint32_t tk_most_images(const struct tk_judge *j)
{
    bool few = tk_anthropic(j)->model.facts & TK_MODEL_TAKES_FEW_IMAGES;

    return few && tk_lacks_beta(&tk_anthropic(j)->betas, TK_BETA_LONG_CONTEXT) ? MOST_IMAGES_OF_FEW
                                                                               : MOST_IMAGES;
}

static int find(struct tk_judge *j, uint16_t code, uint64_t count)
{
    struct tk_str word = tk_arena_printf(j->t->arena, "%llu", (unsigned long long)count);
    int r = word.p ? tk_find_request(&j->findings, j->t, code, TK_NO_NODE) : -ENOMEM;

    return r < 0 ? r : tk_find_words(&j->findings, j->t, word, (struct tk_str){0});
}

/* ---- messages ---- */

static uint32_t count_messages(const struct tk_transcript *t)
{
    uint32_t n = 0;

    for (uint32_t m = t->first_message; m != TK_NONE; m = t->messages[m].next)
        n++;
    return n;
}

static int judge_messages(struct tk_judge *j)
{
    uint32_t count;

    /* Messages that were dropped are still in the array, so this is the most that it can be. */
    if (j->t->message_count <= MOST_MESSAGES)
        return 0;
    count = count_messages(j->t);
    return count > MOST_MESSAGES ? find(j, TK_CODE_TOO_MANY_MESSAGES, count) : 0;
}

/* ---- bytes ---- */

/*
 * Measures the request with its messages as they are now. Edits keep the bytes that they make in
 * the arena, so a request that has room for all of the arena needs no measuring.
 */
static int measure(struct tk_judge *j, uint64_t *ret)
{
    uint64_t received = tk_span(j->request->body).n, messages;
    int r;

    *ret = received;
    if (!tk_anthropic(j)->limited.judged ||
        received + tk_arena_size(j->t->arena) <= tk_most_bytes(j))
        return 0;
    r = tk_emitted_size(j->t, &messages);
    *ret = received - tk_span(j->t->list).n + messages;
    return r;
}

static int judge_bytes(struct tk_judge *j)
{
    struct tk_limited *limited = &tk_anthropic(j)->limited;
    int r = measure(j, &limited->bytes);

    limited->judged = true;
    if (r < 0 || limited->bytes <= tk_most_bytes(j))
        return r;
    return find(j, TK_CODE_REQUEST_TOO_LARGE, limited->bytes);
}

/* ---- images ---- */

static int judge_images(struct tk_judge *j)
{
    uint32_t images = tk_anthropic(j)->limited.images;

    return images > tk_most_images(j) ? find(j, TK_CODE_IMAGE_COUNT, images) : 0;
}

int tk_judge_limits(struct tk_judge *j)
{
    int r = tk_exists(j->request->body) ? judge_messages(j) : 0;

    if (r == 0 && tk_exists(j->request->body))
        r = judge_bytes(j);
    return r < 0 ? r : judge_images(j);
}
