/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/gemini/models.h"

#include "providers/common/models.h"

/* Reads one or two digits from *at on. Returns their number, *at after them; -1: there is no digit. */
static int read_number(struct tk_str name, size_t *at)
{
    size_t from = *at;
    int number = 0;

    for (; *at < name.n && *at - from < 2 && name.p[*at] >= '0' && name.p[*at] <= '9'; (*at)++)
        number = number * 10 + (name.p[*at] - '0');
    return *at == from ? -1 : number;
}

static int version_of(struct tk_str name)
{
    static const struct tk_str word = TK_STR_INIT("gemini-");
    int major = -1, minor = -1;

    for (size_t at = tk_find_name_word(name, 0, word); at != SIZE_MAX && major < 0;
         at = tk_find_name_word(name, at, word)) {
        at += word.n;
        major = read_number(name, &at);
        if (major >= 0 && at < name.n && name.p[at] == '.') {
            at++;
            minor = read_number(name, &at);
        }
    }
    return major < 0 ? TK_GEMINI_UNKNOWN : TK_GEMINI_VERSION(major, minor < 0 ? 0 : minor);
}

struct tk_gemini_model tk_gemini_model_of(struct tk_str name)
{
    return (struct tk_gemini_model){
        .version = version_of(name),
        .makes_images = tk_find_name_word(name, 0, TK_STR("image")) != SIZE_MAX,
    };
}
