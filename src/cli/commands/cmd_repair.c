/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper repair: writes the repaired documents to their place and the edits to stderr. */
#include "cli/commands/documents.h"
#include "cli/io/elements.h"
#include "cli/io/json_lines.h"
#include "cli/io/output.h"
#include "cli/show/diff.h"
#include "cli/show/tally.h"
#include "cli/show/view.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The repair of one file. */
struct repair {
    struct cli_output output; /* output.file is NULL if nothing is written */
    bool marked;              /* the byte order mark was written, if the input has one */
    bool diffs;               /* --diff */
    struct cli_buf made;      /* with --diff: the repaired document */
    uint64_t changed, unsafe, edits, findings;
    uint64_t withheld; /* of the unsafe: edits on a guess that would take something away */
    char hint[512];    /* the last line: the option that says whose histories these are; "": none */
    struct cli_tally done, left; /* edits by action and code; findings that remain */
};

static int write_failed(const struct repair *r, int error)
{
    const char *name = r->output.name;

    if (error == -ESTALE)
        return cli_fail("%s: changed while it was being repaired; left as it is", name);
    if (r->output.backup_failed)
        return cli_fail("%s: left as it is, the original can't be kept: %s (--no-backup)", name,
                        strerror(-error));
    return cli_fail("%s: %s", name, strerror(-error));
}

static bool is_same_file(const char *name, const struct stat *st)
{
    struct stat other;

    return name && stat(name, &other) == 0 && other.st_dev == st->st_dev &&
           other.st_ino == st->st_ino;
}

/* Opens the output. If --output names the input file, it is replaced as --in-place does. */
static int open_output(struct cli_run *run, struct repair *r)
{
    const char *name = run->args->value[CLI_OPT_OUTPUT];
    bool in_place = cli_given(run->args, CLI_OPT_IN_PLACE);
    int error;

    if (in_place)
        name = run->in.name;
    r->output.name = name;
    if (in_place || (S_ISREG(run->in.st.st_mode) && is_same_file(name, &run->in.st)))
        error = cli_output_open_in_place(&r->output, name, &run->in.st,
                                         !cli_given(run->args, CLI_OPT_NO_BACKUP));
    else
        error = cli_output_open(&r->output, name);
    if (error == -EINVAL && in_place)
        return cli_fail("%s: --in-place needs a regular file", name);
    return error < 0 ? write_failed(r, error) : 0;
}

/* Returns true if the documents are written to stdout or a file. */
static bool is_writing(const struct cli_args *args)
{
    if (cli_given(args, CLI_OPT_IN_PLACE) || cli_given(args, CLI_OPT_OUTPUT))
        return true;
    return !cli_given(args, CLI_OPT_CHECK) && !cli_given(args, CLI_OPT_DIFF) &&
           !cli_given(args, CLI_OPT_JSON);
}

static int start(struct cli_run *run)
{
    struct repair *r = run->self;

    *r = (struct repair){.diffs = cli_given(run->args, CLI_OPT_DIFF)};
    return is_writing(run->args) ? open_output(run, r) : 0;
}

/* Writes bytes to the output; for a diff also to memory. */
static int put(struct cli_run *run, struct tk_str bytes)
{
    struct repair *r = run->self;
    int error = 0;

    if (r->diffs && cli_buf_add(&r->made, bytes.p, bytes.n) < 0)
        return cli_fail("out of memory");
    if (!r->output.file)
        return 0;
    if (run->in.marked && !r->marked)
        error = cli_output_put(&r->output, TK_STR("\xef\xbb\xbf"));
    r->marked = true;
    if (error == 0)
        error = cli_output_put(&r->output, bytes);
    return error < 0 ? write_failed(r, error) : 0;
}

/* Writes a list of messages, one per line as in the input. */
static int put_lines(struct cli_run *run, struct tk_val messages)
{
    struct cli_buf lines = {0};
    int failed = cli_elements_split(&lines, messages) < 0 ? cli_fail("out of memory")
                                                          : put(run, cli_buf_str(&lines));

    cli_buf_done(&lines);
    return failed;
}

/* Writes the document. All bytes before and after the messages are those of the input. */
static int put_document(struct cli_run *run, const struct cli_document *document,
                        struct tk_val messages)
{
    struct tk_str text = document->text, old = tk_span(document->history.messages);
    struct tk_str after = {old.p + old.n, (size_t)(text.p + text.n - (old.p + old.n))};
    int failed = put(run, (struct tk_str){text.p, (size_t)(old.p - text.p)});

