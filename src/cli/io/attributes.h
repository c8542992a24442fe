/* SPDX-License-Identifier: Apache-2.0 */
/* Mode, owner, access control list and `user.` attributes of a file, put on the one that replaces
 * it. */
#ifndef TK_CLI_IO_ATTRIBUTES_H
#define TK_CLI_IO_ATTRIBUTES_H

#include <sys/stat.h>

/* Gives a file what a new file of that process would have. Returns 0 or a negative errno. */
int cli_attributes_of_new(int fd);

/*
 * Gives a file what the one at `path` has, whose stat is `old`. Returns 0, or a negative errno if
 * mode, owner or access control list can't be the same (-EPERM). `user.` attributes are copied as
 * far as possible.
 */
int cli_attributes_copy(int fd, const char *path, const struct stat *old);

#endif
