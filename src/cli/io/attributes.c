/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/attributes.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ACL "system.posix_acl_access"
/* The kernel's limits for a value and for a list of names, in bytes (XATTR_SIZE_MAX,
 * XATTR_LIST_MAX). */
#define ATTRIBUTE_MAX 65536

/* True for errors which say that the file or its file system lacks this attribute. */
static bool is_absent(int error)
{
    return error == ENODATA || error == ENOTSUP || error == ENOSYS;
}

int cli_attributes_of_new(int fd)
{
    mode_t mask = umask(0);

    umask(mask);
    return fchmod(fd, 0666 & ~mask) < 0 ? -errno : 0;
}

/* Copies the access control list. The new file has its folder's default list: it is removed if the
 * old file had no list. */
static int copy_acl(int fd, const char *path, char *value)
{
    ssize_t n = getxattr(path, ACL, value, ATTRIBUTE_MAX);

    if (n < 0 && !is_absent(errno))
        return -errno;
    if (n < 0)
        return fremovexattr(fd, ACL) < 0 && !is_absent(errno) ? -errno : 0;
    return fsetxattr(fd, ACL, value, (size_t)n, 0) < 0 ? -errno : 0;
}

static void copy_user_attributes(int fd, const char *path, char *names, char *value)
{
    ssize_t size = listxattr(path, names, ATTRIBUTE_MAX);

    for (ssize_t at = 0; at < size; at += (ssize_t)strlen(names + at) + 1) {
        ssize_t n = -1;

        if (strncmp(names + at, "user.", strlen("user.")) == 0)
            n = getxattr(path, names + at, value, ATTRIBUTE_MAX);
        if (n >= 0)
            (void)fsetxattr(fd, names + at, value, (size_t)n, 0);
    }
}

/* Sets the owner first, since chown clears set-user-ID bits, and the mode after the access control
 * list, which changes bits of the mode. */
int cli_attributes_copy(int fd, const char *path, const struct stat *old)
{
    char *buf = malloc(2 * ATTRIBUTE_MAX);
    int r = buf ? 0 : -ENOMEM;

    if (r == 0 && fchown(fd, old->st_uid, old->st_gid) < 0)
        r = -errno;
    if (r == 0)
        r = copy_acl(fd, path, buf);
    if (r == 0 && fchmod(fd, old->st_mode & 07777) < 0)
        r = -errno;
    if (r == 0)
        copy_user_attributes(fd, path, buf, buf + ATTRIBUTE_MAX);
    free(buf);
    return r;
}
