/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper redact: writes documents without what was said in them, for bug reports. */
#include "cli/commands/documents.h"
#include "cli/io/elements.h"
#include "cli/io/output.h"
#include "cli/io/reading.h"

#include <string.h>
#include <sys/stat.h>

struct redaction {
    struct cli_output output;
};

static int write_failed(const struct redaction *r, int error)
{
    return cli_fail("%s: %s", r->output.name ? r->output.name : "stdout", strerror(-error));
}

/* Returns true if a name is that of the input file: what was said there would be lost. */
static bool is_input(const struct cli_run *run, const char *name)
{
    struct stat st;

    return name && S_ISREG(run->in.st.st_mode) && stat(name, &st) == 0 &&
           st.st_dev == run->in.st.st_dev && st.st_ino == run->in.st.st_ino;
}

static int start(struct cli_run *run)
{
    struct redaction *r = run->self;
    int error;

    *r = (struct redaction){.output.name = run->args->value[CLI_OPT_OUTPUT]};
    if (is_input(run, r->output.name))
        return cli_fail("%s: the input itself, which would be lost", r->output.name);
    error = cli_output_open(&r->output, r->output.name);
    return error < 0 ? write_failed(r, error) : 0;
}

static int put(struct cli_run *run, struct tk_str bytes)
{
    struct redaction *r = run->self;
    int error = cli_output_put(&r->output, bytes);

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

/* Writes the redacted value with the white space that was around it. */
static int answer(struct cli_run *run, const struct cli_document *document)
{
    struct tk_str text = document->text, old = tk_span(document->history.whole);
    struct tk_str before = {text.p, (size_t)(old.p - text.p)}, after = {old.p + old.n, 0};
    struct tk_val value = tk_first(run->reply.result);
    int failed;

    if (!tk_exists(value))
        return cli_fail("the answer lacks the redacted document");
    if (run->in.elements)
        return put_lines(run, value);
    after.n = text.n - before.n - old.n;
    failed = put(run, before);
    if (!failed)
        failed = put(run, tk_span(value));
    if (!failed)
        failed = put(run, after);
    return failed ? failed : put(run, document->end);
}

/* Writes an empty line instead of one that can't be read, so that all others keep their numbers. */
static int skip(struct cli_run *run, const struct cli_record *record, const struct cli_fault *fault)
{
    (void)fault;
    return run->in.lines ? put(run, record->end) : 0;
}

static int finish(struct cli_run *run, bool ended)
{
    struct redaction *r = run->self;
    int error = 0;

    if (ended && (run->in.lines || !run->faults))
        error = cli_output_commit(&r->output);
    cli_output_abort(&r->output);
    cli_output_done(&r->output);
    return error < 0 ? write_failed(r, error) : 0;
}

int cli_cmd_redact(const struct cli_args *args)
{
    static const struct cli_document_ops ops = {
        .method = "redact",
        .whole = true,
        .start = start,
        .answer = answer,
        .skip = skip,
        .finish = finish,
    };
    const char *output = args->value[CLI_OPT_OUTPUT];
    struct redaction r = {0};

    if (!cli_key_is_secret())
        return cli_fail("there are no random numbers to redact with");
    return cli_documents_run(args, &ops, !output || strcmp(output, "-") == 0, &r);
}
