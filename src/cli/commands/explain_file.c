/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/commands/explain_file.h"

#include <errno.h>
#include <stdio.h>

#include "cli/args/request.h"
#include "cli/commands/documents.h"
#include "cli/io/json_lines.h"
#include "value/hash.h"
#include "value/writer.h"

struct refusal {
    struct cli_matches matches;
    struct tk_arena *arena; /* of their answer */
    bool told;              /* the matches are printed */
    struct tk_str pointer;  /* where the best match points; empty: it doesn't say */
    int64_t message;        /* the index of that message; -1: it doesn't say */
    bool judged;            /* a rule of this build looks for one of the faults */
    struct tk_str best;     /* code of the best match */
};

static int nothing_to_start(struct cli_run *run)
{
    (void)run;
    return 0;
}

static bool has_code(const struct refusal *refusal, struct tk_val finding, struct tk_arena *arena)
{
    struct tk_str code = tk_text(tk_get(finding, TK_STR("code")), arena);

    for (size_t i = 0; i < refusal->matches.count; i++)
        if (tk_text_is(tk_get(refusal->matches.list[i], TK_STR("code")), code))
            return true;
    return false;
}

/* Returns true if one of the two places is the other, or inside of it. */
static bool is_near(const struct refusal *refusal, struct tk_val finding, struct tk_arena *arena)
{
    struct tk_str a = tk_text(tk_get(finding, TK_STR("pointer")), arena), b = refusal->pointer,
                  shorter;

    if (a.n == 0 || b.n == 0)
        return false;
    shorter = a.n < b.n ? a : b;
    if (memcmp(a.p, b.p, shorter.n) != 0)
        return false;
    return a.n == b.n || (a.n > b.n ? a : b).p[shorter.n] == '/';
}

/* Findings of a document by how they fit. */
struct fit {
    uint64_t by_code, by_both, by_place;
};

static struct fit count(const struct refusal *refusal, struct tk_val findings,
                        struct tk_arena *arena)
{
    struct fit fit = {0};

    for (struct tk_val f = tk_first(findings); tk_exists(f); f = tk_after(findings, f)) {
        bool code = has_code(refusal, f, arena), near = is_near(refusal, f, arena);

        fit.by_code += code;
        fit.by_both += code && near;
        fit.by_place += near && !code;
    }
    return fit;
}

/* ---- what repair makes of it ---- */

/* An answer of repair. */
struct outcome {
    struct cli_reply reply;
    bool safe, changed;
    struct tk_val edits;     /* absent if the history can't be made safe */
    struct tk_val remaining; /* findings */
    struct tk_val *list;     /* the same, if the history can't be made safe */
    struct tk_map numbers;   /* their indexes in `list`, by code and place */
};

/* Writes the request around the bytes of the history. */
static int write_repair(const struct cli_run *run, const struct cli_document *document,
                        struct cli_buf *ret)
{
    const struct cli_history *history = &document->history;
    struct tk_str whole = tk_span(history->whole),
                  tail = cli_dialects_tail(&run->dialects, history);
    char head[128];
    int n = snprintf(head, sizeof(head),
                     "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"repair\",\"params\":{"
                     "\"return\":\"report\",\"%s\":",
                     CLI_REQUEST_ID, history->is_list ? "messages" : "request");
    int r = cli_buf_add(ret, head, (size_t)n);

    r = r < 0 ? r : cli_buf_add(ret, whole.p, whole.n);
    return r < 0 ? r : cli_buf_add(ret, tail.p, tail.n);
}

/* Returns the bytes that a finding is looked up by: its code and its place. `.p` is NULL without
 * memory. */
static struct tk_str key_of(struct tk_val finding, struct tk_arena *arena)
{
    struct tk_str parts[] = {tk_text(tk_get(finding, TK_STR("code")), arena), TK_STR(" "),
                             tk_text(tk_get(finding, TK_STR("pointer")), arena)};

    return tk_arena_concat(arena, parts, 3);
}

/* Notes the findings that remain by their code and place, the first of equal ones. Returns 0 or
 * -ENOMEM. */
static int note_remaining(struct outcome *outcome)
{
    struct cli_reading *reading = &outcome->reply.reading;
    struct tk_val list = outcome->remaining;
    uint32_t n = 0;

    outcome->list = tk_arena_alloc(&reading->arena, tk_count(list) * sizeof(*outcome->list));
    if (!outcome->list)
        return -ENOMEM;
    for (struct tk_val f = tk_first(list); tk_exists(f); f = tk_after(list, f), n++) {
        struct tk_str key = key_of(f, &reading->arena);
        bool is_new;
        uint32_t *number = key.p ? tk_map_put(&outcome->numbers, key, &is_new) : NULL;

        if (!number)
            return -ENOMEM;
        outcome->list[n] = f;
        if (is_new)
            *number = n;
    }
    return 0;
}

