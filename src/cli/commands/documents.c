/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/documents.h"

#include "cli/args/request.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void cli_run_status(struct cli_run *run, int status)
{
    if (run->file_status < status)
        run->file_status = status;
    if (run->status < status)
        run->status = status;
}

const struct cli_sink *cli_run_err(struct cli_run *run)
{
    cli_progress_clear(&run->progress);
    return &run->err;
}

/* ---- documents that can't be judged ---- */

static int give_up(struct cli_run *run, const struct cli_document *document,
                   const struct cli_record *record, const struct cli_fault *fault, bool quiet)
{
    if (!quiet)
        cli_report_fault(cli_run_err(run), &document->place, document->text, fault);
    run->faults++;
    cli_run_status(run, CLI_EXIT_FAILED);
    return run->ops->skip(run, record, fault);
}

/* Returns true, and counts it, if another document of this file was refused for the same reason. */
static bool was_refused(struct cli_run *run, const char *kind, size_t line)
{
    for (int i = 0; i < CLI_REFUSED_MAX; i++) {
        struct cli_refused *r = &run->refused[i];

        if (r->kind == kind) {
            r->more++;
            return true;
        }
        if (!r->kind) {
            *r = (struct cli_refused){kind, line, 0};
            return false;
        }
    }
    return false;
}

static void report_refused(struct cli_run *run)
{
    const struct cli_place place = {.file = run->in.name};

    for (int i = 0; i < CLI_REFUSED_MAX && run->refused[i].kind; i++)
        if (run->refused[i].more)
            cli_report_note(cli_run_err(run), &place, "%llu more line%s like line %zu",
                            (unsigned long long)run->refused[i].more,
                            run->refused[i].more == 1 ? " is" : "s are", run->refused[i].line);
}

/* Says how many lines were read as others of the file are. */
static void report_followers(struct cli_run *run)
{
    bool one = run->followers == 1;
    int dialects = 0;

    if (run->followers == 0 || cli_given(run->args, CLI_OPT_QUIET))
        return;
    for (int i = 0; i < TK_SHAPE_COUNT; i++)
        dialects += run->told[i];
    cli_report_note(cli_run_err(run), &(struct cli_place){.file = run->in.name},
                    "%llu document%s tell whose %s: read as %s (--provider says it)",
                    (unsigned long long)run->followers, one ? " doesn't" : "s don't",
                    one ? "it is" : "they are",
                    dialects == 1 ? tk_shapes[run->leader.dialect]->name
                                  : "the line before that does");
}

static int refuse(struct cli_run *run, const struct cli_document *document,
                  const struct cli_record *record, const struct cli_refusal *refusal)
{
    const struct cli_fault fault = {
        .name = cli_error_name(refusal->foreign ? TK_ERR_DIALECT_MISMATCH : TK_ERR_INVALID_PARAMS),
        .text = refusal->text,
        .foreign = refusal->foreign,
    };

    return give_up(run, document, record, &fault, was_refused(run, refusal->kind, record->line));
}

/* True for errors that the next document would get as well. */
static bool ends_run(struct tk_str name)
{
    return tk_str_eq(name, cli_error_name(TK_ERR_DRAINING)) ||
           tk_str_eq(name, cli_error_name(TK_ERR_METHOD_NOT_FOUND)) ||
           tk_str_eq(name, cli_error_name(TK_ERR_INVALID_REQUEST));
}

/* Adds to the fault's text the members that messages have if no message has a role. */
static void add_sign(struct cli_run *run, struct cli_fault *fault)
{
    struct tk_arena *arena = &run->reply.reading.arena;
    struct tk_val data = tk_get(run->reply.error, TK_STR("data"));
    struct tk_str sign = tk_text(tk_get(data, TK_STR("sign")), arena);

    if (sign.n && !tk_is(tk_get(data, TK_STR("looks_like")), TK_STRING))
        fault->text = tk_arena_printf(arena, "%.*s; found %.*s", (int)fault->text.n, fault->text.p,
                                      (int)sign.n, sign.p);
}

static const char option_refused[] = "option refused";

/* Returns true if an option that is refused may be fine for the next document: this one's format was
 * found out, and its provider isn't the default. */
