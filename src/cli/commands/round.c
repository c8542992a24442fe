/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/round.h"

#include <stdio.h>
#include <stdlib.h>

/* Limits of a round: lines, and bytes of lines. Enough that waking the threads costs little, few
 * enough that the memory of all exams stays small. */
#define LINES_MAX 128
#define BYTES_MAX ((size_t)512 << 10)

int cli_rounds_open(struct cli_rounds *rounds, const struct cli_args *args,
                    const struct cli_tick *tick)
{
    bool embedded = !cli_given(args, CLI_OPT_SOCKET) && !cli_given(args, CLI_OPT_DAEMON);
    int r;

    *rounds = (struct cli_rounds){.threads = embedded ? cli_processors(CLI_TEAM_MAX) : 1};
    rounds->backend_count = rounds->threads;
    rounds->most = rounds->threads > 1 ? LINES_MAX : 1;
    rounds->exams = calloc(rounds->most, sizeof(*rounds->exams));
    rounds->backends = calloc(rounds->threads, sizeof(*rounds->backends));
    if (!rounds->exams || !rounds->backends)
        return cli_fail("out of memory");
    for (size_t i = 0; i < rounds->most; i++)
        cli_exam_init(&rounds->exams[i]);
    r = cli_backend_open(&rounds->backends[0], args);
    if (r == 0)
        rounds->backends[0].socket.tick = *tick;
    return r;
}

struct cli_backend *cli_rounds_backend(struct cli_rounds *rounds)
{
    return &rounds->backends[0];
}

int cli_round_read(struct cli_rounds *rounds, struct cli_input *in)
{
    struct cli_record record = {.kind = CLI_DOCUMENT};
    size_t bytes = 0;

    rounds->count = 0;
    /* A line over the limit is a view of the input, which lasts until the next record. */
    while (rounds->count < rounds->most && bytes < BYTES_MAX && record.kind < CLI_TOO_LONG) {
        bool ready = !in->lines || cli_input_ready(in);
        int r;

        if (!ready && rounds->count > 0)
            return 1;
        if (!ready)
            fflush(stdout);
        r = cli_input_next(in, &record);
        if (r <= 0)
            return r;
        bytes += record.text.n;
        cli_exam_take(&rounds->exams[rounds->count++], in, &record);
    }
    return 1;
}

static void examine(void *opaque, unsigned thread)
{
    struct cli_rounds *rounds = opaque;

    for (;;) {
        size_t i = atomic_fetch_add_explicit(&rounds->next, 1, memory_order_relaxed);

        if (i >= rounds->count)
            return;
        cli_exam_run(&rounds->exams[i], rounds->by, &rounds->backends[thread]);
    }
}

/* Starts the team when the first round has lines for it. Without memory for it, or for its backends,
 * the caller's thread works alone. */
static void gather_team(struct cli_rounds *rounds)
{
    unsigned n = 1;

    while (n < rounds->threads && cli_backend_embed(&rounds->backends[n]) == 0)
        n++;
    rounds->threads = n;
    if (n > 1)
        rounds->team = cli_team_new(n);
    if (!rounds->team)
        rounds->threads = 1;
}

void cli_round_examine(struct cli_rounds *rounds, const struct cli_examiner *examiner)
{
    rounds->by = examiner;
    atomic_store_explicit(&rounds->next, 0, memory_order_relaxed);
    if (!rounds->team && rounds->threads > 1 && rounds->count > 1)
        gather_team(rounds);
    if (rounds->team && rounds->count > 1)
        cli_team_run(rounds->team, examine, rounds);
    else
        examine(rounds, 0);
}

void cli_rounds_close(struct cli_rounds *rounds)
{
    cli_team_free(rounds->team);
    for (size_t i = 0; rounds->exams && i < rounds->most; i++)
        cli_exam_done(&rounds->exams[i]);
    for (unsigned i = 0; rounds->backends && i < rounds->backend_count; i++)
        cli_backend_close(&rounds->backends[i]);
    free(rounds->exams);
    free(rounds->backends);
}
