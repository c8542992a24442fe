/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the work on a record that needs nothing of its neighbours: the document is read, the
 * history found, the backend asked. Nothing is printed or counted, so exams of several records may
 * run at the same time, each with a backend of its own.
 *
 *     record ─ read ─> history ─ wrap ─> request ─ backend ─> answer
 */
#ifndef TK_CLI_COMMANDS_EXAM_H
#define TK_CLI_COMMANDS_EXAM_H

#include "cli/commands/dialects.h"
#include "cli/io/backend.h"
#include "cli/io/history.h"
#include "cli/io/input.h"
#include "cli/show/fault.h"

struct cli_document {
    struct cli_place place;
    struct tk_str text; /* the document's bytes in the file */
    struct tk_str end;  /* the LF after it, for lines */
    struct cli_history history;
};

/* Facts that all exams of a file share; none of them changes. */
struct cli_examiner {
    const struct cli_args *args;
    const char *method;
    const char *file;
    bool whole;    /* documents are sent as they are, without looking for a history in them */
    bool joined;   /* the lines were joined to one document */
    bool in_lines; /* each line is a document: those that nothing decides wait for the others */
    bool decided;  /* the second run: only exams whose outcome is CLI_UNDECIDED */
    const struct cli_dialects *dialects;
};

enum cli_outcome {
    CLI_NO_DOCUMENT, /* the record has none, or is too long */
    CLI_UNREADABLE,  /* `fault` says why */
    CLI_REFUSED,     /* `refusal` says why */
    CLI_UNDECIDED,   /* nothing tells whose history it is; it isn't asked about yet */
    CLI_ANSWERED,    /* `answer` has the backend's answer, which isn't read yet */
    CLI_FAILED,      /* `failure` says why; the run can't go on */
};

struct cli_exam {
    struct cli_record record;
    struct cli_buf line;   /* a line's text */
    struct cli_buf part;   /* a copy of the value that --at names */
    struct cli_buf answer; /* the backend's bytes */
    struct cli_reading reading;
    struct cli_document document;
    struct cli_question asked;
    enum cli_outcome outcome;
    struct cli_fault fault;
    struct cli_refusal refusal;
    const char *failure;
};

void cli_exam_init(struct cli_exam *exam);
void cli_exam_done(struct cli_exam *exam);

/* Takes a record. The text of a line comes along with its buffer, which the input replaces. */
void cli_exam_take(struct cli_exam *exam, struct cli_input *in, const struct cli_record *record);

/* Runs the exam, or its second run. What it fills is valid until the next record is taken. */
void cli_exam_run(struct cli_exam *exam, const struct cli_examiner *examiner,
                  struct cli_backend *backend);

#endif
