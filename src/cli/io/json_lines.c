/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/json_lines.h"

#include "cli/show/fault.h"
#include "value/compact.h"
#include "value/writer.h"

#include <stdio.h>
#include <string.h>

/* Begins the line; the caller writes the value of `key` next. */
static void begin(struct tk_writer *w, struct tk_out *out, struct tk_arena *arena,
                  const struct cli_run *run, const char *name, size_t line, const char *key)
{
    bool many = run->args->operand_count > 1;

    tk_out_init(out, arena);
    tk_writer_init(w, TK_JSON, out);
    tk_write_map(w);
    if (many)
        tk_write_kv_cstr(w, "file", name);
    if (many && line)
        tk_write_kv_int(w, "line", (int64_t)line);
    tk_write_key(w, key);
}

static void print(const struct cli_run *run, struct tk_out *out)
{
    for (size_t i = 0; i < out->count; i++)
        cli_print_text(stdout, run->out.terminal,
                       (struct tk_str){out->pieces[i].iov_base, out->pieces[i].iov_len});
    putchar('\n');
}

static struct tk_str compact(struct tk_val v, struct tk_arena *arena)
{
    struct tk_out out;

    tk_out_init(&out, arena);
    tk_compact_json(&out, v, NULL);
    return tk_out_join(&out);
}

/* Writes a result that is an object; the name of a provider other than the first precedes its
 * members. */
static void put_result(struct tk_out *out, const char *provider, struct tk_val result,
                       struct tk_arena *arena)
{
    struct tk_str text = compact(result, arena);

    if (provider) {
        tk_out_ref(out, tk_arena_printf(arena, "{\"provider\":\"%s\"%s", provider,
                                        text.n > strlen("{}") ? "," : ""));
        text = (struct tk_str){text.p + 1, text.n - 1};
    }
    tk_out_ref(out, text);
}

void cli_json_result(const struct cli_run *run, const struct cli_document *document,
                     struct tk_val result, struct tk_arena *arena)
{
    enum tk_shape_id dialect = document->history.dialect;
    const char *provider = cli_dialect_is_special(run->args, dialect)
                               ? cli_dialect_provider(run->args, dialect)
                               : NULL;
    struct tk_out out, inner;
    struct tk_writer w;

    tk_out_init(&out, arena);
    if (run->args->operand_count > 1) {
        tk_out_init(&inner, arena);
        put_result(&inner, provider, result, arena);
        begin(&w, &out, arena, run, run->in.name, document->place.line, "result");
        tk_write_raw(&w, tk_out_join(&inner));
        tk_write_end(&w);
    } else {
        put_result(&out, provider, result, arena);
    }
    print(run, &out);
}

void cli_json_error(const struct cli_run *run, size_t line, struct cli_reply *reply)
{
    struct tk_arena *arena = &reply->reading.arena;
    struct tk_val data = tk_get(reply->error, TK_STR("data"));
    struct tk_out out;
    struct tk_writer w;

    begin(&w, &out, arena, run, run->in.name, line, "error");
    tk_write_map(&w);
    tk_write_kv_str(&w, "message", tk_text(tk_get(reply->error, TK_STR("message")), arena));
    for (struct tk_val v = tk_first(data); tk_exists(v); v = tk_after(data, v)) {
        tk_write_key_str(&w, tk_key(v, arena));
        tk_write_raw(&w, compact(v, arena));
    }
    tk_write_end(&w);
    tk_write_end(&w);
    print(run, &out);
}

static void write_fault(struct tk_writer *w, const struct cli_fault *fault)
{
    tk_write_map(w);
    tk_write_kv_str(w, "name", fault->name);
    tk_write_kv_str(w, "message", fault->text);
    if (fault->has_offset)
        tk_write_kv_int(w, "offset", (int64_t)fault->offset);
    if (fault->pointer.n)
        tk_write_kv_str(w, "pointer", fault->pointer);
    tk_write_end(w);
}

void cli_json_skipped(struct cli_run *run, const struct cli_record *record,
                      const struct cli_fault *fault)
{
    struct tk_out out;
    struct tk_writer w;

    if (record->kind == CLI_TOO_LONG_REST)
        return;
    if (!fault) {
        if (run->args->operand_count == 1)
            putchar('\n');
        return;
    }
    begin(&w, &out, run->arena, run, run->in.name, record->line, "error");
    write_fault(&w, fault);
    tk_write_end(&w);
    print(run, &out);
}

void cli_json_missing(struct cli_run *run, const char *name, const char *why)
{
    const struct cli_fault fault = {.name = TK_STR("unreadable"), .text = tk_str_of(why)};
    struct tk_out out;
    struct tk_writer w;

    if (!cli_given(run->args, CLI_OPT_JSON) || run->args->operand_count == 1)
        return;
    tk_arena_reset(run->arena);
    begin(&w, &out, run->arena, run, name, 0, "error");
    write_fault(&w, &fault);
    tk_write_end(&w);
    print(run, &out);
}
