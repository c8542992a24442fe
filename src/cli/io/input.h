/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads a file as a sequence of records: one document, or its lines (JSONL). Lines are read as they
 * arrive; memory holds one line and a window of the file.
 *
 * The window grows until the first document ends or breaks; then it is known which of the two the
 * file is. A file that is one document is always read as one. Any other file is JSONL if its first
 * line is a document, or if some line is a document that could be a history; a broken document of
 * several lines has no such line. JSONL in which each line is an object and none could be a history
 * is one history with one message per line.
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

/* How to read a file, as the options of the command line say. */
struct cli_input_options {
    bool lines; /* read it as JSONL */
    bool at;    /* the history is somewhere inside each document (--at) */
    size_t max; /* largest document or line, in bytes */
    struct cli_progress *progress;
};

struct cli_record {
    enum cli_record_kind kind;
    size_t line; /* from 1; 0 in a file that is one document */
    /* has the text as its whole content; of lines over the limit it has nothing */
    struct cli_buf *buf;
    struct tk_str text; /* without the line's LF */
    struct tk_str end;  /* that LF, or empty */
};

struct cli_input {
    const char *name; /* as given; "stdin" for "-" */
    int fd;
    struct stat st; /* at the time it was opened */
    struct cli_input_options options;
    bool lines;     /* JSONL */
    bool elements;  /* one message a line: the lines are one document, which is a list */
    bool marked;    /* a byte order mark was skipped */
    bool ended;     /* the end of the file was reached */
    bool long_line; /* inside a line over the limit */
    bool taken;     /* the one document was returned */
    size_t line;
    struct cli_buf window; /* bytes read so far; those from `at` on belong to the next record */
    size_t at;
    struct cli_buf record; /* the current line, with room for the request around it */
    uint64_t done;         /* bytes of the records that were returned */
};

/* Opens "-" (stdin) or a file and finds out if it is one document or lines. Returns 0 or a negative
 * errno. */
int cli_input_open(struct cli_input *in, const char *name, const struct cli_input_options *options);

/* Reads the next record, which is valid until the next call. Returns 1, or 0 at the end, or a
 * negative errno. */
int cli_input_next(struct cli_input *in, struct cli_record *ret_record);

/* Returns true if the next record is available without waiting for the file. */
bool cli_input_ready(const struct cli_input *in);

void cli_input_close(struct cli_input *in);

#endif
