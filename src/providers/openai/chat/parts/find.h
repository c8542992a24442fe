/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of parts of a content: their types, and images. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_PARTS_FIND_H
#define TK_PROVIDERS_OPENAI_CHAT_PARTS_FIND_H

#include "engine/judge.h"
#include "shapes/openai_chat.h"

/* Each finds the faults of one code. They return 0 or -ENOMEM. */
int tk_chat_find_part_type(struct tk_judge *j);
int tk_chat_find_image_in_tool(struct tk_judge *j);
int tk_chat_find_bad_image(struct tk_judge *j);

/* Returns true if messages like this one take parts of the type. */
bool tk_chat_takes(const struct tk_message *m, enum tk_chat_type type);

/* Returns true if the part has a type that messages like this one can't contain. */
bool tk_chat_is_foreign_part(const struct tk_message *m, const struct tk_part *p);

#endif