static bool is_its_own(const struct cli_run *run, const struct cli_document *document)
{
    return document->history.sign && !cli_given(run->args, CLI_OPT_PROVIDER) &&
           cli_dialect_is_special(run->args, document->history.dialect);
}

static int judge_error(struct cli_run *run, const struct cli_document *document,
                       const struct cli_record *record, const struct cli_question *asked)
{
    struct tk_arena *arena = &run->reply.reading.arena;
    struct tk_str pointer;
    struct cli_fault fault = cli_fault_answered(&run->reply, asked, &pointer);

    if (tk_str_eq(fault.name, cli_error_name(TK_ERR_UNSAFE_HISTORY)))
        return run->ops->answer(run, document);
    if (tk_str_eq(fault.name, cli_error_name(TK_ERR_DIALECT_MISMATCH))) {
        add_sign(run, &fault);
        return give_up(run, document, record, &fault,
                       was_refused(run, tk_errors[TK_ERR_DIALECT_MISMATCH].name, record->line));
    }
    if (ends_run(fault.name)) {
        cli_run_err(run);
        return cli_fail("%.*s [%.*s]", (int)fault.text.n, fault.text.p, (int)fault.name.n,
                        fault.name.p);
    }
    if (!fault.pointer.p && tk_str_eq(fault.name, cli_error_name(TK_ERR_INVALID_PARAMS))) {
        if (is_its_own(run, document)) {
            fault.text = cli_request_blame(run->args, pointer, fault.text, arena);
            return give_up(run, document, record, &fault,
                           was_refused(run, option_refused, record->line));
        }
        cli_run_err(run);
        return cli_request_refused(run->args, pointer, fault.text);
    }
    return give_up(run, document, record, &fault, false);
}

/* ---- one document ---- */

/* Prints the dialect in which histories are read, and what shows it, once per file. */
static void tell_dialect(struct cli_run *run, const struct cli_history *history)
{
    bool *told = history->guess ? &run->told_guess : &run->told[history->dialect];
    struct tk_str because;
    const struct cli_sink *err;

    if ((!history->sign && !history->guess) || *told || cli_given(run->args, CLI_OPT_QUIET))
        return;
    *told = true;
    err = cli_run_err(run);
    fputs("reading ", err->file);
    cli_print_name(err, run->in.name);
    fprintf(err->file, " as %s", tk_shapes[history->dialect]->name);
    if (run->dialects.expected.detects) {
        because = tk_detected_because(&history->found, run->arena);
        fputs(": ", err->file);
        cli_print(err, because);
        fputs(history->guess ? "; --provider says it" : "", err->file);
    }
    fputc('\n', err->file);
}

/* Returns true for an answer that judges the history. */
static bool is_judged(struct tk_val error)
{
    struct tk_val name = tk_get(tk_get(error, TK_STR("data")), TK_STR("name"));

    return !tk_exists(error) || tk_text_is(name, cli_error_name(TK_ERR_UNSAFE_HISTORY));
}

static int take_answer(struct cli_run *run, struct cli_exam *exam)
{
    struct cli_backend *backend = cli_rounds_backend(&run->rounds);
    const struct cli_document *document = &exam->document;

    if (cli_backend_read(backend, &exam->answer, &run->reply) < 0) {
        cli_run_err(run);
        return cli_fail("%s", backend->error);
    }
    /* It is no guess whose history it is if it is none. */
    if (!document->history.guess || is_judged(run->reply.error))
        tell_dialect(run, &document->history);
    if (tk_exists(run->reply.error))
        return judge_error(run, document, &exam->record, &exam->asked);
    return run->ops->answer(run, document);
}

static int take_no_document(struct cli_run *run, struct cli_exam *exam)
{
    struct cli_fault fault = {.name = cli_error_name(TK_ERR_FRAME_TOO_LARGE)};

    if (exam->record.kind != CLI_TOO_LONG)
        return run->ops->skip(run, &exam->record, NULL);
    fault.text = tk_arena_printf(run->arena, "longer than %zu bytes", run->in.options.max);
    return give_up(run, &exam->document, &exam->record, &fault, false);
}

