/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histories as a grammar (grammar.h), whole ones and ones with every fault that the catalogue's
 * first two waves know. A history is a text of messages: `^`, a letter for the role (`u`ser,
 * `a`ssistant, which Gemini calls model, `o`ther name of that, `s`ystem, `t`ool, which the wire spells
 * user, `e`lf, `i`nteger, `z` for null, `n`one), then
 *
 *     |part|part...   a list of parts, perhaps of none
 *     !content        any other content
 *     -               no content at all
 *
 * or nothing, which is a list of no parts. No part contains one of these marks. Languages are the
 * dialects of Anthropic's histories, those of Bedrock and Gemini, and the two APIs of OpenAI's, whose
 * messages and items are written as they are: `^` and an object.
 */
#ifndef TK_TESTS_RANDOM_HISTORY_ROWS_H
#define TK_TESTS_RANDOM_HISTORY_ROWS_H

#include "grammar.h"

enum {
    WIRE = 1,
    FANTASY = 2,
    AI_SDK = 4,
    SDK = FANTASY | AI_SDK,
    ALL = WIRE | SDK,
    CHAT = 8,
    ITEMS = 16,
    TWO_APIS = CHAT | ITEMS,
    CONVERSE = 32,
    CONTENTS = 64,
    TYPELESS = CONVERSE | CONTENTS, /* a part has no type: a member says what it is */
    NOT_ANTHROPIC = TWO_APIS | TYPELESS,
};

/*
 * Scenes and words, which all dialects share; the parts of each dialect; the members of a body, of
 * messages and of the parameters; how a history is fitted. Of all others: words. Of OpenAI's: the policies and targets of both APIs;
 * messages of Chat Completions; items of Responses. What Bedrock's and Gemini's have in common; messages of
 * Converse; contents of Gemini.
 */
extern const struct grammar_row rows_of_scenes[], rows_of_wire[], rows_of_sdks[], rows_of_bodies[],
    rows_of_requests[], rows_of_budgets[], rows_of_words[], rows_of_openai[], rows_of_chat[],
    rows_of_items[], rows_of_typeless[], rows_of_converse[], rows_of_contents[];

#endif
