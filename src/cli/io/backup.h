/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the original of a file that is about to be replaced as FILE.orig, or FILE.orig.1 and so on
 * if that name is taken; nothing is overwritten. It is a hard link, so that it keeps all
 * attributes. It is a copy if the file system has no hard links, or if the file has other names
 * already: a write through one of those would change the original.
 */
#ifndef TK_CLI_IO_BACKUP_H
#define TK_CLI_IO_BACKUP_H

#include <sys/stat.h>

/*
 * Keeps the file at `path`, whose stat is `old`. *ret_name is the new name, to be freed. Until
 * cli_temp_keep() a signal removes a copy. Returns 0, -ESTALE if `path` is another file by now,
 * -EEXIST if all names are taken, or another negative errno; then there is no second name.
 */
int cli_backup_make(const char *path, const struct stat *old, char **ret_name);

#endif
