/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/place.h"

#include <stdbool.h>
#include <string.h>

/* Returns the offset after the closing quote of the string that begins at text[at]. */
static size_t skip_string(const char *text, size_t n, size_t at)
{
    for (at++; at < n && text[at] != '"'; at++) {
        if (text[at] == '\\')
            at++;
    }
    return at + 1;
}

/* Returns true if a colon follows: the string that ends at `after` is a key. */
static bool is_key(const char *text, size_t n, size_t after)
{
    while (after < n && strchr(" \t\r\n", text[after]) && text[after] != '\0')
        after++;
    return after < n && text[after] == ':';
}

/* Returns the offset of the key's opening quote, n if it isn't found. */
static size_t find(const char *text, size_t n, const char *key)
{
    size_t length = strlen(key), depth = 0, at = 0;

    while (at < n) {
        size_t end = at + 1;

        if (text[at] == '"') {
            end = skip_string(text, n, at);
            if (depth == 1 && end <= n && end - at - 2 == length &&
                memcmp(text + at + 1, key, length) == 0 && is_key(text, n, end))
                return at;
        } else if (text[at] == '{' || text[at] == '[') {
            depth++;
        } else if (text[at] == '}' || text[at] == ']') {
            depth--;
        }
        at = end;
    }
    return n;
}

struct tk_config_place tk_config_place_of_key(const char *text, size_t n, const char *key)
{
    struct tk_config_place place = {1, 1};
    size_t at = find(text, n, key);

    for (size_t i = 0; at < n && i < at; i++) {
        place.column++;
        if (text[i] == '\n')
            place = (struct tk_config_place){place.line + 1, 1};
    }
    return place;
}
