/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures what a client of the socket sees, next to what is possible, in one run: rounds of
 * the things compared take turns. A rate is the median over the rounds; of trips the fastest
 * counts, since other load of the machine can only add to them.
 *
 *     bench_socket [--json] frames SOCKET FILE...
 *         One client, one request at a time. FILE: a whole request, JSON or msgpack. The floor is
 *         the same frame sent to a forked server of ours that reads it and answers 64 bytes.
 *     bench_socket [--json] rate CONNECTIONS ping=SOCKET [memcached=SOCKET]
 *         Requests a second over that many connections, no pipelining, one load program.
 *     bench_socket [--json] idle SOCKET CONNECTIONS PID
 *         Memory (PSS) of an idle daemon, and what each idle connection adds.
 *
 * Prints a table for people; with --json one object a line.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS          15
#define ROUND_NS        ((uint64_t)30 * 1000 * 1000)
#define RATE_ROUNDS     9
#define RATE_ROUND_NS   ((uint64_t)300 * 1000 * 1000)
#define CONNECTIONS_MAX 64
#define TARGETS_MAX     4
#define FLOOR_ANSWER    64

static bool json;

static void die(const char *what)
{
    fprintf(stderr, "bench_socket: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, size_t n)
{
    qsort(values, n, sizeof(*values), compare_doubles);
    return values[n / 2];
}

static int connect_to(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0 || strlen(path) >= sizeof(address.sun_path))
        die("socket");
    strcpy(address.sun_path, path);
    if (connect(fd, (struct sockaddr *)&address, sizeof(address)) != 0)
        die(path);
    return fd;
}

/* ---- whole frames over blocking sockets ---- */

static bool read_all(int fd, void *to, size_t n)
{
    char *at = to;

    while (n > 0) {
        ssize_t got = read(fd, at, n);

        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        at += got;
        n -= (size_t)got;
    }
    return true;
}

static bool write_frame(int fd, const void *bytes, size_t n)
{
    uint32_t header = htonl((uint32_t)n);
    struct iovec iov[2] = {{&header, sizeof(header)}, {(void *)(uintptr_t)bytes, n}};
    int first = 0;

    while (first < 2) {
        ssize_t sent = writev(fd, iov + first, 2 - first);

        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        while (first < 2 && (size_t)sent >= iov[first].iov_len)
            sent -= (ssize_t)iov[first++].iov_len;
        if (first < 2) {
            iov[first].iov_base = (char *)iov[first].iov_base + sent;
            iov[first].iov_len -= (size_t)sent;
        }
    }
    return true;
}

/* A buffer that grows to the largest frame seen. */
struct room {
    char *bytes;
    size_t size;
};

/* Reads one frame; its length, or -1 at the end of the connection. */
static ssize_t read_frame(int fd, struct room *room)
{
    uint32_t header;
    size_t n;

    if (!read_all(fd, &header, sizeof(header)))
        return -1;
    n = ntohl(header);
    if (n > room->size) {
        room->bytes = realloc(room->bytes, n);
        if (!room->bytes)
            die("memory");
        room->size = n;
    }
    return read_all(fd, room->bytes, n) ? (ssize_t)n : -1;
}

/* ---- frames ---- */

/* The floor: a child that reads frames and answers as many bytes as a short result has. */
static int start_floor(pid_t *ret_pid)
{
    static const char answer[FLOOR_ANSWER];
    struct room room = {NULL, 0};
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0)
        die("socketpair");
    *ret_pid = fork();
    if (*ret_pid < 0)
        die("fork");
    if (*ret_pid > 0) {
        close(pair[1]);
        return pair[0];
    }
    close(pair[0]);
    while (read_frame(pair[1], &room) >= 0 && write_frame(pair[1], answer, sizeof(answer)))
        continue;
    _exit(0);
}

/* The fastest round trip of one round, in microseconds. */
static double frame_round(int fd, const struct room *request, struct room *answer)
{
    uint64_t begin = now_ns(), last = begin, least = UINT64_MAX;

    while (last - begin < ROUND_NS) {
        uint64_t now;

        if (!write_frame(fd, request->bytes, request->size) || read_frame(fd, answer) < 0)
            die("the connection ended");
        now = now_ns();
        least = now - last < least ? now - last : least;
        last = now;
    }
    return (double)least / 1000;
}

static struct room read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct room room = {malloc(1U << 30), 0};

    if (!file || !room.bytes)
        die(path);
    room.size = fread(room.bytes, 1, 1U << 30, file);
    if (ferror(file) || room.size == 0)
        die(path);
    fclose(file);
    return room;
}

