/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/backup.h"

#include "cli/io/attributes.h"
#include "cli/io/temp.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAMES     10000
#define COPY_SIZE ((size_t)256 << 10)

/* Links the file under a second name. Checks the result: someone may have replaced the file by a
 * symbolic link, and link() links that itself. */
static int link_file(const char *path, const struct stat *old, const char *name)
{
    struct stat now;

    if (link(path, name) < 0)
        return -errno;
    if (lstat(name, &now) == 0 && now.st_dev == old->st_dev && now.st_ino == old->st_ino)
        return 0;
    unlink(name);
    return -ESTALE;
}

static int write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = write(fd, bytes, n);

        if (written < 0 && errno != EINTR)
            return -errno;
        if (written > 0) {
            bytes += written;
            n -= (size_t)written;
        }
    }
    return 0;
}

static int copy_bytes(int from, int to)
{
    char *buf = malloc(COPY_SIZE);
    int r = buf ? 0 : -ENOMEM;
    ssize_t n = 1;

    while (r == 0 && n != 0) {
        n = read(from, buf, COPY_SIZE);
        if (n < 0 && errno != EINTR)
            r = -errno;
        else if (n > 0)
            r = write_all(to, buf, (size_t)n);
    }
    free(buf);
    return r;
}

static int copy_file(const char *path, const struct stat *old, const char *name)
{
    int to = cli_temp_make_named(name), from, r;

    if (to < 0)
        return to;
    from = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    r = from < 0 ? -errno : copy_bytes(from, to);
    if (r == 0)
        r = cli_attributes_copy(to, path, old);
    if (r == 0 && fsync(to) < 0)
        r = -errno;
    if (from >= 0)
        close(from);
    if (close(to) < 0 && r == 0)
        r = -errno;
    if (r < 0) {
        unlink(name);
        cli_temp_keep(name);
    }
    return r;
}

static bool has_no_links(int error)
{
    return error == -EPERM || error == -ENOTSUP || error == -ENOSYS || error == -EMLINK ||
           error == -EXDEV;
}

static int keep_as(const char *path, const struct stat *old, const char *name)
{
    int r = old->st_nlink == 1 ? link_file(path, old, name) : -EMLINK;

    return has_no_links(r) ? copy_file(path, old, name) : r;
}

int cli_backup_make(const char *path, const struct stat *old, char **ret_name)
{
    size_t room = strlen(path) + sizeof(".orig.4294967295");
    char *name = malloc(room);
    int r = name ? -EEXIST : -ENOMEM;

    for (unsigned i = 0; i < NAMES && r == -EEXIST; i++) {
        if (i == 0)
            snprintf(name, room, "%s.orig", path);
        else
            snprintf(name, room, "%s.orig.%u", path, i);
        r = keep_as(path, old, name);
    }
    if (r == 0)
        *ret_name = name;
    else
        free(name);
    return r;
}
