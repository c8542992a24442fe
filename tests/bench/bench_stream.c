/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures stream pairing, in this process, through tk_call(): requests in one end, answers out
 * of the other, as the daemon does it without its socket.
 *
 *     bench_stream [--json]
 *
 *   - throughput: SSE of whole turns in feeds of 64 KiB, stream.open and stream.end included; MB of
 *     SSE and events in a second, for turns of small deltas, of longer ones, and of web searches;
 *   - growth: time per event of a stream of 10^5 deltas to that of one of 10^3;
 *   - live: one delta a feed; how long it takes until its output is there.
 */
#include "turnkeeper/turnkeeper.h"
#include "value/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RUN_NS      UINT64_C(300000000)
#define FEED        ((size_t)64 * 1024)
#define TURN        ((size_t)4 << 20)
#define DELTAS      100000u
#define FEW         1000u
#define LIVE_RUNS   5
#define GROWTH_RUNS 8

static bool as_json;

static void die(const char *what)
{
    fprintf(stderr, "bench_stream: %s\n", what);
    exit(1);
}

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static uint64_t now_ns(void)
{
    return clock_ns(CLOCK_MONOTONIC);
}

/* Returns the processor time of this thread in ns, independent of other load. */
static uint64_t cpu_ns(void)
{
    return clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}

/* ---- streams of events ---- */

struct text {
    char *p;
    size_t n, room;
    size_t events;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format, ...)
{
    va_list args;

    if (t->room - t->n < 4096) {
        t->room = 2 * t->room + 8192;
        t->p = realloc(t->p, t->room);
        if (!t->p)
            die("out of memory");
    }
    va_start(args, format);
    t->n += (size_t)vsnprintf(t->p + t->n, t->room - t->n, format, args);
    va_end(args);
    t->events++;
}

static void put_start(struct text *t)
{
    put(t, "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\","
           "\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[],"
           "\"stop_reason\":null,\"stop_sequence\":null,"
           "\"usage\":{\"input_tokens\":10,\"output_tokens\":1}}}\n\n");
}

static void put_end(struct text *t)
{
    put(t, "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
           "\"end_turn\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":5}}\n\n");
    put(t, "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
}

static void put_block_start(struct text *t, unsigned at, const char *block)
{
    put(t,
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":%u,"
        "\"content_block\":%s}\n\n",
        at, block);
}

static void put_block_stop(struct text *t, unsigned at)
{
    put(t, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":%u}\n\n",
        at);
}

static void put_delta(struct text *t, unsigned at, const char *delta)
{
    put(t,
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":%u,"
        "\"delta\":%s}\n\n",
        at, delta);
}

static const char *const words[] = {"The",   " capital", " of",    " Norway", " is",
                                    " Oslo", ",",        " which", " lies",   "\\n\\n",
                                    " at",   " the",     " fjord", "."};
#define WORDS (sizeof(words) / sizeof(words[0]))

static void put_text_delta(struct text *t, unsigned at, size_t pieces)
{
    static size_t next;
    char delta[2048];
    size_t n = (size_t)snprintf(delta, sizeof(delta), "{\"type\":\"text_delta\",\"text\":\"");

    for (size_t i = 0; i < pieces; i++)
        n += (size_t)snprintf(delta + n, sizeof(delta) - n, "%s", words[next++ % WORDS]);
    snprintf(delta + n, sizeof(delta) - n, "\"}");
    put_delta(t, at, delta);
}

/* Text in deltas of so many words. */
static void put_text(struct text *t, unsigned at, size_t deltas, size_t pieces)
{
    put_block_start(t, at, "{\"type\":\"text\",\"text\":\"\"}");
    for (size_t i = 0; i < deltas; i++)
        put_text_delta(t, at, pieces);
    put_block_stop(t, at);
}

