/* SPDX-License-Identifier: Apache-2.0 */
/* Blank data of frames, blank input of calls. */
#ifndef TK_STREAM_BLANK_H
#define TK_STREAM_BLANK_H

#include "value/str.h"

/* Returns true if the text is empty or only JSON's white space. */
static inline bool tk_blank_data(struct tk_str s)
{
    size_t i = 0;

    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\n' || s.p[i] == '\r'))
        i++;
    return i == s.n;
}

#endif
