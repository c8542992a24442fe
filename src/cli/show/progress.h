/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws a bar with rate and time left on stderr while a file is read. For a single document it
 * appears only if reading and judging take long:
 *
 *     log.jsonl  43% [=======>        ]  1.2 GB  310.5 MB/s  0:03 left
 *     chat.json  312.0 MB  judged for 0:07
 *
 * Only if stderr is a terminal and stdout doesn't write to the same one.
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
    bool on;      /* there is a terminal to draw on, and progress is wanted */
    bool patient; /* draw nothing in the first half second */
    bool visible; /* a bar is on the current line */
};

/* Decides if there will be a bar; it is a patient one. `stdout_used`: documents or findings go to
 * stdout. Draws nothing yet. */
void cli_progress_start(struct cli_progress *p, const char *name, bool wanted, bool stdout_used);

/* Shows that `done` bytes of the input have been read. Draws at most ten times a second. */
void cli_progress_update(struct cli_progress *p, uint64_t done);

/* Shows that everything is read and the document is being judged. Takes a struct cli_progress; fits
 * into struct cli_tick. */
void cli_progress_judging(void *p);

/* Erases the bar: call it before anything else goes to stderr, and at the end. */
void cli_progress_clear(struct cli_progress *p);

#endif
