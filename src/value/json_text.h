/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of value: writes text as a JSON string. */
#ifndef TK_VALUE_JSON_TEXT_H
#define TK_VALUE_JSON_TEXT_H

#include "value/out.h"

/*
 * Appends the text in quotes and escapes as little as RFC 8259 allows: '"', '\\' and control
 * characters. A surrogate in its three-byte form is written as its escape. The text is copied, so
 * it needn't outlive the call.
 */
void tk_json_put_string(struct tk_out *out, struct tk_str text);

/* Returns how many bytes tk_json_put_string() appends. */
size_t tk_json_string_size(struct tk_str text);

#endif
