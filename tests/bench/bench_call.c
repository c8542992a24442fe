/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures what a request costs in the library, without a socket: bytes in, bytes out, one after
 * the other.
 *
 *     bench_call [--json] [--keep] FILE... FILE: a whole request, JSON or msgpack
 *
 * --keep: the C library keeps freed memory. Otherwise it gives that of a large request back to the
 * system, and the next one spends half of its time on pages that the system clears again.
 *
 * Each figure is the processor time that nine of ten runs take at least; the files take turns, so
 * that other load of the machine affects all of them. (The least of all may be a misread clock, on
 * a virtual machine.)
 */
#include "bench.h"
#include "turnkeeper/turnkeeper.h"

#include <malloc.h>
#include <string.h>

#define ROUNDS   7
#define ROUND_NS ((uint64_t)60 * 1000 * 1000) /* for each file */

#define RUNS_MAX 100000u

struct request {
    const char *path;
    struct bytes bytes;
    uint64_t *took_ns;
    size_t runs;
};

static void call_once(tk_core *core, struct request *request)
{
    uint64_t before = clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    tk_reply *reply = NULL;

    if (tk_call(core, NULL, request->bytes.p, request->bytes.n, NULL, &reply) != 0 ||
        tk_reply_get_info(reply)->error)
        die(request->path);
    tk_reply_free(reply);
    request->took_ns[request->runs++] = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before;
}

static void round_of(tk_core *core, struct request *request)
{
    uint64_t start = clock_ns(CLOCK_MONOTONIC);

    do
        call_once(core, request);
    while (clock_ns(CLOCK_MONOTONIC) - start < ROUND_NS && request->runs < RUNS_MAX);
}

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static void print(struct request *request, bool json)
{
    double us;

    qsort(request->took_ns, request->runs, sizeof(*request->took_ns), by_value);
    us = (double)request->took_ns[request->runs / 10] / 1000;

    printf(json ? "{\"file\": \"%s\", \"bytes\": %zu, \"us\": %.2f}\n"
                : "%-40s %9zu bytes %12.2f us\n",
           request->path, request->bytes.n, us);
}

int main(int argc, char **argv)
{
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    bool keep = argc > 1 + json && strcmp(argv[1 + json], "--keep") == 0;
    int first = 1 + json + keep, count = argc - first;
    tk_options options = {.size = sizeof(options), .max_values = 1 << 24};
    tk_core *core = tk_core_new(&options);
    struct request *requests = calloc((size_t)argc, sizeof(*requests));

    if (keep && (mallopt(M_MMAP_MAX, 0) != 1 || mallopt(M_TRIM_THRESHOLD, -1) != 1))
        return 2;
    if (count < 1 || !core || !requests) {
        fprintf(stderr, "usage: bench_call [--json] [--keep] FILE...\n");
        return 2;
    }
    for (int i = 0; i < count; i++) {
        requests[i] = (struct request){argv[first + i], read_file(argv[first + i]),
                                       calloc(RUNS_MAX + ROUNDS, sizeof(uint64_t)), 0};
        if (!requests[i].took_ns)
            die(argv[first + i]);
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++)
            round_of(core, &requests[i]);
    for (int i = 0; i < count; i++) {
        print(&requests[i], json);
        free(requests[i].took_ns);
        free(requests[i].bytes.p);
    }
    free(requests);
    tk_core_free(core);
    return 0;
}
