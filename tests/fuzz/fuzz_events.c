/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any sequence of events: each byte pair of the input is one of them, so that few bytes make long
 * sequences of blocks that open, nest, overlap, answer each other and end in all orders. The
 * harness knows which blocks it has fed: no half of a pair leaves before both have stopped.
 *
 * Fed one by one, in groups, and as bytes, the events leave the same outputs and the same end;
 * watched.h has what else must hold.
 *
 * Input: a byte for the parameters, one for groups and codec, then pairs: what, and which.
 */
#include "must.h"
#include "watched.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    MAX_EVENTS = 300,
    MAX_BLOCKS = 100,
};

/* ---- parameters ---- */

/* A call that is in flight, and a pair whose id is used up. */
#define HISTORY                                                                                    \
    "\"history\":[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\",\"content\":["     \
    "{\"type\":\"server_tool_use\",\"id\":\"b\",\"name\":\"web_fetch\",\"input\":{}},"             \
    "{\"type\":\"web_fetch_tool_result\",\"tool_use_id\":\"b\",\"content\":{\"type\":"             \
    "\"web_fetch_tool_result_error\",\"error_code\":\"unavailable\"}},"                            \
    "{\"type\":\"server_tool_use\",\"id\":\"a\",\"name\":\"web_search\",\"input\":{}}]}]"
#define CARRY_IN "\"carry_in\":[{\"id\":\"a\",\"name\":\"web_search\"},{\"id\":\"c\"}]"

static const char *const opens[16] = {
    "{\"stream\":\"s\"}",
    "{\"stream\":\"s\",\"emit\":\"events\"}",
    "{\"stream\":\"s\",\"emit\":\"sse\"}",
    "{\"stream\":\"s\",\"emit\":\"events\",\"provider_input\":\"deltas\"}",
    "{\"stream\":\"s\",\"emit\":\"sse\",\"provider_input\":\"deltas\"}",
    "{\"stream\":\"s\",\"policy\":{\"unknown_tools\":\"error\"}}",
    "{\"stream\":\"s\"," HISTORY "}",
    "{\"stream\":\"s\",\"emit\":\"events\"," HISTORY "}",
    "{\"stream\":\"s\",\"emit\":\"sse\"," HISTORY "}",
    "{\"stream\":\"s\",\"emit\":\"sse\",\"provider_input\":\"deltas\"," HISTORY "}",
    "{\"stream\":\"s\"," CARRY_IN "}",
    "{\"stream\":\"s\",\"emit\":\"events\"," CARRY_IN "}",
    "{\"stream\":\"s\",\"emit\":\"sse\"," CARRY_IN "}",
    "{\"stream\":\"s\",\"emit\":\"events\",\"provider_input\":\"deltas\"," CARRY_IN "}",
    "{\"stream\":\"s\"," HISTORY "," CARRY_IN "}",
    "{\"stream\":\"s\",\"emit\":\"sse\"," HISTORY "," CARRY_IN "}",
};

/* ---- blocks and deltas; %c is an id ---- */

enum half {
    NO_HALF,
    CALL,
    RESULT,
};

#define USE(type, name) "{\"type\":\"" type "\",\"id\":\"%c\",\"name\":\"" name "\",\"input\":{}"
#define ANSWER(type)    "{\"type\":\"" type "\",\"tool_use_id\":\"%c\",\"content\":"

static const struct {
    enum half half;
    const char *json;
} blocks[] = {
    {NO_HALF, "{\"type\":\"text\",\"text\":\"\"}"},
    {NO_HALF, "{\"type\":\"text\",\"text\":\"%c\",\"citations\":[{\"n\":1}]}"},
    {NO_HALF, "{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}"},
    {NO_HALF, "{\"type\":\"redacted_thinking\",\"data\":\"d\"}"},
    {NO_HALF, USE("tool_use", "f") "}"},
    {CALL, USE("server_tool_use", "web_search") "}"},
    {CALL, USE("server_tool_use", "web_fetch") ",\"caller\":{\"type\":\"x\",\"tool_id\":\"a\"}}"},
    {CALL, USE("server_tool_use", "no_such_tool") "}"},
    {CALL, USE("mcp_tool_use", "m") ",\"server_name\":\"s\"}"},
    {CALL, USE("new_tool_use", "n") "}"},
    {RESULT, ANSWER("web_search_tool_result") "[{\"type\":\"web_search_result\",\"url\":\"u\","
                                              "\"title\":\"t\",\"encrypted_content\":\"%c\"}]}"},
    {RESULT, ANSWER("web_fetch_tool_result") "{\"type\":\"web_fetch_tool_result_error\","
                                             "\"error_code\":\"unavailable\"}}"},
    {RESULT, ANSWER("mcp_tool_result") "[],\"is_error\":true}"},
    {RESULT, ANSWER("new_tool_result") "\"\\u00e9\"}"},
    {NO_HALF, "{\"type\":\"fallback\",\"from\":{\"model\":\"x\"}}"},
    {NO_HALF, "{\"type\":\"compaction\",\"content\":null}"},
};

