/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/term.h"

#include "value/unicode.h"

#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *const style_codes[CLI_STYLE_COUNT] = {
    [CLI_PLAIN] = "\033[0m",      [CLI_BOLD] = "\033[1m",    [CLI_ERROR] = "\033[1;31m",
    [CLI_WARNING] = "\033[1;35m", [CLI_NOTE] = "\033[1;36m", [CLI_OLD] = "\033[31m",
    [CLI_NEW] = "\033[32m",
};

static bool wants_color(int fd, const struct cli_args *args)
{
    const char *when = args->value[CLI_OPT_COLOR];
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    if (when && strcmp(when, "auto") != 0)
        return strcmp(when, "always") == 0;
    if (no_color && *no_color)
        return false;
    return isatty(fd) && term && strcmp(term, "dumb") != 0;
}

struct cli_sink cli_sink_open(FILE *file, const struct cli_args *args)
{
    return (struct cli_sink){file, wants_color(fileno(file), args), isatty(fileno(file))};
}

void cli_style(const struct cli_sink *sink, enum cli_style style)
{
    if (sink->color)
        fputs(style_codes[style], sink->file);
}

void cli_styled(const struct cli_sink *sink, enum cli_style style, const char *text)
{
    cli_style(sink, style);
    fputs(text, sink->file);
    cli_style(sink, CLI_PLAIN);
}

/* Decodes one code point of UTF-8, which is *ret_n bytes long; lone surrogates are accepted.
 * Returns U+FFFD for a stray byte. */
static unsigned decode(const unsigned char *p, size_t n, size_t *ret_n)
{
    size_t length = p[0] < 0x80 ? 1 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    unsigned point = length == 1 ? p[0] : p[0] & (0x7fu >> length);
    bool surrogate = n >= 3 && p[0] == 0xed && (p[1] & 0xe0) == 0xa0 && (p[2] & 0xc0) == 0x80;

    if (!surrogate && (length > n || tk_utf8_valid(p, length) != length)) {
        *ret_n = 1;
        return 0xfffd;
    }
    for (size_t i = 1; i < length; i++)
        point = point << 6 | (p[i] & 0x3fu);
    *ret_n = length;
    return point;
}

static bool unfit(unsigned point)
{
    return point < 0x20 || (point >= 0x7f && point < 0xa0) || (point >= 0xd800 && point < 0xe000) ||
           (point >= 0x2028 && point <= 0x202e) || (point >= 0x2066 && point <= 0x2069) ||
           point == 0x061c || point == 0x200e || point == 0x200f || point == 0xfffd;
}

/* Prints up to `max` characters and returns their number of bytes. Line ends and tabs are printed
 * as escapes too, unless `plain` is set. */
static size_t print_some(FILE *f, struct tk_str text, size_t max, bool plain)
{
    size_t at = 0;

    for (size_t shown = 0; at < text.n && shown < max; shown++) {
        size_t n;
        unsigned point = decode((const unsigned char *)text.p + at, text.n - at, &n);

        if (plain && (point == '\n' || point == '\t' || point == '\r'))
            fputc((int)point, f);
        else if (point == '\n' || point == '\t')
            fputs(point == '\n' ? "\\n" : "\\t", f);
        else if (unfit(point))
            fprintf(f, "\\u%04x", point);
        else
            fwrite(text.p + at, 1, n, f);
        at += n;
    }
    return at;
}

void cli_print(const struct cli_sink *sink, struct tk_str text)
{
    print_some(sink->file, text, SIZE_MAX, false);
}

void cli_print_name(const struct cli_sink *sink, const char *name)
{
    if (sink->terminal)
        cli_print(sink, tk_str_of(name));
    else
        fputs(name, sink->file);
}

void cli_print_text(FILE *file, bool terminal, struct tk_str text)
{
    if (terminal)
        print_some(file, text, SIZE_MAX, true);
    else
        fwrite(text.p, 1, text.n, file);
}

void cli_print_cut(const struct cli_sink *sink, struct tk_str text, size_t max)
{
    if (print_some(sink->file, text, max, false) < text.n)
        fputs("...", sink->file);
}

int cli_columns(int fd)
{
    struct winsize size;

    return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool cli_same_terminal(int a, int b)
{
    struct stat x, y;

    return isatty(a) && isatty(b) && fstat(a, &x) == 0 && fstat(b, &y) == 0 &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}
