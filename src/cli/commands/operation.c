/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/operation.h"

#include "cli/args/request.h"
#include "cli/commands/patched.h"
#include "cli/io/output.h"
#include "cli/show/fault.h"
#include "cli/show/pretty.h"
#include "providers/provider.h"
#include "providers/registry.h"
#include "shapes/shape.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define DOCUMENT_MAX ((uint64_t)1 << 30)

void cli_operation_begin_line(const struct cli_operation *op)
{
    cli_style(&op->err, CLI_BOLD);
    cli_print_name(&op->err, op->name);
    cli_style(&op->err, CLI_PLAIN);
    fputs(": ", op->err.file);
}

void cli_operation_print_list(struct cli_operation *op, struct tk_val list, const char *between)
{
    const char *separator = "";

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        fputs(separator, op->err.file);
        cli_print(&op->err, tk_text(v, &op->reply.reading.arena));
        separator = between;
    }
}

void cli_operation_print_headers(struct cli_operation *op)
{
    struct tk_val headers = tk_get(op->reply.result, TK_STR("headers"));
    struct cli_sink out = {stdout, false, false};

    for (struct tk_val v = tk_first(headers); tk_exists(v); v = tk_after(headers, v)) {
        cli_print(&out, tk_key(v, &op->reply.reading.arena));
        fputs(": ", stdout);
        cli_print(&out, tk_text(v, &op->reply.reading.arena));
        fputc('\n', stdout);
    }
}

int cli_operation_write_deferred(struct cli_operation *op)
{
    struct tk_val deferred = tk_get(op->reply.result, TK_STR("deferred"));
    struct cli_output output = {.name = op->args->value[CLI_OPT_DEFERRED]};
    int r;

    if (!output.name)
        return 0;
    r = cli_output_open(&output, output.name);
    if (r == 0)
        r = cli_output_put(&output, tk_exists(deferred) ? tk_span(deferred) : TK_STR("[]"));
    if (r == 0)
        r = cli_output_put(&output, TK_STR("\n"));
    if (r == 0)
        r = cli_output_commit(&output);
    cli_output_abort(&output);
    return r < 0 ? cli_fail("%s: %s", output.name, strerror(-r)) : 0;
}

/* ---- faults ---- */

static int give_up(const struct cli_operation *op, struct tk_str text,
                   const struct cli_fault *fault)
{
    const struct cli_place place = {.file = op->name};

    cli_report_fault(&op->err, &place, text, fault);
    return CLI_EXIT_FAILED;
}

/* Prints the other members of an error: ids, names, values. */
static void print_details(const struct cli_operation *op)
{
    struct tk_val data = tk_get(op->reply.error, TK_STR("data"));

    for (struct tk_val v = tk_first(data); tk_exists(v); v = tk_after(data, v)) {
        if (tk_key_is(v, TK_STR("name")) || tk_key_is(v, TK_STR("pointer")) ||
            tk_key_is(v, TK_STR("retryable")))
            continue;
        fputs("    ", op->err.file);
        cli_print(&op->err, tk_raw_key(v));
        fputs(": ", op->err.file);
        cli_print(&op->err, tk_span(v));
        fputc('\n', op->err.file);
    }
}

void cli_operation_report_findings(struct cli_operation *op, struct tk_val answer)
{
    const struct cli_place place = {.file = op->name};

    cli_report_findings(&op->err, &place, tk_get(answer, TK_STR("violations")),
                        cli_given(op->args, CLI_OPT_VERBOSE), &op->reply.reading.arena);
}

static int answer_error(struct cli_operation *op, struct tk_str text,
                        const struct cli_question *asked)
{
    struct tk_str pointer;
    struct cli_fault fault = cli_fault_answered(&op->reply, asked, &pointer);
    bool of_params = tk_str_eq(fault.name, cli_error_name(TK_ERR_INVALID_PARAMS));
    int64_t code = 0;

    if (!fault.pointer.p && of_params)
        return cli_request_refused(op->args, pointer, fault.text);
    if (!fault.pointer.p)
        fault.pointer = pointer;
    give_up(op, text, &fault);
    if (tk_str_eq(fault.name, cli_error_name(TK_ERR_UNSAFE_HISTORY))) {
        cli_operation_report_findings(op, tk_get(op->reply.error, TK_STR("data")));
        return CLI_EXIT_ERRORS;
    }
    print_details(op);
    (void)tk_int64(tk_get(op->reply.error, TK_STR("code")), &code);
    return code == tk_errors[TK_ERR_MISSING_TOOL_RESULT].code ? CLI_EXIT_ERRORS : CLI_EXIT_FAILED;
}

/* ---- the answer ---- */

static int write_failed(const struct cli_output *output, int error)
{
    return cli_fail("%s: %s", output->name ? output->name : "stdout", strerror(-error));
}

/* Returns the name under which a patch has the list. */
static struct tk_str list_name(const struct cli_operation *op)
{
    const char *provider = op->args->value[CLI_OPT_PROVIDER];

    for (unsigned i = 0; op->ops->is_history && provider && i < TK_PROVIDER_COUNT; i++)
        if (strcmp(tk_providers[i]->name, provider) == 0 && tk_providers[i]->rules.shapes)
            return tk_root_name(tk_providers[i]->rules.shapes[0]);
    return tk_str_of(op->ops->list);
}

/* Makes the document to write. A result without the member ops->whole says that the document is
 * fine as it is. */