/* Repairs the document. Returns 0, or the status of a failure that has been reported. */
static int repair(struct cli_run *run, const struct cli_document *document, struct outcome *ret)
{
    struct cli_backend *backend = cli_rounds_backend(&run->rounds);
    struct cli_buf request = {0};
    struct tk_val answer;
    int status = 0;

    if (write_repair(run, document, &request) < 0)
        status = cli_fail("out of memory");
    else if (cli_backend_call(backend, cli_buf_str(&request), &ret->reply) < 0)
        status = cli_fail("%s", backend->error);
    cli_buf_done(&request);
    if (status != 0)
        return status;
    ret->safe = tk_exists(ret->reply.result);
    answer = ret->safe ? ret->reply.result : tk_get(ret->reply.error, TK_STR("data"));
    ret->changed = tk_is(tk_get(answer, TK_STR("changed")), TK_TRUE);
    ret->edits = tk_get(answer, TK_STR("edits"));
    ret->remaining = tk_get(answer, TK_STR("violations"));
    tk_map_init(&ret->numbers, &ret->reply.reading.arena, ret->reply.reading.limits.hash_key);
    return ret->safe || note_remaining(ret) == 0 ? 0 : cli_fail("out of memory");
}

/* Returns the finding that remains in the place of another one, which then says the way out; else that
 * other one. */
static struct tk_val with_way_out(const struct outcome *outcome, struct tk_val finding,
                                  struct tk_arena *arena)
{
    struct tk_str key = key_of(finding, arena);
    const uint32_t *number = key.p ? tk_map_get(&outcome->numbers, key) : NULL;

    return number ? outcome->list[*number] : finding;
}

/* Prints the edits that fit, and what becomes of the whole history. */
static void print_outcome(struct cli_run *run, const struct cli_document *document,
                          const struct refusal *refusal, const struct outcome *outcome)
{
    struct tk_arena *arena = &run->reply.reading.arena;
    const struct cli_place *place = &document->place;
    unsigned long long count = tk_count(outcome->edits);

    for (struct tk_val e = tk_first(outcome->edits); tk_exists(e); e = tk_after(outcome->edits, e))
        if (has_code(refusal, e, arena) || is_near(refusal, e, arena)) {
            struct tk_str action = tk_text(tk_get(e, TK_STR("action")), arena),
                          pointer = tk_text(tk_get(e, TK_STR("pointer")), arena);

            cli_report_note(&run->out, place, "repair: %.*s %.*s", (int)action.n, action.p,
                            (int)pointer.n, pointer.p);
        }
    if (!outcome->safe)
        cli_report_note(&run->out, place, "repair: no allowed edit makes this history acceptable");
    else if (outcome->changed)
        cli_report_note(&run->out, place,
                        "way out: turnkeeper repair%s makes this history acceptable with %llu "
                        "edit%s; store the original, send the repaired copy",
                        document->history.guess ? " --provider NAME" : "", count,
                        cli_plural(count));
    else
        cli_report_note(&run->out, place, "repair: nothing here has to be edited");
}

/* ---- for people ---- */

static void print_fitting(struct cli_run *run, const struct cli_document *document,
                          const struct refusal *refusal, const struct outcome *outcome,
                          struct tk_val findings, bool by_code)
{
    struct tk_arena *arena = &run->reply.reading.arena;

    for (struct tk_val f = tk_first(findings); tk_exists(f); f = tk_after(findings, f))
        if (by_code ? has_code(refusal, f, arena) : is_near(refusal, f, arena))
            cli_report_finding(&run->out, &document->place, with_way_out(outcome, f, arena),
                               cli_given(run->args, CLI_OPT_VERBOSE), arena);
}

/* Prints why nothing fits, or what to think of what does. */
static void print_note(struct cli_run *run, const struct cli_document *document,
                       const struct refusal *refusal, const struct fit *fit)
{
    const struct cli_place *place = &document->place;
    int64_t messages = 0;
    int n = (int)refusal->pointer.n;

    (void)tk_int64(tk_get(run->reply.result, TK_STR("message_count")), &messages);
    if (refusal->message >= messages)
        cli_report_note(&run->out, place,
                        "the words point at message %lld, and there are %lld messages: this isn't "
                        "what was sent",
                        (long long)refusal->message, (long long)messages);
    else if (fit->by_code > 0 && fit->by_both == 0 && n > 0)
        cli_report_note(&run->out, place,
                        "the words point at %.*s, which has no such fault: this isn't exactly what "
                        "was sent",
                        n, refusal->pointer.p);
    else if (fit->by_code == 0 && fit->by_place > 0)
        cli_report_note(&run->out, place,
                        "the words point at %.*s, where another rule finds a fault: repair that "
                        "first",
                        n, refusal->pointer.p);
    else if (fit->by_code == 0 && !refusal->judged)
        cli_report_note(&run->out, place, "turnkeeper can't find this fault in a history");
    else if (fit->by_code == 0)
        cli_report_note(&run->out, place,
                        "nothing fits: this isn't what was sent, or more must be known to judge it "
                        "(turnkeeper rules %.*s)",
                        (int)refusal->best.n, refusal->best.p);
}

/* ---- for programs ---- */