/* Prints and counts the outcome of an exam. Returns 0, or the status that ends the run at once. */
static int take_outcome(struct cli_run *run, struct cli_exam *exam)
{
    const struct cli_document *document = &exam->document;

    run->arena = &exam->reading.arena;
    run->documents += exam->record.kind == CLI_DOCUMENT || exam->record.kind == CLI_TOO_LONG;
    switch (exam->outcome) {
    case CLI_UNREADABLE:
        return give_up(run, document, &exam->record, &exam->fault, false);
    case CLI_REFUSED:
        return refuse(run, document, &exam->record, &exam->refusal);
    case CLI_ANSWERED:
        return take_answer(run, exam);
    case CLI_FAILED:
        cli_run_err(run);
        return cli_fail("%s", exam->failure);
    default:
        return take_no_document(run, exam);
    }
}

/* ---- lines that nothing decides ---- */

static void lead(struct cli_run *run, const struct cli_history *history)
{
    run->leads = true;
    run->leader = (struct cli_history){
        .dialect = history->dialect, .endpoint = history->endpoint, .is_list = true};
}

/* Makes the undecided lines of the round followers of the last decided one before them. Returns true if
 * there are undecided lines. */
static bool follow(struct cli_run *run)
{
    bool undecided = false;

    for (size_t i = 0; i < run->rounds.count; i++) {
        struct cli_exam *exam = &run->rounds.exams[i];
        struct cli_history *history = &exam->document.history;

        if (exam->outcome == CLI_ANSWERED && history->sign)
            lead(run, history);
        if (exam->outcome != CLI_UNDECIDED)
            continue;
        undecided = true;
        if (!run->leads || !cli_history_fits(history, run->leader.dialect))
            continue;
        history->guess = false;
        history->dialect = run->leader.dialect;
        history->endpoint = run->leader.endpoint;
        run->followers++;
    }
    return undecided;
}

/* Looks for the first line of the file that tells whose it is. It stops at LOOK_AHEAD bytes, so that a
 * file in which nothing tells isn't read twice. */
#define LOOK_AHEAD ((uint64_t)16 << 20)

static void look_ahead(struct cli_run *run)
{
    const char *at = run->args->value[CLI_OPT_AT];
    struct tk_str place = at ? tk_str_of(at) : (struct tk_str){NULL, 0};
    struct cli_input_options options = run->in.options;
    struct cli_record record = {.kind = CLI_DOCUMENT};
    struct cli_reading reading;
    struct cli_refusal refusal;
    struct cli_history history;
    struct cli_input in;

    options.lines = true;
    options.progress = NULL;
    if (run->ops->whole || !run->in.lines || !S_ISREG(run->in.st.st_mode) ||
        !run->dialects.expected.detects || run->in.fd == STDIN_FILENO ||
        cli_input_open(&in, run->in.name, &options) < 0)
        return;
    cli_reading_init(&reading);
    while (!run->leads && in.done < LOOK_AHEAD && cli_input_next(&in, &record) > 0)
        if (record.kind == CLI_DOCUMENT && cli_read_json(&reading, record.text) == 0 &&
            cli_history_find(&reading, place, &run->dialects.expected, &history, &refusal) == 0 &&
            history.sign)
            lead(run, &history);
    cli_reading_done(&reading);
    cli_input_close(&in);
}

/* ---- the run ---- */

static int open_file(struct cli_run *run, const char *name)
{
    const struct cli_args *args = run->args;
    bool is_stdin = strcmp(name, "-") == 0;
    const struct cli_input_options options = {
        .lines = cli_given(args, CLI_OPT_JSONL),
        .at = cli_given(args, CLI_OPT_AT),
        .max = cli_number(args, CLI_OPT_MAX_DOCUMENT, (uint64_t)1 << 30),
        .progress = &run->progress,
    };
    int r;

    run->documents = run->faults = run->followers = 0;
    run->told_guess = run->leads = false;
    run->file_status = 0;
    memset(run->refused, 0, sizeof(run->refused));
    memset(run->told, 0, sizeof(run->told));
    cli_progress_start(&run->progress, is_stdin ? "stdin" : name, !cli_given(args, CLI_OPT_QUIET),
                       run->stdout_used);
    r = cli_input_open(&run->in, name, &options);
    if (r < 0)
        return r;
    run->progress.total = S_ISREG(run->in.st.st_mode) ? (uint64_t)run->in.st.st_size : 0;
    run->progress.patient = !run->in.lines;
    if (run->in.elements && !cli_given(args, CLI_OPT_QUIET))
        cli_report_note(cli_run_err(run), &(struct cli_place){.file = run->in.name},
                        "one message a line: read as one history");
    return 0;
}

