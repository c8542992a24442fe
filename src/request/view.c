/* SPDX-License-Identifier: Apache-2.0 */
#include "request/view.h"

#define ABSENT                                                                                     \
    {                                                                                              \
        NULL, TK_NO_NODE                                                                           \
    }

const struct tk_request_view tk_no_request = {
    .body = ABSENT,
    .binding = ABSENT,
    .at = {[0 ... TK_REQUEST_MEMBERS - 1] = ABSENT},
};

void tk_request_read(struct tk_request_view *ret, struct tk_val body,
                     const struct tk_str names[TK_REQUEST_MEMBERS])
{
    *ret = tk_no_request;
    ret->body = body;
    tk_pick(body, names, TK_REQUEST_MEMBERS, ret->at);
    for (size_t i = 0; i < TK_REQUEST_MEMBERS; i++)
        if (!names[i].p)
            ret->at[i] = TK_NO_VAL;
}