static void put_search(struct text *t, unsigned at)
{
    char block[3000], content[800];

    memset(content, 'E', sizeof(content) - 1);
    content[sizeof(content) - 1] = '\0';
    snprintf(block, sizeof(block),
             "{\"type\":\"server_tool_use\",\"id\":\"srvtoolu_%u\",\"name\":\"web_search\","
             "\"input\":{}}",
             at);
    put_block_start(t, at, block);
    put_delta(t, at, "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"query\\\": \"}");
    put_delta(t, at, "{\"type\":\"input_json_delta\",\"partial_json\":\"\\\"weather Oslo\\\"}\"}");
    put_block_stop(t, at);
    snprintf(block, sizeof(block),
             "{\"type\":\"web_search_tool_result\",\"tool_use_id\":\"srvtoolu_%u\",\"content\":["
             "{\"type\":\"web_search_result\",\"url\":\"https://example.com/a\",\"title\":\"A\","
             "\"encrypted_content\":\"%s\",\"page_age\":\"1 day ago\"},"
             "{\"type\":\"web_search_result\",\"url\":\"https://example.com/b\",\"title\":\"B\","
             "\"encrypted_content\":\"%s\",\"page_age\":null}]}",
             at, content, content);
    put_block_start(t, at + 1, block);
    put_block_stop(t, at + 1);
}

static struct text small_deltas(void)
{
    struct text t = {0};

    put_start(&t);
    for (unsigned at = 0; t.n < TURN; at++)
        put_text(&t, at, 500, 1);
    put_end(&t);
    return t;
}

static struct text longer_deltas(void)
{
    struct text t = {0};

    put_start(&t);
    for (unsigned at = 0; t.n < TURN; at++)
        put_text(&t, at, 100, 30);
    put_end(&t);
    return t;
}

static struct text searches(void)
{
    struct text t = {0};

    put_start(&t);
    for (unsigned at = 0; t.n < TURN; at += 3) {
        put_search(&t, at);
        put_text(&t, at + 2, 40, 3);
    }
    put_end(&t);
    return t;
}

static struct text deltas(unsigned count)
{
    struct text t = {0};

    put_start(&t);
    put_text(&t, 0, count, 1);
    put_end(&t);
    return t;
}

/* ---- requests ---- */

struct request {
    char *p;
    size_t n;
};

struct feeds {
    struct request *all;
    size_t count;
};

typedef void write_params(struct tk_writer *w, const void *arg);

static struct request request(enum tk_codec codec, const char *method, write_params *params,
                              const void *arg)
{
    struct tk_arena arena;
    struct tk_writer w;
    struct tk_out out;
    struct tk_str s;
    struct request r;

    tk_arena_init(&arena, tk_libc_allocator);
    tk_out_init(&out, &arena);
    tk_writer_init(&w, codec, &out);
    tk_write_map(&w);
    tk_write_kv_int(&w, "id", 1);
    tk_write_kv_cstr(&w, "method", method);
    tk_write_key(&w, "params");
    tk_write_map(&w);
    tk_write_kv_cstr(&w, "stream", "s");
    params(&w, arg);
    tk_write_end(&w);
    tk_write_end(&w);
    s = tk_out_join(&out);
    r = (struct request){malloc(s.n + 1), s.n};
    if (!r.p || !s.p)
        die("out of memory");
    memcpy(r.p, s.p, s.n);
    tk_arena_done(&arena);
    return r;
}

static void no_params(struct tk_writer *w, const void *arg)
{
    (void)w;
    (void)arg;
}

static void emit_params(struct tk_writer *w, const void *emit)
{
    tk_write_kv_cstr(w, "emit", emit);
}

/* Bytes as bin in msgpack, as a string in JSON. */
static void data_params(struct tk_writer *w, const void *arg)
{
    const struct tk_str *s = arg;
    uint8_t *header;

    tk_write_key(w, "data");
    if (w->codec == TK_JSON) {
        tk_write_str(w, *s);
        return;
    }
    tk_write_raw(w, (struct tk_str){"\xc6", 1});
    header = tk_out_reserve(w->out, 4);
    for (int i = 0; header && i < 4; i++)
        header[i] = (uint8_t)(s->n >> (24 - 8 * i));
    tk_out_ref(w->out, *s);
}

