/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Draws histories until a property breaks, many thousand a second.
 *
 *     random_histories [--provider NAME] [--count N] [--seed N] [--start N] [--property NAME]
 *     random_histories --show N [--seed N]     the case with that number
 *     random_histories --print [--count N] [--seed N] [--start N]     the cases, a NUL after each
 *     random_histories --case FILE             a case as it is
 *
 * Prints TAP: that every property held, that every code was drawn. Of each property that breaks the
 * first cases are printed, cut down; of a crash, the number. Without --provider it does so for
 * each provider, one after the other; --show and --print take Anthropic then. `make check` runs it
 * without arguments.
 */
#include <getopt.h>
#include <inttypes.h>
#include <malloc.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "catalogue/rule.h"
#include "histories.h"
#include "methods/core/host.h"
#include "repair_properties.h"
#include "shrink.h"

enum {
    SHRINK_TRIES = 4000,
    MAX_PROPERTIES = 128,
    PRINTED = 3,      /* cases of a property */
    ALL_DRAWN = 8000, /* so many histories draw every code, and take some seconds */
};

struct run {
    const char *provider;
    struct histories *histories;
    struct tk_arena arena;
    uint64_t seed, start, count;
    const char *only;
    uint64_t broken[MAX_PROPERTIES]; /* by number of the property */
    uint64_t found[TK_CODE_COUNT], edited[TK_CODE_COUNT];
    uint64_t refused, unsafe, changed, failures;
};

/* The number of the case that a crash is blamed on. */
static volatile sig_atomic_t current_high, current_low;

