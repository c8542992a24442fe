/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judges citations (CATALOGUE 3.8). A text may cite a search hit, by its url and an index that only
 * the provider can make, or a document, by its number among all documents before the text. Either
 * all documents of a request allow citations, or none does. Wire only (RULES.md section 1).
 */
#include "providers/anthropic/request.h"
#include "providers/anthropic/rules.h"
#include "shapes/blocks.h"
#include "shapes/shape.h"

/* Counters of one walk over the history. */
struct count {
    uint32_t documents; /* documents before the part, at any depth */
    uint32_t upto;      /* the first part that isn't counted yet */
    bool enabled;       /* a document of a user message allows citations */
    bool disabled;      /* another document doesn't */
    bool form;          /* the answer has to have a form */
};

bool tk_citation_lacks_index(struct tk_val citation)
{
    return tk_text_is(tk_get(citation, TK_STR("type")), TK_STR("web_search_result_location")) &&
           !tk_has_text(tk_get(citation, TK_STR("encrypted_index")));
}

bool tk_gives_citations(struct tk_val document)
{
    struct tk_val citations = tk_get(document, TK_STR("citations"));

    return tk_is(tk_get(citations, TK_STR("enabled")), TK_TRUE);
}

/* ---- documents before a text ---- */

/* Returns true if `v` is the member `type` of a document block, at any place in it. */
static bool is_document_type(struct tk_val v)
{
    return tk_key_is(v, TK_STR("type")) && tk_text_is(v, TK_STR("document"));
}

static uint32_t documents_in(const struct tk_part *p)
{
    uint32_t n = 0, end;

    if (p->flags & TK_PART_STRING)
        return 0;
    end = p->doc->nodes[p->node].next;
    for (uint32_t i = p->node + 1; i < end;) {
        struct tk_val v = {p->doc, i};

        if (tk_is(v, TK_STRING))
            n += is_document_type(v);
        i = tk_key_is(v, TK_STR("input")) ? tk_node(v)->next : i + 1;
    }
    return n;
}

/* Returns the next part of the history, also across messages, or TK_NONE. */
static uint32_t after(const struct tk_transcript *t, uint32_t part)
{
    uint32_t next = t->parts[part].next, m = t->messages[t->parts[part].message].next;

    for (; next == TK_NONE && m != TK_NONE; m = t->messages[m].next)
        next = t->messages[m].first;
    return next;
}

/* Returns how many documents precede a part. Counts only up to a part that cites one: most
 * histories cite none. */
static uint32_t documents_before(const struct tk_transcript *t, struct count *c, uint32_t part)
{
    for (; c->upto != part; c->upto = after(t, c->upto))
        c->documents += documents_in(&t->parts[c->upto]);
    return c->documents;
}

/* ---- texts ---- */

static bool is_dangling(const struct tk_transcript *t, struct count *c, uint32_t part,
                        struct tk_val citation)
{
    struct tk_val number = tk_get(citation, TK_STR("document_index"));
    int64_t index;

    if (!tk_is(number, TK_INT) || t->lone_turn)
        return false;
    return !tk_int64(number, &index) || index >= documents_before(t, c, part);
}

static int judge_text(struct tk_judge *j, struct count *c, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val list = tk_get(tk_part_val(p, p->node), TK_STR("citations"));
    bool bare = false, dangling = false;
    int r = 0;

    for (struct tk_val v = tk_first(list); tk_exists(v); v = tk_after(list, v)) {
        bare = bare || tk_citation_lacks_index(v);
        dangling = dangling || is_dangling(j->t, c, part, v);
    }
    if (bare)
        r = tk_find_part(&j->findings, j->t, TK_CODE_ENCRYPTED_INDEX_MISSING, part);
    if (r == 0 && dangling)
        r = tk_find_part(&j->findings, j->t, TK_CODE_CITATION_DANGLING, part);
    return r;
}

/* ---- documents ---- */

static bool is_document(const struct tk_transcript *t, uint32_t part)
{
    return t->parts[part].block == TK_BLOCK_DOCUMENT &&
           t->messages[t->parts[part].message].role == TK_ROLE_USER;
}

/* Returns true if the answer has to have a form, which leaves no room for citations. */
static bool wants_form(const struct tk_judge *j)
{
    struct tk_val form =
        tk_get(tk_request_at(j->request, TK_REQUEST_OUTPUT_CONFIG), TK_STR("format"));

    return tk_exists(form) && !tk_is(form, TK_NULL);
}

static bool has_citing_document(const struct tk_part *p)
{
    struct tk_val blocks = tk_result_blocks(p);

    if (p->block == TK_BLOCK_DOCUMENT)
        return tk_gives_citations(tk_part_val(p, p->node));
    for (struct tk_val v = tk_first(blocks); tk_exists(v); v = tk_after(blocks, v))
        if (tk_is_document(v) && tk_gives_citations(v))
            return true;
    return false;
}

static int judge_form(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];

    if (j->t->messages[p->message].role != TK_ROLE_USER || !has_citing_document(p))
        return 0;
    return tk_find_part(&j->findings, j->t, TK_CODE_CITATIONS_WITH_STRUCTURED_OUTPUT, part);
}

static int judge_part(struct tk_judge *j, struct count *c, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];

    if (c->form) {
        int r = judge_form(j, part);

        if (r < 0)
            return r;
    }
    if (p->kind == TK_PART_TEXT)
        return p->flags & TK_PART_STRING ? 0 : judge_text(j, c, part);
    if (is_document(j->t, part)) {
        if (tk_gives_citations(tk_part_val(p, p->node)))
            c->enabled = true;
        else
            c->disabled = true;
    }
    return 0;
}

static int blame_document(struct tk_judge *j, uint32_t part)
{
    const struct tk_part *p = &j->t->parts[part];

    if (!is_document(j->t, part) || tk_gives_citations(tk_part_val(p, p->node)))
        return 0;
    return tk_find_part(&j->findings, j->t, TK_CODE_CITATIONS_ALL_OR_NONE, part);
}

int tk_judge_citations(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    struct count c = {.upto = TK_NONE, .form = wants_form(j)};
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next) {
            c.upto = c.upto == TK_NONE ? i : c.upto;
            r = judge_part(j, &c, i);
        }
    if (r < 0 || !c.enabled || !c.disabled)
        return r;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next)
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            r = blame_document(j, i);
    return r;
}
