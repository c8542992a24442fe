/* SPDX-License-Identifier: Apache-2.0 */
#include "net/pace.h"

#include "net/clock.h"

static void begin(struct tk_pace *p, const struct tk_pace_sample *sample)
{
    *p = (struct tk_pace){
        .running = true,
        .since = sample->now,
        .worked = sample->worked,
        .sent = sample->sent,
    };
}

void tk_pace_note(struct tk_pace *p, bool pending, const struct tk_pace_sample *sample)
{
    if (!pending)
        p->running = false;
    else if (!p->running)
        begin(p, sample);
}

int64_t tk_pace_end(const struct tk_pace *p, int64_t worked, int64_t timeout)
{
    return p->running ? p->since + timeout + (worked - p->worked) : TK_NEVER;
}

bool tk_pace_too_slow(struct tk_pace *p, const struct tk_pace_sample *sample, int64_t timeout)
{
    double least = (double)TK_PACE_MIN * tk_seconds(timeout);

    if (sample->now < tk_pace_end(p, sample->worked, timeout))
        return false;
    if ((double)(sample->sent - p->sent) < least)
        return true;
    begin(p, sample);
    return false;
}
