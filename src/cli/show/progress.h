/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A bar with rate and time left on stderr, while a file of many documents is worked through:
 *
 *     log.jsonl  43% [=======>        ]  1.2 GB  310.5 MB/s  0:03 left
 *
 * Only where stderr is a terminal and stdout is not that same one.
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
    bool on;      /* there is a terminal to draw on */
    bool visible; /* a bar stands on the current line */
};

/* Decides whether there will be a bar. Draws nothing yet. */
void cli_progress_start(struct cli_progress *p, const char *name, uint64_t total, bool wanted);

/* `done` bytes of the input are behind us. Draws at once and then ten times a second. */
void cli_progress_update(struct cli_progress *p, uint64_t done);

/* Takes the bar away: before anything else goes to stderr, and at the end. */
void cli_progress_clear(struct cli_progress *p);

#endif
