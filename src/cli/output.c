/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define BUFFER    ((size_t)256 << 10)
#define TEMP_NAME ".turnkeeper.XXXXXX"

/* The temporary file that a signal has to take along; "" where there is none. */
static char doomed[PATH_MAX];

static void on_signal(int number)
{
    if (doomed[0])
        unlink(doomed);
    raise(number); /* SA_RESETHAND: the default action ends us */
}

static void watch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    struct sigaction now;

    for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
}

/* From the existence of the temporary file on, a signal that ends us removes it. */
static int make_temp(char *template)
{
    sigset_t all, before;
    int fd, error;

    watch_signals();
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    fd = mkstemp(template);
    error = errno;
    if (fd >= 0 && strlen(template) < sizeof(doomed))
        strcpy(doomed, template);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return fd >= 0 ? fd : -error;
}

/* The owner first: changing it takes set-user-ID bits away. */
static int dress(int fd, const struct stat *old)
{
    mode_t mask;

    if (old->st_nlink == 0) {
        mask = umask(0);
        umask(mask);
        return fchmod(fd, 0666 & ~mask) < 0 ? -errno : 0;
    }
    if (fchown(fd, old->st_uid, old->st_gid) < 0 || fchmod(fd, old->st_mode & 07777) < 0)
        return -errno;
    return 0;
}

static void forget_temp(struct cli_output *out)
{
    doomed[0] = '\0';
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
    fd = make_temp(out->temp);
    if (fd < 0) {
        forget_temp(out);
        return fd;
    }
    r = dress(fd, &out->old);
    out->file = r == 0 ? fdopen(fd, "w") : NULL;
    if (out->file)
        return 0;
    close(fd);
    return r < 0 ? r : -ENOMEM;
}

/* What stands at `name`: out->target is the place to replace, NULL for what is no regular file.
 * Asked with stat(), for /dev/stdout and its like lead to what has no path. */
static int find_target(struct cli_output *out, const char *name)
{
    if (stat(name, &out->old) == 0) {
        if (S_ISREG(out->old.st_mode))
            out->target = realpath(name, NULL);
        return S_ISREG(out->old.st_mode) && !out->target ? -errno : 0;
    }
    if (errno != ENOENT)
        return -errno;
    out->old = (struct stat){0};
    out->target = strdup(name); /* nothing there, or a link that leads nowhere */
    return out->target ? 0 : -ENOMEM;
}

static int open_directly(struct cli_output *out, const char *name)
{
    out->file = fopen(name, "we");
    return out->file ? 0 : -errno;
}

int cli_output_open(struct cli_output *out, const char *name)
{
    int r;

    *out = (struct cli_output){.name = name};
    if (!name || strcmp(name, "-") == 0) {
        out->name = "stdout";
        out->file = stdout;
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

int cli_output_open_in_place(struct cli_output *out, const char *name, const struct stat *in)
{
    int r;

    if (!S_ISREG(in->st_mode))
        return -EINVAL;
    r = cli_output_open(out, name);
    out->old = *in;
    return r;
}

int cli_output_put(struct cli_output *out, struct tk_str bytes)
{
    if (bytes.n == 0 || fwrite(bytes.p, 1, bytes.n, out->file) == bytes.n)
        return 0;
    return errno ? -errno : -EIO;
}

static bool same_time(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Whether the place holds what it held when we began. */
static bool is_unchanged(const struct cli_output *out)
{
    struct stat now;

    if (stat(out->target, &now) < 0)
        return errno == ENOENT && out->old.st_nlink == 0;
    return now.st_dev == out->old.st_dev && now.st_ino == out->old.st_ino &&
           now.st_size == out->old.st_size && same_time(&now.st_mtim, &out->old.st_mtim);
}

/* A rename lasts over a crash once its directory is on disk. */
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

/* Flushed, synced and closed, whatever comes of it. */
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

int cli_output_commit(struct cli_output *out)
{
    int r;

    if (out->file == stdout)
        return fflush(stdout) == 0 ? 0 : -errno;
    r = close_file(out);
    if (r == 0 && out->temp) {
        if (!is_unchanged(out))
            r = -ESTALE;
        else if (rename(out->temp, out->target) < 0)
            r = -errno;
        else {
            forget_temp(out);
            r = sync_directory(out->target);
        }
    }
    cli_output_abort(out);
    return r;
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
