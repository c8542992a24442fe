/* SPDX-License-Identifier: Apache-2.0 */
/* Judges documents: their names, and the text that each message with one needs (PROVIDERS.md 6.6). */
#include <errno.h>

#include "providers/bedrock/rules.h"

/* The longest name of a document, in characters. */
#define NAME_MAX_LENGTH 200

struct tk_str tk_brk_document_name(const struct tk_transcript *t, uint32_t part)
{
    struct tk_val name = tk_get(tk_bedrock_value(&t->parts[part]), TK_STR("name"));
    struct tk_str text = tk_shared_text(t, name);

    return text.p ? text : TK_STR("");
}

static bool is_name_character(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '(' || c == ')' || c == '[' || c == ']';
}

/* Returns true if the name is its own cleaned form. underscores: they count as legal characters. */
static bool is_clean(struct tk_str name, bool underscores)
{
    char before = ' ';

    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];

        if (!is_name_character(c) && !(c == '_' && underscores) && !(c == ' ' && before != ' '))
            return false;
        before = c;
    }
    return name.n > 0 && name.n <= NAME_MAX_LENGTH && before != ' ';
}

static struct tk_str without_last_space(struct tk_str s)
{
    s.n -= s.n > 0 && s.p[s.n - 1] == ' ';
    return s;
}

struct tk_str tk_brk_clean_name(struct tk_arena *arena, struct tk_str name)
{
    struct tk_str clean = {tk_arena_alloc(arena, NAME_MAX_LENGTH), 0};
    char *p = (char *)(uintptr_t)clean.p;

    if (!p)
        return clean;
    for (size_t i = 0; i < name.n && clean.n < NAME_MAX_LENGTH; i++) {
        bool legal = is_name_character(name.p[i]);

        if (legal || (clean.n > 0 && p[clean.n - 1] != ' '))
            p[clean.n++] = legal ? name.p[i] : ' ';
    }
    clean = without_last_space(clean);
    return clean.n > 0 ? clean : TK_STR("Document");
}

/* ---- findings ---- */

static int find_name(struct tk_judge *j, struct tk_map *names, uint32_t part)
{
    struct tk_str name = tk_brk_document_name(j->t, part);
    bool fresh;

    if (!tk_map_put(names, name, &fresh))
        return -ENOMEM;
    if (fresh && is_clean(name, false))
        return 0;
    return tk_find(&j->findings, j->t, TK_CODE_BRK_DOCUMENT_NAME,
                   fresh && is_clean(name, true) ? TK_WARNING : TK_ERROR,
                   tk_site_of(j->t->parts[part].message, part));
}

static int find_in_message(struct tk_judge *j, struct tk_map *names, uint32_t message)
{
    const struct tk_transcript *t = j->t;
    bool document = false, text = false;
    int r = 0;

    for (uint32_t i = t->messages[message].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
        text = text || t->parts[i].kind == TK_PART_TEXT;
        if (t->parts[i].block != TK_BEDROCK_DOCUMENT)
            continue;
        document = true;
        r = find_name(j, names, i);
    }
    if (r == 0 && document && !text && !tk_brk_is_model(t, message))
        r = tk_find_message(&j->findings, j->t, TK_CODE_BRK_DOCUMENT_WITHOUT_TEXT, message);
    return r;
}

int tk_brk_find_documents(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    struct tk_map names;
    int r = 0;

    tk_map_init(&names, t->arena, t->hash_key);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        r = find_in_message(j, &names, m);
    return r;
}