static struct feeds cut(enum tk_codec codec, const struct text *t, size_t size)
{
    struct feeds feeds = {calloc(t->n / size + 1, sizeof(*feeds.all)), 0};

    for (size_t at = 0; at < t->n; at += size) {
        struct tk_str piece = {t->p + at, t->n - at < size ? t->n - at : size};

        feeds.all[feeds.count++] = request(codec, "stream.feed", data_params, &piece);
    }
    return feeds;
}

/* Each event in a feed of its own. */
static struct feeds cut_by_event(enum tk_codec codec, const struct text *t)
{
    struct feeds feeds = {calloc(t->events, sizeof(*feeds.all)), 0};
    const char *p = t->p, *end = t->p + t->n;

    while (p < end) {
        const char *behind = strstr(p, "\n\n") + 2;
        struct tk_str piece = {p, (size_t)(behind - p)};

        feeds.all[feeds.count++] = request(codec, "stream.feed", data_params, &piece);
        p = behind;
    }
    return feeds;
}

static void free_feeds(struct feeds *feeds)
{
    for (size_t i = 0; i < feeds->count; i++)
        free(feeds->all[i].p);
    free(feeds->all);
}

/* ---- measuring ---- */

struct run {
    tk_core *core;
    tk_session *session;
    struct request open, end;
};

static struct run new_run(enum tk_codec codec, const char *emit)
{
    struct run run = {.core = tk_core_new(NULL)};

    run.session = run.core ? tk_session_new(run.core) : NULL;
    if (!run.session)
        die("out of memory");
    run.open = request(codec, "stream.open", emit_params, emit);
    run.end = request(codec, "stream.end", no_params, NULL);
    return run;
}

static void free_run(struct run *run)
{
    tk_session_free(run->session);
    tk_core_free(run->core);
    free(run->open.p);
    free(run->end.p);
}

static void call(struct run *run, const struct request *r)
{
    tk_reply *reply;

    if (tk_call(run->core, run->session, r->p, r->n, NULL, &reply) != 0)
        die("out of memory");
    if (tk_reply_get_info(reply)->error)
        die(tk_reply_get_info(reply)->error);
    tk_reply_free(reply);
}

/* One whole stream. */
static uint64_t stream_ns(struct run *run, const struct feeds *feeds)
{
    uint64_t start = cpu_ns();

    call(run, &run->open);
    for (size_t i = 0; i < feeds->count; i++)
        call(run, &feeds->all[i]);
    call(run, &run->end);
    return cpu_ns() - start;
}

static uint64_t least_ns(struct run *run, const struct feeds *feeds)
{
    uint64_t least = UINT64_MAX, start = cpu_ns();

    while (cpu_ns() - start < RUN_NS) {
        uint64_t ns = stream_ns(run, feeds);

        least = ns < least ? ns : least;
    }
    return least;
}

static const char *codec_name(enum tk_codec codec)
{
    return codec == TK_JSON ? "json" : "msgpack";
}

static void throughput(const char *turn, const struct text *t, enum tk_codec codec,
                       const char *emit)
{
    struct run run = new_run(codec, emit);
    struct feeds feeds = cut(codec, t, FEED);
    double ns = (double)least_ns(&run, &feeds);
    double mb_s = (double)t->n * 1000 / ns, events_s = (double)t->events * 1e9 / ns;

    printf(as_json ? "{\"turn\": \"%s\", \"codec\": \"%s\", \"emit\": \"%s\", \"mb_s\": %.1f, "
                     "\"events_s\": %.0f}\n"
                   : "%-14s %-8s %-7s %8.1f MB/s %10.0f events/s\n",
           turn, codec_name(codec), emit, mb_s, events_s);
    free_feeds(&feeds);
    free_run(&run);
}