static void say_where(int signal_number)
{
    char text[64];
    uint64_t n = (uint64_t)(uint32_t)current_high << 32 | (uint32_t)current_low;
    int length = snprintf(text, sizeof(text), "\nBail out! died in history %" PRIu64 "\n", n);

    if (write(STDOUT_FILENO, text, (size_t)length) < 0)
        _exit(2);
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static const struct property *property_at(size_t number)
{
    for (const struct property *const *table = repair_properties; *table; table++)
        for (const struct property *property = *table; property->name; property++)
            if (number-- == 0)
                return property;
    return NULL;
}

/* ---- a property that breaks ---- */

static bool breaks(void *arg, struct tk_str json)
{
    const struct property *property = arg;
    struct trial t;
    bool does = trial_begin(&t, json) && property_fault(property, &t).p;

    trial_end(&t);
    return does;
}

static void print_breach(struct run *h, const struct property *property, struct tk_str json,
                         uint64_t number)
{
    struct tk_str least =
        shrink(json, breaks, (void *)(uintptr_t)property, SHRINK_TRIES, &h->arena);
    struct trial t;

    MUST(trial_begin(&t, least));
    printf("# %s, history %" PRIu64 " of seed %" PRIu64 ": %.*s\n# %.*s\n", property->name, number,
           h->seed, SHOW(property_fault(property, &t)), SHOW(least));
    fflush(stdout);
    trial_end(&t);
}

/* ---- one history ---- */

static void tally(uint64_t *counts, struct tk_val list)
{
    for (size_t i = 0; i < tk_code_count(); i++)
        counts[i] += has_code(list, tk_code_name(i));
}

static void note(struct run *h, struct trial *t)
{
    struct tk_val result = result_of(&t->repair);

    tally(h->found, in(result_of(&t->verdict), "violations"));
    tally(h->edited, in(result, "edits"));
    h->unsafe += !t->repaired;
    h->changed += tk_is(in(result, "changed"), TK_TRUE);
}

static void check_properties(struct run *h, struct trial *t, struct tk_str json, uint64_t number)
{
    const struct property *property;

    for (size_t i = 0; (property = property_at(i)); i++) {
        MUST(i < MAX_PROPERTIES);
        if ((h->only && strcmp(h->only, property->name)) || !property_fault(property, t).p)
            continue;
        h->failures++;
        if (h->broken[i]++ < PRINTED)
            print_breach(h, property, json, number);
    }
}

static void try_case(struct run *h, struct tk_str json, uint64_t number)
{
    struct trial t;

    if (trial_begin(&t, json)) {
        note(h, &t);
        check_properties(h, &t, json, number);
    } else {
        h->refused++;
    }
    trial_end(&t);
}

static struct tk_str draw(struct run *h, uint64_t number)
{
    struct choices choices = choices_of_seed(h->seed, number);

    return histories_draw(h->histories, &choices, &h->arena);
}

static void run(struct run *h)
{
    for (uint64_t number = h->start; number < h->start + h->count; number++) {
        current_high = (sig_atomic_t)(number >> 32);
        current_low = (sig_atomic_t)(number & UINT32_MAX);
        tk_arena_reset(&h->arena);
        try_case(h, draw(h, number), number);
    }
}

static void print_cases(struct run *h)
{
    for (uint64_t number = h->start; number < h->start + h->count; number++) {
        struct tk_str json;

        tk_arena_reset(&h->arena);
        json = draw(h, number);
        fwrite(json.p, 1, json.n, stdout);
        putchar('\0');
    }
}

/* ---- the report ---- */

/* Returns true for codes of a provider that histories as small as these can have, without a seal
 * that knows what came before its turn. */
static bool is_drawable(const char *provider, size_t code)
{
    static const char *const others[] = {"thinking_prefix_mismatch", "too_many_messages",
                                         "request_too_large", "image_too_large_bytes"};
    const struct tk_rule *rule = &tk_catalogue[code];

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (!strcmp(tk_code_name(code), others[i]))
            return false;
    return !strcmp(rule->provider, provider) && !rule->edit_only && rule->severity != TK_EDIT;
}

static unsigned print_codes(const struct run *h)
{
    unsigned never = 0;

    printf("# %-45s %10s %10s\n", "code", "found in", "edited in");
    for (size_t i = 0; i < TK_CODE_COUNT; i++) {
        if (!is_drawable(h->provider, i) && h->found[i] + h->edited[i] == 0)
            continue;
        printf("# %-45s %10" PRIu64 " %10" PRIu64 "%s\n", tk_code_name(i), h->found[i],
               h->edited[i], h->found[i] == 0 && is_drawable(h->provider, i) ? " never drawn" : "");
        never += h->found[i] == 0 && is_drawable(h->provider, i);
    }
    return never;
}

static void print_properties(const struct run *h)
{
    enum whose whose = whose_provider(tk_str_of(h->provider));

    for (size_t i = 0; property_at(i); i++)
        if ((property_at(i)->whose & whose) && (!h->only || !strcmp(h->only, property_at(i)->name)))
            printf("# %-45s %10" PRIu64 " broken\n", property_at(i)->name, h->broken[i]);
}

/* Prints what a run found, and its verdicts from number `first` on. Returns how many are bad. */
static int report(const struct run *h, double seconds, unsigned first)
{
    bool enough = h->count >= ALL_DRAWN, all;

    all = print_codes(h) == 0 || !enough;
    print_properties(h);
    printf("# %" PRIu64 " histories of %s, seed %" PRIu64 ", from %" PRIu64
           " in %.1f s, %.0f/s: %" PRIu64 " changed, %" PRIu64 " unsafe, %" PRIu64
           " refused as parameters\n",
           h->count, h->provider, h->seed, h->start, seconds, (double)h->count / seconds,
           h->changed, h->unsafe, h->refused);
    printf("%s %u - %s: every property holds\n", h->failures == 0 ? "ok" : "not ok", first,
           h->provider);
    printf("%s %u - %s: every code was drawn%s\n", all ? "ok" : "not ok", first + 1, h->provider,
           enough ? "" : " # SKIP too few histories");
    printf("%s %u - %s: every case is one\n", h->refused == 0 ? "ok" : "not ok", first + 2,
           h->provider);
    return (h->failures > 0) + !all + (h->refused > 0);
}

static double now(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* ---- one run ---- */

static void begin(struct run *h)
{
    h->histories = histories_new(h->provider);
    tk_arena_init(&h->arena, tk_libc_allocator);
}

static void end(struct run *h)
{
    tk_arena_done(&h->arena);
    histories_free(h->histories);
}

/* Runs as `options` say, with a provider's histories; `number` of the first verdict. */
static int run_provider(const struct run *options, const char *provider, unsigned number)
{
    struct run h = *options;
    double start = now();
    int bad;

    h.provider = provider;
    begin(&h);
    run(&h);
    bad = report(&h, now() - start, number);
    end(&h);
    return bad;
}

static int run_all(const struct run *options)
{
    const char *const only[] = {options->provider, NULL};
    unsigned number = 1;
    int bad = 0;

    for (const char *const *name = *only ? only : histories_providers; *name; name++) {
        bad += run_provider(options, *name, number);
        number += 3;
    }
    printf("1..%u\n", number - 1);
    return bad > 0;
}

/* ---- the command line ---- */

static int try_file(struct run *h, const char *path)
{
    FILE *file = fopen(path, "rb");
    char *bytes = tk_arena_alloc(&h->arena, 1 << 20);
    size_t n;

    MUST(file && bytes);
    n = fread(bytes, 1, 1 << 20, file);
    fclose(file);
    h->count = 1;
    try_case(h, (struct tk_str){bytes, n}, 0);
    print_properties(h);
    return h->failures > 0 || h->refused > 0;
}

struct wish {
    const char *file;
    bool show, print;
    uint64_t number;
};

static void read_options(struct run *h, struct wish *wish, int argc, char **argv)
{
    static const struct option options[] = {
        {"count", required_argument, NULL, 'c'},
        {"seed", required_argument, NULL, 's'},
        {"start", required_argument, NULL, 'b'},
        {"property", required_argument, NULL, 'l'},
        {"show", required_argument, NULL, 'n'},
        {"print", no_argument, NULL, 'p'},
        {"case", required_argument, NULL, 'f'},
        {"provider", required_argument, NULL, 'o'},
        {NULL, 0, NULL, 0},
    };

    for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        uint64_t n = optarg ? strtoull(optarg, NULL, 10) : 0;

        MUST(c != '?');
        *(c == 'c' ? &h->count : c == 's' ? &h->seed : c == 'b' ? &h->start : &wish->number) = n;
        h->only = c == 'l' ? optarg : h->only;
        h->provider = c == 'o' ? optarg : h->provider;
        wish->file = c == 'f' ? optarg : wish->file;
        wish->show = wish->show || c == 'n';
        wish->print = wish->print || c == 'p';
    }
}

/* Does what isn't a run: a case from a file, one or all of those drawn. */
static int do_wish(struct run *h, const struct wish *wish)
{
    int r = 0;

    h->provider = h->provider ? h->provider : "anthropic";
    begin(h);
    if (wish->file)
        r = try_file(h, wish->file);
    else if (wish->show)
        printf("%.*s\n", SHOW(draw(h, wish->number)));
    else
        print_cases(h);
    end(h);
    return r;
}

int main(int argc, char **argv)
{
    struct run h = {.seed = 1, .count = ALL_DRAWN};
    struct wish wish = {0};

    mallopt(M_MMAP_THRESHOLD, 1 << 26); /* memory is kept, not given back with every request */
    mallopt(M_TRIM_THRESHOLD, 1 << 26);
    read_options(&h, &wish, argc, argv);
    signal(SIGABRT, say_where);
    signal(SIGSEGV, say_where);
    return wish.file || wish.show || wish.print ? do_wish(&h, &wish) : run_all(&h);
}
