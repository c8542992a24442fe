/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct cli_team_member {
    struct cli_team *team;
    pthread_t thread;
    unsigned number;
};

struct cli_team {
    pthread_mutex_t lock;
    pthread_cond_t begin, end;
    /* Guarded by the lock. */
    uint64_t round; /* number of the current task */
    unsigned busy;  /* threads that haven't finished it */
    bool stopping;
    cli_team_work *work;
    void *task;
    unsigned size; /* the caller included */
    struct cli_team_member members[];
};

static void *member_main(void *opaque)
{
    struct cli_team_member *m = opaque;
    struct cli_team *team = m->team;
    uint64_t round = 0;

    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->round == round && !team->stopping)
            pthread_cond_wait(&team->begin, &team->lock);
        if (team->stopping)
            break;
        round = team->round;
        pthread_mutex_unlock(&team->lock);
        team->work(team->task, m->number);
        pthread_mutex_lock(&team->lock);
        if (--team->busy == 0)
            pthread_cond_signal(&team->end);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

struct cli_team *cli_team_new(unsigned size)
{
    struct cli_team *team = calloc(1, sizeof(*team) + size * sizeof(team->members[0]));

    if (!team)
        return NULL;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->begin, NULL);
    pthread_cond_init(&team->end, NULL);
    for (team->size = 1; team->size < size; team->size++) {
        struct cli_team_member *m = &team->members[team->size];

        m->team = team;
        m->number = team->size;
        if (pthread_create(&m->thread, NULL, member_main, m) != 0)
            break;
    }
    return team;
}

unsigned cli_team_size(const struct cli_team *team)
{
    return team->size;
}

void cli_team_run(struct cli_team *team, cli_team_work *work, void *task)
{
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->task = task;
    team->busy = team->size - 1;
    team->round++;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->lock);
    work(task, 0);
    pthread_mutex_lock(&team->lock);
    while (team->busy > 0)
        pthread_cond_wait(&team->end, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

void cli_team_free(struct cli_team *team)
{
    if (!team)
        return;
    pthread_mutex_lock(&team->lock);
    team->stopping = true;
    pthread_cond_broadcast(&team->begin);
    pthread_mutex_unlock(&team->lock);
    for (unsigned i = 1; i < team->size; i++)
        pthread_join(team->members[i].thread, NULL);
    pthread_cond_destroy(&team->end);
    pthread_cond_destroy(&team->begin);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

unsigned cli_processors(unsigned most)
{
    cpu_set_t set;
    int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

    return n < 1 ? 1 : (unsigned)n > most ? most : (unsigned)n;
}
