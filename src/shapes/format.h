/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recognises the format of a history by what it holds (RULES.md section 8). People send what they
 * have stored, and a reader that expects another format would see messages without content in it.
 *
 *     [{"role": "user", "parts": [{"text": "hi"}]}]            gemini: `parts`
 *     [{"role": "assistant", "content": null,
 *       "tool_calls": [{...}]}]                                openai-chat: `tool_calls`
 *
 * A format is known by signs, rows of the table in format.c. Who asks names the dialect that it
 * would read the history as; some signs are none to it. Nothing here allocates unless a member's
 * name or type is written with escapes. All of it is linear.
 */
#ifndef TK_SHAPES_FORMAT_H
#define TK_SHAPES_FORMAT_H

#include "value/doc.h"

/* Who asks. */
enum {
    TK_ASKED_ANTHROPIC = 1 << 0,
    TK_ASKED_FANTASY = 1 << 1,
    TK_ASKED_AI_SDK = 1 << 2,
    TK_ASKED_OPENAI_CHAT = 1 << 3,
    TK_ASKED_OPENAI_RESPONSES = 1 << 4,
    TK_ASKED_BEDROCK = 1 << 5,
    TK_ASKED_GEMINI = 1 << 6,
    /* Instead of a dialect: all rows but the last two, and messages may lack roles. For the CLI,
     * which finds the dialect out. */
    TK_ASKED_NO_DIALECT = 1 << 7,
    /* Together with a dialect. */
    TK_ASKED_RESPONSE = 1 << 8,    /* what is asked about is a response, for `pair` */
    TK_ASKED_GEMINI_TURN = 1 << 9, /* parts of one turn of Gemini's, for `repair_turn` */
};

/* A format that was recognised. */
struct tk_format {
    const char *looks_like; /* "openai-chat"; NULL: none that has a name */
    const char *title;      /* the same for people, "OpenAI Chat Completions"; NULL with it */
    struct tk_val at;       /* the element, or the part, that shows it */
    /* The member of it that is the sign; not there: no element of the list has a role. */
    struct tk_val member;
    const char *name; /* that member's name, NULL with it */
    bool with_value;  /* the sign is its name and its value */
};

/*
 * Each looks for a sign of a format that isn't the one asked for; true where there is one, which
 * is then in *ret. The first sign in document order counts. Elements that aren't objects show none.
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

/* Returns the sign as errors tell it, at most 256 bytes and an ellipsis: "tool_calls",
 * "type: tool-call", or the names of all members, sorted, "sender,text". In the arena. */
struct tk_str tk_format_sign(const struct tk_format *f, struct tk_arena *arena);

#endif
