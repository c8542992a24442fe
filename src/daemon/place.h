/* SPDX-License-Identifier: Apache-2.0 */
/* Where in a JSON text a member of the outermost object stands: jansson forgets it. */
#ifndef TK_DAEMON_PLACE_H
#define TK_DAEMON_PLACE_H

#include <stddef.h>

struct tk_config_place {
    size_t line, column; /* from 1 */
};

/* The key's place in a text that was read without error; 1, 1 where it is written with escapes. */
struct tk_config_place tk_config_place_of_key(const char *text, size_t n, const char *key);

#endif
