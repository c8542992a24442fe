/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Matches lines from the top. Where two differ, it finds the nearest place at which two lines in a
 * row are equal again, with the fewest lines skipped on both sides. Skipped lines are removed and
 * added. A sorted table of hashes finds two lines in a row, and no more lines are examined than are
 * skipped, so the whole takes O(n log n).
 */
#include "cli/show/diff.h"

#include "cli/io/reading.h"
#include "value/hash.h"

#include <errno.h>
#include <stdlib.h>

#define CONTEXT 3

struct diff_text {
    struct tk_str *lines; /* without line feeds */
    uint64_t *hashes;
    size_t count;
    bool open; /* the last line has no line feed */
};

/* A line of the old text with the hash of it and the next one. */
struct pair {
    uint64_t hash;
    size_t line;
};

struct change {
    size_t old, removed, new, added;
};

struct diff {
    const struct cli_sink *sink;
    struct diff_text old, new;
    struct pair *pairs;
    struct change *changes;
    size_t count, room;
    size_t line;
    uint64_t key[2];
};

/* ---- lines ---- */

static int split(struct diff_text *t, struct tk_str s, const uint64_t key[2])
{
    const char *p = s.p, *end = s.p + s.n;
    size_t room = 1;

    for (size_t i = 0; i < s.n; i++)
        room += s.p[i] == '\n';
    t->lines = malloc(room * sizeof(*t->lines));
    t->hashes = malloc(room * sizeof(*t->hashes));
    if (!t->lines || !t->hashes)
        return -ENOMEM;
    while (p < end) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        struct tk_str line = {p, (size_t)((lf ? lf : end) - p)};

        t->open = !lf;
        t->lines[t->count] = line;
        /* A line without a line feed differs from the same line with one. */
        t->hashes[t->count++] = tk_hash(key, line.p, line.n) + t->open;
        p = lf ? lf + 1 : end;
    }
    return 0;
}

static uint64_t pair_at(const struct diff_text *t, size_t i)
{
    return t->hashes[i] * 31 + (i + 1 < t->count ? t->hashes[i + 1] : 1);
}

