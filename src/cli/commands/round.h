/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds: some records are read, all are examined, then their outcomes are taken. A round has as
 * many lines as are there without waiting, up to a limit; a file that is one document has one round.
 */
#ifndef TK_CLI_COMMANDS_ROUND_H
#define TK_CLI_COMMANDS_ROUND_H

#include "cli/commands/exam.h"
#include "cli/io/team.h"

#include <stdatomic.h>

/* At most so many threads examine: reading and printing are done by one, which the others would
 * wait for. */
#define CLI_TEAM_MAX 8

struct cli_rounds {
    struct cli_exam *exams; /* `most` of them, the first `count` are of the current round */
    size_t count, most;
    struct cli_team *team;         /* NULL: not yet needed, or of no use */
    unsigned threads;              /* in the team, or wanted for it */
    struct cli_backend *backends;  /* one for each thread */
    unsigned backend_count;        /* zeroed ones included */
    const struct cli_examiner *by; /* of the current round */
    atomic_size_t next;            /* the exam to run next */
};

/*
 * Opens the backends that the options ask for. `tick` runs while the caller's thread waits for an
 * answer. Returns 0, or the status of a failure that has been reported.
 */
int cli_rounds_open(struct cli_rounds *rounds, const struct cli_args *args,
                    const struct cli_tick *tick);

/* Returns the backend of the caller's thread. */
struct cli_backend *cli_rounds_backend(struct cli_rounds *rounds);

/* Reads the records of the next round, at least one unless the file has ended. Flushes stdout before
 * waiting for input: someone may be waiting for our output. Returns 1, or 0 at the end, or a
 * negative errno; records read before are in the round. */
int cli_round_read(struct cli_rounds *rounds, struct cli_input *in);

/* Runs the exams of the round. */
void cli_round_examine(struct cli_rounds *rounds, const struct cli_examiner *examiner);

/* Frees everything; zeroed rounds are fine. */
void cli_rounds_close(struct cli_rounds *rounds);

#endif
