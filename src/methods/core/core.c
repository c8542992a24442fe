/* SPDX-License-Identifier: Apache-2.0 */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif

#include "methods/core/core.h"

#include "methods/core/options.h"
#include "value/hash.h"

#define DEFAULT_MAX_DEPTH         256
#define DEFAULT_MAX_VALUES        (1024 * 1024)
#define DEFAULT_MAX_STREAMS       64
#define DEFAULT_MAX_STREAM_BUFFER ((uint64_t)64 << 20)
#define DEFAULT_MAX_ANSWER        ((size_t)256 << 20)
#define DEFAULT_MAX_MEMORY        ((uint64_t)512 << 20)

/* The memory that a request may make by its size, if max_memory doesn't allow less. */
#define MEMORY_OF_ANY    ((uint64_t)64 << 20)
#define MEMORY_OF_A_BYTE ((uint64_t)64)

/* Key of the hashes if the caller gave none: good enough for programs that read only histories of
 * their own, which nobody made to collide. */
static const uint64_t default_hash_key[2] = {0x7475726e6b656570, 0x65722d6c69627261};

static void *resize(tk_core *core, void *ptr, size_t old_size, size_t new_size)
{
    return core->allocator.resize(core->allocator.opaque, ptr, old_size, new_size);
}

static void forget_info(tk_core *core)
{
    for (size_t i = 0; i < sizeof(core->info) / sizeof(core->info[0]); i++) {
        if (core->info[i].n > 0)
            resize(core, (void *)(uintptr_t)core->info[i].p, core->info[i].n, 0);
        core->info[i] = (struct tk_str){NULL, 0};
    }
}

void tk_core_keep_info(tk_core *core, enum tk_codec codec, struct tk_str answer)
{
    char *copy = answer.n > 0 ? resize(core, NULL, 0, answer.n) : NULL;

    if (!copy)
        return;
    memcpy(copy, answer.p, answer.n);
    core->info[codec] = (struct tk_str){copy, answer.n};
}

const char *tk_version(void)
{
    return PACKAGE_VERSION;
}

void tk_core_set_limits(tk_core *core, uint32_t max_depth, uint32_t max_values)
{
    forget_info(core);
    core->limits.max_depth = max_depth ? max_depth : DEFAULT_MAX_DEPTH;
    core->limits.max_values = max_values ? max_values : DEFAULT_MAX_VALUES;
}

void tk_core_set_stream_limits(tk_core *core, uint64_t max_streams, uint64_t max_stream_buffer)
{
    core->max_streams = max_streams == 0           ? DEFAULT_MAX_STREAMS
                        : max_streams > UINT32_MAX ? UINT32_MAX
                                                   : (uint32_t)max_streams;
    core->max_stream_buffer = max_stream_buffer ? max_stream_buffer : DEFAULT_MAX_STREAM_BUFFER;
}

void tk_core_set_answer_limit(tk_core *core, uint64_t max_answer)
{
    forget_info(core);
    core->max_answer = max_answer == 0         ? DEFAULT_MAX_ANSWER
                       : max_answer > SIZE_MAX ? SIZE_MAX
                                               : (size_t)max_answer;
}

void tk_core_set_memory_limit(tk_core *core, uint64_t max_memory)
{
    forget_info(core);
    core->max_memory = max_memory ? max_memory : DEFAULT_MAX_MEMORY;
}

uint64_t tk_core_memory_limit(const tk_core *core, size_t request_size)
{
    uint64_t by_size = MEMORY_OF_ANY + MEMORY_OF_A_BYTE * request_size;

    return by_size < core->max_memory ? by_size : core->max_memory;
}

void tk_core_set_host(tk_core *core, const struct tk_host *host)
{
    forget_info(core);
    core->host = host;
}

tk_core *tk_core_new(const tk_options *options)
{
    tk_options o;
    tk_allocator allocator;
    const uint64_t *key;
    tk_core *core;
    bool keyed;

    if (tk_read_options(options, &o) < 0)
        return NULL;
    allocator = o.allocator.resize ? o.allocator : tk_libc_allocator;
    keyed = (o.hash_key[0] | o.hash_key[1]) != 0;
    key = keyed ? o.hash_key : default_hash_key;
    core = allocator.resize(allocator.opaque, NULL, 0, sizeof(*core));
    if (!core)
        return NULL;
    *core = (tk_core){.keyed = keyed};
    tk_budget_init(&core->budget, allocator);
    core->allocator = tk_budget_allocator(&core->budget);
    core->limits.hash_key[0] = key[0];
    core->limits.hash_key[1] = key[1];
    tk_core_set_limits(core, o.max_depth, o.max_values);
    tk_core_set_stream_limits(core, o.max_streams, o.max_stream_buffer);
    tk_core_set_answer_limit(core, o.max_answer);
    tk_core_set_memory_limit(core, o.max_memory);
    tk_doc_init(&core->doc, core->allocator);
    for (size_t i = 0; i < TK_STREAM_TAPES; i++)
        tk_doc_init(&core->tapes[i], core->allocator);
    return core;
}

