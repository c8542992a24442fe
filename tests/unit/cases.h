/* SPDX-License-Identifier: Apache-2.0 */
/* The conformance cases, of which each folder of tests/conformance holds several files. */
#ifndef TK_TESTS_CASES_H
#define TK_TESTS_CASES_H

#include "value/str.h"

/*
 * Returns the cases of a folder of tests/conformance as one JSON list, in the order of the files'
 * names. The caller frees the text. Aborts if a file can't be read.
 */
struct tk_str read_cases_of(const char *folder);

/* Returns the bytes of a file, which the caller frees. Aborts if it can't be read. */
struct tk_str read_file(const char *path);

#endif