static void write_fitting(struct tk_writer *w, const char *key, const struct refusal *refusal,
                          struct tk_val findings, bool by_code, struct tk_arena *arena)
{
    tk_write_key(w, key);
    tk_write_list(w);
    for (struct tk_val f = tk_first(findings); tk_exists(f); f = tk_after(findings, f)) {
        bool code = has_code(refusal, f, arena);

        if (by_code ? code : !code && is_near(refusal, f, arena))
            tk_write_val(w, f);
    }
    tk_write_end(w);
}

static void write_list(struct tk_writer *w, const char *key, struct tk_val list)
{
    tk_write_key(w, key);
    if (tk_exists(list)) {
        tk_write_val(w, list);
        return;
    }
    tk_write_list(w);
    tk_write_end(w);
}

static void write_outcome(struct tk_writer *w, const struct outcome *outcome)
{
    tk_write_key(w, "repair");
    tk_write_map(w);
    tk_write_kv_bool(w, "safe", outcome->safe);
    tk_write_kv_bool(w, "changed", outcome->changed);
    write_list(w, "edits", outcome->edits);
    write_list(w, "violations", outcome->remaining);
    tk_write_end(w);
}

/* Prints {"file", "line"?, "fits": [...], "at_place": [...], "repair": {...}} on one line. */
static void print_json(struct cli_run *run, const struct cli_document *document,
                       const struct refusal *refusal, const struct outcome *outcome,
                       struct tk_val findings)
{
    struct tk_arena *arena = &run->reply.reading.arena;
    struct tk_encoding line;
    struct tk_str text;

    tk_encode_begin(&line, TK_JSON, arena);
    tk_write_map(&line.w);
    tk_write_kv_cstr(&line.w, "file", document->place.file);
    if (document->place.line)
        tk_write_kv_int(&line.w, "line", (int64_t)document->place.line);
    write_fitting(&line.w, "fits", refusal, findings, true, arena);
    write_fitting(&line.w, "at_place", refusal, findings, false, arena);
    write_outcome(&line.w, outcome);
    tk_write_end(&line.w);
    text = tk_encode_end(&line);
    cli_print_text(stdout, run->out.terminal, text);
    fputc('\n', stdout);
}

/* Prints the matches before the first document, those of its provider first. */
static void tell_matches(struct cli_run *run, const struct cli_document *document,
                         struct refusal *refusal)
{
    if (refusal->told)
        return;
    refusal->told = true;
    if (!document->history.guess)
        cli_matches_prefer(&refusal->matches,
                           cli_dialect_provider(run->args, document->history.dialect));
    cli_matches_print(run->args, &refusal->matches, false, refusal->arena);
}

static int answer(struct cli_run *run, const struct cli_document *document)
{
    struct refusal *refusal = run->self;
    struct tk_val findings = tk_get(run->reply.result, TK_STR("violations"));
    struct fit fit = count(refusal, findings, &run->reply.reading.arena);
    struct outcome outcome = {.safe = false};
    int status;

    tell_matches(run, document, refusal);
    cli_reply_init(&outcome.reply);
    status = repair(run, document, &outcome);
    if (status == 0 && cli_given(run->args, CLI_OPT_JSON)) {
        print_json(run, document, refusal, &outcome, findings);
    } else if (status == 0) {
        print_fitting(run, document, refusal, &outcome, findings, fit.by_code > 0);
        print_note(run, document, refusal, &fit);
        if (fit.by_code + fit.by_place > 0)
            print_outcome(run, document, refusal, &outcome);
    }
    cli_reply_done(&outcome.reply);
    return status;
}

static int skip(struct cli_run *run, const struct cli_record *record, const struct cli_fault *fault)
{
    if (cli_given(run->args, CLI_OPT_JSON) && fault)
        cli_json_skipped(run, record, fault);
    return 0;
}

static int nothing_to_finish(struct cli_run *run, bool ended)
{
    (void)run;
    (void)ended;
    return 0;
}

int cli_explain_file(const struct cli_args *args, const struct cli_matches *matches,
                     struct tk_arena *arena)
{
    static const struct cli_document_ops ops = {
        .method = "validate",
        .fixed = "\"max_violations\":10000",
        .start = nothing_to_start,
        .answer = answer,
        .skip = skip,
        .finish = nothing_to_finish,
    };
    struct tk_val best = matches->list[0], place = tk_get(best, TK_STR("place"));
    struct refusal refusal = {
        .matches = *matches,
        .arena = arena,
        .pointer = tk_text(tk_get(place, TK_STR("pointer")), arena),
        .message = -1,
        .best = tk_text(tk_get(best, TK_STR("code")), arena),
    };
    struct cli_args of_file = *args;
    int status;

    (void)tk_int64(tk_get(place, TK_STR("message")), &refusal.message);
    for (size_t i = 0; i < matches->count; i++)
        refusal.judged =
            refusal.judged || tk_is(tk_get(matches->list[i], TK_STR("judged")), TK_TRUE);
    of_file.operands = args->operands + 1;
    of_file.operand_count = args->operand_count - 1;
    status = cli_documents_run(&of_file, &ops, true, &refusal);
    if (!refusal.told)
        cli_matches_print(args, &refusal.matches, true, arena);
    return status;
}
