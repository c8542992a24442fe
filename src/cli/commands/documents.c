/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/documents.h"

#include "cli/args/request.h"
#include "cli/show/fault.h"

#include <errno.h>
#include <stdio.h>

void cli_run_status(struct cli_run *run, int status)
{
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
                   const struct cli_record *record, const struct cli_fault *fault)
{
    cli_report_fault(cli_run_err(run), &document->place, document->text, fault);
    run->faults++;
    cli_run_status(run, CLI_EXIT_FAILED);
    return run->ops->skip(run, record, fault);
}

/* Errors that the next document would get as well. */
static bool ends_run(struct tk_str name)
{
    return tk_str_eq(name, cli_error_name(TK_ERR_DRAINING)) ||
           tk_str_eq(name, cli_error_name(TK_ERR_METHOD_NOT_FOUND)) ||
           tk_str_eq(name, cli_error_name(TK_ERR_INVALID_REQUEST));
}

static int judge_error(struct cli_run *run, const struct cli_document *document,
                       const struct cli_record *record, const struct cli_question *asked)
{
    struct tk_str pointer;
    struct cli_fault fault = cli_fault_answered(&run->reply, asked, &pointer);

    if (tk_str_eq(fault.name, cli_error_name(TK_ERR_UNSAFE_HISTORY)))
        return run->ops->answer(run, document);
    if (ends_run(fault.name)) {
        cli_run_err(run);
        return cli_fail("%.*s [%.*s]", (int)fault.text.n, fault.text.p, (int)fault.name.n,
                        fault.name.p);
    }
    if (!fault.pointer.p && tk_str_eq(fault.name, cli_error_name(TK_ERR_INVALID_PARAMS))) {
        cli_run_err(run);
        return cli_request_refused(run->args, pointer, fault.text);
    }
    return give_up(run, document, record, &fault);
}

/* ---- one document ---- */

/* The member of `params` that a document becomes; without param where it is neither of them. */
static struct cli_question find_form(struct cli_document *document, struct tk_val root)
{
    bool is_list = tk_is(root, TK_ARRAY);

    document->messages = is_list ? root : tk_get(root, TK_STR("messages"));
    return (struct cli_question){
        .param = is_list                         ? "messages"
                 : tk_exists(document->messages) ? "request"
                                                 : NULL,
        .is_object = !is_list,
    };
}

static int ask(struct cli_run *run, const struct cli_document *document,
               const struct cli_record *record, struct cli_question *asked)
{
    struct tk_str request = cli_request_wrap(record->buf, run->ops->method, asked->param,
                                             cli_buf_str(&run->tail), &asked->head);

    if (cli_backend_call(&run->backend, request, &run->reply) < 0) {
        cli_run_err(run);
        return cli_fail("%s", run->backend.error);
    }
    if (tk_exists(run->reply.error))
        return judge_error(run, document, record, asked);
    return run->ops->answer(run, document);
}

static int judge_document(struct cli_run *run, const struct cli_record *record)
{
    struct cli_document document = {.place = {run->in.name, record->line}, .end = record->end};
    struct cli_fault fault = {.name = cli_error_name(TK_ERR_INVALID_PARAMS),
                              .text = TK_STR("neither a list of messages nor a request body, "
                                             "which has \"messages\"")};
    struct cli_question asked = {0};
    int r;

    /* Nothing may move once the document is read: the request is written around it. */
    if (cli_buf_reserve(record->buf, run->tail.n) < 0)
        return cli_fail("out of memory");
    document.text = cli_buf_str(record->buf);
    r = cli_read_json(&run->reading, document.text);
    if (r < 0)
        return cli_fail("out of memory");
    if (r > 0)
        fault = cli_fault_read(&run->reading, r);
    else
        asked = find_form(&document, tk_root(&run->reading.doc));
    if (!asked.param)
        return give_up(run, &document, record, &fault);
    return ask(run, &document, record, &asked);
}

static int judge_record(struct cli_run *run, const struct cli_record *record)
{
    struct cli_document document = {.place = {run->in.name, record->line}};
    struct tk_arena *arena = &run->reading.arena;
    struct cli_fault fault = {.name = cli_error_name(TK_ERR_FRAME_TOO_LARGE)};

    run->documents += record->kind == CLI_DOCUMENT || record->kind == CLI_TOO_LONG;
    if (record->kind == CLI_DOCUMENT)
        return judge_document(run, record);
    if (record->kind != CLI_TOO_LONG)
        return run->ops->skip(run, record, NULL);
    fault.text = tk_arena_printf(arena, "longer than %zu bytes", run->in.max);
    return give_up(run, &document, record, &fault);
}

/* ---- the run ---- */

static int start(struct cli_run *run)
{
    const struct cli_args *args = run->args;
    const char *name = args->operands[0];
    int r = cli_request_tail(args, run->ops->fixed, &run->tail);

    if (r == 0)
        r = cli_backend_open(&run->backend, args);
    if (r != 0)
        return r;
    r = cli_input_open(&run->in, name, cli_given(args, CLI_OPT_JSONL),
                       cli_number(args, CLI_OPT_MAX_DOCUMENT, (uint64_t)1 << 30));
    if (r < 0)
        return cli_fail("%s: %s", name, strerror(-r));
    cli_progress_start(&run->progress, name,
                       S_ISREG(run->in.st.st_mode) ? (uint64_t)run->in.st.st_size : 0,
                       run->in.lines && !cli_given(args, CLI_OPT_QUIET));
    return run->ops->start(run);
}

/* Returns 0 at the end of the file, or the status that ended the run at once. */
static int work(struct cli_run *run)
{
    struct cli_record record;
    int r, failed = 0;

    for (;;) {
        /* A reader of our output waits while we wait for input. */
        if (run->in.lines && !cli_input_ready(&run->in))
            fflush(stdout);
        r = cli_input_next(&run->in, &record);
        if (r <= 0)
            break;
        failed = judge_record(run, &record);
        if (failed)
            return failed;
        cli_progress_update(&run->progress, run->in.done);
    }
    if (r < 0)
        return cli_fail("%s: %s", run->in.name, strerror(-r));
    return 0;
}

int cli_documents_run(const struct cli_args *args, const struct cli_document_ops *ops, void *self)
{
    struct cli_run run = {.args = args, .ops = ops, .self = self, .in = {.fd = -1}};
    int r;

    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    run.out = cli_sink_open(stdout, args);
    run.err = cli_sink_open(stderr, args);
    cli_reading_init(&run.reading);
    cli_reply_init(&run.reply);
    r = start(&run);
    if (r == 0) {
        r = work(&run);
        cli_run_status(&run, r);
        cli_progress_clear(&run.progress);
        cli_run_status(&run, ops->finish(&run, r == 0));
    }
    cli_run_status(&run, r);
    cli_input_close(&run.in);
    cli_backend_close(&run.backend);
    cli_reading_done(&run.reading);
    cli_reply_done(&run.reply);
    cli_buf_done(&run.tail);
    return run.status;
}
