/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What validate and repair share: every document of a file through a backend, in order.
 *
 *     record ─ read ─> form ─ wrap ─> request ─ backend ─> reply ─┬─> ops->answer
 *        │        │                                               └─> fault ─> ops->skip
 *        └────────┴─ blank, too long, broken ────────────────────────> ops->skip
 */
#ifndef TK_CLI_COMMANDS_DOCUMENTS_H
#define TK_CLI_COMMANDS_DOCUMENTS_H

#include "cli/io/backend.h"
#include "cli/io/input.h"
#include "cli/show/progress.h"
#include "cli/show/report.h"

struct cli_document {
    struct cli_place place;
    struct tk_str text;     /* as it stands in the file */
    struct tk_str end;      /* the LF behind it, for lines */
    struct tk_val messages; /* the list, inside `text` */
};

struct cli_run;

/* What a command does with documents. Handlers return 0, or the status that ends the run at once.
 */
struct cli_document_ops {
    const char *method;
    const char *fixed; /* parameters that always go along, as JSON members; NULL: none */
    /* The input and the backend are open. */
    int (*start)(struct cli_run *run);
    /* run->reply is a result, or the error unsafe_history. */
    int (*answer)(struct cli_run *run, const struct cli_document *document);
    /* A record of a JSONL file, or a piece of one, that isn't judged: fault says why (it has
     * been reported), NULL for blank lines and further pieces. */
    int (*skip)(struct cli_run *run, const struct cli_record *record,
                const struct cli_fault *fault);
    /* The end; run->status is known. `ended` is false when something ended the run at once. */
    int (*finish)(struct cli_run *run, bool ended);
};

struct cli_run {
    const struct cli_args *args;
    const struct cli_document_ops *ops;
    void *self; /* the command's own */
    struct cli_input in;
    struct cli_backend backend;
    struct cli_reading reading; /* the document */
    struct cli_reply reply;
    struct cli_buf tail; /* of every request */
    struct cli_sink out, err;
    struct cli_progress progress;
    uint64_t documents, faults;
    int status;
};

/* Does all of it. Returns the exit status. */
int cli_documents_run(const struct cli_args *args, const struct cli_document_ops *ops, void *self);

/* At least that status at the end. */
void cli_run_status(struct cli_run *run, int status);

/* stderr for a message: the progress bar is taken away. */
const struct cli_sink *cli_run_err(struct cli_run *run);

#endif
