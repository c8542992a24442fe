/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a request costs in the library, without a socket: bytes in, bytes out, one after the other.
 *
 *     bench_call [--json] FILE...          FILE: a whole request, JSON or msgpack
 *
 * Each figure is the least processor time of many runs; the files take turns, so that whatever the
 * machine does besides hits all of them.
 */
#include "bench.h"
#include "turnkeeper/turnkeeper.h"

#include <string.h>

#define ROUNDS   7
#define ROUND_NS ((uint64_t)60 * 1000 * 1000) /* for each file */

struct request {
    const char *path;
    struct bytes bytes;
    uint64_t least_ns;
};

static void call_once(tk_core *core, struct request *request)
{
    uint64_t before = clock_ns(CLOCK_PROCESS_CPUTIME_ID), took;
    tk_reply *reply = NULL;

    if (tk_call(core, NULL, request->bytes.p, request->bytes.n, NULL, &reply) != 0 ||
        tk_reply_get_info(reply).error)
        die(request->path);
    tk_reply_free(reply);
    took = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before;
    if (took < request->least_ns)
        request->least_ns = took;
}

static void round_of(tk_core *core, struct request *request)
{
    uint64_t start = clock_ns(CLOCK_MONOTONIC);

    do
        call_once(core, request);
    while (clock_ns(CLOCK_MONOTONIC) - start < ROUND_NS);
}

static void print(const struct request *request, bool json)
{
    double us = (double)request->least_ns / 1000;

    printf(json ? "{\"file\": \"%s\", \"bytes\": %zu, \"us\": %.2f}\n"
                : "%-40s %9zu bytes %12.2f us\n",
           request->path, request->bytes.n, us);
}

int main(int argc, char **argv)
{
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;
    int first = 1 + json, count = argc - first;
    tk_options options = {.max_values = 1 << 24};
    tk_core *core = tk_core_new(&options);
    struct request *requests = calloc((size_t)argc, sizeof(*requests));

    if (count < 1 || !core || !requests) {
        fprintf(stderr, "usage: bench_call [--json] FILE...\n");
        return 2;
    }
    for (int i = 0; i < count; i++)
        requests[i] = (struct request){argv[first + i], read_file(argv[first + i]), UINT64_MAX};
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < count; i++)
            round_of(core, &requests[i]);
    for (int i = 0; i < count; i++) {
        print(&requests[i], json);
        free(requests[i].bytes.p);
    }
    free(requests);
    tk_core_free(core);
    return 0;
}
