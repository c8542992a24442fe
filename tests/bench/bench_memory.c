/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the memory of a request beyond its own bytes: the most memory that the core had
 * allocated at once while it answered, counted by an allocator of ours.
 *
 *     bench_memory [--json] FILE...        FILE: a whole request, JSON or msgpack
 */
#include "../unit/memory.h"
#include "bench.h"
#include "turnkeeper/turnkeeper.h"

#include <string.h>

/* Memory that the core holds between requests doesn't count. */
static void bench(const char *path, int json)
{
    struct memory memory = {0};
    tk_options options = {.size = sizeof(options), .allocator = memory_allocator(&memory)};
    tk_core *core = tk_core_new(&options);
    size_t idle = memory.bytes;
    struct bytes request = read_file(path);
    tk_reply *reply = NULL;
    const char *error;

    if (!core || tk_call(core, NULL, request.p, request.n, NULL, &reply) != 0)
        die(path);
    error = tk_reply_get_info(reply)->error;
    printf(json ? "{\"file\": \"%s\", \"error\": \"%s\", \"bytes\": %zu, \"peak\": %zu}\n"
                : "%s %s: %zu bytes, %zu beyond them\n",
           path, error ? error : "", request.n, memory.peak - idle);
    tk_reply_free(reply);
    tk_core_free(core);
    free(request.p);
}

int main(int argc, char **argv)
{
    int json = argc > 1 && strcmp(argv[1], "--json") == 0;

    if (argc < 2 + json) {
        fprintf(stderr, "usage: bench_memory [--json] FILE...\n");
        return 2;
    }
    for (int i = 1 + json; i < argc; i++)
        bench(argv[i], json);
    return 0;
}
