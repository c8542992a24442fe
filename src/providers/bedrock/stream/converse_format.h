/* SPDX-License-Identifier: Apache-2.0 */
/* The format of Bedrock's ConverseStream (STREAM-PROVIDERS.md 8). */
#ifndef TK_PROVIDERS_BEDROCK_STREAM_FORMAT_H
#define TK_PROVIDERS_BEDROCK_STREAM_FORMAT_H

#include "stream/format.h"

extern const struct tk_stream_format tk_bedrock_stream;

#endif