static const char *const deltas[] = {
    "{\"type\":\"text_delta\",\"text\":\"\\u00e9 %c\"}",
    "{\"type\":\"text_delta\",\"text\":\"\"}",
    "{\"type\":\"citations_delta\",\"citation\":{\"cited_text\":\"%c\",\"n\":1.50}}",
    "{\"type\":\"thinking_delta\",\"thinking\":\"hm\"}",
    "{\"type\":\"signature_delta\",\"signature\":\"%c=\"}",
    "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"q\\\": \\\"%c\\\"}\"}",
    "{\"type\":\"input_json_delta\",\"partial_json\":\"\"}",
    "{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"half\\\":\"}",
    "{\"type\":\"input_json_delta\",\"partial_json\":\"1}\"}",
    "{\"type\":\"compaction_delta\",\"content\":\"c\",\"encrypted_content\":\"%c\"}",
    "{\"type\":\"compaction_delta\",\"content\":null}",
    "{\"type\":\"new_delta\",\"x\":[]}",
};

static const char *const stops[] = {
    "\"end_turn\"", "\"pause_turn\"", "\"tool_use\"", "\"max_tokens\"",
    "\"refusal\"",  "null",           "\"\"",
};

/* Whole events. */
static const char *const others[] = {
    "{\"type\":\"ping\"}",
    "{\"type\":\"new_event\",\"x\":{\"y\":[1,true]}}",
    "{\"type\":\"message_stop\"}",
    "{\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"m\"}}",
    "{\"type\":\"error\"}",
    "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\"}}",
    "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_2\"}}",
    "{\"type\":\"content_block_start\",\"index\":-1,\"content_block\":{\"type\":\"text\"}}",
    "{\"type\":\"content_block_stop\",\"index\":1.0}",
    "{\"type\":7}",
    "{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\"}}",
    "{\"type\":\"message_delta\",\"delta\":{\"container\":{\"id\":\"c\"}}}",
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

/* ---- the sequence ---- */

struct sequence {
    struct tk_arena arena;
    struct tk_str events[MAX_EVENTS];
    unsigned count;
    /* A block that was started: half of which pair. `stopped`: the event after which it stopped, 0
     * for never. */
    struct {
        enum half half;
        char id;
        unsigned stopped;
    } fed[MAX_BLOCKS];
    unsigned blocks;
};

static void put(struct sequence *s, struct tk_str event)
{
    MUST(event.p);
    s->events[s->count++] = event;
}

/* A template with its id filled in. */
static struct tk_str fill(struct sequence *s, const char *json, char id)
{
    size_t n = strlen(json), to = 0;
    char *p = tk_arena_alloc(&s->arena, n);

    MUST(p);
    for (size_t i = 0; i < n; i++) {
        bool is_id = json[i] == '%' && i + 1 < n && json[i + 1] == 'c';

        p[to++] = is_id ? id : json[i];
        i += is_id;
    }
    return (struct tk_str){p, to};
}

static char id_of(uint8_t which)
{
    return (char)('a' + (which & 7));
}

static void start_block(struct sequence *s, uint8_t which, unsigned at)
{
    size_t kind = (which >> 3) % COUNT(blocks);
    struct tk_str block = fill(s, blocks[kind].json, id_of(which));

    if (at == s->blocks && s->blocks < MAX_BLOCKS) {
        s->fed[at].half = blocks[kind].half;
        s->fed[at].id = id_of(which);
        s->blocks++;
    }
    put(s, tk_arena_printf(&s->arena,
                           "{\"type\":\"content_block_start\",\"index\":%u,\"content_block\":%.*s}",
                           at, (int)block.n, block.p));
}

/* Calls whose turn it isn't, too: the stream must say what is wrong, and nothing else. */
static void start_next(struct sequence *s, uint8_t which)
{
    start_block(s, which, s->blocks);
}

static void start_anywhere(struct sequence *s, uint8_t which)
{
    start_block(s, which, which % 5);
}

static void stop_block(struct sequence *s, unsigned at)
{
    if (at < s->blocks && s->fed[at].stopped == 0)
        s->fed[at].stopped = s->count + 1;
    put(s, tk_arena_printf(&s->arena, "{\"type\":\"content_block_stop\",\"index\":%u}", at));
}

static void stop_last(struct sequence *s, uint8_t which)
{
    stop_block(s, s->blocks > which % 4 ? s->blocks - 1 - which % 4 : 0);
}

static void stop_anywhere(struct sequence *s, uint8_t which)
{
    stop_block(s, which % (s->blocks + 1));
}

static void send_delta(struct sequence *s, uint8_t which)
{
    unsigned back = which >> 6;
    struct tk_str delta = fill(s, deltas[(which & 63) % COUNT(deltas)], id_of(which));

    put(s,
        tk_arena_printf(&s->arena, "{\"type\":\"content_block_delta\",\"index\":%u,\"delta\":%.*s}",
                        s->blocks > back ? s->blocks - 1 - back : 0, (int)delta.n, delta.p));
}

static void send_message_delta(struct sequence *s, uint8_t which)
{
    put(s, tk_arena_printf(&s->arena,
                           "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":%s},"
                           "\"usage\":{\"output_tokens\":%u}}",
                           stops[which % COUNT(stops)], which));
}

