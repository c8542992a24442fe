/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bar with rate and time left on stderr, while a file is worked through; for a single document
 * only if that takes long:
 *
 *     log.jsonl  43% [=======>        ]  1.2 GB  310.5 MB/s  0:03 left
 *     chat.json  312.0 MB  judged for 0:07
 *
 * Only where stderr is a terminal, and nothing is written to the same one as stdout.
 */
#ifndef TK_CLI_SHOW_PROGRESS_H
#define TK_CLI_SHOW_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct cli_progress {
    const char *name;
    uint64_t total; /* bytes; 0: unknown */
    struct timespec start, drawn;
    uint64_t done;
    bool on;      /* there is a terminal to draw on */
    bool patient; /* nothing is drawn in the first half second */
    bool visible; /* a bar is on the current line */
};

/* Decides whether there will be a bar, a patient one. `stdout_used`: documents or findings are
 * written there. Draws nothing yet. */
void cli_progress_start(struct cli_progress *p, const char *name, bool wanted, bool stdout_used);

/* `done` bytes of the input have been read. Draws at once and then ten times a second. */
void cli_progress_update(struct cli_progress *p, uint64_t done);

/* Nothing more is read: the document is being judged. Takes a struct cli_progress; fits into
 * struct cli_tick. */
void cli_progress_judging(void *p);

/* Takes the bar away: before anything else goes to stderr, and at the end. */
void cli_progress_clear(struct cli_progress *p);

#endif
