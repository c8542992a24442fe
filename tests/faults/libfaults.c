/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a call of the C library fail. Loaded into a program by LD_PRELOAD, it counts the calls of
 * each function of its table and lets the one fail that a test has chosen by its number.
 *
 * The numbers are in a page of shared memory, the file that the environment's TK_FAULTS names, so
 * that a test sets them while the program runs:
 *
 *     test ── fail_at = calls + n, error ──> page <── calls, failed ── this library
 *
 * The page also has how many blocks of memory the program holds: what a failed call left over.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <malloc.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <unistd.h>

/* Each function that can fail. Those that allocate are one row, because a program may choose. */
#define FUNCTIONS(X)                                                                               \
    X(allocation)                                                                                  \
    X(accept4)                                                                                     \
    X(read)                                                                                        \
    X(readv)                                                                                       \
    X(recv)                                                                                        \
    X(write)                                                                                       \
    X(writev)                                                                                      \
    X(sendmsg)                                                                                     \
    X(sendto)                                                                                      \
    X(epoll_create1)                                                                               \
    X(epoll_ctl)                                                                                   \
    X(epoll_wait)                                                                                  \
    X(timerfd_create)                                                                              \
    X(eventfd)                                                                                     \
    X(signalfd)                                                                                    \
    X(socket)                                                                                      \
    X(bind)                                                                                        \
    X(listen)                                                                                      \
    X(getsockopt)                                                                                  \
    X(open)                                                                                        \
    X(getgrnam)                                                                                    \
    X(pthread_create)

enum function {
#define ENUM(name) FUNCTION_##name,
    FUNCTIONS(ENUM)
#undef ENUM
    FUNCTION_COUNT
};

/* Set as `error`: the call succeeds, with one byte of what it could have read or written. */
#define ONE_BYTE (-1)

struct row {
    char name[24];
    uint64_t calls;
    uint64_t fail_at; /* number of the call that fails, 0: none */
    uint64_t failed;  /* how many have failed */
    int64_t error;    /* errno of the failure, or ONE_BYTE */
};

struct page {
    int64_t blocks; /* of memory that the program holds */
    int64_t rows;
    struct row row[FUNCTION_COUNT];
};

static struct page own_page; /* until the shared one is there, or if there is none */
static struct page *page = &own_page;

/* A variable that each thread has, without memory that would have to be allocated for it. */
#define OWN __thread __attribute__((tls_model("initial-exec")))

/* Calls in progress in which nothing fails: see getgrnam() and pthread_getattr_np(). */
static OWN int spared;

/* Returns true if this call shall fail; errno is set then. */
static bool fails(enum function f)
{
    struct row *r = &page->row[f];
    uint64_t n;

    if (spared > 0)
        return false;
    n = __atomic_add_fetch(&r->calls, 1, __ATOMIC_SEQ_CST);
    if (n != __atomic_load_n(&r->fail_at, __ATOMIC_SEQ_CST))
        return false;
    (void)__atomic_add_fetch(&r->failed, 1, __ATOMIC_SEQ_CST);
    errno = (int)r->error;
    return true;
}

/*
 * Memory for dlsym() itself, which may ask for some and free it while it looks for the functions that
 * have it: never given back, and none of the program's.
 */
static _Alignas(16) char early[16384];
static size_t early_used;
/* volatile: the compiler believes that dlsym() calls nothing of this file. */
static OWN volatile bool looking;

static void *early_block(size_t n)
{
    size_t at = __atomic_fetch_add(&early_used, (n + 15) / 16 * 16, __ATOMIC_RELAXED);

    return at + n <= sizeof(early) ? early + at : NULL;
}

static bool is_early(const void *p)
{
    return (const char *)p >= early && (const char *)p < early + sizeof(early);
}

