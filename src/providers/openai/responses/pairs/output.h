/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an output for a call, in the form of the call's type (PROVIDERS.md 4.2). */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_OUTPUT_H
#define TK_PROVIDERS_OPENAI_RESPONSES_PAIRS_OUTPUT_H

#include "shapes/openai_items.h"
#include "value/writer.h"

struct tk_item_output {
    struct tk_val call;
    uint8_t row;   /* enum tk_item_row of the output */
    bool failed;   /* the call had no success */
    bool is_blank; /* the text is blank: it is left out where nothing needs it */
    /* Writes the text as a string. */
    void (*write_text)(struct tk_writer *w, const void *arg);
    const void *arg;
};

/* Writes the item. A shell's chunk says that the call failed; a tool search found nothing. */
void tk_write_item_output(struct tk_writer *w, const struct tk_item_output *output);

#endif
