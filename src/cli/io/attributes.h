/* SPDX-License-Identifier: Apache-2.0 */
/* Gives a file that replaces another one the old file's mode, owner, access control list and
 * `user.` attributes. */
#ifndef TK_CLI_IO_ATTRIBUTES_H
#define TK_CLI_IO_ATTRIBUTES_H

#include <sys/stat.h>

/* Gives a file the mode of a file that this process creates with open(). Returns 0 or a negative
 * errno. */
int cli_attributes_of_new(int fd);

/*
 * Gives a file the attributes of the one at `path`, whose stat is `old`. Returns 0, or a negative
 * errno if mode, owner or access control list can't be the same (-EPERM). `user.` attributes that
 * can't be copied are left out.
 */
int cli_attributes_copy(int fd, const char *path, const struct stat *old);

#endif
