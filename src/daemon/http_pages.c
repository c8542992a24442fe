/* SPDX-License-Identifier: Apache-2.0 */
#include "daemon/http_pages.h"

#include <event2/buffer.h>
#include <event2/keyvalq_struct.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/exposition.h"
#include "daemon/http_address.h"
#include "value/out.h"

#define MISDIRECTED 421 /* libevent has no name for it */

#define TEXT_PLAIN       "text/plain; charset=utf-8"
#define TEXT_JSON        "application/json"
#define TEXT_PROMETHEUS  "text/plain; version=0.0.4; charset=utf-8"
#define TEXT_OPENMETRICS "application/openmetrics-text; version=1.0.0; charset=utf-8"

/* An answer in the making; `body` belongs to it. */
struct answer {
    struct tk_daemon *d;
    struct evhttp_request *request;
    struct evbuffer *body;
    int status; /* 0: there was no memory */
    const char *type;
};

static void put(struct answer *a, const char *text, size_t n)
{
    if (evbuffer_add(a->body, text, n) != 0)
        a->status = 0;
}

static void put_line(struct answer *a, struct tk_str text)
{
    put(a, text.p, text.n);
    put(a, "\n", 1);
}

/* ---- the pages ---- */

static void page_livez(struct answer *a)
{
    put_line(a, TK_STR("ok"));
}

/*
 * Asks the core for a method's result, as the control socket would, and gives it to `use`. The
 * answer is a document of this program's own making.
 */
static void with_result(struct answer *a, const char *request,
                        void (*use)(struct answer *a, struct tk_val result))
{
    static const struct tk_read_limits limits = {.max_depth = TK_DEFAULT_MAX_DEPTH,
                                                 .max_values = TK_DEFAULT_MAX_VALUES};
    static const struct tk_serving control = {.control = true};
    struct tk_read_error error;
    struct tk_arena arena;
    struct tk_doc doc;
    struct evbuffer *whole = evbuffer_new();
    tk_reply *reply = NULL;
    size_t pieces = 0;
    const struct iovec *iov;
    bool ok = whole &&
              tk_serve(a->d->control.core, NULL, request, strlen(request), &control, &reply) == 0;

    tk_arena_init(&arena, (tk_allocator){.resize = NULL});
    tk_doc_init(&doc, (tk_allocator){.resize = NULL});
    iov = ok ? tk_reply_iov(reply, &pieces) : NULL;
    for (size_t i = 0; i < pieces && ok; i++)
        ok = evbuffer_add(whole, iov[i].iov_base, iov[i].iov_len) == 0;
    ok = ok && evbuffer_pullup(whole, -1) &&
         tk_json_read(&doc, evbuffer_pullup(whole, -1), evbuffer_get_length(whole), &limits, &arena,
                      &error) == TK_READ_OK;
    if (ok && tk_exists(tk_get(tk_root(&doc), TK_STR("result"))))
        use(a, tk_get(tk_root(&doc), TK_STR("result")));
    else
        a->status = 0;
    tk_doc_done(&doc);
    tk_arena_done(&arena);
    tk_reply_free(reply);
    if (whole)
        evbuffer_free(whole);
}

/* Ready, or the names of what isn't as it should be, a line each. */
static void put_readiness(struct answer *a, struct tk_val health)
{
    struct tk_val status = tk_get(health, TK_STR("status")),
                  checks = tk_get(health, TK_STR("checks"));

    if (tk_text_is(status, TK_STR("ok"))) {
        put_line(a, TK_STR("ok"));
        return;
    }
    a->status = HTTP_SERVUNAVAIL;
    if (tk_text_is(status, TK_STR("draining")))
        put_line(a, TK_STR("draining"));
    for (struct tk_val c = tk_first(checks); tk_exists(c); c = tk_after(checks, c)) {
        if (tk_is(tk_get(c, TK_STR("ok")), TK_FALSE))
            put_line(a, tk_raw(tk_get(c, TK_STR("name"))));
    }
}

static void page_readyz(struct answer *a)
{
    with_result(a, "{\"id\":1,\"method\":\"health\"}", put_readiness);
}

static void put_json(struct answer *a, struct tk_val result)
{
    put_line(a, tk_span(result));
}

static void page_info(struct answer *a)
{
    with_result(a, "{\"id\":1,\"method\":\"info\"}", put_json);
}

static void page_stats(struct answer *a)
{
    with_result(a, "{\"id\":1,\"method\":\"stats\"}", put_json);
}

