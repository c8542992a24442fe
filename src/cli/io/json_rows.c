/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/json_rows.h"

#include "value/writer.h"

#include <stdio.h>

/* Members of a finding in the answer of `validate`. Their values are strings, integers or null. */
static const char *const finding_members[] = {
    "code", "severity", "message_index", "part_index",     "pointer",
    "id",   "tool",     "text",          "provider_error",
};

static void write_null(struct tk_writer *w, const char *name)
{
    tk_write_key(w, name);
    tk_write_null(w);
}

/* Copies a member whose value has no parts; an absent one is null. */
static void copy(struct tk_writer *w, struct tk_val object, const char *name)
{
    struct tk_val v = tk_get(object, tk_str_of(name));

    tk_write_key(w, name);
    if (tk_exists(v))
        tk_write_raw(w, tk_span(v));
    else
        tk_write_null(w);
}

static void begin(struct tk_writer *w, struct tk_out *out, struct tk_arena *arena, const char *file,
                  size_t line)
{
    tk_out_init(out, arena);
    tk_writer_init(w, TK_JSON, out);
    tk_write_map(w);
    tk_write_kv_cstr(w, "file", file);
    tk_write_key(w, "line");
    if (line)
        tk_write_uint(w, line);
    else
        tk_write_null(w);
}

static void end(const struct cli_run *run, struct tk_writer *w, struct tk_out *out)
{
    tk_write_end(w);
    for (size_t i = 0; i < out->count; i++)
        cli_print_text(stdout, run->out.terminal,
                       (struct tk_str){out->pieces[i].iov_base, out->pieces[i].iov_len});
    putchar('\n');
}

static void write_findings(struct tk_writer *w, struct tk_val findings)
{
    tk_write_key(w, "violations");
    tk_write_list(w);
    for (struct tk_val f = tk_first(findings); tk_exists(f); f = tk_after(findings, f)) {
        tk_write_map(w);
        for (size_t i = 0; i < sizeof(finding_members) / sizeof(*finding_members); i++)
            copy(w, f, finding_members[i]);
        tk_write_end(w);
    }
    tk_write_end(w);
}

static void write_counts(struct tk_writer *w, struct tk_val counts, struct tk_arena *arena)
{
    tk_write_key(w, "counts");
    tk_write_list(w);
    for (struct tk_val c = tk_first(counts); tk_exists(c); c = tk_after(counts, c)) {
        tk_write_map(w);
        tk_write_kv_str(w, "code", tk_key(c, arena));
        tk_write_key(w, "count");
        tk_write_raw(w, tk_span(c));
        tk_write_end(w);
    }
    tk_write_end(w);
}

void cli_row_result(const struct cli_run *run, const struct cli_document *document,
                    struct tk_val result, struct tk_arena *arena)
{
    enum tk_shape_id dialect = document->history.dialect;
    struct tk_out out;
    struct tk_writer w;

    begin(&w, &out, arena, run->in.name, document->place.line);
    tk_write_kv_cstr(&w, "provider", cli_dialect_provider(run->args, dialect));
    tk_write_kv_cstr(&w, "dialect", tk_shapes[dialect]->name);
    copy(&w, result, "valid");
    copy(&w, result, "message_count");
    copy(&w, result, "part_count");
    copy(&w, result, "protected");
    write_findings(&w, tk_get(result, TK_STR("violations")));
    write_counts(&w, tk_get(result, TK_STR("counts")), arena);
    copy(&w, result, "truncated");
    write_null(&w, "error");
    end(run, &w, &out);
}

static void write_fault(struct tk_writer *w, const struct cli_fault *fault)
{
    tk_write_key(w, "error");
    tk_write_map(w);
    tk_write_kv_str(w, "name", fault->name);
    tk_write_kv_str(w, "message", fault->text);
    if (fault->pointer.n)
        tk_write_kv_str(w, "pointer", fault->pointer);
    else
        write_null(w, "pointer");
    tk_write_key(w, "offset");
    if (fault->has_offset)
        tk_write_uint(w, fault->offset);
    else
        tk_write_null(w);
    tk_write_end(w);
}

void cli_row_fault(const struct cli_run *run, const char *file, size_t line,
                   const struct cli_fault *fault, struct tk_arena *arena)
{
    static const char *const unknown[] = {
        "provider", "dialect", "valid", "message_count", "part_count", "protected",
    };
    struct tk_out out;
    struct tk_writer w;

    begin(&w, &out, arena, file, line);
    for (size_t i = 0; i < sizeof(unknown) / sizeof(*unknown); i++)
        write_null(&w, unknown[i]);
    tk_write_key(&w, "violations");
    tk_write_list(&w);
    tk_write_end(&w);
    tk_write_key(&w, "counts");
    tk_write_list(&w);
    tk_write_end(&w);
    write_null(&w, "truncated");
    write_fault(&w, fault);
    end(run, &w, &out);
}