    if (!failed)
        failed = run->in.elements ? put_lines(run, messages) : put(run, tk_span(messages));
    if (!failed)
        failed = put(run, after);
    return failed ? failed : put(run, document->end);
}

/* Makes the text of the document as it is in the file. */
static int old_text(struct cli_run *run, const struct cli_document *document, struct cli_buf *ret)
{
    struct tk_str text = document->text;
    struct tk_val messages = document->history.messages;
    struct tk_str list = tk_span(messages);

    if (!run->in.elements)
        return cli_buf_add(ret, text.p, text.n);
    if (cli_buf_add(ret, text.p, (size_t)(list.p - text.p)) < 0)
        return -ENOMEM;
    return cli_elements_split(ret, messages);
}

static int print_diff(struct cli_run *run, const struct cli_document *document)
{
    struct repair *r = run->self;
    struct tk_str made = cli_buf_str(&r->made);
    struct cli_buf old = {0};
    int error = 0;

    if (r->changed == 1) /* the first changed document of this file */
        cli_diff_begin(&run->out, run->in.name);
    if (run->in.lines) {
        made.n -= document->end.n;
        cli_diff_line(&run->out, document->text, made, document->place.line, document->end.n == 0);
    } else {
        error = old_text(run, document, &old);
        if (error == 0)
            error = cli_diff_print(&run->out, cli_buf_str(&old), made, 1);
    }
    cli_buf_done(&old);
    return error < 0 ? cli_fail("out of memory") : 0;
}

/* Writes the document, and the diff if it changed. */
static int deliver(struct cli_run *run, const struct cli_document *document, bool changed)
{
    struct repair *r = run->self;
    struct tk_val messages = tk_get(run->reply.result, TK_STR("messages"));
    int failed;

    r->made.n = 0;
    failed = put_document(run, document, changed ? messages : document->history.messages);
    return !failed && changed && r->diffs ? print_diff(run, document) : failed;
}

static int count_edits(struct repair *r, struct tk_val edits, struct tk_arena *arena)
{
    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e)) {
        r->edits++;
        if (cli_tally_add(&r->done, tk_text(tk_get(e, TK_STR("code")), arena),
                          tk_text(tk_get(e, TK_STR("action")), arena), 1) < 0)
            return -ENOMEM;
    }
    return 0;
}

/* Prints the findings that remain in the repaired document, or in the input if it is unsafe. */
static int report_rest(struct cli_run *run, const struct cli_document *document,
                       struct tk_val answer)
{
    struct repair *r = run->self;
    struct tk_arena *arena = &run->reply.reading.arena;

    if (!cli_given(run->args, CLI_OPT_JSON))
        cli_report_findings(cli_run_err(run), &document->place,
                            tk_get(answer, TK_STR("violations")),
                            cli_given(run->args, CLI_OPT_VERBOSE), arena);
    if (cli_tally_findings(&r->left, answer, arena, &r->findings) < 0)
        return cli_fail("out of memory");
    return 0;
}

/* Warns about thinking after an edit: newer models bind it to everything before it. */
static void report_unbound(struct cli_run *run, const struct cli_document *document)
{
    struct tk_val unbound = tk_get(run->reply.result, TK_STR("unbound"));
    struct tk_str from = tk_text(tk_get(unbound, TK_STR("from")), &run->reply.reading.arena);
    unsigned blocks = tk_count(tk_get(unbound, TK_STR("thinking")));

    if (blocks)
        cli_report_note(
            cli_run_err(run), &document->place,
            "newer models may refuse %u thinking block%s: the repair changed the history "
            "before, from %.*s on",
            blocks, cli_plural(blocks), (int)from.n, from.p);
}

/* ---- whose history it is ---- */

/* Notes what the first document that isn't repaired was read as. */
static void note_hint(struct cli_run *run, const struct cli_history *history)
{
    struct repair *r = run->self;
    struct tk_str because = tk_detected_because(&history->found, run->arena);
    const char *dialect = tk_shapes[history->dialect]->name;

    if (r->hint[0] || !run->dialects.expected.detects)
        return;
    if (history->guess)
        snprintf(r->hint, sizeof(r->hint), "read as %s, but %.*s: say --provider to repair it",
                 dialect, (int)because.n, because.p);
    else if (history->sign)
        snprintf(r->hint, sizeof(r->hint),
                 "read as %s (%.*s); if it is another provider's, say --provider", dialect,
                 (int)because.n, because.p);
    else
        snprintf(r->hint, sizeof(r->hint),
                 "read as %s, as other lines are; if it is another provider's, say --provider",
                 dialect);
}

