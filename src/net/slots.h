/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slots for long requests: there is one less than there are workers, so that a worker is left for the
 * short ones (PROTOCOL 7, "Shares"). A worker takes a slot for one long request at a time. If none is
 * free, it is woken once one is granted to it, first come first served, and does other work
 * meanwhile. This module knows no socket; all threads share it.
 */
#ifndef TK_NET_SLOTS_H
#define TK_NET_SLOTS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

/* A request above this size is long. */
#define TK_LONG_REQUEST ((size_t)1 << 20)

enum tk_slot_state {
    TK_SLOT_NONE,
    TK_SLOT_WAITING, /* wake() will be called */
    TK_SLOT_GRANTED, /* wake() was called: to be taken or cancelled */
    TK_SLOT_TAKEN,
};

/* One worker's place in the queue. It belongs to the caller, who sets the callback. */
struct tk_slot {
    TAILQ_ENTRY(tk_slot) link;
    enum tk_slot_state state; /* under the lock */
    void (*wake)(void *arg);  /* called on any thread, under the lock: must not call back */
    void *arg;
};

struct tk_slots {
    pthread_mutex_t lock;
    TAILQ_HEAD(, tk_slot) waiting;
    size_t free;
    bool limited; /* false: slots are taken without end */
};

/* Makes `count` slots; 0 means without a limit. Returns 0 or a negative errno. */
int tk_slots_init(struct tk_slots *slots, size_t count);

/* Frees them; nobody may wait. */
void tk_slots_done(struct tk_slots *slots);

/* Takes a slot, or the one that was granted. Returns false if none is free: wake() will be called. */
bool tk_slots_take(struct tk_slots *slots, struct tk_slot *slot);

/* Gives a taken or granted slot to the first that waits, or waits no longer. */
void tk_slots_cancel(struct tk_slots *slots, struct tk_slot *slot);

/* Returns true if wake() will be called. */
bool tk_slots_waits(struct tk_slots *slots, const struct tk_slot *slot);

#endif
