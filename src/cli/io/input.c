/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/io/input.h"

#include "cli/io/elements.h"
#include "cli/io/history.h"
#include "cli/show/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#define WINDOW ((size_t)1 << 20)
/* A document that the window cuts off may look broken up to this many bytes before the cut: the cut
 * may be inside a literal, a surrogate pair or a character. */
#define CUT_SLACK 16

/* Appends one read() to the window, which holds at most `max` bytes and one more. */
static int fill(struct cli_input *in)
{
    size_t room;
    ssize_t n;

    if (in->at > 0 && in->window.n == in->window.room) {
        in->window.n -= in->at;
        memmove(cli_buf_at(&in->window), cli_buf_at(&in->window) + in->at, in->window.n);
        in->at = 0;
    }
    if (in->window.n == in->window.room &&
        cli_buf_reserve(&in->window, in->window.n ? in->window.n : WINDOW) < 0)
        return -ENOMEM;
    room = in->window.room - in->window.n;
    if (room > in->options.max + 1 - (in->window.n - in->at))
        room = in->options.max + 1 - (in->window.n - in->at);
    do
        n = read(in->fd, cli_buf_at(&in->window) + in->window.n, room);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    in->window.n += (size_t)n;
    in->ended = n == 0;
    if (!in->lines)
        cli_progress_update(in->options.progress, in->window.n);
    return 0;
}

/* Reads until the window has `want` bytes or the file ends. */
static int fill_to(struct cli_input *in, size_t want)
{
    int r = 0;

    while (r == 0 && !in->ended && in->window.n < want)
        r = fill(in);
    return r;
}

/* Skips a byte order mark at the start of the file. */
static int skip_mark(struct cli_input *in)
{
    static const char mark[] = {'\xef', '\xbb', '\xbf'};
    int r = fill_to(in, sizeof(mark));

    in->marked = r == 0 && in->window.n >= sizeof(mark) &&
                 memcmp(cli_buf_at(&in->window), mark, sizeof(mark)) == 0;
    if (in->marked) {
        in->window.n -= sizeof(mark);
        memmove(cli_buf_at(&in->window), cli_buf_at(&in->window) + sizeof(mark), in->window.n);
    }
    return r;
}

/* Returns the bytes of the window that no record has used yet. */
static struct tk_str rest(const struct cli_input *in)
{
    struct tk_str all = cli_buf_str(&in->window);

    return (struct tk_str){all.p + in->at, all.n - in->at};
}

/* ---- one document or many ---- */

enum input_verdict {
    ONE_DOCUMENT,
    LINES,
    ELEMENTS,
    UNDECIDED,
};

/* Facts about the lines of a window. */
struct lines {
    bool any;         /* one isn't blank */
    bool first_reads; /* the first such line is a document */
    bool history;     /* one could be judged */
    bool others;      /* one is a document but not an object */
};

static void look_at(struct cli_reading *reading, struct tk_str line, struct lines *ret)
{
    bool reads = (*line.p == '{' || *line.p == '[') && cli_read_json(reading, line) == 0;
    struct tk_val root = tk_root(&reading->doc);

    if (!ret->any)
        ret->first_reads = reads;
    ret->any = true;
    ret->history = ret->history || (reads && cli_history_is(root));
    ret->others = ret->others || (reads && !tk_is(root, TK_OBJECT));
}

static struct lines look_at_lines(struct cli_reading *reading, struct tk_str window, bool ended)
{
    const char *p = window.p, *end = window.p + window.n;
    struct lines lines = {.any = false};

    while (p < end && !lines.history) {
        const char *lf = memchr(p, '\n', (size_t)(end - p));
        struct tk_str line = {p, (size_t)((lf ? lf : end) - p)};

        if (!lf && !ended)
            break;
        p = lf ? lf + 1 : end;
        if (!cli_is_blank_line(line))
            look_at(reading, line, &lines);
    }
    return lines;
}

static int judge_lines(struct cli_reading *reading, struct tk_str window, bool ended, bool at)
{
    struct lines lines = look_at_lines(reading, window, ended);

    if (lines.history)
        return LINES;
    if (!lines.first_reads)
        return ended ? ONE_DOCUMENT : UNDECIDED;
    return lines.others || at ? LINES : ELEMENTS;
}

/* Decides if the window is one document or lines. Returns a verdict or a negative errno. */
static int judge(struct cli_reading *reading, struct tk_str window, bool ended, bool at)
{
    int r = cli_read_json(reading, window);

    if (r < 0)
        return r;
    if (r == 0 || (!ended && reading->error.offset + CUT_SLACK >= window.n))
        return ended ? ONE_DOCUMENT : UNDECIDED;
    return judge_lines(reading, window, ended, at);
}