static void send_other(struct sequence *s, uint8_t which)
{
    put(s, tk_str_of(others[which % COUNT(others)]));
}

/* A whole turn's end. */
static void send_end(struct sequence *s, uint8_t which)
{
    send_message_delta(s, which);
    if (s->count < MAX_EVENTS)
        put(s, TK_STR("{\"type\":\"message_stop\"}"));
}

/* A block from its start to its stop. */
static void whole_block(struct sequence *s, uint8_t which)
{
    start_next(s, which);
    if (s->count < MAX_EVENTS)
        stop_block(s, s->blocks - 1);
}

static void (*const acts[16])(struct sequence *s, uint8_t which) = {
    start_next,  start_next,    start_next,         start_anywhere, stop_last,  stop_last,
    stop_last,   stop_anywhere, send_delta,         send_delta,     send_delta, whole_block,
    whole_block, whole_block,   send_message_delta, send_other,
};

/* message_start, perhaps with blocks in it. */
static void begin(struct sequence *s, uint8_t which)
{
    static const uint8_t kinds[] = {5, 10, 0, 14};
    unsigned n = which % 5;
    struct tk_str list = TK_STR("");

    for (unsigned i = 0; i < n; i++) {
        char id = id_of((uint8_t)(which >> 4));
        struct tk_str block = fill(s, blocks[kinds[i]].json, id);

        s->fed[s->blocks].half = blocks[kinds[i]].half;
        s->fed[s->blocks].id = id;
        s->fed[s->blocks++].stopped = 1;
        list = tk_arena_printf(&s->arena, "%.*s%s%.*s", (int)list.n, list.p, i > 0 ? "," : "",
                               (int)block.n, block.p);
    }
    put(s, tk_arena_printf(&s->arena,
                           "{\"type\":\"message_start\",\"message\":{\"id\":\"msg_1\",\"model\":"
                           "\"m\",\"content\":[%.*s],\"usage\":{\"input_tokens\":3}}}",
                           (int)list.n, list.p));
}

static void make(struct sequence *s, const uint8_t *data, size_t size)
{
    *s = (struct sequence){.count = 0};
    tk_arena_init(&s->arena, tk_libc_allocator);
    if (size > 0)
        begin(s, data[0]);
    for (size_t i = 1; i + 1 < size && s->count < MAX_EVENTS && s->blocks < MAX_BLOCKS; i += 2)
        acts[data[i] & 15](s, data[i + 1]);
    if (size > 0 && data[0] & 8 && s->count < MAX_EVENTS)
        send_end(s, data[0] >> 4);
}

/* ---- no half before both ---- */

struct progress {
    const struct sequence *s;
    unsigned events; /* fed so far */
};

static bool has_stopped(const struct progress *p, char id, enum half half)
{
    for (unsigned i = 0; i < p->s->blocks; i++)
        if (p->s->fed[i].half == half && p->s->fed[i].id == id && p->s->fed[i].stopped > 0 &&
            p->s->fed[i].stopped <= p->events)
            return true;
    return false;
}

/* Carried calls stopped long ago: they have no block here, or it is a fault. */
static bool is_carried(const struct watched *w, char id)
{
    return (tk_exists(tk_get(tk_root(&w->params.doc), TK_STR("history"))) && id == 'a') ||
           (tk_exists(tk_get(tk_root(&w->params.doc), TK_STR("carry_in"))) &&
            (id == 'a' || id == 'c'));
}

struct listener {
    struct progress progress;
    const struct watched *watched;
};

