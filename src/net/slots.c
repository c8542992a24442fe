/* SPDX-License-Identifier: Apache-2.0 */
#include "net/slots.h"

int tk_slots_init(struct tk_slots *slots, size_t count)
{
    *slots = (struct tk_slots){.free = count, .limited = count > 0};
    TAILQ_INIT(&slots->waiting);
    return -pthread_mutex_init(&slots->lock, NULL);
}

void tk_slots_done(struct tk_slots *slots)
{
    pthread_mutex_destroy(&slots->lock);
}

static void wait(struct tk_slots *slots, struct tk_slot *slot)
{
    if (slot->state == TK_SLOT_NONE)
        TAILQ_INSERT_TAIL(&slots->waiting, slot, link);
    slot->state = TK_SLOT_WAITING;
}

bool tk_slots_take(struct tk_slots *slots, struct tk_slot *slot)
{
    bool taken;

    if (!slots->limited)
        return true;
    pthread_mutex_lock(&slots->lock);
    taken = slot->state == TK_SLOT_GRANTED || (slot->state == TK_SLOT_NONE && slots->free > 0);
    if (taken) {
        slots->free -= slot->state == TK_SLOT_NONE;
        slot->state = TK_SLOT_TAKEN;
    } else {
        wait(slots, slot);
    }
    pthread_mutex_unlock(&slots->lock);
    return taken;
}

/* Grants the slot that has become free to the first that waits. */
static void grant(struct tk_slots *slots)
{
    struct tk_slot *first = TAILQ_FIRST(&slots->waiting);

    if (!first) {
        slots->free++;
        return;
    }
    TAILQ_REMOVE(&slots->waiting, first, link);
    first->state = TK_SLOT_GRANTED;
    first->wake(first->arg);
}

void tk_slots_cancel(struct tk_slots *slots, struct tk_slot *slot)
{
    if (!slots->limited)
        return;
    pthread_mutex_lock(&slots->lock);
    if (slot->state == TK_SLOT_WAITING)
        TAILQ_REMOVE(&slots->waiting, slot, link);
    else if (slot->state != TK_SLOT_NONE)
        grant(slots);
    slot->state = TK_SLOT_NONE;
    pthread_mutex_unlock(&slots->lock);
}

bool tk_slots_waits(struct tk_slots *slots, const struct tk_slot *slot)
{
    bool waits;

    pthread_mutex_lock(&slots->lock);
    waits = slot->state == TK_SLOT_WAITING;
    pthread_mutex_unlock(&slots->lock);
    return waits;
}
