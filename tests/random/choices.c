/* SPDX-License-Identifier: Apache-2.0 */
#include "choices.h"

struct choices choices_of_bytes(const uint8_t *bytes, size_t n)
{
    static const uint8_t none[1];

    return (struct choices){n > 0 ? bytes : none, n > 0 ? bytes + n : none, 0};
}

/* SplitMix64: streams of neighbouring numbers have nothing in common. */
static uint64_t next(struct choices *c)
{
    uint64_t z = c->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

struct choices choices_of_seed(uint64_t seed, uint64_t number)
{
    struct choices c = {NULL, NULL, seed};

    c.state = next(&c) ^ number * UINT64_C(0xd1342543de82ef95);
    c.state = next(&c);
    return c;
}

static uint32_t byte(struct choices *c)
{
    return c->at < c->end ? *c->at++ : 0;
}

uint32_t choose(struct choices *c, uint32_t n)
{
    if (n < 2)
        return 0;
    if (!c->at)
        return (uint32_t)((next(c) >> 32) * n >> 32);
    return (n > 256 ? byte(c) << 8 | byte(c) : byte(c)) % n;
}

bool chance(struct choices *c, uint32_t percent)
{
    return choose(c, 100) >= 100 - percent;
}
