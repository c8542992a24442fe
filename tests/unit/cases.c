/* SPDX-License-Identifier: Apache-2.0 */
#include "cases.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *p)
{
    if (!p)
        abort();
    return p;
}

struct tk_str read_file(const char *path)
{
    FILE *file = must(fopen(path, "rb"));
    char *p;
    long n;

    if (fseek(file, 0, SEEK_END) != 0 || (n = ftell(file)) < 0)
        abort();
    rewind(file);
    p = must(malloc((size_t)n + 1));
    if (fread(p, 1, (size_t)n, file) != (size_t)n)
        abort();
    fclose(file);
    return (struct tk_str){p, (size_t)n};
}

/* Appends the elements of the file's list to `list`, which begins with '['. */
static void append_elements(struct tk_str *list, struct tk_str file)
{
    const char *first = must(memchr(file.p, '[', file.n)), *end = file.p + file.n;
    char *grown;
    size_t n;

    while (end[-1] != ']')
        end--;
    first++;
    n = (size_t)(end - 1 - first);
    grown = must(realloc((void *)(uintptr_t)list->p, list->n + n + 2));
    if (list->n > 1)
        grown[list->n++] = ',';
    memcpy(grown + list->n, first, n);
    *list = (struct tk_str){grown, list->n + n};
}

static int is_json(const struct dirent *entry)
{
    return tk_str_ends(tk_str_of(entry->d_name), TK_STR(".json"));
}

struct tk_str read_cases_of(const char *folder)
{
    const char *top = getenv("top_srcdir");
    struct tk_str list = {must(strdup("[")), 1};
    struct dirent **entries;
    char path[4096];
    int count, length;

    length = snprintf(path, sizeof(path), "%s/tests/conformance/%s/", top ? top : ".", folder);
    count = scandir(path, &entries, is_json, alphasort);
    if (count <= 0)
        abort();
    for (int i = 0; i < count; i++) {
        struct tk_str file;

        snprintf(path + length, sizeof(path) - (size_t)length, "%s", entries[i]->d_name);
        file = read_file(path);
        append_elements(&list, file);
        free((void *)(uintptr_t)file.p);
        free(entries[i]);
    }
    free(entries);
    ((char *)(uintptr_t)list.p)[list.n++] = ']';
    return list;
}
