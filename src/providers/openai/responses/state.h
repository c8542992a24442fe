/* SPDX-License-Identifier: Apache-2.0 */
/*
 * State of the rules of the Responses API during one request: what the body and the target say to
 * them, and what they found out about the items. The engine holds it as `judge->own`.
 */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_STATE_H
#define TK_PROVIDERS_OPENAI_RESPONSES_STATE_H

#include "engine/plan.h"
#include "providers/openai/responses/ids/approvals.h"
#include "providers/openai/responses/pairs/pairing.h"

struct tk_responses {
    /* of the target */
    bool compatible; /* a server that copies the API; OpenAI's and Azure's own limits are off */
    bool azure;      /* reasoning keeps its `id` (PROVIDERS.md 4.4) */
    bool deepseek;   /* a copy that serves a model of DeepSeek */
    /* of the body */
    bool previous;     /* has a previous_response_id: the server has the items before these */
    bool conversation; /* likewise, as a conversation */
    bool unstored;     /* `store` is false */
    /*
     * Sets of what the list contains, so that a rule whose items it lacks costs nothing: rows of
     * items, bits 1 << row. After the first edit of a repair all bits are set.
     */
    uint64_t rows;
    uint8_t roles; /* roles of messages, bits 1 << enum tk_role */
    bool odd;      /* an item or part has TK_PART_ODD, or a message TK_MESSAGE_EXTRA */
    bool looked;   /* the three above are filled */

    struct tk_map item_ids; /* ids/find.c: from an item's own id to the first item that has it */
    /* parts/fix.c: the message whose media were moved last, and the message that took them */
    uint32_t media_of, media_to;
    struct tk_doc arguments;  /* calls/find.c: a tape for reading arguments, used again and again */
    struct tk_map output_ids; /* pairs/new_id.c: ids that outputs have, as first asked */
    bool knows_outputs;       /* and that they were noted */
    struct tk_pairs pairs;
    uint32_t
        reference_at; /* pairs/pairing.c: outputs from this place on come after a reference to a call */
    /* pairs/fix.c: the message after which the next output of a batch goes; by batch */
    uint32_t *row_ends;
    uint32_t row_end_count;
    struct tk_map copies; /* pairs/fix.c: from a call's bytes to the place of the first like it */
    bool knows_copies;
    struct tk_approvals approvals;
    /* item.c: the value of an item as repair would write it after so many edits */
    struct tk_val emitted;
    uint32_t emitted_item, emitted_steps;
    bool emitted_known;
    uint32_t placed,
        place; /* pairs/new_id.c: an item and its place in the list; TK_NONE: none yet */
    /* ids/unit.c: by message: the check whose fixes went over the reasoning item's unit */
    uint32_t *unit_done;
    uint32_t unit_capacity, unit_check;
    /* fit.c: the unit that was looked through last, from its first item to its last; TK_NONE: none yet */
    uint32_t unit_first, unit_last;
    bool unit_has_id; /* one of its items has an id */
};

static inline struct tk_responses *tk_responses(const struct tk_judge *j)
{
    return j->own;
}

/* Returns true if the server has items that the list lacks (PROVIDERS.md 4.1). */
static inline bool tk_has_server_state(const struct tk_judge *j)
{
    return tk_responses(j)->previous || tk_responses(j)->conversation;
}

#endif
