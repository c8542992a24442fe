/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/tally.h"

#include <errno.h>
#include <stdlib.h>

static int add_row(struct cli_tally *tally, struct tk_str name, struct tk_str kind, uint64_t n)
{
    struct cli_tally_row row = {strndup(name.p, name.n), strndup(kind.n ? kind.p : "", kind.n), n};
    struct cli_tally_row *rows = realloc(tally->rows, (tally->count + 1) * sizeof(*rows));

    if (rows)
        tally->rows = rows;
    if (!rows || !row.name || !row.kind) {
        free(row.name);
        free(row.kind);
        return -ENOMEM;
    }
    rows[tally->count++] = row;
    return 0;
}

int cli_tally_add(struct cli_tally *tally, struct tk_str name, struct tk_str kind, uint64_t n)
{
    for (size_t i = 0; i < tally->count; i++) {
        struct cli_tally_row *row = &tally->rows[i];

        if (tk_str_is(name, row->name) && tk_str_is(kind, row->kind)) {
            row->count += n;
            return 0;
        }
    }
    return add_row(tally, name, kind, n);
}

/* Returns the severity with which a code was listed, now or earlier; empty if it never was. */
static struct tk_str severity_of(const struct cli_tally *tally, struct tk_val findings,
                                 struct tk_str code, struct tk_arena *arena)
{
    for (struct tk_val f = tk_first(findings); tk_exists(f); f = tk_after(findings, f))
        if (tk_text_is(tk_get(f, TK_STR("code")), code))
            return tk_text(tk_get(f, TK_STR("severity")), arena);
    for (size_t i = 0; i < tally->count; i++)
        if (tk_str_is(code, tally->rows[i].name))
            return tk_str_of(tally->rows[i].kind);
    return TK_STR("");
}

int cli_tally_findings(struct cli_tally *tally, struct tk_val answer, struct tk_arena *arena,
                       uint64_t *total)
{
    struct tk_val findings = tk_get(answer, TK_STR("violations"));
    struct tk_val counts = tk_get(answer, TK_STR("counts"));
    int r = 0;

    for (struct tk_val c = tk_first(counts); tk_exists(c) && r == 0; c = tk_after(counts, c)) {
        struct tk_str code = tk_key(c, arena);
        int64_t n;

        if (!tk_int64(c, &n) || n < 0)
            continue;
        r = cli_tally_add(tally, code, severity_of(tally, findings, code, arena), (uint64_t)n);
        *total += (uint64_t)n;
    }
    return r;
}

static int by_count(const void *a, const void *b)
{
    const struct cli_tally_row *x = a, *y = b;
    int kinds = strcmp(x->kind, y->kind);

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return kinds ? kinds : strcmp(x->name, y->name);
}

void cli_tally_print(struct cli_tally *tally, const struct cli_sink *sink)
{
    if (tally->count)
        qsort(tally->rows, tally->count, sizeof(*tally->rows), by_count);
    for (size_t i = 0; i < tally->count; i++) {
        const struct cli_tally_row *row = &tally->rows[i];

        fprintf(sink->file, "%8llu  %s%s", (unsigned long long)row->count, row->kind,
                *row->kind ? " " : "");
        cli_print(sink, tk_str_of(row->name));
        fputc('\n', sink->file);
    }
}

void cli_tally_done(struct cli_tally *tally)
{
    for (size_t i = 0; i < tally->count; i++) {
        free(tally->rows[i].name);
        free(tally->rows[i].kind);
    }
    free(tally->rows);
    *tally = (struct cli_tally){NULL, 0};
}
