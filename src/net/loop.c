/* SPDX-License-Identifier: Apache-2.0 */
#include "net/loop.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>

#include "net/output.h"

/* Time between two checks for unused memory. */
#define TRIM_AFTER TK_SECOND
/* Fewer freed bytes than this are never given back to the system. */
#define TRIM_MIN ((size_t)4 << 20)
/* The memory of a request that runs is charged in steps of at least this size. */
#define RUN_STEP ((size_t)256 << 10)

/*
 * The C library keeps freed memory, which makes the next request fast. But after a very large
 * request a few bytes in use in each of many pages keep them all. So pages are given back to the
 * system once much less memory is freed per second than before: requests have stopped, or became
 * smaller.
 */
static bool is_over(const struct tk_loop *loop)
{
    return loop->most_freed >= TRIM_MIN && loop->freed <= loop->most_freed / 4;
}

static void look_later(struct tk_loop *loop)
{
    static const struct timeval later = {TRIM_AFTER / TK_SECOND, 0};

    if (!evtimer_pending(&loop->trim, NULL))
        (void)evtimer_add(&loop->trim, &later);
}

static void on_trim(evutil_socket_t fd, short what, void *arg)
{
    struct tk_loop *loop = arg;

    (void)fd;
    (void)what;
    if (!loop->large)
        tk_buffer_done(&loop->scratch.buffer);
    if (is_over(loop)) {
        (void)malloc_trim(0);
        loop->most_freed = 0;
    }
    if (loop->freed > loop->most_freed)
        loop->most_freed = loop->freed;
    loop->freed = 0;
    loop->large = false;
    if (loop->most_freed >= TRIM_MIN || loop->scratch.buffer.capacity > TK_SCRATCH_SIZE)
        look_later(loop);
}

void tk_loop_used(struct tk_loop *loop)
{
    if (loop->freed >= TRIM_MIN || loop->scratch.buffer.capacity > TK_SCRATCH_SIZE)
        look_later(loop);
}

void tk_loop_schedule(struct tk_loop *loop)
{
    static const struct timeval now = {0, 0};

    /* A timer of zero length: sockets are polled once before it fires. */
    if (loop->turns.waiting > 0 && !evtimer_pending(&loop->resume, NULL) &&
        evtimer_add(&loop->resume, &now) != 0)
        loop->damaged = true;
}

/* Charges the memory of the request that runs to its user, in steps that are worth the lock. */
static void charge_run(struct tk_loop *loop, size_t old_size, size_t new_size)
{
    struct tk_run *run = &loop->run;

    if (!run->share)
        return;
    run->bytes += (int64_t)new_size - (int64_t)old_size;
    if (run->bytes >= (int64_t)(run->charged + RUN_STEP))
        tk_inflight_charge(loop->inflight, run->share, &run->charged, (size_t)run->bytes);
}

void tk_loop_begin_run(struct tk_loop *loop, struct tk_share *share)
{
    loop->run = (struct tk_run){.share = share};
}

void tk_loop_end_run(struct tk_loop *loop)
{
    tk_inflight_charge(loop->inflight, loop->run.share, &loop->run.charged, 0);
    loop->run = (struct tk_run){0};
}

/* The core's allocator: that of the C library, counting freed bytes and those of the request. */
static void *resize(void *opaque, void *ptr, size_t old_size, size_t new_size)
{
    struct tk_loop *loop = opaque;
    void *p;

    if (new_size < old_size)
        loop->freed += old_size - new_size;
    if (new_size == 0) {
        charge_run(loop, old_size, 0);
        free(ptr);
        return NULL;
    }
    p = realloc(ptr, new_size);
    if (p)
        charge_run(loop, old_size, new_size);
    return p;
}

static struct event_base *new_base(void)
{
    struct event_config *config = event_config_new();
    struct event_base *base = NULL;

    /* Only its own thread uses the base: other threads write to an eventfd. */
    if (config && event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK) == 0)
        base = event_base_new_with_config(config);
    if (config)
        event_config_free(config);
    return base;
}

static void set_other_limits(tk_core *core, const struct tk_settings *settings)
{
    tk_core_set_answer_limit(core, (uint64_t)settings->limits.max_answer);
    tk_core_set_memory_limit(core, (uint64_t)settings->limits.max_memory);
    tk_core_set_stream_limits(core, (uint32_t)settings->limits.max_streams_per_connection,
                              (uint64_t)settings->limits.max_stream_buffer);
}

static tk_core *new_core(struct tk_loop *loop, const struct tk_loop_options *options)
{
    tk_options core_options = {
        .size = sizeof(core_options),
        .allocator = {resize, loop},
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

int tk_loop_init(struct tk_loop *loop, const struct tk_loop_options *options)
{
    *loop = (struct tk_loop){
        .settings = tk_settings_ref(options->settings),
        .peers = options->peers,
        .inflight = options->inflight,
        .slots = options->slots,
        .control = options->control,
    };
    TAILQ_INIT(&loop->all);
    tk_turns_init(&loop->turns);
    TAILQ_INIT(&loop->parked);
    loop->base = new_base();
    loop->core = new_core(loop, options);
    /* The stage is there from the start, so that an answer about missing memory finds it. */
    if (!loop->base || !loop->core || tk_counters_init(&loop->counters) < 0 ||
        tk_buffer_reserve(&loop->stage, TK_STAGE_SIZE) < 0) {
        tk_loop_done(loop);
        return -ENOMEM;
    }
    (void)event_assign(&loop->trim, loop->base, -1, 0, on_trim, loop);
    return 0;
}

void tk_loop_done(struct tk_loop *loop)
{
    if (event_initialized(&loop->trim))
        (void)event_del(&loop->trim);
    tk_turns_done(&loop->turns);
    tk_buffer_done(&loop->scratch.buffer);
    tk_buffer_done(&loop->stage);
    tk_core_free(loop->core);
    tk_counters_done(&loop->counters);
    if (loop->base)
        event_base_free(loop->base);
    tk_settings_unref(loop->settings);
    *loop = (struct tk_loop){0};
}

void tk_loop_set_settings(struct tk_loop *loop, struct tk_settings *settings)
{
    struct tk_settings *old = loop->settings;

    loop->settings = tk_settings_ref(settings);
    tk_core_set_limits(loop->core, (uint32_t)settings->limits.max_depth,
                       (uint32_t)settings->limits.max_values);
    set_other_limits(loop->core, settings);
    tk_settings_unref(old);
}
