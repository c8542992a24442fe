/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file as a row of records: the one document that it is, or its lines (JSONL). Lines are read
 * as they come; memory holds one of them and a window of the file.
 *
 * Which of the two it is shows itself early: the window grows until the first document ends or
 * breaks. A file that is one document is always read as one. One that isn't is JSONL if its first
 * line is a document, or if any line is one that we could judge; a broken document that is
 * spread over lines has none of these. JSONL in which each line is an object and none could be
 * judged is one history with a message a line.
 *
 * A byte order mark at the start isn't part of any record.
 */
#ifndef TK_CLI_IO_INPUT_H
#define TK_CLI_IO_INPUT_H

#include <sys/stat.h>

#include "cli/io/buf.h"

enum cli_record_kind {
    CLI_DOCUMENT,
    CLI_BLANK_LINE,
    CLI_TOO_LONG,      /* the first piece of a line over the limit, or a single document over it */
    CLI_TOO_LONG_REST, /* further pieces of that line */
};

struct cli_progress;

/* What is known about a file before it is opened. */
struct cli_input_options {
    bool lines; /* it is JSONL */
    bool at;    /* documents hold their histories somewhere inside */
    size_t max; /* bytes of a document or line */
    struct cli_progress *progress;
};

struct cli_record {
    enum cli_record_kind kind;
    size_t line;         /* from 1; 0 in a file that is one document */
    struct cli_buf *buf; /* holds the text as its whole content (CLI_DOCUMENT only) */
    struct tk_str text;  /* without the line's LF */
    struct tk_str end;   /* that LF, or nothing */
};

struct cli_input {
    const char *name; /* as given */
    int fd;
    struct stat st; /* as it was when opened */
    struct cli_input_options options;
    bool lines;     /* JSONL */
    bool elements;  /* one message a line: the lines are one document, which is a list */
    bool marked;    /* a byte order mark was skipped */
    bool ended;     /* the file has no more */
    bool long_line; /* inside a line over the limit */
    bool taken;     /* the one document was handed out */
    size_t line;
    struct cli_buf window; /* read ahead; bytes after `at` weren't handed out yet */
    size_t at;
    struct cli_buf record; /* a line's own place, with room for the request around it */
    uint64_t done;         /* bytes handed out */
};

/* Opens "-" (stdin) or a file and finds out what it is. Returns 0 or a negative errno. */
int cli_input_open(struct cli_input *in, const char *name, const struct cli_input_options *options);

/* The next record, valid until the next call. Returns 0 at the end, 1, or a negative errno. */
int cli_input_next(struct cli_input *in, struct cli_record *ret_record);

/* Returns true if the next record is available without waiting for the file. */
bool cli_input_ready(const struct cli_input *in);

void cli_input_close(struct cli_input *in);

#endif
