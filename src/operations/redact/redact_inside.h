/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inside of redact: what replaces the single values.
 *
 *     zones.c         walks the document and says what each value is
 *     text.c          a string or a name: what of it stays, and the rest
 *     media.c         data in base64, data URLs
 *     model_name.c    the name of a model
 *     text_as_json.c  JSON in a string
 *     number.c        numbers
 */
#ifndef TK_OPERATIONS_REDACT_REDACT_INSIDE_H
#define TK_OPERATIONS_REDACT_REDACT_INSIDE_H

#include "operations/redact/redact.h"
#include "value/spelled.h"

/* Kinds of strings, which say how much of one stays. */
enum tk_redacted_as {
    TK_REDACTED_TEXT,  /* nothing stays but beginnings and ends that rules look for */
    TK_REDACTED_WORD,  /* stays if it is a word of the protocol */
    TK_REDACTED_MODEL, /* the name of a model */
    TK_REDACTED_JSON,  /* JSON, if it can be read as such */
};

/* Replaces a string, or the name of a member, in place. */
void tk_redact_text(const uint64_t key[2], struct tk_spelled text, enum tk_redacted_as as);

/* Replaces a data URL, which begins with "data:". False, and nothing is replaced: it has no comma. */
bool tk_redact_data_url(const uint64_t key[2], struct tk_spelled text);

/* Replaces data whose first bytes are those of an image or a PDF in base64. False, and nothing is
 * replaced: they aren't. */
bool tk_redact_media(const uint64_t key[2], struct tk_spelled text);

void tk_redact_model_name(const uint64_t key[2], struct tk_spelled text);
void tk_redact_json_text(const uint64_t key[2], struct tk_spelled text);

/* Replaces a number of JSON: each digit by another, the first one not by zero. The exponent stays. */
void tk_redact_number(const uint64_t key[2], struct tk_spelled text);

/* Replaces a number of msgpack, which is encoded in n bytes, by one of as many. */
void tk_redact_encoded_number(const uint64_t key[2], uint8_t *encoded, size_t n);

#endif
