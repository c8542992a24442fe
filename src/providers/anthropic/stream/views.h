/* SPDX-License-Identifier: Apache-2.0 */
/* Anthropic's blocks in a stream: functions of struct tk_block_format, which says what each does.
 */
#ifndef TK_PROVIDERS_ANTHROPIC_STREAM_VIEWS_H
#define TK_PROVIDERS_ANTHROPIC_STREAM_VIEWS_H

#include "stream/block_format.h"

/* ---- block_view.c ---- */

struct tk_stream_block_view tk_anthropic_read_block(struct tk_val block, struct tk_arena *arena);

/* ---- result_view.c ---- */

struct tk_str tk_anthropic_result_type(struct tk_str type, struct tk_str name);
bool tk_anthropic_is_listed_result(struct tk_str result_type);
void tk_anthropic_read_result(struct tk_val block, struct tk_arena *arena,
                              struct tk_stream_result_view *ret);
bool tk_anthropic_read_source(struct tk_val v, struct tk_stream_source_view *ret);

#endif