static void on_half(void *arg, struct tk_str id, bool is_result)
{
    const struct listener *l = arg;

    (void)is_result;
    MUST(id.n == 1 && has_stopped(&l->progress, *id.p, RESULT));
    MUST(has_stopped(&l->progress, *id.p, CALL) || is_carried(l->watched, *id.p));
}

/* ---- runs ---- */

static struct tk_str request(struct caller *c, enum tk_codec codec, const struct tk_str *events,
                             unsigned count)
{
    struct tk_str list = TK_STR(""), params, result;
    struct reading r;

    for (unsigned i = 0; i < count; i++)
        list = tk_arena_printf(&c->arena, "%.*s%s%.*s", (int)list.n, list.p, i > 0 ? "," : "",
                               (int)events[i].n, events[i].p);
    params =
        tk_arena_printf(&c->arena, "{\"stream\":\"s\",\"events\":[%.*s]}", (int)list.n, list.p);
    reading_init(&r);
    MUST(reading_json(&r, params) == 0);
    result = caller_request(c, codec, "stream.feed", tk_root(&r.doc));
    MUST(reading_done(&r));
    return result;
}

static size_t size_of(const struct tk_str *events, unsigned count)
{
    size_t n = 0;

    for (unsigned i = 0; i < count; i++)
        n += events[i].n;
    return n;
}

struct input {
    enum tk_codec codec;
    const char *open, *end;
    struct sequence sequence;
};

/* One by one, watched closely. */
static void run_singly(struct caller *c, const struct input *in, struct watched *w)
{
    struct listener listener = {{&in->sequence, 0}, w};

    watched_open(w, c, in->codec, in->open);
    w->on_half = on_half;
    w->arg = &listener;
    for (unsigned i = 0; i < in->sequence.count; i++) {
        listener.progress.events++;
        watched_feed(w, request(c, in->codec, &in->sequence.events[i], 1),
                     in->sequence.events[i].n);
    }
    watched_end(w, in->end);
}

static void run_in_groups(struct caller *c, const struct input *in, unsigned most,
                          struct watched *w)
{
    uint64_t seed = most;
    unsigned n;

    watched_open(w, c, in->codec, in->open);
    for (unsigned i = 0; i < in->sequence.count; i += n) {
        n = 1 + random_below(&seed, most);
        if (n > in->sequence.count - i)
            n = in->sequence.count - i;
        watched_feed(w, request(c, in->codec, &in->sequence.events[i], n),
                     size_of(&in->sequence.events[i], n));
    }
    watched_end(w, in->end);
}

static void run_as_bytes(struct caller *c, const struct input *in, struct watched *w)
{
    watched_open(w, c, in->codec, in->open);
    for (unsigned i = 0; i < in->sequence.count; i++) {
        struct tk_str frame[] = {TK_STR("data: "), in->sequence.events[i], TK_STR("\n\n")};
        struct tk_str bytes = tk_arena_concat(&c->arena, frame, 3);
        struct reading r;
        struct tk_writer writer;
        struct tk_out out;

        tk_out_init(&out, &c->arena);
        tk_writer_init(&writer, TK_JSON, &out);
        tk_write_map(&writer);
        tk_write_kv_cstr(&writer, "stream", "s");
        tk_write_kv_str(&writer, "data", bytes);
        tk_write_end(&writer);
        reading_init(&r);
        MUST(reading_json(&r, tk_out_join(&out)) == 0);
        watched_feed(w, caller_request(c, in->codec, "stream.feed", tk_root(&r.doc)), bytes.n);
        MUST(reading_done(&r));
    }
    watched_end(w, in->end);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct watched singly, other;
    struct memory memory = {0};
    struct input in;
    struct caller c;

    if (size < 2)
        return 0;
    in = (struct input){
        .codec = data[1] & 1 ? TK_MSGPACK : TK_JSON,
        .open = opens[data[0] & 15],
        .end = data[1] & 2 ? "{\"stream\":\"s\",\"transport_error\":\"reset\"}" : NULL,
    };
    make(&in.sequence, data + 2, size - 2);
    MUST(caller_init(&c, memory_allocator(&memory)));
    run_singly(&c, &in, &singly);
    run_in_groups(&c, &in, 2 + (data[1] >> 2), &other);
    MUST(record_same(&singly.record, &other.record));
    watched_done(&other);
    run_as_bytes(&c, &in, &other);
    /* In msgpack strings have no escapes, and numbers no lexemes. */
    MUST(in.codec == TK_MSGPACK || record_same(&singly.record, &other.record));
    watched_done(&other);
    watched_done(&singly);
    caller_done(&c);
    MUST(memory.blocks == 0 && !memory.confused);
    tk_arena_done(&in.sequence.arena);
    return 0;
}
