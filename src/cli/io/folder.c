/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/folder.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int add(struct cli_names *names, const char *name)
{
    char *copy = strdup(name);

    if (copy && names->count == names->room) {
        size_t room = names->room ? names->room * 2 : 16;
        char **list = reallocarray(names->list, room, sizeof(*list));

        if (!list) {
            free(copy);
            return -ENOMEM;
        }
        names->list = list;
        names->room = room;
    }
    if (!copy)
        return -ENOMEM;
    names->list[names->count++] = copy;
    return 0;
}

static bool is_document(const char *name)
{
    static const char *const ends[] = {".json", ".jsonl", ".ndjson"};
    size_t n = strlen(name);

    for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
        size_t tail = strlen(ends[i]);

        if (n > tail && strcasecmp(name + n - tail, ends[i]) == 0)
            return true;
    }
    return false;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

/* Takes one entry of the walk. Returns 0 or a negative errno. */
static int take(struct cli_names *names, FTS *walk, FTSENT *entry)
{
    if (entry->fts_info == FTS_ERR || entry->fts_info == FTS_DNR)
        return -entry->fts_errno;
    if (entry->fts_level > 0 && entry->fts_name[0] == '.')
        return fts_set(walk, entry, FTS_SKIP) < 0 ? -errno : 0;
    return entry->fts_info == FTS_F && is_document(entry->fts_name) ? add(names, entry->fts_path)
                                                                    : 0;
}

static int walk_folder(struct cli_names *names, char *folder)
{
    char *roots[] = {folder, NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_COMFOLLOW, by_name);
    FTSENT *entry;
    int r = walk ? 0 : -errno;

    while (r == 0) {
        errno = 0;
        entry = fts_read(walk);
        if (!entry) {
            r = -errno;
            break;
        }
        r = take(names, walk, entry);
    }
    if (walk)
        fts_close(walk);
    return r;
}

int cli_names_add(struct cli_names *names, const char *operand)
{
    size_t before = names->count, n = strlen(operand);
    struct stat st;
    char *folder;
    int r;

    if (strcmp(operand, "-") == 0 || stat(operand, &st) < 0 || !S_ISDIR(st.st_mode))
        return add(names, operand);
    folder = strdup(operand);
    if (!folder)
        return -ENOMEM;
    while (n > 1 && folder[n - 1] == '/') /* else the names have two slashes */
        folder[--n] = '\0';
    r = walk_folder(names, folder);
    free(folder);
    return r == 0 && names->count == before ? -ENOENT : r;
}

void cli_names_done(struct cli_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->list[i]);
    free(names->list);
    *names = (struct cli_names){NULL, 0, 0};
}