/* Returns 0 at the end of the file, or the status that ended the run at once. */
static int work(struct cli_run *run)
{
    struct cli_examiner examiner = {
        .args = run->args,
        .method = run->ops->method,
        .whole = run->ops->whole,
        .file = run->in.name,
        .joined = run->in.elements,
        .in_lines = run->in.lines,
        .dialects = &run->dialects,
    };
    struct cli_rounds *rounds = &run->rounds;
    int r, failed;

    do {
        r = cli_round_read(rounds, &run->in);
        examiner.decided = false;
        cli_round_examine(rounds, &examiner);
        examiner.decided = follow(run);
        if (examiner.decided)
            cli_round_examine(rounds, &examiner);
        for (size_t i = 0; i < rounds->count; i++) {
            failed = take_outcome(run, &rounds->exams[i]);
            if (failed)
                return failed;
        }
        if (run->in.lines)
            cli_progress_update(&run->progress, run->in.done);
    } while (r > 0);
    return r < 0 ? cli_fail("%s: %s", run->in.name, strerror(-r)) : 0;
}

/* Works on one file. Returns 0, or the status that ends the run at once. A file that can't be
 * opened doesn't end the run. */
static int run_file(struct cli_run *run, const char *name)
{
    int r = open_file(run, name), failed;

    if (r < 0) {
        cli_run_err(run);
        cli_run_status(run,
                       cli_fail("%s: %s", strcmp(name, "-") == 0 ? "stdin" : name, strerror(-r)));
        if (run->ops->missing)
            run->ops->missing(run, name, strerror(-r));
        return 0;
    }
    look_ahead(run);
    r = run->ops->start(run);
    if (r == 0)
        r = work(run);
    cli_run_status(run, r);
    cli_progress_clear(&run->progress);
    if (r == 0) {
        report_refused(run);
        report_followers(run);
    }
    failed = run->ops->finish(run, r == 0);
    cli_run_status(run, failed);
    cli_input_close(&run->in);
    return r;
}

/* Prints how many files were fine, had errors or failed, if there are several. */
static void summarize(const struct cli_run *run, const uint64_t counts[3])
{
    if (run->args->operand_count > 1 && !cli_given(run->args, CLI_OPT_QUIET))
        fprintf(run->err.file, "%d files: %llu fine, %llu with errors, %llu failed\n",
                run->args->operand_count, (unsigned long long)counts[CLI_EXIT_OK],
                (unsigned long long)counts[CLI_EXIT_ERRORS],
                (unsigned long long)counts[CLI_EXIT_FAILED]);
}

static int run_files(struct cli_run *run)
{
    uint64_t counts[3] = {0};
    int r = 0;

    for (int i = 0; i < run->args->operand_count && r == 0; i++) {
        r = run_file(run, run->args->operands[i]);
        counts[run->file_status < CLI_EXIT_FAILED ? run->file_status : CLI_EXIT_FAILED]++;
    }
    if (r == 0)
        summarize(run, counts);
    return r;
}

int cli_documents_run(const struct cli_args *args, const struct cli_document_ops *ops,
                      bool stdout_used, void *self)
{
    struct cli_run run = {
        .args = args, .ops = ops, .self = self, .in = {.fd = -1}, .stdout_used = stdout_used};
    int r;

    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    run.out = cli_sink_open(stdout, args);
    run.err = cli_sink_open(stderr, args);
    cli_reply_init(&run.reply);
    r = cli_dialects_init(&run.dialects, args, ops->fixed);
    if (r == 0)
        r = cli_rounds_open(&run.rounds, args,
                            &(struct cli_tick){cli_progress_judging, &run.progress});
    if (r == 0) {
        run.arena = &run.rounds.exams[0].reading.arena;
        r = run_files(&run);
    }
    cli_run_status(&run, r);
    cli_rounds_close(&run.rounds);
    cli_reply_done(&run.reply);
    cli_dialects_done(&run.dialects);
    return run.status;
}
