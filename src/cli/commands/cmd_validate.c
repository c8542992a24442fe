/* SPDX-License-Identifier: Apache-2.0 */
/* turnkeeper validate: prints findings to stdout and a summary by code to stderr. */
#include "cli/commands/documents.h"
#include "cli/io/folder.h"
#include "cli/io/json_lines.h"
#include "cli/io/json_rows.h"
#include "cli/show/tally.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The counts of one file. */
struct validation {
    uint64_t invalid, findings;
    uint64_t messages, parts;
    struct cli_tally tally;
};

static int start(struct cli_run *run)
{
    *(struct validation *)run->self = (struct validation){.invalid = 0};
    return 0;
}

static uint64_t number(struct tk_val result, const char *name)
{
    int64_t n;

    return tk_int64(tk_get(result, tk_str_of(name)), &n) && n > 0 ? (uint64_t)n : 0;
}

static int answer(struct cli_run *run, const struct cli_document *document)
{
    struct validation *v = run->self;
    struct tk_arena *arena = &run->reply.reading.arena;
    struct tk_val result = run->reply.result;
    uint64_t truncated = number(result, "truncated");

    if (!tk_is(tk_get(result, TK_STR("valid")), TK_TRUE)) {
        v->invalid++;
        cli_run_status(run, CLI_EXIT_ERRORS);
    }
    v->messages += number(result, "message_count");
    v->parts += number(result, "part_count");
    if (cli_tally_findings(&v->tally, result, arena, &v->findings) < 0)
        return cli_fail("out of memory");
    if (cli_given(run->args, CLI_OPT_JSON)) {
        (cli_json_has_rows(run) ? cli_row_result : cli_json_result)(run, document, result, arena);
        return 0;
    }
    cli_report_findings(&run->out, &document->place, tk_get(result, TK_STR("violations")),
                        cli_given(run->args, CLI_OPT_VERBOSE), arena);
    if (truncated)
        cli_report_note(&run->out, &document->place,
                        "%llu more finding%s not listed (--max-violations)",
                        (unsigned long long)truncated, cli_plural(truncated));
    return 0;
}

/* Prints the error if there is no result: with --json each input line has one output line. */
static int skip(struct cli_run *run, const struct cli_record *record, const struct cli_fault *fault)
{
    if (!cli_given(run->args, CLI_OPT_JSON))
        return 0;
    if (fault && cli_json_has_rows(run))
        cli_row_fault(run, run->in.name, record->line, fault, run->arena);
    else
        cli_json_skipped(run, record, fault);
    return 0;
}

static void missing(struct cli_run *run, const char *name, const char *why)
{
    const struct cli_fault fault = {.name = TK_STR("unreadable"), .text = tk_str_of(why)};

    tk_arena_reset(run->arena);
    if (cli_given(run->args, CLI_OPT_JSON) && run->args->operand_count > 1)
        cli_row_fault(run, name, 0, &fault, run->arena);
}

#define LLU(n) ((unsigned long long)(n))

static void summarize(const struct cli_run *run, const struct validation *v)
{
    FILE *f = run->err.file;

    cli_print_name(&run->err, run->in.name);
    fputs(": ", f);
    if (run->in.lines)
        fprintf(f, "%llu document%s: %llu valid, %llu not valid, %llu unreadable, ",
                LLU(run->documents), cli_plural(run->documents),
                LLU(run->documents - v->invalid - run->faults), LLU(v->invalid), LLU(run->faults));
    else
        fputs(v->invalid ? "not valid, " : "valid, ", f);
    fprintf(f, "%llu finding%s (%llu message%s, %llu part%s)\n", LLU(v->findings),
            cli_plural(v->findings), LLU(v->messages), cli_plural(v->messages), LLU(v->parts),
            cli_plural(v->parts));
}

static int finish(struct cli_run *run, bool ended)
{
    struct validation *v = run->self;

    if (ended && !cli_given(run->args, CLI_OPT_QUIET) && (run->in.lines || !run->faults)) {
        fflush(stdout);
        summarize(run, v);
        cli_tally_print(&v->tally, &run->err);
    }
    cli_tally_done(&v->tally);
    return 0;
}

/* Returns 0, or the status of a failure that has been reported. */
static int open_folders(const struct cli_args *args, struct cli_names *names)
{
    for (int i = 0; i < args->operand_count; i++) {
        int r = cli_names_add(names, args->operands[i]);

        if (r == -ENOENT)
            return cli_fail("%s: no file in it ends in .json, .jsonl or .ndjson",
                            args->operands[i]);
        if (r < 0)
            return cli_fail("%s: %s", args->operands[i], strerror(-r));
    }
    return 0;
}

int cli_cmd_validate(const struct cli_args *args)
{
    static const struct cli_document_ops ops = {
        .method = "validate",
        .start = start,
        .answer = answer,
        .skip = skip,
        .finish = finish,
        .missing = missing,
    };
    struct validation v = {0};
    struct cli_args of_files = *args;
    struct cli_names names = {0};
    int status = open_folders(args, &names);

    of_files.operands = names.list;
    of_files.operand_count = (int)names.count;
    if (status == 0)
        status = cli_documents_run(&of_files, &ops, true, &v);
    cli_names_done(&names);
    return status;
}
