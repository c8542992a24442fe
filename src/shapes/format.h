/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognises the format of a history by its members (RULES.md section 8). Clients send what they
 * have stored, and a reader that expects another format would find only messages without content.
 *
 *     [{"role": "user", "parts": [{"text": "hi"}]}]            gemini: `parts`
 *     [{"role": "assistant", "content": null,
 *       "tool_calls": [{...}]}]                                openai-chat: `tool_calls`
 *
 * A format is recognised by signs, rows of the table in format_signs.c. The caller names the dialect that
 * it would read the history as, in which some of the signs are valid members. Nothing here allocates
 * unless a member's name or type is written with escapes. All functions take linear time.
 */
#ifndef TK_SHAPES_FORMAT_H
#define TK_SHAPES_FORMAT_H

#include "value/doc.h"

/* The dialect that the asking code would read the history as. */
enum {
    TK_ASKED_ANTHROPIC = 1 << 0,
    TK_ASKED_FANTASY = 1 << 1,
    TK_ASKED_AI_SDK = 1 << 2,
    TK_ASKED_OPENAI_CHAT = 1 << 3,
    TK_ASKED_OPENAI_RESPONSES = 1 << 4,
    TK_ASKED_BEDROCK = 1 << 5,
    TK_ASKED_GEMINI = 1 << 6,
    /* No dialect: all rows but the last two count, and messages may lack roles. The CLI uses it to
     * detect the dialect. */
    TK_ASKED_NO_DIALECT = 1 << 7,
    /* Flags in addition to a dialect. */
    TK_ASKED_RESPONSE = 1 << 8,    /* the data is a response, for `pair` */
    TK_ASKED_GEMINI_TURN = 1 << 9, /* parts of one Gemini turn, for `repair_turn` */
};

/* A format that was recognised. */
struct tk_format {
    const char *looks_like; /* "openai-chat"; NULL: the format has no name */
    const char *title; /* its name for people, "OpenAI Chat Completions"; NULL if looks_like is */
    struct tk_val at;  /* the element or part that shows it */
    /* The member of `at` that is the sign; absent: no element of the list has a role. */
    struct tk_val member;
    const char *name; /* that member's name; NULL if `member` is absent */
    bool with_value;  /* the sign is the member's name and value, not its name alone */
};

/*
 * Look for a sign of a format other than the one asked for. Return true if there is one, and
 * describe it in *ret. The first sign in document order counts. Elements that aren't objects are
 * skipped.
 */

/* Looks at a list of messages. */
bool tk_format_of_list(struct tk_val list, unsigned asked, struct tk_arena *arena,
                       struct tk_format *ret);

/* Looks at one message, whose role may be missing. */
bool tk_format_of_message(struct tk_val message, unsigned asked, struct tk_arena *arena,
                          struct tk_format *ret);

/* Looks at the parts of one message. */
bool tk_format_of_parts(struct tk_val content, unsigned asked, struct tk_arena *arena,
                        struct tk_format *ret);

/* Looks at one part. */
bool tk_format_of_part(struct tk_val part, unsigned asked, struct tk_arena *arena,
                       struct tk_format *ret);

/* Returns the sign as error messages show it, at most 256 bytes and an ellipsis: "tool_calls",
 * "type: tool-call", or, if no element has a role, the names of all members, sorted: "sender,text".
 * Allocated in the arena. */
struct tk_str tk_format_sign(const struct tk_format *f, struct tk_arena *arena);

#endif
