/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the line of a key of the outermost JSON object, which jansson doesn't report. */
#ifndef TK_DAEMON_PLACE_H
#define TK_DAEMON_PLACE_H

#include <stddef.h>

struct tk_config_place {
    size_t line, column; /* from 1 */
};

/* Returns the key's place in a valid JSON text; 1, 1 if the key is written with escapes. */
struct tk_config_place tk_config_place_of_key(const char *text, size_t n, const char *key);

#endif
