/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures each area of rules, one at a time, on histories in which nothing is wrong:
 *
 *     bench_rules [--json] FILE.json...    FILE: a request body with `messages`
 *
 * The areas are those of engine/judge.h, by their names there. Before them come reading the
 * bytes, making the transcript of them, and finding its turns. Each figure is the least of many
 * runs.
 */
#include "bench.h"
#include "engine/judge.h"
#include "providers/anthropic/provider.h"
#include "shapes/read.h"
#include "shapes/shape.h"

#include <string.h>

#define RUN_NS   ((uint64_t)2 * 1000 * 1000 * 1000) /* time given to each file */
#define RUNS_MIN 5

/* The steps before the areas. */
enum {
    READ,
    TRANSCRIPT,
    TURNS,
    AREAS,
};

static const char *const before_areas[AREAS] = {"reading", "transcript", "turns"};

static const struct tk_read_limits limits = {256, UINT32_MAX, {1, 2}};

struct run {
    const char *path;
    struct bytes json;
    struct tk_doc doc; /* its tape is kept between reads, as a worker keeps it */
    struct tk_arena arena;
    struct tk_transcript t;
    struct tk_request_view request;
    struct tk_judge j;
    uint64_t last;
    uint64_t *least; /* by step */
};

static void note(struct run *run, size_t step, int error)
{
    uint64_t now = clock_ns(CLOCK_MONOTONIC), took = now - run->last;

    if (error != 0)
        die(run->path);
    if (took < run->least[step])
        run->least[step] = took;
    run->last = clock_ns(CLOCK_MONOTONIC);
}

static size_t check_count(void)
{
    size_t n = 0;

    while (tk_anthropic_checks[n].name)
        n++;
    return n;
}

static void once(struct run *run)
{
    struct tk_read_error error;
    struct tk_val messages;

    tk_arena_reset(&run->arena);
    run->last = clock_ns(CLOCK_MONOTONIC);
    note(run, READ,
         tk_json_read(&run->doc, run->json.p, run->json.n, &limits, &run->arena, &error));
    messages = tk_get(tk_root(&run->doc), TK_STR("messages"));
    note(run, TRANSCRIPT,
         tk_transcript_read(&run->t, messages, &tk_shape_anthropic, &run->arena, limits.hash_key));
    if (tk_judge_init(&run->j, &run->t, &tk_provider_anthropic, &tk_policy_conservative) < 0 ||
        tk_read_request(&tk_provider_anthropic, tk_root(&run->doc), &run->arena, &run->request) < 0)
        die(run->path);
    tk_judge_take_request(&run->j, &run->request, &run->j.target);
    note(run, TURNS, tk_judge_begin(&run->j));
    for (size_t i = 0; i < check_count(); i++)
        note(run, AREAS + i, tk_judge_check(&run->j, &tk_anthropic_checks[i]));
}

static const char *name_of(size_t step)
{
    return step < AREAS ? before_areas[step] : tk_anthropic_checks[step - AREAS].name;
}

static void print_table(const struct run *run)
{
    printf("%s: %zu bytes, %u parts, %u findings; us, ns a part\n", run->path, run->json.n,
           run->t.part_count, run->j.findings.count);
    for (size_t i = 0; i < AREAS + check_count(); i++)
        printf("    %-16s %10.2f %8.2f\n", name_of(i), (double)run->least[i] / 1000,
               (double)run->least[i] / run->t.part_count);
}

static void print_steps(const struct run *run, const char *key, size_t from, size_t to)
{
    printf(", \"%s\": {", key);
    for (size_t i = from; i < to; i++)
        printf("%s\"%s\": %llu", i == from ? "" : ", ", name_of(i),
               (unsigned long long)run->least[i]);
    printf("}");
}

static void print_json(const struct run *run)
{
    printf("{\"file\": \"%s\", \"bytes\": %zu, \"parts\": %u, \"findings\": %u", run->path,
           run->json.n, run->t.part_count, run->j.findings.count);
    print_steps(run, "before", 0, AREAS);
    print_steps(run, "areas", AREAS, AREAS + check_count());
    printf("}\n");
}

static void bench(const char *path, bool json)
{
    struct run run = {.path = path, .json = read_file(path)};
    uint64_t start = clock_ns(CLOCK_MONOTONIC);

    run.least = malloc((AREAS + check_count()) * sizeof(*run.least));
    if (!run.least)
        die(path);
    memset(run.least, 0xff, (AREAS + check_count()) * sizeof(*run.least));
    tk_arena_init(&run.arena, tk_libc_allocator);
    tk_doc_init(&run.doc, tk_libc_allocator);
    run.doc.watched = TK_STR(TK_MARKER_KEY);
    for (int i = 0; i < RUNS_MIN || clock_ns(CLOCK_MONOTONIC) - start < RUN_NS; i++)
        once(&run);
    (json ? print_json : print_table)(&run);
    free(run.json.p);
    free(run.least);
    tk_doc_done(&run.doc);
    tk_arena_done(&run.arena);
}

int main(int argc, char **argv)
{
    bool json = argc > 1 && strcmp(argv[1], "--json") == 0;

    if (argc < 2 + json) {
        fprintf(stderr, "usage: bench_rules [--json] FILE.json...\n");
        return 2;
    }
    for (int i = 1 + json; i < argc; i++)
        bench(argv[i], json);
    return 0;
}
