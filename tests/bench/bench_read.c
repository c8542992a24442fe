/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures how fast documents are read, next to jansson, msgpack-c and memcpy, all in one run:
 *
 *     bench_read FILE.json...
 *
 * prints a table for people; with --json one object per file. Each figure is the least of many
 * runs, so that other load of the machine hardly shows.
 */
#include "bench.h"
#include "value/doc.h"
#include "value/writer.h"

#include <jansson.h>
#include <msgpack.h>
#include <string.h>

#define RUN_NS   ((uint64_t)600 * 1000 * 1000) /* time given to each figure */
#define RUNS_MIN 5

struct input {
    const char *path;
    struct bytes json, msgpack;
    struct bytes copy; /* room for memcpy */
    struct tk_doc doc; /* its tape is kept between reads, as a worker keeps it */
    struct tk_arena arena;
};

static const struct tk_read_limits limits = {256, UINT32_MAX, {1, 2}};

static void run_tk_json(struct input *in)
{
    struct tk_read_error error;

    if (tk_json_read(&in->doc, in->json.p, in->json.n, &limits, &in->arena, &error) != 0)
        die("tk_json_read: the document");
}

static void run_tk_msgpack(struct input *in)
{
    struct tk_read_error error;

    if (tk_msgpack_read(&in->doc, in->msgpack.p, in->msgpack.n, &limits, &in->arena, &error) != 0)
        die("tk_msgpack_read: the document");
}

static void run_jansson(struct input *in)
{
    json_t *json = json_loadb(in->json.p, in->json.n, 0, NULL);

    if (!json)
        die("jansson: the document");
    json_decref(json);
}

static void run_msgpack_c(struct input *in)
{
    msgpack_unpacked unpacked;

    msgpack_unpacked_init(&unpacked);
    if (msgpack_unpack_next(&unpacked, in->msgpack.p, in->msgpack.n, NULL) !=
        MSGPACK_UNPACK_SUCCESS)
        die("msgpack-c: the document");
    msgpack_unpacked_destroy(&unpacked);
}

static void run_memcpy(struct input *in)
{
    memcpy(in->copy.p, in->json.p, in->json.n);
    __asm__ volatile("" : : "r"(in->copy.p) : "memory"); /* it isn't optimised away */
}

static const struct figure {
    const char *name;
    void (*run)(struct input *);
    bool msgpack; /* of the msgpack form */
} figures[] = {
    {"memcpy", run_memcpy, false},
    {"tk_json_read", run_tk_json, false},
    {"json_loadb", run_jansson, false},
    {"tk_msgpack_read", run_tk_msgpack, true},
    {"msgpack_unpack_next", run_msgpack_c, true},
};

#define FIGURES (sizeof(figures) / sizeof(figures[0]))

static uint64_t least_ns(const struct figure *figure, struct input *in)
{
    uint64_t least = UINT64_MAX, start = clock_ns(CLOCK_MONOTONIC);

    for (int i = 0; i < RUNS_MIN || clock_ns(CLOCK_MONOTONIC) - start < RUN_NS; i++) {
        uint64_t before = clock_ns(CLOCK_MONOTONIC), took;

        figure->run(in);
        took = clock_ns(CLOCK_MONOTONIC) - before;
        if (took < least)
            least = took;
    }
    return least > 0 ? least : 1;
}

/* The document in msgpack, in a block of its own. */
static struct bytes to_msgpack(struct input *in)
{
    struct tk_writer w;
    struct tk_out out;
    struct tk_str s;
    struct bytes bytes;

    run_tk_json(in);
    tk_out_init(&out, &in->arena);
    tk_writer_init(&w, TK_MSGPACK, &out);
    tk_write_any(&w, tk_root(&in->doc));
    s = tk_out_join(&out);
    bytes = (struct bytes){malloc(s.n + 1), s.n};
    if (!s.p || !bytes.p)
        die("a copy");
    memcpy(bytes.p, s.p, s.n);
    tk_arena_reset(&in->arena);
    return bytes;
}

static void bench(const char *path, bool json)
{
    struct input in = {.path = path, .json = read_file(path)};
    uint32_t nodes;

    tk_arena_init(&in.arena, tk_libc_allocator);
    tk_doc_init(&in.doc, tk_libc_allocator);
    in.msgpack = to_msgpack(&in);
    nodes = in.doc.count;
    in.copy = (struct bytes){malloc(in.json.n), in.json.n};
    printf(json ? "{\"file\": \"%s\", \"bytes\": %zu, \"values\": %u"
                : "%s: %zu bytes, %u values\n",
           path, in.json.n, nodes);
    for (size_t i = 0; i < FIGURES; i++) {
        size_t size = figures[i].msgpack ? in.msgpack.n : in.json.n;
        uint64_t ns = least_ns(&figures[i], &in);
        double mb_s = (double)size * 1000 / (double)ns;

        if (json)
            printf(", \"%s\": {\"us\": %.2f, \"mb_s\": %.0f}", figures[i].name, (double)ns / 1000,
                   mb_s);
        else
            printf("    %-20s %10.2f us %8.0f MB/s\n", figures[i].name, (double)ns / 1000, mb_s);
    }
    printf(json ? "}\n" : "");
    free(in.json.p);
    free(in.msgpack.p);
    free(in.copy.p);
    tk_doc_done(&in.doc);
    tk_arena_done(&in.arena);
}

int main(int argc, char **argv)
{
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;

    if (argc < 2 + json) {
        fprintf(stderr, "usage: bench_read [--json] FILE.json...\n");
        return 2;
    }
    for (int i = 1 + json; i < argc; i++)
        bench(argv[i], json);
    return 0;
}
