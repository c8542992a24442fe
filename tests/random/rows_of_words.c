/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows that histories of all providers but Anthropic share: texts and values of members that nobody knows.
 *
 * Texts that no repair may lose have a word of their own: "word", four digits, "x"
 * (properties_of_entries.c and properties_of_blocks.c look for it).
 */
#include "history_rows.h"

const struct grammar_row rows_of_words[] = {
    {"text", 14, NOT_ANTHROPIC, "@said"},
    {"text", 2, NOT_ANTHROPIC, "'kestrel'"},
    {"text", 1, NOT_ANTHROPIC, "@blank"},
    {"said", 16, NOT_ANTHROPIC, "'word#x'"},
    {"said", 3, NOT_ANTHROPIC, "'word#x and word#x'"},
    {"said", 1, NOT_ANTHROPIC, "'\\n word#x \xc3\xa9 '"},
    {"said", 1, NOT_ANTHROPIC, "'say \\'word#x\\' \\\\ /'"},
    {"said", 1, NOT_ANTHROPIC, "'\xf0\x9f\x98\x80 word#x\\t'"},
    {"said", 1, NOT_ANTHROPIC, "@half_said"},
    {"half_said", 12, NOT_ANTHROPIC, "'word#x'"},
    {"half_said", 1, NOT_ANTHROPIC, "'word#x \\ud83d'"},
    {"half_said", 1, NOT_ANTHROPIC, "'\\udc00 word#x'"},
    {"blank", 2, NOT_ANTHROPIC, "''"},
    {"blank", 1, NOT_ANTHROPIC, "' '"},
    {"blank", 1, NOT_ANTHROPIC, "'\xe2\x80\x83\\n'"},
    {"foreign", 3, NOT_ANTHROPIC, "'word#x'"},
    {"foreign", 1, NOT_ANTHROPIC, "[1.0,{'k':'word#x'}]"},
    {"foreign", 1, NOT_ANTHROPIC, "null"},
    {"foreign", 1, NOT_ANTHROPIC, "''"},
    {"foreign", 1, NOT_ANTHROPIC, "{'n':1E+2}"},
    {NULL, 0, 0, NULL},
};
