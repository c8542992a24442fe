/* SPDX-License-Identifier: Apache-2.0 */
/* How Chat Completions streams its answers. */
#ifndef TK_PROVIDERS_OPENAI_CHAT_STREAM_CHAT_FORMAT_H
#define TK_PROVIDERS_OPENAI_CHAT_STREAM_CHAT_FORMAT_H

#include "stream/format.h"

extern const struct tk_stream_format tk_chat_stream;

#endif
