/* SPDX-License-Identifier: Apache-2.0 */
#include "engine/finding.h"

#include <errno.h>

void tk_findings_reset(struct tk_findings *f, struct tk_transcript *t)
{
    for (uint32_t i = 0; i < f->count; i++) {
        if (f->list[i].site.part != TK_NONE)
            t->parts[f->list[i].site.part].finding = TK_NONE;
        if (f->list[i].site.entry != TK_NONE)
            t->messages[f->list[i].site.entry].finding = TK_NONE;
    }
    f->count = 0;
    f->errors = 0;
    f->detail_count = 0;
    f->request = TK_NONE;
    memset(f->request_last, 0xff, sizeof(f->request_last));
    memset(f->by_code, 0, sizeof(f->by_code));
    memset(f->errors_by_code, 0, sizeof(f->errors_by_code));
}

/* Inserts a finding into a list in the catalogue's order. The list of a message or part is short. */
static void chain(struct tk_findings *f, uint32_t *head, uint32_t finding)
{
    while (*head != TK_NONE && f->list[*head].code <= f->list[finding].code)
        head = &f->list[*head].next;
    f->list[finding].next = *head;
    *head = finding;
}

/* Inserts a finding about the request. A list of tools can have as many faults of one code as it has
 * tools, so the search begins at the last of them. */
static void chain_request(struct tk_findings *f, uint32_t finding)
{
    uint32_t *last = &f->request_last[f->list[finding].code];

    chain(f, *last == TK_NONE ? &f->request : &f->list[*last].next, finding);
    *last = finding;
}

static uint32_t *head_of(struct tk_transcript *t, const struct tk_site *site)
{
    return site->what == TK_SITE_PART ? &t->parts[site->part].finding
                                      : &t->messages[site->entry].finding;
}

int tk_find(struct tk_findings *f, struct tk_transcript *t, uint16_t code,
            enum tk_severity severity, struct tk_site site)
{
    if (!TK_GROW(t->arena, f->list, f->count, f->capacity))
        return -ENOMEM;
    f->list[f->count] = (struct tk_finding){
        .site = site,
        .detail = TK_NONE,
        .code = code,
        .severity = (uint8_t)severity,
    };
    if (site.what == TK_SITE_REQUEST)
        chain_request(f, f->count);
    else
        chain(f, head_of(t, &site), f->count);
    f->count++;
    f->by_code[code]++;
    f->errors += severity == TK_ERROR;
    f->errors_by_code[code] += severity == TK_ERROR;
    return 0;
}

int tk_find_part(struct tk_findings *f, struct tk_transcript *t, uint16_t code, uint32_t part)
{
    return tk_find(f, t, code, tk_catalogue[code].severity,
                   tk_site_of(t->parts[part].message, part));
}

int tk_find_message(struct tk_findings *f, struct tk_transcript *t, uint16_t code, uint32_t message)
{
    return tk_find(f, t, code, tk_catalogue[code].severity, tk_site_of(message, TK_NONE));
}

int tk_find_request(struct tk_findings *f, struct tk_transcript *t, uint16_t code, uint32_t at)
{
    return tk_find(f, t, code, tk_catalogue[code].severity, tk_site_request(at));
}

int tk_find_other_form(struct tk_findings *f, struct tk_transcript *t, uint16_t code, uint32_t at)
{
    int r = tk_find_request(f, t, code, at);

    if (r == 0)
        f->list[f->count - 1].other_form = true;
    return r;
}

void tk_find_has_other_form(struct tk_findings *f)
{
    f->list[f->count - 1].other_form = true;
}

/* Returns the details of the newest finding, which are added if it has none; NULL without memory. */
static struct tk_detail *newest_detail(struct tk_findings *f, struct tk_transcript *t)
{
    struct tk_finding *newest = &f->list[f->count - 1];

    if (newest->detail != TK_NONE)
        return &f->details[newest->detail];
    if (!TK_GROW(t->arena, f->details, f->detail_count, f->detail_capacity))
        return NULL;
    f->details[f->detail_count] = (struct tk_detail){.id = {NULL, 0}};
    newest->detail = f->detail_count++;
    return &f->details[newest->detail];
}

int tk_find_words(struct tk_findings *f, struct tk_transcript *t, struct tk_str a, struct tk_str b)
{
    struct tk_detail *detail = newest_detail(f, t);

    if (!detail)
        return -ENOMEM;
    detail->words[0] = a;
    detail->words[1] = b;
    return 0;
}

int tk_find_id(struct tk_findings *f, struct tk_transcript *t, struct tk_str id)
{
    struct tk_detail *detail = newest_detail(f, t);

    if (!detail)
        return -ENOMEM;
    detail->id = id;
    return 0;
}

static int walk_chain(const struct tk_findings *f, uint32_t head,
                      int (*visit)(void *arg, const struct tk_finding *finding), void *arg)
{
    int r = 0;

    for (uint32_t i = head; i != TK_NONE && r == 0; i = f->list[i].next)
        r = visit(arg, &f->list[i]);
    return r;
}

int tk_findings_walk(const struct tk_findings *f, const struct tk_transcript *t,
                     int (*visit)(void *arg, const struct tk_finding *finding), void *arg)
{
    int r = 0;

    if (f->count == 0)
        return 0;
    r = walk_chain(f, f->request, visit, arg);
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        r = walk_chain(f, t->messages[m].finding, visit, arg);
        for (uint32_t p = t->messages[m].first; p != TK_NONE && r == 0; p = t->parts[p].next)
            r = walk_chain(f, t->parts[p].finding, visit, arg);
    }
    return r;
}