static bool takes_away(struct tk_val edits)
{
    static const char *const actions[] = {"drop", "drop_message", "textify", "demote", "merge"};

    for (struct tk_val e = tk_first(edits); tk_exists(e); e = tk_after(edits, e))
        for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
            if (tk_text_is(tk_get(e, TK_STR("action")), tk_str_of(actions[i])))
                return true;
    return false;
}

/* Handles a document that no allowed edit makes safe: a single document is not written, a line is
 * passed on unchanged. */
static int answer_unsafe(struct cli_run *run, const struct cli_document *document)
{
    struct repair *r = run->self;
    struct tk_val data = tk_get(run->reply.error, TK_STR("data"));
    int failed = report_rest(run, document, data);

    note_hint(run, &document->history);
    r->unsafe++;
    cli_run_status(run, CLI_EXIT_ERRORS);
    if (cli_given(run->args, CLI_OPT_JSON))
        cli_json_error(run, document->place.line, &run->reply);
    if (failed || !run->in.lines)
        return failed;
    return deliver(run, document, false);
}

static int show_edits(struct cli_run *run, const struct cli_document *document,
                      struct tk_val messages)
{
    const struct repair *r = run->self;
    const struct cli_sink *err = cli_run_err(run);
    struct cli_view view = {document->history.messages, messages,
                            tk_get(run->reply.result, TK_STR("edits")), &run->reply.reading.arena,
                            tk_shapes[document->history.dialect]};

    if (cli_given(run->args, CLI_OPT_QUIET) || cli_given(run->args, CLI_OPT_JSON) || r->diffs)
        return 0;
    cli_style(err, CLI_BOLD);
    cli_print_place(err, &document->place);
    cli_style(err, CLI_PLAIN);
    fprintf(err->file, ": %u edit%s\n", tk_count(view.edits), cli_plural(tk_count(view.edits)));
    return cli_view_print(err, &view) < 0 ? cli_fail("out of memory") : 0;
}

/* Shows the edits of a document that isn't written: it may be another provider's, and then nothing of
 * it would have to go. */
static int withhold(struct cli_run *run, const struct cli_document *document,
                    struct tk_val messages)
{
    struct repair *r = run->self;
    int failed = show_edits(run, document, messages);

    note_hint(run, &document->history);
    r->unsafe++;
    r->withheld++;
    cli_run_status(run, CLI_EXIT_ERRORS);
    return failed || !run->in.lines ? failed : deliver(run, document, false);
}

static int answer(struct cli_run *run, const struct cli_document *document)
{
    struct repair *r = run->self;
    struct tk_val result = run->reply.result;
    struct tk_val messages = tk_get(result, TK_STR("messages"));
    bool changed = tk_is(tk_get(result, TK_STR("changed")), TK_TRUE);
    int failed = 0;

    if (tk_exists(run->reply.error))
        return answer_unsafe(run, document);
    if (changed && !tk_is(messages, TK_ARRAY))
        return cli_fail("the answer lacks the repaired messages");
    if (!tk_is(tk_get(result, TK_STR("safe")), TK_TRUE))
        cli_run_status(run, CLI_EXIT_ERRORS);
    if (changed && cli_given(run->args, CLI_OPT_CHECK))
        cli_run_status(run, CLI_EXIT_ERRORS);
    if (cli_given(run->args, CLI_OPT_JSON))
        cli_json_result(run, document, result, &run->reply.reading.arena);
    if (document->history.guess && takes_away(tk_get(result, TK_STR("edits"))))
        return withhold(run, document, messages);
    if (changed) {
        r->changed++;
        failed = show_edits(run, document, messages);
        report_unbound(run, document);
    }
    if (!failed && count_edits(r, tk_get(result, TK_STR("edits")), &run->reply.reading.arena) < 0)
        failed = cli_fail("out of memory");
    if (!failed)
        failed = report_rest(run, document, result);
    return failed ? failed : deliver(run, document, changed);
}

static int skip(struct cli_run *run, const struct cli_record *record, const struct cli_fault *fault)
{
    int failed;

    if (cli_given(run->args, CLI_OPT_JSON))
        cli_json_skipped(run, record, fault);
    if (!run->in.lines)
        return 0;
    ((struct repair *)run->self)->made.n = 0;
    failed = put(run, record->text);
    return failed ? failed : put(run, record->end);
}

#define LLU(n) ((unsigned long long)(n))

