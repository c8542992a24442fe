/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the content parts of messages (CATALOGUE 4.1). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_PARTS_FIND_H
#define TK_PROVIDERS_OPENAI_RESPONSES_PARTS_FIND_H

#include "providers/openai/responses/item.h"

/* Checks. They return 0 or -ENOMEM. */
int tk_judge_part_types(struct tk_judge *j); /* resp_content_part_type */
int tk_judge_images(struct tk_judge *j);     /* resp_image_invalid */

/* Kinds of content parts. */
enum tk_content {
    TK_CONTENT_UNKNOWN, /* passes */
    TK_CONTENT_TEXT,
    TK_CONTENT_REFUSAL,
    TK_CONTENT_MEDIA,
};

/* Returns what the part is; *ret_fits: its type fits a message of the role. */
enum tk_content tk_content_of(const struct tk_part *p, enum tk_role role, bool *ret_fits);

#endif
