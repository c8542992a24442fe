/* SPDX-License-Identifier: Apache-2.0 */
/* stats: the host's counters, as a map or as the text that monitoring programs read. */
#include <errno.h>
#include <stdlib.h>

#include "methods/core/request.h"

static enum tk_exposition_format format_of(const struct tk_request *rq)
{
    static const enum tk_exposition_format formats[TK_WORD_COUNT] = {
        [TK_WORD_PROMETHEUS] = TK_EXPOSITION_PROMETHEUS,
        [TK_WORD_OPENMETRICS] = TK_EXPOSITION_OPENMETRICS,
    };

    return formats[tk_param_word(&rq->params, TK_P_FORMAT)];
}

static int answer_text(struct tk_request *rq, enum tk_exposition_format format)
{
    struct tk_writer *w = tk_answer_begin_result(rq);
    size_t size;
    char *text = rq->host->metrics(rq->host->arg, format, &size);

    if (!text)
        return -ENOMEM;
    tk_write_map(w);
    tk_write_kv_str(w, "text", (struct tk_str){text, size});
    tk_write_end(w);
    free(text); /* the writer copied it, with escapes */
    return tk_answer_end(rq);
}

int tk_method_stats(struct tk_request *rq)
{
    enum tk_exposition_format format = format_of(rq);

    if (format != TK_EXPOSITION_NONE)
        return answer_text(rq, format);
    rq->host->stats(rq->host->arg, tk_answer_begin_result(rq));
    return tk_answer_end(rq);
}
