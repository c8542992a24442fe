/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the bench programs: reads files, and measures time. */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct bytes {
    char *p;
    size_t n;
};

static inline void die(const char *path)
{
    fprintf(stderr, "%s: can't be read or answered\n", path);
    exit(1);
}

static inline struct bytes read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct bytes bytes = {NULL, 0};
    long n;

    if (!file || fseek(file, 0, SEEK_END) != 0 || (n = ftell(file)) < 0)
        die(path);
    rewind(file);
    bytes.p = malloc((size_t)n + 1);
    if (!bytes.p || fread(bytes.p, 1, (size_t)n, file) != (size_t)n)
        die(path);
    bytes.n = (size_t)n;
    fclose(file);
    return bytes;
}

/* CLOCK_MONOTONIC costs least; CLOCK_PROCESS_CPUTIME_ID leaves out what other programs took. */
static inline uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

#endif