/* True if the client takes OpenMetrics and doesn't refuse it by a quality of 0. */
static bool wants_openmetrics(const struct evhttp_request *request)
{
    static const char name[] = "application/openmetrics-text";
    const struct evkeyvalq *headers =
        evhttp_request_get_input_headers((struct evhttp_request *)request);
    const char *accept = evhttp_find_header(headers, "Accept");
    const char *at = accept ? strcasestr(accept, name) : NULL;
    const char *end = at ? at + strcspn(at, ",") : NULL;
    const char *quality = at ? strcasestr(at, "q=") : NULL;

    return at && (!quality || quality >= end || strtod(quality + 2, NULL) > 0);
}

static void page_metrics(struct answer *a)
{
    bool open_metrics = wants_openmetrics(a->request);
    size_t size;
    char *text = tk_exposition_text(
        a->d, open_metrics ? TK_EXPOSITION_OPENMETRICS : TK_EXPOSITION_PROMETHEUS, &size);

    a->type = open_metrics ? TEXT_OPENMETRICS : TEXT_PROMETHEUS;
    if (text)
        put(a, text, size);
    else
        a->status = 0;
    free(text);
}

static const struct page {
    const char *path, *type;
    void (*write)(struct answer *a);
} pages[] = {
    {"/livez", TEXT_PLAIN, page_livez},          {"/readyz", TEXT_PLAIN, page_readyz},
    {"/metrics", TEXT_PROMETHEUS, page_metrics}, {"/info", TEXT_JSON, page_info},
    {"/stats", TEXT_JSON, page_stats},
};

/* ---- one request ---- */

static const struct page *find_page(const struct evhttp_request *request)
{
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
    const char *path = uri ? evhttp_uri_get_path(uri) : NULL;

    for (size_t i = 0; path && i < sizeof(pages) / sizeof(pages[0]); i++) {
        if (strcmp(pages[i].path, path) == 0)
            return &pages[i];
    }
    return NULL;
}

static void header(struct answer *a, const char *name, const char *value)
{
    (void)evhttp_add_header(evhttp_request_get_output_headers(a->request), name, value);
}

/* Returns true if each host that the request names is this machine: in headers, and in a whole URL. */
static bool is_local(const struct evhttp_request *request)
{
    const struct evkeyvalq *headers =
        evhttp_request_get_input_headers((struct evhttp_request *)request);
    const struct evhttp_uri *uri = evhttp_request_get_evhttp_uri(request);
    const char *host = uri && evhttp_uri_get_scheme(uri) ? evhttp_uri_get_host(uri) : NULL;
    const struct evkeyval *h;
    bool local = !host || tk_http_host_is_local(host);

    TAILQ_FOREACH(h, headers, next)
    {
        if (strcasecmp(h->key, "Host") == 0)
            local = local && tk_http_host_is_local(h->value);
    }
    return local;
}

static void write_page(struct answer *a, bool local_names)
{
    const struct page *page = find_page(a->request);
    enum evhttp_cmd_type method = evhttp_request_get_command(a->request);

    if (local_names && !is_local(a->request)) {
        a->status = MISDIRECTED;
        put_line(a, TK_STR("Host must be localhost or an IP address"));
    } else if (!page) {
        a->status = HTTP_NOTFOUND;
        put_line(a, TK_STR("not found"));
    } else if (method != EVHTTP_REQ_GET && method != EVHTTP_REQ_HEAD) {
        a->status = HTTP_BADMETHOD;
        header(a, "Allow", "GET, HEAD");
        put_line(a, TK_STR("only GET and HEAD"));
    } else {
        a->type = page->type;
        page->write(a);
    }
}

void tk_http_answer(struct tk_daemon *d, struct evhttp_request *request, bool local_names)
{
    struct answer a = {
        .d = d, .request = request, .body = evbuffer_new(), .status = HTTP_OK, .type = TEXT_PLAIN};

    if (a.body)
        write_page(&a, local_names);
    if (!a.body || a.status == 0) {
        evhttp_send_error(request, HTTP_SERVUNAVAIL, "no memory");
    } else {
        header(&a, "Content-Type", a.type);
        header(&a, "Cache-Control", "no-store");
        evhttp_send_reply(request, a.status, a.status == MISDIRECTED ? "Misdirected Request" : NULL,
                          a.body);
    }
    if (a.body)
        evbuffer_free(a.body);
}
