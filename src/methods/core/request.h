/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One request on its way through a handler, and how a handler answers.
 *
 *     int tk_method_x(struct tk_request *rq)
 *     {
 *         struct tk_writer *w;
 *
 *         if (cannot) {
 *             w = tk_answer_begin_error(rq, TK_ERR_UNSAFE_HISTORY, TK_NO_POINTER);
 *             tk_write_key(w, "violations"); ...      members of error.data
 *             return tk_answer_end(rq);
 *         }
 *         w = tk_answer_begin_result(rq);
 *         tk_write_map(w); ... tk_write_end(w);       exactly one value
 *         return tk_answer_end(rq);
 *     }
 *
 * A handler that finds a fault late begins an error: beginning an answer discards what was written
 * before. What is written may refer to bytes of the request and of rq->arena, which outlive the
 * reply. The tape that rq->params refer to doesn't: write its values, keep none.
 */
#ifndef TK_METHODS_CORE_REQUEST_H
#define TK_METHODS_CORE_REQUEST_H

#include "methods/core/errors.h"
#include "methods/core/host.h"
#include "methods/core/table.h"

/* "This error has no pointer" (an empty one would name the whole document). */
#define TK_NO_POINTER ((struct tk_str){NULL, 0})

enum tk_answer_state {
    TK_ANSWER_NONE,
    TK_ANSWER_RESULT, /* begun, its value isn't written yet */
    TK_ANSWER_ERROR,  /* begun, open for members of error.data */
    TK_ANSWER_DONE,
};

struct tk_request {
    /* for handlers */
    tk_core *core;
    tk_session *session;              /* may be NULL */
    struct tk_arena *arena;           /* freed with the reply */
    enum tk_codec codec;              /* of the request, its document and the answer */
    const struct tk_doc *doc;         /* the request document */
    struct tk_params params;          /* checked; pass &rq->params to the accessors of params.h */
    const uint64_t *hash_key;         /* two words, for tk_map_init() */
    const struct tk_host *host;       /* NULL if the program has none */
    const struct tk_serving *serving; /* never NULL */
    /*
     * Findings and edits, for `stats`; set by the handler. Arrays in the arena, by
     * enum tk_code and enum tk_action.
     */
    struct tk_tally tally;
    const char *stage; /* current step of a method with several, as errors name it; else NULL */

    /* for request.c and call.c */
    const struct tk_method *method; /* NULL until it is known */
    struct tk_val id;               /* if absent, null is echoed */
    bool notification;
    enum tk_answer_state state;
    const struct tk_error_row *error; /* of the answer, NULL for a result */
    struct tk_str message, pointer;   /* of that error, as answered; TK_NO_POINTER if it has none */
    uint64_t correlation;             /* of an `internal` answer, else 0 */
    struct tk_out *out;
    struct tk_writer writer;
};

/*
 * Returns true when the request's time is over (its own timeout_ms, or the server's). It costs a
 * call into the host, so ask every few hundred parts. The handler then returns -ECANCELED, also if
 * it has begun an answer.
 */
bool tk_request_cancelled(const struct tk_request *rq);

/* Calls tk_request_cancelled(), as a callback of the rules core: pass rq as its argument. */
bool tk_request_cancelled_cb(void *rq);

/* Returns true if this program serves the request's method, or another one, on any of its sockets. */
bool tk_method_exists(const struct tk_request *rq, const struct tk_method *method);

/* Starts {"jsonrpc", "id", "result": ...; the caller writes exactly one value. */
struct tk_writer *tk_answer_begin_result(struct tk_request *rq);

/*
 * Starts {"jsonrpc", "id", "error": {"code", "message", "data": {"name", "pointer"?, "retryable";
 * the caller may write further members (key and value) of data. The pointer points into the
 * request document ("/params/...").
 */
struct tk_writer *tk_answer_begin_error(struct tk_request *rq, enum tk_error_id error,
                                        struct tk_str pointer);

/* Starts an error like tk_answer_begin_error(), with another message for people, which must not
 * hold content of a history. */
struct tk_writer *tk_answer_begin_error_text(struct tk_request *rq, enum tk_error_id error,
                                             struct tk_str pointer, struct tk_str message);

/*
 * Closes the answer. Returns 0, -ENOMEM if a piece of the answer found no memory, or -EPROTO if the
 * handler left its value unfinished. Forward it: the core answers `internal`.
 */
int tk_answer_end(struct tk_request *rq);

/* Answers with an error without further members. Returns what tk_answer_end() does. */
int tk_answer_error(struct tk_request *rq, enum tk_error_id error, struct tk_str pointer,
                    struct tk_str message);

/* Answers `internal` with the number that the log names the failure by. */
int tk_answer_internal(struct tk_request *rq, uint64_t correlation);

/* Answer `answer_too_large` with max_answer, and `request_too_costly` with the bytes that the request
 * may make in memory, instead of what was written; free all in the request's arena. */
int tk_answer_too_large(struct tk_request *rq);
int tk_answer_too_costly(struct tk_request *rq, uint64_t limit);

/* Answers `busy` for a limit on streams or bytes (0: its number isn't known here), with the time
 * after which to try again. */
int tk_answer_busy(struct tk_request *rq, uint32_t limit);

#endif
