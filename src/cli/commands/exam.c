/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/exam.h"

#include "cli/args/request.h"

#include <string.h>

static const char no_memory[] = "out of memory";

void cli_exam_init(struct cli_exam *exam)
{
    *exam = (struct cli_exam){.outcome = CLI_NO_DOCUMENT};
    cli_reading_init(&exam->reading);
}

void cli_exam_done(struct cli_exam *exam)
{
    cli_reading_done(&exam->reading);
    cli_buf_done(&exam->line);
    cli_buf_done(&exam->part);
    cli_buf_done(&exam->answer);
}

void cli_exam_take(struct cli_exam *exam, struct cli_input *in, const struct cli_record *record)
{
    exam->record = *record;
    if (record->buf == &in->record) {
        struct cli_buf taken = in->record;

        in->record = exam->line;
        exam->line = taken;
        exam->record.buf = &exam->line;
    }
}

/* Explains common mistakes: an empty file, or one in UTF-16. */
static void explain(struct cli_fault *fault, struct tk_str text)
{
    if (cli_is_blank_line(text))
        fault->text = TK_STR("there is nothing in it");
    else if (tk_str_starts(text, TK_STR("\xff\xfe")) || tk_str_starts(text, TK_STR("\xfe\xff")))
        fault->text = TK_STR("UTF-16 instead of UTF-8");
}

static enum cli_outcome fail(struct cli_exam *exam, const char *why)
{
    exam->failure = why;
    return CLI_FAILED;
}

/* Writes the request around the document, or around a copy of the value that --at names. Returns
 * false if there is no memory. */
static bool wrap(struct cli_exam *exam, const struct cli_examiner *x, struct tk_str *ret_request)
{
    struct tk_str whole = tk_span(exam->document.history.whole);
    struct tk_str tail = cli_dialects_tail(x->dialects, &exam->document.history);
    struct cli_buf *buf = exam->record.buf;

    if (cli_given(x->args, CLI_OPT_AT) && !x->whole) {
        buf = &exam->part;
        buf->n = 0;
        if (cli_buf_reserve(buf, whole.n + tail.n) < 0 || cli_buf_add(buf, whole.p, whole.n) < 0)
            return false;
    }
    *ret_request = cli_request_wrap(buf, x->method, exam->asked.param, tail, &exam->asked.head);
    return true;
}

/* Returns the parameter for the document; `document` for one that isn't itself a history. */
static const char *param_of(const struct cli_exam *exam, const struct cli_examiner *x)
{
    const struct cli_history *history = &exam->document.history;

    if (x->whole &&
        (cli_given(x->args, CLI_OPT_AT) || !(history->is_list || tk_is(history->whole, TK_OBJECT))))
        return "document";
    return history->is_list ? "messages" : "request";
}

static enum cli_outcome ask(struct cli_exam *exam, const struct cli_examiner *x,
                            struct cli_backend *backend)
{
    const struct cli_history *history = &exam->document.history;
    struct tk_str request, why;

    if (history->is_list)
        exam->document.place.root = tk_shapes[history->dialect]->root;
    exam->asked = (struct cli_question){.param = param_of(exam, x),
                                        .is_object = !history->is_list,
                                        .root = tk_shapes[history->dialect]->root};
    if (!wrap(exam, x, &request))
        return fail(exam, no_memory);
    if (cli_backend_ask(backend, request, &exam->answer) < 0) {
        why = tk_arena_printf(&exam->reading.arena, "%s", backend->error);
        return fail(exam, why.p ? why.p : no_memory);
    }
    return CLI_ANSWERED;
}

/* Finds the history in the document that was read, or takes all of it. Returns 0, or 1 if it is
 * refused. */
static int find_history(struct cli_exam *exam, const struct cli_examiner *x)
{
    struct tk_str at = exam->document.place.at;

    if (x->whole)
        return cli_history_whole(&exam->reading, at, &x->dialects->expected,
                                 &exam->document.history, &exam->refusal);
    return cli_history_find(&exam->reading, at, &x->dialects->expected, &exam->document.history,
                            &exam->refusal);
}

static enum cli_outcome examine(struct cli_exam *exam, const struct cli_examiner *x,
                                struct cli_backend *backend)
{
    struct cli_document *document = &exam->document;
    int r;

    /* Nothing may move once the document is read: the request is written around it. */
    if (cli_buf_reserve(exam->record.buf, x->dialects->longest) < 0)
        return fail(exam, no_memory);
    document->text = cli_buf_str(exam->record.buf);
    r = cli_read_json(&exam->reading, document->text);
    if (r < 0)
        return fail(exam, no_memory);
    if (r > 0) {
        exam->fault = cli_fault_read(&exam->reading, r);
        explain(&exam->fault, document->text);
        return CLI_UNREADABLE;
    }
    if (find_history(exam, x) > 0)
        return CLI_REFUSED;
    return x->in_lines && document->history.guess ? CLI_UNDECIDED : ask(exam, x, backend);
}

static void run_from_the_start(struct cli_exam *exam, const struct cli_examiner *x,
                               struct cli_backend *backend)
{
    const char *at = x->args->value[CLI_OPT_AT];

    exam->document = (struct cli_document){
        .place = {.file = x->file,
                  .line = exam->record.line,
                  .at = at ? tk_str_of(at) : (struct tk_str){NULL, 0},
                  .joined = x->joined},
        .end = exam->record.end,
    };
    exam->outcome = exam->record.kind == CLI_DOCUMENT ? examine(exam, x, backend) : CLI_NO_DOCUMENT;
}

void cli_exam_run(struct cli_exam *exam, const struct cli_examiner *x, struct cli_backend *backend)
{
    if (!x->decided)
        run_from_the_start(exam, x, backend);
    else if (exam->outcome == CLI_UNDECIDED)
        exam->outcome = ask(exam, x, backend);
}
