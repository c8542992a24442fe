/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Threads that work together on one task after the other:
 *
 *     caller    run ──────── work ──────── return       run ── work ──────────── return
 *     thread 1      └─ work ──────┘                         └── work ────┘
 *
 * The caller is one of them, so a team of one starts no thread.
 */
#ifndef TK_CLI_IO_TEAM_H
#define TK_CLI_IO_TEAM_H

struct cli_team;

/* A part of a task. `thread` is from 0 to cli_team_size() - 1; 0 is the caller's. */
typedef void cli_team_work(void *task, unsigned thread);

/* Starts a team of at most `size` threads, fewer if the system gives no more. NULL: no memory. */
struct cli_team *cli_team_new(unsigned size);

unsigned cli_team_size(const struct cli_team *team);

/* Calls work(task, n) once in each thread and waits until all calls have returned. */
void cli_team_run(struct cli_team *team, cli_team_work *work, void *task);

/* Ends the threads; NULL is fine. */
void cli_team_free(struct cli_team *team);

/* Returns the number of processors that this process may use, at most `most`. */
unsigned cli_processors(unsigned most);

#endif
