/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/show/progress.h"

#include "cli/show/term.h"

#include <unistd.h>

#define REDRAW_S 0.1
#define BAR_MAX  40
#define FIXED    50 /* columns that everything but name and bar needs at most */

static double seconds_since(const struct timespec *then)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + (double)(now.tv_nsec - then->tv_nsec) / 1e9;
}

void cli_progress_start(struct cli_progress *p, const char *name, uint64_t total, bool wanted)
{
    *p = (struct cli_progress){.name = name, .total = total};
    p->on = wanted && isatty(STDERR_FILENO) && !cli_same_terminal(STDERR_FILENO, STDOUT_FILENO);
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

static void draw(const struct cli_progress *p, uint64_t done)
{
    double elapsed = seconds_since(&p->start);
    double rate = elapsed > 0 ? (double)done / elapsed : 0;
    int name_width = (int)strlen(p->name) > 24 ? 24 : (int)strlen(p->name);
    int width = cli_columns(STDERR_FILENO) - name_width - FIXED;

    fprintf(stderr, "\r\033[K%.*s", name_width, p->name);
    if (p->total && done <= p->total)
        print_bar((double)done / (double)p->total, width > BAR_MAX ? BAR_MAX : width);
    print_size((double)done, "");
    print_size(rate, "/s");
    if (p->total > done && rate > 0) {
        uint64_t left = (uint64_t)((double)(p->total - done) / rate + 0.5);

        fprintf(stderr, "  %llu:%02llu left", (unsigned long long)left / 60,
                (unsigned long long)left % 60);
    }
    fflush(stderr);
}

void cli_progress_update(struct cli_progress *p, uint64_t done)
{
    if (!p->on || (p->drawn.tv_sec && seconds_since(&p->drawn) < REDRAW_S))
        return;
    clock_gettime(CLOCK_MONOTONIC, &p->drawn);
    draw(p, done);
    p->visible = true;
}

void cli_progress_clear(struct cli_progress *p)
{
    if (!p->visible)
        return;
    fputs("\r\033[K", stderr);
    p->visible = false;
}
