/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The blocks of the Messages API: what a part of a message can be, and which members it has
 * (CATALOGUE 5.4). The dialect knows a part's kind by this table, rules hold the part against it.
 *
 * A type that isn't here is known by its shape where it ends in `_tool_use` (with an id) or
 * `_tool_result`; see anthropic.c.
 */
#ifndef TK_DIALECTS_BLOCKS_H
#define TK_DIALECTS_BLOCKS_H

#include "rules/transcript.h"

/* Most members of a kind (required, optional) that a row has. */
#define TK_BLOCK_MEMBERS 6

/* Whose messages may hold a block. */
enum {
    TK_BLOCK_USER = 1,
    TK_BLOCK_ASSISTANT = 2,
    TK_BLOCK_SYSTEM = 4,
};

struct tk_block {
    struct tk_str type;
    uint8_t kind;   /* enum tk_part_kind */
    uint8_t roles;  /* TK_BLOCK_* */
    uint16_t flags; /* TK_PART_* */
    /* Member names beside `type`; the lists end with p NULL. */
    struct tk_str required[TK_BLOCK_MEMBERS], optional[TK_BLOCK_MEMBERS];
};

/* Row 0 is no block: what parts of unknown types have. */
extern const struct tk_block tk_blocks[];
extern const uint8_t tk_block_count;

/* Rows that rules ask for by name; tests/unit/test_blocks.c compares them with the table. */
enum tk_block_row {
    TK_BLOCK_NONE,
    TK_BLOCK_TEXT,
    TK_BLOCK_THINKING,
    TK_BLOCK_REDACTED_THINKING,
    TK_BLOCK_TOOL_USE,
    TK_BLOCK_TOOL_RESULT,
    TK_BLOCK_IMAGE,
    TK_BLOCK_DOCUMENT,
    TK_BLOCK_SEARCH_RESULT,
    TK_BLOCK_COMPACTION,
    TK_BLOCK_MID_CONV_SYSTEM,
    TK_BLOCK_TOOL_ADDITION,
    TK_BLOCK_TOOL_REMOVAL,
    TK_BLOCK_NAMED, /* the first of the others */
};

/* The row of a type; TK_BLOCK_NONE where it isn't listed. */
uint8_t tk_block_of(struct tk_str type);

#endif