static int find_form(struct cli_input *in)
{
    struct cli_reading reading;
    size_t want = WINDOW;
    int r = skip_mark(in);

    if (r < 0)
        return r;
    cli_reading_init(&reading);
    do {
        if (want > in->options.max + 1)
            want = in->options.max + 1;
        r = fill_to(in, want);
        if (r == 0)
            r = judge(&reading, rest(in), in->ended, in->options.at);
        want *= 2;
    } while (r == UNDECIDED && in->window.n <= in->options.max);
    in->lines = r == LINES;
    in->elements = r == ELEMENTS;
    if (r == ELEMENTS)
        r = fill_to(in, in->options.max + 1);
    cli_reading_done(&reading);
    return r < 0 ? r : 0;
}

/* ---- records ---- */

static int next_document(struct cli_input *in, struct cli_record *ret)
{
    if (in->taken)
        return 0;
    in->taken = true;
    in->done = in->window.n;
    *ret = (struct cli_record){.buf = &in->window, .text = cli_buf_str(&in->window)};
    if (in->window.n > in->options.max) {
        ret->kind = CLI_TOO_LONG;
    } else if (in->elements) {
        if (cli_elements_join(&in->record, cli_buf_str(&in->window)) < 0)
            return -ENOMEM;
        ret->buf = &in->record;
    }
    return 1;
}

/* Fills the window until it has a whole line, has more bytes than a line may have, or the file
 * ends. */
static int await_line(struct cli_input *in, const char **ret_lf)
{
    const char *lf = NULL;
    size_t seen = 0;

    for (;;) {
        struct tk_str window = rest(in);
        int r;

        if (window.n > seen)
            lf = memchr(window.p + seen, '\n', window.n - seen);
        if (lf || in->ended || window.n > in->options.max)
            break;
        seen = window.n;
        r = fill(in);
        if (r < 0)
            return r;
    }
    *ret_lf = lf;
    return 0;
}

static enum cli_record_kind kind_of(const struct cli_input *in, struct tk_str text)
{
    if (in->long_line)
        return CLI_TOO_LONG_REST;
    if (text.n > in->options.max)
        return CLI_TOO_LONG;
    return cli_is_blank_line(text) ? CLI_BLANK_LINE : CLI_DOCUMENT;
}

static int next_line(struct cli_input *in, struct cli_record *ret)
{
    const char *lf = NULL;
    struct tk_str text;
    int r = in->line == 0 && in->options.lines && !in->long_line ? skip_mark(in) : 0;

    if (r == 0)
        r = await_line(in, &lf);
    text = rest(in);
    if (r < 0 || text.n == 0)
        return r;
    if (lf)
        text.n = (size_t)(lf - text.p);
    *ret = (struct cli_record){kind_of(in, text), 0, &in->record, text, {"\n", lf ? 1 : 0}};
    in->line += ret->kind != CLI_TOO_LONG_REST;
    ret->line = in->line;
    in->long_line = !lf && ret->kind >= CLI_TOO_LONG;
    in->at += text.n + ret->end.n;
    in->done += text.n + ret->end.n;
    if (ret->kind < CLI_TOO_LONG) {
        in->record.n = 0;
        r = cli_buf_add(&in->record, text.p, text.n);
        ret->text = cli_buf_str(&in->record);
    }
    return r < 0 ? r : 1;
}

int cli_input_next(struct cli_input *in, struct cli_record *ret_record)
{
    return in->lines ? next_line(in, ret_record) : next_document(in, ret_record);
}

bool cli_input_ready(const struct cli_input *in)
{
    struct tk_str window = rest(in);

    return window.n > 0 && memchr(window.p, '\n', window.n) != NULL;
}

int cli_input_open(struct cli_input *in, const char *name, const struct cli_input_options *options)
{
    bool is_stdin = strcmp(name, "-") == 0;
    int r;

    *in = (struct cli_input){
        .name = is_stdin ? "stdin" : name, .lines = options->lines, .options = *options};
    in->fd = is_stdin ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (in->fd < 0 || fstat(in->fd, &in->st) < 0)
        r = -errno;
    else if (cli_buf_reserve(&in->window, WINDOW) < 0)
        r = -ENOMEM;
    else
        r = in->lines ? 0 : find_form(in);
    if (r < 0)
        cli_input_close(in);
    return r;
}

void cli_input_close(struct cli_input *in)
{
    if (in->fd > STDIN_FILENO)
        close(in->fd);
    in->fd = -1;
    cli_buf_done(&in->window);
    cli_buf_done(&in->record);
}
