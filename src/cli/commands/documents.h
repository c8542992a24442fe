/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of validate and repair: sends every document of every file to a backend, in order.
 *
 *     record ─ exam ─> outcome ─┬─ answer ─────────────────────> ops->answer
 *                               └─ blank, too long, broken,
 *                                  of another format, error ───> ops->skip
 *
 * Lines are examined in rounds: one thread for each processor takes the next line of the round and
 * asks a core of its own. Outcomes are worked off in the order of the file, in one thread; so the
 * output doesn't depend on the threads.
 */
#ifndef TK_CLI_COMMANDS_DOCUMENTS_H
#define TK_CLI_COMMANDS_DOCUMENTS_H

#include "cli/commands/exam.h"
#include "cli/commands/round.h"
#include "cli/show/progress.h"
#include "cli/show/report.h"

/* Documents that were refused for one reason. They are reported once per file. */
struct cli_refused {
    const char *kind;
    size_t line; /* of the first such document */
    uint64_t more;
};
#define CLI_REFUSED_MAX 16

struct cli_run;

/* Handlers of a command that works on documents. They return 0, or the exit status that ends the
 * run. */
struct cli_document_ops {
    const char *method;
    const char *fixed; /* parameters of every request, as JSON members; NULL: none */
    bool whole;        /* documents are sent as they are, without looking for a history in them */
    /* Runs once per file, when the input and the backend are open. */
    int (*start)(struct cli_run *run);
    /* Runs for each answer: run->reply is a result, or the error unsafe_history. */
    int (*answer)(struct cli_run *run, const struct cli_document *document);
    /* Runs for a record of a JSONL file, or a piece of one, that isn't judged. `fault` is the
     * reason, which has been reported; NULL for blank lines and further pieces. */
    int (*skip)(struct cli_run *run, const struct cli_record *record,
                const struct cli_fault *fault);
    /* Runs at the file's end. `ended` is false if something ended the run at once. */
    int (*finish)(struct cli_run *run, bool ended);
    /* Runs for a file that can't be opened, which has been reported. NULL: nothing more to do. */
    void (*missing)(struct cli_run *run, const char *name, const char *why);
};

struct cli_run {
    const struct cli_args *args;
    const struct cli_document_ops *ops;
    void *self; /* the command's own */
    struct cli_input in;
    struct cli_dialects dialects;
    struct cli_rounds rounds;
    struct tk_arena *arena; /* memory of the current document */
    struct cli_reply reply;
    struct cli_sink out, err;
    struct cli_progress progress;
    bool stdout_used; /* documents or findings go to stdout */
    int status;
    /* About the current file. */
    uint64_t documents, faults;
    struct cli_refused refused[CLI_REFUSED_MAX];
    bool told[TK_SHAPE_COUNT]; /* the dialect was printed */
    bool told_guess;           /* that nothing tells it was printed */
    /* Lines: that of the last document that tells whose it is, before the first one the first in the
     * file. Undecided lines follow it. */
    bool leads;
    struct cli_history leader;
    uint64_t followers; /* documents that were read like the leader */
    int file_status;
};

/* Runs the command on all files. `stdout_used`: documents or findings go to stdout. Returns the
 * exit status. */
int cli_documents_run(const struct cli_args *args, const struct cli_document_ops *ops,
                      bool stdout_used, void *self);

/* Sets the exit status of the run, unless it is higher already. */
void cli_run_status(struct cli_run *run, int status);

/* Returns stderr for a message, after erasing the progress bar. */
const struct cli_sink *cli_run_err(struct cli_run *run);

#endif
