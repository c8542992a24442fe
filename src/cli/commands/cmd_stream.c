/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turnkeeper stream: a provider's stream from stdin to stdout, live.
 *
 *     read(0) ─> stream.feed ─> outputs ─> write(1)
 *        └─ end, or the stream's own ─> stream.end ─> outputs, message, turn, error
 *
 * Nothing is kept waiting: bytes are fed as read() gives them, and what comes out is flushed before
 * the next read.
 */
#include "cli/commands/stream.h"
#include "cli/commands/stream_files.h"
#include "cli/show/pretty.h"
#include "cli/show/term.h"
#include "value/base64.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#define READ_SIZE ((size_t)64 << 10)

/* ---- stdout ---- */

static int write_failed(void)
{
    return cli_fail("cannot write to stdout: %m");
}

/* Prints the bytes of an output: text, or base64 if they are none. */
static int put_bytes(struct tk_val output, struct tk_arena *arena)
{
    struct tk_val base64 = tk_get(output, TK_STR("data_base64"));
    struct tk_str bytes = tk_text(tk_get(output, TK_STR("data")), arena);

    if (tk_exists(base64) && tk_base64_decode(tk_text(base64, arena), arena, &bytes) != 0)
        return cli_fail("out of memory");
    if (bytes.n)
        cli_print_text(stdout, isatty(STDOUT_FILENO), bytes);
    return 0;
}

/* Prints the outputs of an answer. With --emit wire and sse they are bytes, else each is a line of
 * JSON. */
static int put_outputs(struct cli_stream *s)
{
    struct tk_val outputs = tk_get(s->reply.result, TK_STR("outputs"));
    struct tk_arena *arena = &s->reply.reading.arena;
    const char *emit = s->args->value[CLI_OPT_EMIT];
    bool as_bytes = !emit || strcmp(emit, "wire") == 0 || strcmp(emit, "sse") == 0;
    int failed = 0;

    for (struct tk_val o = tk_first(outputs); tk_exists(o) && !failed; o = tk_after(outputs, o)) {
        if (as_bytes)
            failed = put_bytes(o, arena);
        else
            cli_print_json_line(o, arena);
    }
    if (failed)
        return failed;
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : write_failed();
}

/* ---- stdin ---- */

/*
 * Waits for bytes, and while the stream is `open` also for the reader of stdout to go away. While a
 * call is held back there is no write that would fail with EPIPE. Returns 0 or a failure's status.
 */
static int await(bool open)
{
    struct pollfd fds[] = {{STDIN_FILENO, POLLIN, 0}, {STDOUT_FILENO, 0, 0}};

    while (poll(fds, open ? 2 : 1, -1) < 0)
        if (errno != EINTR)
            return cli_fail("poll: %m");
    if (!(fds[1].revents & (POLLERR | POLLHUP)))
        return 0;
    raise(SIGPIPE); /* as a write would; if it is ignored, return the status */
    errno = EPIPE;
    return write_failed();
}

/* Waits and reads. Returns 0 or a failure's status; *ret_n is the result of read(). */
static int read_some(uint8_t *bytes, bool open, ssize_t *ret_n)
{
    int failed;

    do {
        failed = await(open);
        if (failed)
            return failed;
        *ret_n = read(STDIN_FILENO, bytes, READ_SIZE);
    } while (*ret_n < 0 && (errno == EINTR || errno == EAGAIN));
    return 0;
}

/* Filters stdin to stdout until the bytes or the stream end. */
static int filter(struct cli_stream *s, uint8_t *bytes)
{
    char why[256];
    ssize_t n = 0;
    int failed = 0;

    while (!failed && cli_stream_is(s, "open")) {
        failed = read_some(bytes, true, &n);
        if (failed || n <= 0)
            break;
        failed = cli_stream_feed(s, (struct tk_str){(const char *)bytes, (size_t)n});
        if (!failed)
            failed = put_outputs(s);
    }
    if (failed)
        return failed;
    if (n < 0)
        snprintf(why, sizeof(why), "input could not be read: %s", strerror(errno));
    failed = cli_stream_end(s, n < 0 ? why : NULL);
    return failed ? failed : put_outputs(s);
}

/* Drains trailing input (an empty line, "[DONE]") so that the writer doesn't get SIGPIPE. */
static void drain(uint8_t *bytes)
{
    ssize_t n = 1;

    while (n > 0 && read_some(bytes, false, &n) == 0)
        continue;
}

/* ---- the end ---- */

/* True for members of an error that report() prints in another way, or that are only for
 * programs. */
static bool is_said(struct tk_val member)
{
    static const struct tk_str names[] = {
        TK_STR_INIT("type"), TK_STR_INIT("kind"),  TK_STR_INIT("kinds"), TK_STR_INIT("retryable"),
        TK_STR_INIT("text"), TK_STR_INIT("error"), TK_STR_INIT("data"),
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (tk_key_is(member, names[i]))
            return true;
    return false;
}

/* Prints one line: "stream failed, retryable: KIND, KIND: TEXT (ids=[...])". */
static int report(struct cli_stream *s)
{
    struct cli_sink err = {stderr, false, isatty(STDERR_FILENO)};
    struct tk_arena *arena = &s->reply.reading.arena;
    struct tk_val error = tk_get(s->reply.result, TK_STR("error"));
    struct tk_val kinds = tk_get(error, TK_STR("kinds"));
    bool retryable = tk_is(tk_get(error, TK_STR("retryable")), TK_TRUE);
    const char *before = ": ";

    fprintf(stderr, "turnkeeper: stream failed%s", retryable ? ", retryable" : "");
    for (struct tk_val k = tk_first(kinds); tk_exists(k); k = tk_after(kinds, k), before = ", ") {
        fputs(before, stderr);
        cli_print(&err, tk_text(k, arena));
    }
    fputs(": ", stderr);
    cli_print(&err, tk_text(tk_get(error, TK_STR("text")), arena));
    before = " (";
    for (struct tk_val m = tk_first(error); tk_exists(m); m = tk_after(error, m)) {
        if (is_said(m))
            continue;
        fputs(before, stderr);
        cli_print(&err, tk_raw_key(m));
        fputc('=', stderr);
        cli_print(&err, tk_span(m));
        before = ", ";
    }
    fputs(*before == ',' ? ")\n" : "\n", stderr);
    return retryable ? CLI_EXIT_AGAIN : CLI_EXIT_ERRORS;
}

static int run(struct cli_stream *s, struct cli_stream_files *files, uint8_t *bytes)
{
    bool done;
    int status, failed = filter(s, bytes);

    if (failed)
        return failed;
    done = cli_stream_is(s, "done");
    failed = cli_stream_files_write(files, s->reply.result, done);
    if (done) {
        if (!failed)
            drain(bytes);
        return failed;
    }
    status = report(s);
    return failed ? failed : status;
}

int cli_cmd_stream(const struct cli_args *args)
{
    static uint8_t bytes[READ_SIZE];
    struct cli_stream_files files;
    struct cli_stream s;
    int status = cli_stream_files_open(&files, args);

    if (status == 0) {
        setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
        status = cli_stream_open(&s, args);
        if (status == 0)
            status = run(&s, &files, bytes);
        cli_stream_close(&s);
    }
    cli_stream_files_abort(&files);
    return status;
}
