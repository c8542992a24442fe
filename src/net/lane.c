/* SPDX-License-Identifier: Apache-2.0 */
#include "net/lane.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "net/connection.h"

/* Between two looks at memory that nobody may use any more. */
#define TRIM_AFTER TK_SECOND
/* Freed bytes that are worth asking the C library to give them back. */
#define TRIM_MIN ((size_t)4 << 20)

/* One turn for each connection that waits for it; those that yield again wait for the next. */
static void on_resume(evutil_socket_t fd, short what, void *arg)
{
    struct tk_lane *lane = arg;
    struct tk_connection *c, *last = TAILQ_LAST(&lane->yielded, tk_connections);

    (void)fd;
    (void)what;
    do {
        c = TAILQ_FIRST(&lane->yielded);
        if (c)
            tk_connection_resume(c);
    } while (c && c != last);
}

/*
 * What the C library keeps of freed memory serves the next request well, and costs the machine dear
 * after the largest one: a few live bytes in each of many pages keep them all. So it is told to
 * give pages back once much less is freed than before, be it that nothing comes any more or that
 * what comes is smaller.
 */
static bool is_over(const struct tk_lane *lane)
{
    return lane->most_freed >= TRIM_MIN && lane->freed <= lane->most_freed / 4;
}

static void look_later(struct tk_lane *lane)
{
    static const struct timeval later = {TRIM_AFTER / TK_SECOND, 0};

    if (!evtimer_pending(&lane->trim, NULL))
        (void)evtimer_add(&lane->trim, &later);
}

static void on_trim(evutil_socket_t fd, short what, void *arg)
{
    struct tk_lane *lane = arg;

    (void)fd;
    (void)what;
    if (!lane->large)
        tk_buffer_done(&lane->scratch.buffer);
    if (is_over(lane)) {
        (void)malloc_trim(0);
        lane->most_freed = 0;
    }
    if (lane->freed > lane->most_freed)
        lane->most_freed = lane->freed;
    lane->freed = 0;
    lane->large = false;
    if (lane->most_freed >= TRIM_MIN || lane->scratch.buffer.capacity > TK_SCRATCH_SIZE)
        look_later(lane);
}

void tk_lane_used(struct tk_lane *lane)
{
    if (lane->freed >= TRIM_MIN || lane->scratch.buffer.capacity > TK_SCRATCH_SIZE)
        look_later(lane);
}

/* The core's allocator: the C library's, with the frees counted. */
static void *resize(void *opaque, void *ptr, size_t old_size, size_t new_size)
{
    struct tk_lane *lane = opaque;

    if (new_size < old_size)
        lane->freed += old_size - new_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

static struct event_base *new_base(void)
{
    struct event_config *config = event_config_new();
    struct event_base *base = NULL;

    /* A base is touched by its own thread only: others write to an eventfd. */
    if (config && event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK) == 0)
        base = event_base_new_with_config(config);
    if (config)
        event_config_free(config);
    return base;
}

static void set_other_limits(tk_core *core, const struct tk_settings *settings)
{
    tk_core_set_answer_limit(core, (uint64_t)settings->limits.max_answer);
    tk_core_set_stream_limits(core, (uint32_t)settings->limits.max_streams_per_connection,
                              (uint64_t)settings->limits.max_stream_buffer);
}

static tk_core *new_core(struct tk_lane *lane, const struct tk_lane_options *options)
{
    tk_options core_options = {
        .allocator = {resize, lane},
        .max_depth = (uint32_t)options->settings->limits.max_depth,
        .max_values = (uint32_t)options->settings->limits.max_values,
        .hash_key = {options->hash_key[0], options->hash_key[1]},
    };
    tk_core *core = tk_core_new(&core_options);

    if (core) {
        tk_core_set_host(core, options->host);
        set_other_limits(core, options->settings);
    }
    return core;
}

int tk_lane_init(struct tk_lane *lane, const struct tk_lane_options *options)
{
    *lane = (struct tk_lane){
        .settings = tk_settings_ref(options->settings),
        .census = options->census,
        .inflight = options->inflight,
        .control = options->control,
    };
    TAILQ_INIT(&lane->all);
    TAILQ_INIT(&lane->yielded);
    lane->base = new_base();
    lane->core = new_core(lane, options);
    if (!lane->base || !lane->core || tk_counters_init(&lane->counters) < 0) {
        tk_lane_done(lane);
        return -ENOMEM;
    }
    (void)event_assign(&lane->resume, lane->base, -1, 0, on_resume, lane);
    (void)event_assign(&lane->trim, lane->base, -1, 0, on_trim, lane);
    return 0;
}

void tk_lane_done(struct tk_lane *lane)
{
    struct tk_connection *c;

    lane->draining = false; /* nobody waits for the last one any more */
    while ((c = TAILQ_FIRST(&lane->all)) != NULL)
        tk_connection_free(c);
    if (event_initialized(&lane->resume))
        (void)event_del(&lane->resume);
    if (event_initialized(&lane->trim))
        (void)event_del(&lane->trim);
    tk_buffer_done(&lane->scratch.buffer);
    tk_buffer_done(&lane->stage);
    tk_core_free(lane->core);
    tk_counters_done(&lane->counters);
    if (lane->base)
        event_base_free(lane->base);
    tk_settings_unref(lane->settings);
    *lane = (struct tk_lane){0};
}

/* Calls f for each connection; f may free its own. */
static void for_each(struct tk_lane *lane, void (*f)(struct tk_connection *c))
{
    struct tk_connection *c = TAILQ_FIRST(&lane->all);

    while (c) {
        struct tk_connection *next = tk_connection_next(c);

        f(c);
        c = next;
    }
}

void tk_lane_set_settings(struct tk_lane *lane, struct tk_settings *settings)
{
    struct tk_settings *old = lane->settings;

    lane->settings = tk_settings_ref(settings);
    tk_core_set_limits(lane->core, (uint32_t)settings->limits.max_depth,
                       (uint32_t)settings->limits.max_values);
    set_other_limits(lane->core, settings);
    for_each(lane, tk_connection_new_settings);
    tk_settings_unref(old);
}

void tk_lane_drain(struct tk_lane *lane)
{
    lane->draining = true;
    for_each(lane, tk_connection_drain);
    if (TAILQ_EMPTY(&lane->all) && lane->empty)
        lane->empty(lane->empty_arg);
}

/* Supplementary groups, as many as the peer has: the first call only asks for the size. */
static bool has_allowed_group(const struct tk_id_list *allowed, int fd)
{
    socklen_t size = 0;
    bool found = false;
    gid_t *groups;

    if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, NULL, &size) == 0 || errno != ERANGE)
        return false;
    groups = malloc(size);
    if (!groups || getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size) != 0)
        size = 0;
    for (size_t i = 0; i < size / sizeof(groups[0]) && !found; i++)
        found = tk_id_list_has(allowed, groups[i]);
    free(groups);
    return found;
}

bool tk_lane_allows(const struct tk_settings *settings, int fd, uid_t uid, gid_t gid)
{
    if (!settings->allow_uids.set && !settings->allow_gids.set)
        return true;
    return tk_id_list_has(&settings->allow_uids, uid) ||
           tk_id_list_has(&settings->allow_gids, gid) ||
           (settings->allow_gids.set && has_allowed_group(&settings->allow_gids, fd));
}