static void bench_file(const char *path, int daemon, int floor)
{
    struct room request = read_file(path), answer = {NULL, 0};
    double figures[2];
    const int fds[2] = {floor, daemon};

    for (int target = 0; target < 2; target++) /* warm up */
        figures[target] = frame_round(fds[target], &request, &answer);
    for (int round = 0; round < ROUNDS; round++)
        for (int target = 0; target < 2; target++) {
            double us = frame_round(fds[target], &request, &answer);

            figures[target] = us < figures[target] ? us : figures[target];
        }
    printf(json ? "{\"file\": \"%s\", \"bytes\": %zu, \"floor_us\": %.2f, \"daemon_us\": %.2f, "
                  "\"ratio\": %.3f}\n"
                : "%-32s %9zu bytes   floor %9.2f us   daemon %9.2f us   ratio %6.2f\n",
           path, request.size, figures[0], figures[1], figures[1] / figures[0]);
    fflush(stdout);
    free(request.bytes);
    free(answer.bytes);
}

static int frames(int argc, char **argv)
{
    pid_t pid;
    int floor, daemon;

    if (argc < 2)
        return 2;
    floor = start_floor(&pid);
    daemon = connect_to(argv[0]);
    for (int i = 1; i < argc; i++)
        bench_file(argv[i], daemon, floor);
    close(floor);
    close(daemon);
    return waitpid(pid, NULL, 0) == pid ? 0 : 1;
}

/* ---- rate ---- */

/* Per protocol: the request, the end of an answer, and what must be done first. */
static const struct protocol {
    const char *name, *setup, *request, *end;
    bool framed;
} protocols[] = {
    {"ping", NULL, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}", "}}", true},
    {"memcached", "set k 0 0 3\r\nabc\r\n", "get k\r\n", "END\r\n", false},
};

struct target {
    const struct protocol *protocol;
    const char *path;
    int fds[CONNECTIONS_MAX];
    char request[128];
    size_t request_size;
    double rates[RATE_ROUNDS];
};

static bool ends_with(const char *bytes, size_t n, const char *end)
{
    size_t length = strlen(end);

    return n >= length && memcmp(bytes + n - length, end, length) == 0;
}

static void setup(const struct target *t)
{
    const char *text = t->protocol->setup;
    char answer[256];

    if (text &&
        (write(t->fds[0], text, strlen(text)) < 0 || read(t->fds[0], answer, sizeof(answer)) < 0))
        die(t->path);
}

static void open_target(struct target *t, const char *argument, size_t connections)
{
    const char *path = strchr(argument, '=');
    size_t n, header = 0;

    for (size_t i = 0; path && i < sizeof(protocols) / sizeof(protocols[0]); i++) {
        n = strlen(protocols[i].name);
        if ((size_t)(path - argument) == n && memcmp(argument, protocols[i].name, n) == 0)
            t->protocol = &protocols[i];
    }
    if (!path || !t->protocol) {
        errno = EINVAL;
        die(argument);
    }
    t->path = path + 1;
    n = strlen(t->protocol->request);
    if (t->protocol->framed) {
        uint32_t length = htonl((uint32_t)n);

        memcpy(t->request, &length, sizeof(length));
        header = sizeof(length);
    }
    memcpy(t->request + header, t->protocol->request, n);
    t->request_size = header + n;
    for (size_t i = 0; i < connections; i++)
        t->fds[i] = connect_to(t->path);
    setup(t);
}

/* One turn of the load: every connection that got its answer asks again. */
static unsigned ask_again(const struct target *t, const struct epoll_event *events, int n)
{
    char answer[4096];
    unsigned done = 0;

    for (int i = 0; i < n; i++) {
        ssize_t got = read(events[i].data.fd, answer, sizeof(answer));

        if (got <= 0 || !ends_with(answer, (size_t)got, t->protocol->end))
            die("an answer");
        if (write(events[i].data.fd, t->request, t->request_size) != (ssize_t)t->request_size)
            die("a request");
        done++;
    }
    return done;
}