/* Finds the next definition of a function, after this library's. */
static void *next(const char *name, void **cache)
{
    void *found = __atomic_load_n(cache, __ATOMIC_ACQUIRE);

    if (!found) {
        looking = true;
        found = dlsym(RTLD_NEXT, name);
        looking = false;
        if (!found)
            abort();
        __atomic_store_n(cache, found, __ATOMIC_RELEASE);
    }
    return found;
}

#define NEXT(name)                                                                                 \
    static void *cache;                                                                            \
    const __typeof__(&(name)) real = (__typeof__(&(name)))next(#name, &cache)

/* Reads TK_FAULTS. The environment names the page, and no child of the program shall count in it. */
__attribute__((constructor)) static void attach(void)
{
    const char *path = getenv("TK_FAULTS");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct page *shared =
        fd < 0 ? MAP_FAILED
               : mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    (void)unsetenv("TK_FAULTS");
    (void)unsetenv("LD_PRELOAD");
    if (fd >= 0)
        (void)close(fd);
    if (shared == MAP_FAILED)
        return;
    shared->blocks = page->blocks;
    shared->rows = FUNCTION_COUNT;
#define NAME(function) strcpy(shared->row[FUNCTION_##function].name, #function);
    FUNCTIONS(NAME)
#undef NAME
    page = shared;
}

/* ---- memory ---- */

static void *counted(void *p)
{
    if (p)
        (void)__atomic_add_fetch(&page->blocks, 1, __ATOMIC_RELAXED);
    return p;
}

void *malloc(size_t n)
{
    if (looking)
        return early_block(n);

    NEXT(malloc);

    return fails(FUNCTION_allocation) ? NULL : counted(real(n));
}

void *calloc(size_t count, size_t n)
{
    if (looking)
        return early_block(count * n); /* never used before, so it is zero */

    NEXT(calloc);

    return fails(FUNCTION_allocation) ? NULL : counted(real(count, n));
}

void free(void *p)
{
    static OWN void *waiting; /* what dlsym() freed while it looked for free() */

    if (!p || is_early(p))
        return;
    if (looking) {
        waiting = p;
        return;
    }

    NEXT(free);

    (void)__atomic_sub_fetch(&page->blocks, 1, __ATOMIC_RELAXED);
    real(p);
    if (waiting) {
        p = waiting;
        waiting = NULL;
        free(p);
    }
}

void *realloc(void *p, size_t n)
{
    NEXT(realloc);

    if (!p)
        return malloc(n);
    if (n == 0) {
        free(p);
        return NULL;
    }
    return fails(FUNCTION_allocation) ? NULL : real(p, n);
}

void *aligned_alloc(size_t alignment, size_t n)
{
    NEXT(aligned_alloc);

    return fails(FUNCTION_allocation) ? NULL : counted(real(alignment, n));
}

int posix_memalign(void **ret, size_t alignment, size_t n)
{
    NEXT(posix_memalign);
    int r;

    if (fails(FUNCTION_allocation))
        return ENOMEM;
    r = real(ret, alignment, n);
    if (r == 0)
        (void)counted(*ret);
    return r;
}

/* ---- bytes ---- */

/* How a call that moves bytes ends: all of them, an error, or one byte. */
enum verdict {
    PASS,
    FAIL,
    SHORT
};

static enum verdict judge(enum function f)
{
    if (!fails(f))
        return PASS;
    return errno == ONE_BYTE ? SHORT : FAIL;
}

/* Defines a function that moves `n` bytes between a descriptor and memory. */
#define MOVER(name, parameters, n, ...)                                                            \
    ssize_t name parameters                                                                        \
    {                                                                                              \
        NEXT(name);                                                                                \
        enum verdict v = judge(FUNCTION_##name);                                                   \
                                                                                                   \
        if (v == FAIL)                                                                             \
            return -1;                                                                             \
        if (v == SHORT && n > 1)                                                                   \
            n = 1;                                                                                 \
        return real(__VA_ARGS__);                                                                  \
    }

MOVER(read, (int fd, void *to, size_t n), n, fd, to, n)
MOVER(recv, (int fd, void *to, size_t n, int flags), n, fd, to, n, flags)
MOVER(write, (int fd, const void *from, size_t n), n, fd, from, n)
MOVER(sendto,
      (int fd, const void *from, size_t n, int flags, const struct sockaddr *to, socklen_t size), n,
      fd, from, n, flags, to, size)

ssize_t readv(int fd, const struct iovec *iov, int count)
{
    NEXT(readv);
    enum verdict v = judge(FUNCTION_readv);

    if (v == FAIL)
        return -1;
    return v == SHORT && count > 0 ? read(fd, iov->iov_base, 1) : real(fd, iov, count);
}

ssize_t writev(int fd, const struct iovec *iov, int count)
{
    NEXT(writev);
    enum verdict v = judge(FUNCTION_writev);

    if (v == FAIL)
        return -1;
    return v == SHORT && count > 0 ? write(fd, iov->iov_base, 1) : real(fd, iov, count);
}

ssize_t sendmsg(int fd, const struct msghdr *m, int flags)
{
    NEXT(sendmsg);
    enum verdict v = judge(FUNCTION_sendmsg);

    if (v == FAIL)
        return -1;
    if (v == SHORT && m->msg_iovlen > 0)
        return send(fd, m->msg_iov[0].iov_base, 1, flags);
    return real(fd, m, flags);
}

/* ---- other calls ---- */

/* Defines a function whose failure is the value -1. */
#define CALL(name, parameters, ...)                                                                \
    int name parameters                                                                            \
    {                                                                                              \
        NEXT(name);                                                                                \
                                                                                                   \
        return fails(FUNCTION_##name) ? -1 : real(__VA_ARGS__);                                    \
    }

CALL(accept4, (int fd, struct sockaddr *to, socklen_t *size, int flags), fd, to, size, flags)
CALL(epoll_create1, (int flags), flags)
CALL(epoll_ctl, (int epoll, int op, int fd, struct epoll_event *e), epoll, op, fd, e)
CALL(epoll_wait, (int epoll, struct epoll_event *to, int most, int timeout), epoll, to, most,
     timeout)
CALL(timerfd_create, (int clock, int flags), clock, flags)
CALL(eventfd, (unsigned count, int flags), count, flags)
CALL(signalfd, (int fd, const sigset_t *set, int flags), fd, set, flags)
CALL(socket, (int domain, int type, int protocol), domain, type, protocol)
CALL(bind, (int fd, const struct sockaddr *to, socklen_t size), fd, to, size)
CALL(listen, (int fd, int backlog), fd, backlog)
CALL(getsockopt, (int fd, int level, int name, void *to, socklen_t *size), fd, level, name, to,
     size)

int open(const char *path, int flags, ...)
{
    NEXT(open);
    va_list args;
    mode_t mode;

    va_start(args, flags);
    mode = va_arg(args, mode_t); /* unused, and any value, where there is none */
    va_end(args);
    return fails(FUNCTION_open) ? -1 : real(path, flags, mode);
}

/* glibc ends the process, or uses a NULL pointer, when it lacks memory in here. So it fails as a whole. */
struct group *getgrnam(const char *name)
{
    NEXT(getgrnam);
    struct group *g;

    if (fails(FUNCTION_getgrnam))
        return NULL;
    spared++;
    g = real(name);
    spared--;
    return g;
}

/* ASan asks for it in each new thread, and ends the process when it fails. */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *to)
{
    NEXT(pthread_getattr_np);
    int r;

    spared++;
    r = real(thread, to);
    spared--;
    return r;
}

int pthread_create(pthread_t *ret, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *arg)
{
    NEXT(pthread_create);

    /* Unlike the others it returns its error. */
    return fails(FUNCTION_pthread_create) ? (int)page->row[FUNCTION_pthread_create].error
                                          : real(ret, attributes, run, arg);
}