static int compose(const struct cli_operation *op, struct tk_out *out)
{
    struct tk_val whole;

    if (!op->ops->whole)
        return cli_patched_write(out, op->document, list_name(op),
                                 tk_get(op->reply.result, TK_STR("patch")));
    whole = tk_get(op->reply.result, tk_str_of(op->ops->whole));
    tk_out_ref(out, tk_span(tk_exists(whole) ? whole : op->document));
    return tk_arena_failed(out->arena) ? -ENOMEM : 0;
}

static int write_document(struct cli_operation *op, struct tk_str text)
{
    struct tk_str all = tk_span(op->document);
    struct cli_output output = {.name = op->args->value[CLI_OPT_OUTPUT]};
    struct tk_out out;
    int r;

    tk_out_init(&out, &op->reply.reading.arena);
    r = compose(op, &out);
    if (r < 0)
        return r == -ENOMEM ? cli_fail("out of memory")
                            : cli_fail("the answer has a patch that doesn't fit");
    tk_out_ref(&out, (struct tk_str){all.p + all.n, (size_t)(text.p + text.n - (all.p + all.n))});
    r = cli_output_open(&output, output.name);
    for (size_t i = 0; i < out.count && r == 0; i++)
        r = cli_output_put(&output, (struct tk_str){out.pieces[i].iov_base, out.pieces[i].iov_len});
    if (r == 0)
        r = cli_output_commit(&output);
    cli_output_abort(&output);
    return r < 0 ? write_failed(&output, r) : 0;
}

static int answer_result(struct cli_operation *op, struct tk_str text)
{
    bool writes = false;
    int failed = 0;

    if (cli_given(op->args, CLI_OPT_JSON))
        cli_print_json(op->args, op->reply.result, &op->reply.reading.arena);
    else
        failed = op->ops->tell(op, &writes);
    if (!failed && writes)
        failed = write_document(op, text);
    return failed ? failed : op->ops->status(op);
}

/* ---- the question ---- */

/* Messages have a role; tools and blocks never do. */
static bool lists_messages(struct tk_val document)
{
    return tk_is(document, TK_ARRAY) && tk_exists(tk_get(tk_first(document), TK_STR("role")));
}

/* Returns the parameter in which the document is sent; NULL if it fits none. */
static const char *find_form(const struct cli_operation *op)
{
    if (op->ops->no_messages && lists_messages(op->document))
        return NULL;
    if (tk_is(op->document, TK_OBJECT))
        return op->ops->object;
    if (tk_is(op->document, TK_ARRAY) || (op->ops->takes_null && tk_is(op->document, TK_NULL)))
        return op->ops->list;
    return NULL;
}

static int ask(struct cli_operation *op, struct cli_buf *buf, struct tk_str tail)
{
    struct cli_fault fault = {.name = cli_error_name(TK_ERR_INVALID_PARAMS),
                              .text = tk_str_of(op->ops->wrong)};
    struct cli_backend backend = {0};
    struct tk_str text = cli_buf_str(buf);
    struct cli_question asked = {.param = find_form(op),
                                 .is_object = tk_is(op->document, TK_OBJECT)};
    int status;

    if (!asked.param)
        return give_up(op, text, &fault);
    status = cli_backend_open(&backend, op->args);
    if (status != 0)
        return status;
    if (cli_backend_call(&backend,
                         cli_request_wrap(buf, op->ops->method, asked.param, tail, &asked.head),
                         &op->reply) < 0)
        status = cli_fail("%s", backend.error);
    else if (tk_exists(op->reply.error))
        status = answer_error(op, text, &asked);
    else
        status = answer_result(op, text);
    cli_backend_close(&backend);
    return status;
}

static int work(struct cli_operation *op, struct cli_buf *buf, struct tk_str tail)
{
    struct tk_str text;
    struct cli_fault fault;
    int r;

    /* Nothing may move once the document is read: the request is written around it. */
    if (cli_buf_reserve(buf, tail.n) < 0)
        return cli_fail("out of memory");
    text = cli_buf_str(buf);
    r = cli_read_json(&op->reading, text);
    if (r < 0)
        return cli_fail("out of memory");
    if (r > 0) {
        fault = cli_fault_read(&op->reading, r);
        return give_up(op, text, &fault);
    }
    op->document = tk_root(&op->reading.doc);
    return ask(op, buf, tail);
}

static int read_document(struct cli_operation *op, struct cli_buf *buf)
{
    bool is_stdin = strcmp(op->name, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(op->name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    int r;

    if (is_stdin)
        op->name = "stdin";
    if (fd < 0)
        return cli_fail("%s: %m", op->name);
    r = cli_buf_read_all(buf, fd, cli_number(op->args, CLI_OPT_MAX_DOCUMENT, DOCUMENT_MAX));
    if (!is_stdin)
        close(fd);
    return r < 0 ? cli_fail("%s: %s", op->name, strerror(-r)) : 0;
}

int cli_operation_run(const struct cli_args *args, const struct cli_operation_ops *ops)
{
    struct cli_operation op = {.args = args, .ops = ops, .name = args->operands[0]};
    struct cli_buf document = {0}, tail = {0};
    int status = cli_request_tail(args, ops->fixed, &tail);

    op.err = cli_sink_open(stderr, args);
    cli_reading_init(&op.reading);
    cli_reply_init(&op.reply);
    if (status == 0)
        status = read_document(&op, &document);
    if (status == 0)
        status = work(&op, &document, cli_buf_str(&tail));
    cli_reply_done(&op.reply);
    cli_reading_done(&op.reading);
    cli_buf_done(&document);
    cli_buf_done(&tail);
    return status;
}
