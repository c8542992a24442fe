/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The C library's snprintf() brings the functions of open files with it, and these would be imports of
 * the module, under the names below. Nothing here opens a file, so none of them is ever called; they
 * fail in case one is.
 */
#include <stdint.h>
#include <wasi/api.h>

#define IMPORTED(name) __imported_wasi_snapshot_preview1_##name

int32_t IMPORTED(fd_close)(int32_t fd);
int32_t IMPORTED(fd_seek)(int32_t fd, int64_t offset, int32_t whence, int32_t ret_offset);
int32_t IMPORTED(fd_write)(int32_t fd, int32_t pieces, int32_t count, int32_t ret_size);

int32_t IMPORTED(fd_close)(int32_t fd)
{
    (void)fd;
    return __WASI_ERRNO_BADF;
}

int32_t IMPORTED(fd_seek)(int32_t fd, int64_t offset, int32_t whence, int32_t ret_offset)
{
    (void)fd, (void)offset, (void)whence, (void)ret_offset;
    return __WASI_ERRNO_BADF;
}

int32_t IMPORTED(fd_write)(int32_t fd, int32_t pieces, int32_t count, int32_t ret_size)
{
    (void)fd, (void)pieces, (void)count, (void)ret_size;
    return __WASI_ERRNO_BADF;
}
