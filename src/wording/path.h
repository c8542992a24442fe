/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Places as providers write them, and the JSON pointers that they mean:
 *
 *     messages.3.content.1.tool_use.id             /messages/3/content/1
 *     messages[3].tool_calls[0].function.name      /messages/3/tool_calls/0/function/name
 *     messages.4.member.content.2.member.toolUse   /messages/3/content/1      (counted from 1)
 *     ***.***.content.1                            the block 1 of some message
 *
 * Between dots there may also be words that aren't members of the request, such as the type of a
 * block; so such a path is read up to its last index. Paths are found in the normal form of a text.
 */
#ifndef TK_ENGINE_WORDING_PATH_H
#define TK_ENGINE_WORDING_PATH_H

#include "wording/phrase.h"

/* Where a provider's words point; all members are absent if they don't say. */
struct tk_words_place {
    struct tk_str pointer; /* into the request; `.p == NULL`: none */
    int64_t message;       /* its index; -1: none */
    int64_t block;         /* the part's index in its message; -1: none */
    struct tk_str id;      /* of a call, a result or an item; `.p == NULL`: none */
};

#define TK_NO_WORDS_PLACE ((struct tk_words_place){{NULL, 0}, -1, -1, {NULL, 0}})

/* Returns true for a byte of a path in normal form; "<n>" and "{i}" may also be steps. */
static inline bool tk_is_path_byte(char c)
{
    return (c >= 'a' && c <= 'z') || c == '0' || c == '_' || c == '-' || c == '.' || c == '*' ||
           c == '[' || c == ']';
}

/* Returns the path with which a line of words begins, "messages.0: " before `at`; empty: there is none. */
struct tk_section tk_path_before(const struct tk_normal *text, uint32_t at);

/*
 * Returns true if a path of the text is the one of the phrase; then its slots in *found are set. Steps are
 * compared from the end, so the text's path may begin with others. A mask (***) is any step, but one step of
 * the phrase's other than messages and content has to be there. The type of a block and a place inside a
 * result may be on the way.
 */
bool tk_path_fits(const struct tk_phrase *phrase, const struct tk_normal *text,
                  struct tk_section path, struct tk_found *found);

/* Reads the place that a path means. sure: it may also be in another list than the messages. Returns false,
 * with *ret unchanged, if the path has no index, or begins in such a list and that isn't sure. */
bool tk_path_place(const struct tk_normal *text, struct tk_section path, bool sure,
                   struct tk_arena *arena, struct tk_words_place *ret);

/*
 * Reads the place of the first path with an index among the words of a range, as tk_path_place() does.
 * The path begins with a list that a shape has. It may be another list, if indexes are in brackets and
 * the path begins in none of the slots of `found`; NULL: it may not.
 */
bool tk_path_place_within(const struct tk_normal *text, struct tk_section words,
                          const struct tk_found *found, struct tk_arena *arena,
                          struct tk_words_place *ret);

#endif
