/* SPDX-License-Identifier: Apache-2.0 */
/* The format of Anthropic's streams (Messages API). */
#ifndef TK_PROVIDERS_ANTHROPIC_STREAM_FORMAT_H
#define TK_PROVIDERS_ANTHROPIC_STREAM_FORMAT_H

#include "stream/block_format.h"

/* Type of the block at which another model continues the message. */
#define TK_ANTHROPIC_HANDOVER "fallback"

extern const struct tk_frame_envelope tk_anthropic_envelope;
extern const struct tk_stream_format tk_anthropic_stream;

#endif