static int by_hash(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;

    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

static int index_pairs(struct diff *d)
{
    d->pairs = malloc((d->old.count + 1) * sizeof(*d->pairs));
    if (!d->pairs)
        return -ENOMEM;
    for (size_t i = 0; i < d->old.count; i++)
        d->pairs[i] = (struct pair){pair_at(&d->old, i), i};
    qsort(d->pairs, d->old.count, sizeof(*d->pairs), by_hash);
    return 0;
}

/* Returns the first line from `from` on at which the old text has that pair, or SIZE_MAX. */
static size_t find_pair(const struct diff *d, uint64_t hash, size_t from)
{
    const struct pair want = {hash, from};
    size_t low = 0, high = d->old.count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (by_hash(&d->pairs[middle], &want) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < d->old.count && d->pairs[low].hash == hash ? d->pairs[low].line : SIZE_MAX;
}

/* ---- changes ---- */

static int add_change(struct diff *d, struct change c)
{
    if (d->count == d->room) {
        size_t room = d->room ? 2 * d->room : 16;
        struct change *changes = realloc(d->changes, room * sizeof(*changes));

        if (!changes)
            return -ENOMEM;
        d->changes = changes;
        d->room = room;
    }
    d->changes[d->count++] = c;
    return 0;
}

/* Returns the lines to skip at these two lines, which differ. */
static struct change nearest(const struct diff *d, size_t old, size_t new)
{
    struct change best = {old, d->old.count - old, new, d->new.count - new};
    size_t cost = best.removed + best.added;

    for (size_t skipped = 0; skipped < cost && new + skipped < d->new.count; skipped++) {
        size_t found = find_pair(d, pair_at(&d->new, new + skipped), old);

        if (found != SIZE_MAX && found - old + skipped < cost) {
            best.removed = found - old;
            best.added = skipped;
            cost = best.removed + best.added;
        }
    }
    return best;
}

static int compare(struct diff *d)
{
    size_t old = 0, new = 0;
    int r = 0;

    while (r == 0 && (old < d->old.count || new < d->new.count)) {
        struct change c;

        if (old < d->old.count && new < d->new.count && d->old.hashes[old] == d->new.hashes[new]) {
            old++;
            new ++;
            continue;
        }
        c = nearest(d, old, new);
        r = add_change(d, c);
        old += c.removed;
        new += c.added;
    }
    return r;
}

/* ---- hunks ---- */

static void print_line(const struct cli_sink *sink, char sign, struct tk_str line)
{
    if (sign != ' ')
        cli_style(sink, sign == '-' ? CLI_OLD : CLI_NEW);
    fputc(sign, sink->file);
    cli_print_text(sink->file, sink->terminal, line);
    if (sign != ' ')
        cli_style(sink, CLI_PLAIN);
    fputc('\n', sink->file);
}

static void print_open_end(const struct cli_sink *sink)
{
    fputs("\\ No newline at end of file\n", sink->file);
}

static void print_lines(const struct cli_sink *sink, char sign, const struct diff_text *t,
                        size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        print_line(sink, sign, t->lines[i]);
        if (t->open && i + 1 == t->count)
            print_open_end(sink);
    }
}

static void print_range(const struct diff *d, char sign, size_t from, size_t count)
{
    /* An empty range is named by the line before it. */
    fprintf(d->sink->file, "%c%zu", sign, from + d->line - (count == 0));
    if (count != 1)
        fprintf(d->sink->file, ",%zu", count);
}

/* Prints the changes `first` to `last` as one hunk. */
static void print_hunk(const struct diff *d, size_t first, size_t last)
{
    const struct change *a = &d->changes[first], *b = &d->changes[last];
    size_t before = a->old < CONTEXT ? a->old : CONTEXT;
    size_t end = b->old + b->removed, left = d->old.count - end;
    size_t after = left < CONTEXT ? left : CONTEXT;
    size_t at = a->old - before;

    cli_style(d->sink, CLI_NOTE);
    fputs("@@ ", d->sink->file);
    print_range(d, '-', at, end + after - at);
    fputc(' ', d->sink->file);
    print_range(d, '+', a->new - before, b->new + b->added + after - (a->new - before));
    fputs(" @@", d->sink->file);
    cli_style(d->sink, CLI_PLAIN);
    fputc('\n', d->sink->file);
    for (size_t i = first; i <= last; i++) {
        const struct change *c = &d->changes[i];

        print_lines(d->sink, ' ', &d->old, at, c->old);
        print_lines(d->sink, '-', &d->old, c->old, c->old + c->removed);
        print_lines(d->sink, '+', &d->new, c->new, c->new + c->added);
        at = c->old + c->removed;
    }
    print_lines(d->sink, ' ', &d->old, at, at + after);
}

static void print_hunks(const struct diff *d)
{
    for (size_t i = 0; i < d->count; i++) {
        size_t first = i;

        while (i + 1 < d->count &&
               d->changes[i + 1].old - (d->changes[i].old + d->changes[i].removed) <= 2 * CONTEXT)
            i++;
        print_hunk(d, first, i);
    }
}

static void done(struct diff *d)
{
    free(d->old.lines);
    free(d->old.hashes);
    free(d->new.lines);
    free(d->new.hashes);
    free(d->pairs);
    free(d->changes);
}

int cli_diff_print(const struct cli_sink *sink, struct tk_str old, struct tk_str new, size_t line)
{
    struct diff d = {.sink = sink, .line = line};
    int r;

    cli_secret_key(d.key);
    r = split(&d.old, old, d.key);
    if (r == 0)
        r = split(&d.new, new, d.key);
    if (r == 0)
        r = index_pairs(&d);
    if (r == 0)
        r = compare(&d);
    if (r == 0)
        print_hunks(&d);
    done(&d);
    return r;
}

void cli_diff_begin(const struct cli_sink *sink, const char *name)
{
    static const char *const signs[] = {"--- ", "+++ "};

    for (int i = 0; i < 2; i++) {
        cli_style(sink, CLI_BOLD);
        fputs(signs[i], sink->file);
        cli_print_name(sink, name);
        cli_style(sink, CLI_PLAIN);
        fputc('\n', sink->file);
    }
}

void cli_diff_line(const struct cli_sink *sink, struct tk_str old, struct tk_str new, size_t line,
                   bool open)
{
    cli_style(sink, CLI_NOTE);
    fprintf(sink->file, "@@ -%zu +%zu @@", line, line);
    cli_style(sink, CLI_PLAIN);
    fputc('\n', sink->file);
    print_line(sink, '-', old);
    if (open)
        print_open_end(sink);
    print_line(sink, '+', new);
    if (open)
        print_open_end(sink);
}
