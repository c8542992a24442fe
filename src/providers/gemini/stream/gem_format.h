/* SPDX-License-Identifier: Apache-2.0 */
/* How Gemini streams its answers. */
#ifndef TK_PROVIDERS_GEMINI_STREAM_GEM_FORMAT_H
#define TK_PROVIDERS_GEMINI_STREAM_GEM_FORMAT_H

#include "stream/format.h"

extern const struct tk_stream_format tk_gemini_stream;

#endif