static double rate_round(const struct target *t, size_t connections)
{
    struct epoll_event events[CONNECTIONS_MAX];
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    uint64_t begin = now_ns(), end = begin;
    unsigned done = 0;
    char last[4096];

    if (epoll < 0)
        die("epoll");
    for (size_t i = 0; i < connections; i++) {
        struct epoll_event e = {.events = EPOLLIN, .data.fd = t->fds[i]};

        if (epoll_ctl(epoll, EPOLL_CTL_ADD, t->fds[i], &e) != 0 ||
            write(t->fds[i], t->request, t->request_size) != (ssize_t)t->request_size)
            die(t->path);
    }
    while (end - begin < RATE_ROUND_NS) {
        int n = epoll_wait(epoll, events, CONNECTIONS_MAX, 1000);

        if (n <= 0)
            die("no answer");
        done += ask_again(t, events, n);
        end = now_ns();
    }
    for (size_t i = 0; i < connections; i++)
        if (read(t->fds[i], last, sizeof(last)) <= 0)
            die(t->path);
    close(epoll);
    return done / ((double)(end - begin) / 1e9);
}

static void print_rates(struct target *targets, size_t count, size_t connections)
{
    double first = 0;

    for (size_t i = 0; i < count; i++) {
        double rate = median(targets[i].rates, RATE_ROUNDS);

        printf(json ? "{\"target\": \"%s\", \"connections\": %zu, \"requests_s\": %.0f}\n"
                    : "%-12s %3zu connections %10.0f requests/s\n",
               targets[i].protocol->name, connections, rate);
        if (i == 0)
            first = rate;
        else
            printf(json ? "{\"ratio\": \"%s/%s\", \"value\": %.3f}\n" : "%s/%s %34.2f\n",
                   targets[0].protocol->name, targets[i].protocol->name, first / rate);
    }
}

static int rate(int argc, char **argv)
{
    static struct target targets[TARGETS_MAX];
    size_t connections = argc > 0 ? (size_t)atoi(argv[0]) : 0;
    size_t count = argc > 1 ? (size_t)argc - 1 : 0;

    if (connections < 1 || connections > CONNECTIONS_MAX || count < 1 || count > TARGETS_MAX)
        return 2;
    for (size_t i = 0; i < count; i++)
        open_target(&targets[i], argv[i + 1], connections);
    for (size_t i = 0; i < count; i++) /* warm up */
        (void)rate_round(&targets[i], connections);
    for (size_t round = 0; round < RATE_ROUNDS; round++)
        for (size_t i = 0; i < count; i++)
            targets[i].rates[round] = rate_round(&targets[i], connections);
    print_rates(targets, count, connections);
    return 0;
}

/* ---- idle ---- */

static long pss_kb(const char *pid)
{
    char path[64], line[256];
    FILE *file;
    long kb = -1;

    snprintf(path, sizeof(path), "/proc/%s/smaps_rollup", pid);
    file = fopen(path, "r");
    if (!file)
        die(path);
    while (kb < 0 && fgets(line, sizeof(line), file))
        if (sscanf(line, "Pss: %ld", &kb) != 1)
            kb = -1;
    fclose(file);
    return kb;
}

static int idle(int argc, char **argv)
{
    static const char ping[] = "{\"id\":1,\"method\":\"ping\"}";
    struct room answer = {NULL, 0};
    long before, after;
    int connections;

    if (argc != 3)
        return 2;
    connections = atoi(argv[1]);
    before = pss_kb(argv[2]);
    for (int i = 0; i < connections; i++) { /* left open until we end */
        int fd = connect_to(argv[0]);

        if (!write_frame(fd, ping, sizeof(ping) - 1) || read_frame(fd, &answer) < 0)
            die("ping");
    }
    after = pss_kb(argv[2]);
    free(answer.bytes);
    printf(json ? "{\"idle_daemon_pss_kb\": %ld, \"idle_connection_pss_kb\": %.2f}\n"
                : "idle daemon %ld KB PSS, idle connection %.2f KB PSS\n",
           before, (double)(after - before) / connections);
    return 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(int argc, char **argv);
    } modes[] = {{"frames", frames}, {"rate", rate}, {"idle", idle}};
    int r = 2, first = 1;

    signal(SIGPIPE, SIG_IGN);
    if (first < argc && strcmp(argv[first], "--json") == 0) {
        json = true;
        first++;
    }
    for (size_t i = 0; first < argc && i < sizeof(modes) / sizeof(modes[0]); i++)
        if (strcmp(argv[first], modes[i].name) == 0)
            r = modes[i].run(argc - first - 1, argv + first + 1);
    if (r == 2)
        fprintf(stderr, "usage: bench_socket [--json] frames SOCKET FILE...\n"
                        "       bench_socket [--json] rate CONNECTIONS ping=SOCKET "
                        "[memcached=SOCKET]\n"
                        "       bench_socket [--json] idle SOCKET CONNECTIONS PID\n");
    return r;
}