static void summarize(struct cli_run *run, struct repair *r)
{
    FILE *f = run->err.file;
    const char *repaired = cli_given(run->args, CLI_OPT_CHECK) ? "to be repaired" : "repaired";

    cli_print_name(&run->err, run->in.name);
    fputs(": ", f);
    if (run->in.lines)
        fprintf(f, "%llu document%s: %llu %s, %llu unchanged, %llu unsafe, %llu unreadable; ",
                LLU(run->documents), cli_plural(run->documents), LLU(r->changed), repaired,
                LLU(run->documents - r->changed - r->unsafe - run->faults), LLU(r->unsafe),
                LLU(run->faults));
    else
        fprintf(f, "%s; ",
                r->withheld  ? "left as it is"
                : r->unsafe  ? "unsafe"
                : r->changed ? repaired
                             : "unchanged");
    fprintf(f, "%llu edit%s, %llu finding%s remain%s\n", LLU(r->edits), cli_plural(r->edits),
            LLU(r->findings), cli_plural(r->findings), r->findings == 1 ? "s" : "");
    cli_tally_print(&r->done, &run->err);
    cli_tally_print(&r->left, &run->err);
}

/* Returns true if there is output to write: false for a single document that failed, and for a file
 * that needs no change. */
static bool has_output(const struct cli_run *run, const struct repair *r)
{
    if (!r->output.file || (!run->in.lines && (r->unsafe || run->faults)))
        return false;
    return r->changed || !cli_given(run->args, CLI_OPT_IN_PLACE);
}

static int finish(struct cli_run *run, bool ended)
{
    struct repair *r = run->self;
    int status = 0;

    if (ended && has_output(run, r)) {
        int error = cli_output_commit(&r->output);

        status = error < 0 ? write_failed(r, error) : 0;
    }
    cli_output_abort(&r->output);
    if (r->output.kept && !cli_given(run->args, CLI_OPT_QUIET))
        cli_report_note(cli_run_err(run), &(struct cli_place){.file = run->in.name},
                        "the original is kept as %s", r->output.kept);
    if (ended && !cli_given(run->args, CLI_OPT_QUIET) && (run->in.lines || !run->faults))
        summarize(run, r);
    if (ended && r->hint[0])
        cli_report_note(cli_run_err(run), &(struct cli_place){.file = run->in.name}, "%s", r->hint);
    cli_tally_done(&r->done);
    cli_tally_done(&r->left);
    cli_output_done(&r->output);
    cli_buf_done(&r->made);
    return status;
}

/* Refuses options that contradict each other. Returns 0 or the status of a usage error. */
static int check(const struct cli_args *args)
{
    bool checks = cli_given(args, CLI_OPT_CHECK), in_place = cli_given(args, CLI_OPT_IN_PLACE);
    bool reports = checks || cli_given(args, CLI_OPT_DIFF) || cli_given(args, CLI_OPT_JSON);

    if (checks && (in_place || cli_given(args, CLI_OPT_OUTPUT)))
        return cli_usage_error(args->command, "--check writes nothing: neither --output nor "
                                              "--in-place goes with it");
    if (cli_given(args, CLI_OPT_DIFF) && cli_given(args, CLI_OPT_JSON))
        return cli_usage_error(args->command, "--diff and --json exclude each other");
    if (reports && cli_given(args, CLI_OPT_OUTPUT) && strcmp(args->value[CLI_OPT_OUTPUT], "-") == 0)
        return cli_usage_error(args->command, "stdout can't have both the document and --diff or "
                                              "--json");
    if (args->operand_count > 1 && cli_given(args, CLI_OPT_OUTPUT))
        return cli_usage_error(args->command, "--output takes the document of one file");
    if (args->operand_count > 1 && !in_place && !reports)
        return cli_usage_error(args->command, "several files need --in-place, --check, --diff or "
                                              "--json");
    for (int i = 0; in_place && i < args->operand_count; i++)
        if (strcmp(args->operands[i], "-") == 0)
            return cli_usage_error(args->command, "--in-place needs a file, not stdin");
    return 0;
}

int cli_cmd_repair(const struct cli_args *args)
{
    static const struct cli_document_ops ops = {
        .method = "repair",
        .fixed = "\"return\":\"messages\"",
        .start = start,
        .answer = answer,
        .skip = skip,
        .finish = finish,
        .missing = cli_json_missing,
    };
    const char *output = args->value[CLI_OPT_OUTPUT];
    bool shows = cli_given(args, CLI_OPT_DIFF) || cli_given(args, CLI_OPT_JSON);
    bool elsewhere = cli_given(args, CLI_OPT_IN_PLACE) || cli_given(args, CLI_OPT_CHECK) ||
                     (output && strcmp(output, "-") != 0);
    struct repair r = {0};
    int failed = check(args);

    return failed ? failed : cli_documents_run(args, &ops, shows || !elsewhere, &r);
}
