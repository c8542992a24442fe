/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/output.h"

#include "cli/io/attributes.h"
#include "cli/io/backup.h"
#include "cli/io/temp.h"
#include "cli/show/term.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER    ((size_t)256 << 10)
#define TEMP_NAME ".turnkeeper.XXXXXX"

static void forget_temp(struct cli_output *out)
{
    cli_temp_keep(out->temp);
    free(out->temp);
    out->temp = NULL;
}

static int open_temp(struct cli_output *out)
{
    const char *slash = strrchr(out->target, '/');
    size_t folder = slash ? (size_t)(slash - out->target) + 1 : 0;
    int fd, r;

    out->temp = malloc(folder + sizeof(TEMP_NAME));
    if (!out->temp)
        return -ENOMEM;
    memcpy(out->temp, out->target, folder);
    memcpy(out->temp + folder, TEMP_NAME, sizeof(TEMP_NAME));
    fd = cli_temp_make(out->temp);
    if (fd < 0) {
        forget_temp(out);
        return fd;
    }
    r = out->old.st_nlink ? cli_attributes_copy(fd, out->target, &out->old)
                          : cli_attributes_of_new(fd);
    out->file = r == 0 ? fdopen(fd, "w") : NULL;
    if (out->file)
        return 0;
    close(fd);
    return r < 0 ? r : -ENOMEM;
}

/* Sets out->target to the path to replace, or to NULL if `name` isn't a regular file. Asks with
 * stat(), since /dev/stdout and its like lead to files without a path. A link that leads nowhere is
 * never replaced: the file is made where it leads. /dev/stdout is one while stdout is closed. */
static int find_target(struct cli_output *out, const char *name)
{
    struct stat link;

    if (stat(name, &out->old) == 0) {
        if (S_ISREG(out->old.st_mode))
            out->target = realpath(name, NULL);
        return S_ISREG(out->old.st_mode) && !out->target ? -errno : 0;
    }
    if (errno != ENOENT)
        return -errno;
    out->old = (struct stat){0};
    if (lstat(name, &link) == 0)
        return 0;
    out->target = strdup(name);
    return out->target ? 0 : -ENOMEM;
}

static int open_directly(struct cli_output *out, const char *name)
{
    out->file = fopen(name, "we");
    if (!out->file)
        return -errno;
    out->terminal = isatty(fileno(out->file));
    return 0;
}

int cli_output_open(struct cli_output *out, const char *name)
{
    int r;

    *out = (struct cli_output){.name = name};
    if (!name || strcmp(name, "-") == 0) {
        out->name = "stdout";
        out->file = stdout;
        out->terminal = isatty(STDOUT_FILENO);
        return 0;
    }
    r = find_target(out, name);
    if (r == 0)
        r = out->target ? open_temp(out) : open_directly(out, name);
    if (r < 0)
        cli_output_abort(out);
    else
        setvbuf(out->file, NULL, _IOFBF, BUFFER);
    return r;
}

int cli_output_open_in_place(struct cli_output *out, const char *name, const struct stat *in,
                             bool backup)
{
    int r;

    if (!S_ISREG(in->st_mode))
        return -EINVAL;
    r = cli_output_open(out, name);
    out->old = *in;
    out->backup = backup;
    return r;
}

int cli_output_put(struct cli_output *out, struct tk_str bytes)
{
    errno = 0;
    if (bytes.n > 0)
        cli_print_text(out->file, out->terminal, bytes);
    if (!ferror(out->file))
        return 0;
    return errno ? -errno : -EIO;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Returns true if the target is still the file that it was at the start. */
static bool is_unchanged(const struct cli_output *out)
{
    struct stat now;

    if (stat(out->target, &now) < 0)
        return errno == ENOENT && out->old.st_nlink == 0;
    return now.st_dev == out->old.st_dev && now.st_ino == out->old.st_ino &&
           now.st_size == out->old.st_size && same_time(&now.st_mtim, &out->old.st_mtim);
}

/* Syncs the directory of a path: only then the rename survives a crash. */
static int sync_directory(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    int r = fd < 0 || (fsync(fd) < 0 && errno != EINVAL) ? -errno : 0;

    if (fd >= 0)
        close(fd);
    free(folder);
    return r;
}

/* Flushes, syncs and closes the file; closes it even if something fails. */
static int close_file(struct cli_output *out)
{
    FILE *f = out->file;
    int r = 0;

    out->file = NULL;
    if (fflush(f) != 0 || ferror(f) || (out->temp && fsync(fileno(f)) < 0))
        r = errno ? -errno : -EIO;
    if (fclose(f) != 0 && r == 0)
        r = -errno;
    return r;
}

/* Renames the new file over the old one. With `backup` the old one gets its second name immediately
 * before. */
static int replace(struct cli_output *out)
{
    int r = 0;

    if (!is_unchanged(out))
        return -ESTALE;
    if (out->backup) {
        r = cli_backup_make(out->target, &out->old, &out->kept);
        out->backup_failed = r < 0 && r != -ESTALE;
        if (r == 0 && !is_unchanged(out))
            r = -ESTALE;
    }
    if (r == 0 && rename(out->temp, out->target) < 0)
        r = -errno;
    if (r < 0 && out->kept)
        unlink(out->kept);
    return r;
}

/* Replaces the target with signals blocked: whoever interrupts finds the old file alone, or the new
 * one and the original. */
static int put_in_place(struct cli_output *out)
{
    sigset_t before;
    int r;

    cli_temp_block_signals(&before);
    r = replace(out);
    if (out->kept)
        cli_temp_keep(out->kept);
    if (r == 0)
        forget_temp(out);
    cli_temp_unblock_signals(&before);
    return r == 0 ? sync_directory(out->target) : r;
}

int cli_output_commit(struct cli_output *out)
{
    int r;

    if (out->file == stdout)
        return fflush(stdout) == 0 ? 0 : -errno;
    r = close_file(out);
    if (r == 0 && out->temp)
        r = put_in_place(out);
    if (r < 0) {
        free(out->kept);
        out->kept = NULL;
    }
    cli_output_abort(out);
    return r;
}

void cli_output_done(struct cli_output *out)
{
    cli_output_abort(out);
    free(out->kept);
    out->kept = NULL;
}

void cli_output_abort(struct cli_output *out)
{
    if (out->file && out->file != stdout)
        fclose(out->file);
    out->file = NULL;
    if (out->temp) {
        unlink(out->temp);
        forget_temp(out);
    }
    free(out->target);
    out->target = NULL;
}
