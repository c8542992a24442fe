/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What validate and repair share: every document of every file through a backend, in order.
 *
 *     record ─ read ─> history ─ wrap ─> request ─ backend ─> reply ─┬─> ops->answer
 *        │        │                                                  └─> fault ─> ops->skip
 *        └────────┴─ blank, too long, broken, of another format ────────> ops->skip
 */
#ifndef TK_CLI_COMMANDS_DOCUMENTS_H
#define TK_CLI_COMMANDS_DOCUMENTS_H

#include "cli/io/backend.h"
#include "cli/io/history.h"
#include "cli/io/input.h"
#include "cli/show/progress.h"
#include "cli/show/report.h"

struct cli_document {
    struct cli_place place;
    struct tk_str text; /* the document's bytes in the file */
    struct tk_str end;  /* the LF after it, for lines */
    struct cli_history history;
};

/* Documents that were refused for the same reason are reported once a file. */
struct cli_refused {
    const char *kind;
    size_t line; /* of the first */
    uint64_t more;
};
#define CLI_REFUSED_MAX 16

struct cli_run;

/* Handlers of a command that works on documents. Return 0, or the exit status that ends the run. */
struct cli_document_ops {
    const char *method;
    const char *fixed; /* parameters that always go along, as JSON members; NULL: none */
    /* The input and the backend are open; once a file. */
    int (*start)(struct cli_run *run);
    /* run->reply is a result, or the error unsafe_history. */
    int (*answer)(struct cli_run *run, const struct cli_document *document);
    /* A record of a JSONL file, or a piece of one, that isn't judged: fault says why (it has
     * been reported), NULL for blank lines and further pieces. */
    int (*skip)(struct cli_run *run, const struct cli_record *record,
                const struct cli_fault *fault);
    /* The file's end. `ended` is false when something ended the run at once. */
    int (*finish)(struct cli_run *run, bool ended);
    /* A file can't be opened, which has been reported. NULL: nothing more to do. */
    void (*missing)(struct cli_run *run, const char *name, const char *why);
};

struct cli_run {
    const struct cli_args *args;
    const struct cli_document_ops *ops;
    void *self; /* the command's own */
    struct cli_input in;
    struct cli_backend backend;
    struct cli_reading reading; /* the document */
    struct cli_reply reply;
    struct cli_buf tails[CLI_DIALECT_COUNT]; /* of every request, by dialect */
    struct cli_buf part;                     /* what --at names */
    struct cli_sink out, err;
    struct cli_progress progress;
    bool stdout_used; /* documents or findings go there */
    int status;
    /* Of the current file. */
    uint64_t documents, faults;
    struct cli_refused refused[CLI_REFUSED_MAX];
    bool told[CLI_DIALECT_COUNT]; /* it was said that it is read as that */
    int file_status;
};

/* Does all of it. `stdout_used`: documents or findings go there. Returns the exit status. */
int cli_documents_run(const struct cli_args *args, const struct cli_document_ops *ops,
                      bool stdout_used, void *self);

/* At least that status at the end. */
void cli_run_status(struct cli_run *run, int status);

/* stderr for a message: the progress bar is taken away. */
const struct cli_sink *cli_run_err(struct cli_run *run);

#endif
