/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The counters as the text that Prometheus reads: what GET /metrics answers, and `stats` with a
 * `format`. No label is ever taken from a history: labels are names of methods, errors, codes,
 * actions, limits and outcomes, all from tables of this program.
 *
 * The two formats differ little: OpenMetrics names a counter's family without "_total", gives units
 * and ends with "# EOF".
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 * https://github.com/prometheus/OpenMetrics/blob/v1.0.0/specification/OpenMetrics.md
 */
#ifndef TK_DAEMON_EXPOSITION_H
#define TK_DAEMON_EXPOSITION_H

#include <stdio.h>

#include "daemon/state.h"

/* Writes all metrics. Any thread. The caller asks ferror() whether there was memory for it. */
void tk_exposition_write(struct tk_daemon *d, enum tk_exposition_format format, FILE *to);

/* Returns all metrics as a new text of *ret_size bytes that the caller frees; NULL without memory. */
char *tk_exposition_text(struct tk_daemon *d, enum tk_exposition_format format, size_t *ret_size);

#endif
