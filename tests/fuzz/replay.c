/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The other half of a fuzz harness where libFuzzer isn't: feeds LLVMFuzzerTestOneInput() every file
 * of its corpus, and every prefix of the small ones, and prints TAP. So whatever fuzzing once
 * found stays a regression test of `make check`, with any compiler.
 *
 *     fuzz_x [FILE|FOLDER...]      default: $top_srcdir/tests/corpus/x
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    PATH_SIZE = 4096,
    PREFIX_LIMIT = 256, /* files up to this size are also fed cut at every byte */
    MAX_FILE = 1 << 26,
};

static unsigned files_done;

/* Each input in a block of its own, so that valgrind and ASan see a read past its end. */
static int feed(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);

    if (copy == NULL)
        return -ENOMEM;
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return 0;
}

static int feed_with_prefixes(const uint8_t *data, size_t size)
{
    int r = 0;

    if (size <= PREFIX_LIMIT)
        for (size_t cut = 0; cut < size && r == 0; cut++)
            r = feed(data, cut);
    return r == 0 ? feed(data, size) : r;
}

static int read_file(const char *path, uint8_t **ret_data, size_t *ret_size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    long size = -1;
    int r = -EIO;

    if (file == NULL)
        return -errno;
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    if (size < 0 || size > MAX_FILE)
        goto out;
    rewind(file);
    data = malloc((size_t)size + 1);
    if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size)
        goto out;
    *ret_data = data;
    *ret_size = (size_t)size;
    data = NULL;
    r = 0;
out:
    free(data);
    fclose(file);
    return r;
}

static int replay_file(const char *path)
{
    const char *slash = strrchr(path, '/');
    uint8_t *data = NULL;
    size_t size = 0;
    int r = read_file(path, &data, &size);

    if (r == 0)
        r = feed_with_prefixes(data, size);
    free(data);
    printf("%s %u - %s\n", r == 0 ? "ok" : "not ok", ++files_done, slash ? slash + 1 : path);
    fflush(stdout); /* so that the file before a crash is known */
    return r;
}

static int not_hidden(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* In alphabetical order, for equal output everywhere. */
static int replay_folder(const char *path)
{
    struct dirent **entries = NULL;
    int n = scandir(path, &entries, not_hidden, alphasort);
    int r = n < 0 ? -errno : 0;

    for (int i = 0; i < n; i++) {
        char name[PATH_SIZE];
        int length = snprintf(name, sizeof(name), "%s/%s", path, entries[i]->d_name);
        int one = length < (int)sizeof(name) ? replay_file(name) : -ENAMETOOLONG;

        if (one != 0)
            r = one;
        free(entries[i]);
    }
    free(entries);
    return r;
}

static int replay(const char *path)
{
    struct stat st;

    if (stat(path, &st) != 0)
        return -errno;
    return S_ISDIR(st.st_mode) ? replay_folder(path) : replay_file(path);
}

static int replay_default(const char *program)
{
    const char *top = getenv("top_srcdir");
    const char *name = strstr(program, "fuzz_");
    char path[PATH_SIZE];
    int length;

    /* The last one: folders of the path may be called so, too. */
    for (const char *next = name; next != NULL; next = strstr(next + 1, "fuzz_"))
        name = next;
    length = snprintf(path, sizeof(path), "%s/tests/corpus/%s", top ? top : ".",
                      name ? name + strlen("fuzz_") : "");
    return length < (int)sizeof(path) ? replay(path) : -ENAMETOOLONG;
}

int main(int argc, char **argv)
{
    int r = 0;

    if (argc < 2)
        r = replay_default(argv[0]);
    for (int i = 1; i < argc; i++) {
        int one = replay(argv[i]);

        if (one != 0)
            r = one;
    }
    if (r != 0)
        printf("# %s\n", strerror(-r));
    printf("1..%u\n", files_done);
    return r != 0 || files_done == 0;
}
