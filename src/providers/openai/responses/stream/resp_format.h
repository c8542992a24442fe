/* SPDX-License-Identifier: Apache-2.0 */
/* How Responses streams its answers. */
#ifndef TK_PROVIDERS_OPENAI_RESPONSES_STREAM_RESP_FORMAT_H
#define TK_PROVIDERS_OPENAI_RESPONSES_STREAM_RESP_FORMAT_H

#include "stream/format.h"

extern const struct tk_stream_format tk_responses_stream;

#endif
