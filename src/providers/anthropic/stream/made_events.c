/* SPDX-License-Identifier: Apache-2.0 */
/* Writes events and messages in Anthropic's format that a stream makes itself. */
#include "providers/anthropic/stream/events.h"

/* {"type": "message_start", "message": the response} */
void tk_anthropic_write_start(struct tk_writer *w, struct tk_val response)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "message_start");
    tk_write_key(w, "message");
    tk_write_val(w, response);
    tk_write_end(w);
}

void tk_anthropic_write_error(struct tk_writer *w, bool retryable, struct tk_str text)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", retryable ? "api_error" : "invalid_request_error");
    tk_write_kv_str(w, "message", text);
    tk_write_end(w);
}

/* {"type": "error", "error": ...} */
void tk_anthropic_write_error_event(struct tk_writer *w, bool retryable, struct tk_str text)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "type", "error");
    tk_write_key(w, "error");
    tk_anthropic_write_error(w, retryable, text);
    tk_write_end(w);
}

/* {"role": "assistant", "content": [ */
void tk_anthropic_begin_message(struct tk_writer *w)
{
    tk_write_map(w);
    tk_write_kv_cstr(w, "role", "assistant");
    tk_write_key(w, "content");
    tk_write_list(w);
}

void tk_anthropic_end_message(struct tk_writer *w)
{
    tk_write_end(w);
    tk_write_end(w);
}
