/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/item_survey.h"

int tk_responses_survey(struct tk_judge *j)
{
    struct tk_responses *own = tk_responses(j);
    const struct tk_transcript *t = j->t;

    if (own->looked)
        return 0;
    for (uint32_t m = 0; m < t->message_count; m++) {
        own->rows |= 1ull << t->messages[m].item;
        own->odd = own->odd || (t->messages[m].flags & TK_MESSAGE_EXTRA);
        if (t->messages[m].item == TK_ITEM_MESSAGE)
            own->roles |= (uint8_t)(1u << t->messages[m].role);
    }
    for (uint32_t i = 0; i < t->part_count; i++)
        own->odd = own->odd || (t->parts[i].flags & TK_PART_ODD);
    own->looked = true;
    return 0;
}