static void destroy_reply(tk_reply *reply)
{
    tk_core *core = reply->core;

    tk_arena_done(&reply->arena);
    resize(core, reply, sizeof(*reply), 0);
}

void tk_core_free(tk_core *core)
{
    tk_allocator inner;

    if (!core)
        return;
    while (core->spare) {
        tk_reply *reply = core->spare;

        core->spare = reply->next;
        destroy_reply(reply);
    }
    forget_info(core);
    tk_doc_done(&core->doc);
    for (size_t i = 0; i < TK_STREAM_TAPES; i++)
        tk_doc_done(&core->tapes[i]);
    inner = core->budget.inner; /* the core's own allocator is a part of it */
    inner.resize(inner.opaque, core, sizeof(*core), 0);
}

static void trim(tk_core *core, struct tk_doc *doc)
{
    if (doc->capacity <= TK_CORE_SPARE_NODES)
        return;
    tk_doc_done(doc);
    tk_doc_init(doc, core->allocator);
}

void tk_core_trim(tk_core *core)
{
    trim(core, &core->doc);
    for (size_t i = 0; i < TK_STREAM_TAPES; i++)
        trim(core, &core->tapes[i]);
}

uint64_t tk_core_correlation(tk_core *core)
{
    struct {
        const tk_core *core;
        uint64_t n;
    } what = {core, ++core->defects};
    uint64_t id = tk_hash(core->limits.hash_key, &what, sizeof(what));

    return id ? id : 1;
}

/* ---- replies ---- */

tk_reply *tk_core_take_reply(tk_core *core)
{
    tk_reply *reply = core->spare;

    if (reply) {
        core->spare = reply->next;
        core->spare_count--;
        core->spare_bytes -= tk_arena_size(&reply->arena);
    } else {
        reply = resize(core, NULL, 0, sizeof(*reply));
        if (!reply)
            return NULL;
        reply->core = core;
        tk_arena_init(&reply->arena, core->allocator);
    }
    reply->next = NULL;
    reply->owned = reply->body = (struct tk_str){NULL, 0};
    reply->info = (tk_reply_info){NULL, NULL, NULL, false};
    reply->error = (tk_error){.name = NULL};
    reply->tally = (struct tk_tally){0};
    reply->caller[0] = '\0';
    reply->correlation = 0;
    tk_out_init(&reply->out, &reply->arena);
    return reply;
}

void tk_reply_free(tk_reply *reply)
{
    tk_core *core;
    size_t bytes;

    if (!reply)
        return;
    core = reply->core;
    if (reply->owned.p)
        resize(core, (void *)(uintptr_t)reply->owned.p, reply->owned.n, 0);
    tk_arena_reset(&reply->arena);
    bytes = tk_arena_size(&reply->arena);
    if (core->spare_count == TK_CORE_SPARE_REPLIES ||
        bytes > TK_CORE_SPARE_BYTES - core->spare_bytes) {
        destroy_reply(reply);
        return;
    }
    reply->next = core->spare;
    core->spare = reply;
    core->spare_count++;
    core->spare_bytes += bytes;
}

const struct iovec *tk_reply_iov(const tk_reply *reply, size_t *ret_n)
{
    *ret_n = reply->out.count;
    return reply->out.pieces;
}

size_t tk_reply_size(const tk_reply *reply)
{
    return reply->out.size;
}

size_t tk_reply_held(const tk_reply *reply)
{
    return sizeof(*reply) + reply->owned.n + tk_arena_size(&reply->arena);
}

const tk_reply_info *tk_reply_get_info(const tk_reply *reply)
{
    return &reply->info;
}

const tk_error *tk_reply_error(const tk_reply *reply)
{
    return reply->info.error ? &reply->error : NULL;
}

const void *tk_reply_body(const tk_reply *reply, size_t *ret_size)
{
    *ret_size = reply->body.n;
    return reply->body.p;
}

const char *tk_reply_get_caller(const tk_reply *reply)
{
    return reply->caller;
}

struct tk_tally tk_reply_get_tally(const tk_reply *reply)
{
    return reply->tally;
}

uint64_t tk_reply_get_correlation(const tk_reply *reply)
{
    return reply->correlation;
}