/*
 * Time per event of streams of so many deltas, as many streams as make DELTAS in all: memory that
 * is cold is cold for the short ones, too.
 */
static double per_event(const char *emit, unsigned count, size_t size)
{
    struct run run = new_run(TK_MSGPACK, emit);
    size_t streams = DELTAS / count;
    struct feeds *feeds = calloc(streams, sizeof(*feeds));
    uint64_t least = UINT64_MAX;
    size_t events = 0;

    if (!feeds)
        die("out of memory");
    for (size_t i = 0; i < streams; i++) {
        struct text t = deltas(count);

        feeds[i] = size > 0 ? cut(TK_MSGPACK, &t, size) : cut_by_event(TK_MSGPACK, &t);
        events += t.events;
        free(t.p);
    }
    for (int k = 0; k < GROWTH_RUNS; k++) {
        uint64_t ns = 0;

        for (size_t i = 0; i < streams; i++)
            ns += stream_ns(&run, &feeds[i]);
        least = ns < least ? ns : least;
    }
    for (size_t i = 0; i < streams; i++)
        free_feeds(&feeds[i]);
    free(feeds);
    free_run(&run);
    return (double)least / (double)events;
}

static void growth(const char *emit, size_t size, const char *how)
{
    double few = per_event(emit, FEW, size), many = per_event(emit, DELTAS, size);

    printf(as_json ? "{\"growth\": \"%s\", \"emit\": \"%s\", \"few_ns\": %.0f, \"many_ns\": %.0f, "
                     "\"ratio\": %.3f}\n"
                   : "growth, %s, %s: %.0f ns an event of 10^3, %.0f ns of 10^5: %.2f x\n",
           how, emit, few, many, many / few);
}

static int compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void live(enum tk_codec codec, const char *emit)
{
    struct text t = deltas(DELTAS);
    struct run run = new_run(codec, emit);
    struct feeds feeds = cut_by_event(codec, &t);
    size_t n = 0;
    uint64_t *took = malloc(LIVE_RUNS * feeds.count * sizeof(*took));

    if (!took)
        die("out of memory");
    for (int i = 0; i < LIVE_RUNS; i++) {
        call(&run, &run.open);
        for (size_t k = 0; k < feeds.count; k++) {
            uint64_t before = now_ns();

            call(&run, &feeds.all[k]);
            took[n++] = now_ns() - before;
        }
        call(&run, &run.end);
    }
    qsort(took, n, sizeof(*took), compare);
    printf(as_json ? "{\"live\": \"%s\", \"emit\": \"%s\", \"p50_us\": %.2f, \"p99_us\": %.2f}\n"
                   : "live delta, %s, %s: p50 %.2f us, p99 %.2f us\n",
           codec_name(codec), emit, (double)took[n / 2] / 1000, (double)took[n * 99 / 100] / 1000);
    free(took);
    free_feeds(&feeds);
    free_run(&run);
    free(t.p);
}

int main(int argc, char **argv)
{
    static const char *const forms[] = {"parts", "events", "sse"};
    struct {
        const char *name;
        struct text t;
    } turns[] = {
        {"small deltas", small_deltas()},
        {"longer deltas", longer_deltas()},
        {"searches", searches()},
    };

    as_json = argc > 1 && strcmp(argv[1], "--json") == 0;
    for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++)
        for (size_t k = 0; k < 2 * sizeof(forms) / sizeof(forms[0]); k++)
            throughput(turns[i].name, &turns[i].t, k % 2 == 0 ? TK_MSGPACK : TK_JSON, forms[k / 2]);
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        growth(forms[i], FEED, "64 KiB feeds");
        growth(forms[i], 0, "one event a feed");
    }
    for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
        live(TK_MSGPACK, forms[i]);
        live(TK_JSON, forms[i]);
    }
    for (size_t i = 0; i < sizeof(turns) / sizeof(turns[0]); i++)
        free(turns[i].t.p);
    return 0;
}
