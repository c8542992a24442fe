/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/progress.h"

#include "cli/show/term.h"

#include <unistd.h>

#define REDRAW_S       0.1
#define PATIENCE_S     0.5
#define NAME_MAX_WIDTH 24
#define BAR_MAX        40
#define FIXED          50 /* columns for everything except name and bar, at most */

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

void cli_progress_start(struct cli_progress *p, const char *name, bool wanted, bool stdout_used)
{
    *p = (struct cli_progress){.name = name, .patient = true};
    p->on = wanted && isatty(STDERR_FILENO) &&
            !(stdout_used && cli_same_terminal(STDERR_FILENO, STDOUT_FILENO));
    clock_gettime(CLOCK_MONOTONIC, &p->start);
}

static void print_size(double bytes, const char *tail)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    size_t unit = 0;

    while (bytes >= 999.5 && unit + 1 < sizeof(units) / sizeof(*units)) {
        bytes /= 1000;
        unit++;
    }
    fprintf(stderr, "  %.*f %s%s", unit ? 1 : 0, bytes, units[unit], tail);
}

static void print_bar(double share, int width)
{
    int full = (int)(share * width);

    fprintf(stderr, " %3d%% [", (int)(share * 100));
    for (int i = 0; i < width; i++)
        fputc(i < full ? '=' : i == full ? '>' : ' ', stderr);
    fputc(']', stderr);
}

/* Prints the name and returns its width. A long name is cut: the bar must fit on the line. */
static int begin(const struct cli_progress *p)
{
    struct cli_sink sink = {stderr, false, true};
    size_t n = strlen(p->name), width = n > NAME_MAX_WIDTH ? NAME_MAX_WIDTH : n;

    fputs("\r\033[K", stderr);
    cli_print(&sink, (struct tk_str){p->name, width});
    return (int)width;
}

static void print_time(const char *before, uint64_t seconds, const char *after)
{
    fprintf(stderr, "  %s%llu:%02llu%s", before, (unsigned long long)seconds / 60,
            (unsigned long long)seconds % 60, after);
}

static void draw(const struct cli_progress *p, uint64_t done)
{
    double elapsed = seconds_since(&p->start);
    double rate = elapsed > 0 ? (double)done / elapsed : 0;
    int width = cli_columns(STDERR_FILENO) - begin(p) - FIXED;

    if (p->total && done <= p->total)
        print_bar((double)done / (double)p->total, width > BAR_MAX ? BAR_MAX : width);
    print_size((double)done, "");
    print_size(rate, "/s");
    if (p->total > done && rate > 0)
        print_time("", (uint64_t)((double)(p->total - done) / rate + 0.5), " left");
    fflush(stderr);
}

static bool is_due(struct cli_progress *p)
{
    if (!p->on || (p->drawn.tv_sec && seconds_since(&p->drawn) < REDRAW_S) ||
        (p->patient && seconds_since(&p->start) < PATIENCE_S))
        return false;
    clock_gettime(CLOCK_MONOTONIC, &p->drawn);
    p->visible = true;
    return true;
}

void cli_progress_judging(void *progress)
{
    struct cli_progress *p = progress;

    if (!p->patient || !is_due(p))
        return;
    begin(p);
    print_size((double)p->done, "");
    print_time("judged for ", (uint64_t)seconds_since(&p->start), "");
    fflush(stderr);
}

void cli_progress_update(struct cli_progress *p, uint64_t done)
{
    p->done = done;
    if (is_due(p))
        draw(p, done);
}

void cli_progress_clear(struct cli_progress *p)
{
    if (!p->visible)
        return;
    fputs("\r\033[K", stderr);
    p->visible = false;
}
