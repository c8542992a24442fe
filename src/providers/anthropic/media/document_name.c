/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/media/document_name.h"

#include <errno.h>

#include "providers/anthropic/rules.h"
#include "shapes/blocks.h"
#include "shapes/shape.h"
#include "value/unicode.h"

/* Returns the length of the character that a text begins with. */
static size_t length_of_first(struct tk_str text)
{
    unsigned char c = (unsigned char)text.p[0];
    size_t length = c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;

    return length < text.n ? length : text.n;
}

/* Returns true if Bedrock takes the character that a name begins with. */
static bool is_sound(struct tk_str name)
{
    char c = name.p[0], small = (char)(c | 0x20);

    return (c >= '0' && c <= '9') || (small >= 'a' && small <= 'z') ||
           (c != '\0' && strchr("-()[]", c)) || tk_white_space_at(name) > 0;
}

static struct tk_str after(struct tk_str name, size_t n)
{
    return (struct tk_str){name.p + n, name.n - n};
}

static struct tk_val title_of(struct tk_val document)
{
    return tk_get(document, TK_STR("title"));
}

bool tk_has_bad_name(const struct tk_judge *j, struct tk_val document)
{
    struct tk_str name;

    if (j->target.endpoint != TK_ENDPOINT_BEDROCK || !(j->has & TK_HAS_HISTORY))
        return false;
    name = tk_text(title_of(document), j->t->arena);
    while (name.n > 0 && is_sound(name))
        name = after(name, length_of_first(name));
    return name.n > 0;
}

/* Returns the name with a space for each run of characters that Bedrock refuses. */
static struct tk_str clean(struct tk_str name, struct tk_arena *arena)
{
    char *made = tk_arena_alloc(arena, name.n);
    size_t length = 0;
    bool bad = false;

    if (!made)
        return (struct tk_str){0};
    for (size_t n; name.n > 0; name = after(name, n)) {
        n = length_of_first(name);
        if (is_sound(name)) {
            memcpy(made + length, name.p, n);
            length += n;
            bad = false;
        } else if (!bad) {
            made[length++] = ' ';
            bad = true;
        }
    }
    return tk_is_blank((struct tk_str){made, length}) ? TK_STR("Document")
                                                      : (struct tk_str){made, length};
}

static struct tk_spot spot_of(struct tk_plan *p, struct tk_val document)
{
    struct tk_arena *arena = p->j->t->arena;
    struct tk_val title = title_of(document);
    struct tk_str name = clean(tk_text(title, arena), arena);

    return (struct tk_spot){title, name.p ? tk_encode_text(p->e, name) : name};
}

static uint32_t spots_in_result(struct tk_plan *p, struct tk_val blocks, struct tk_spot *spots)
{
    uint32_t count = 0;

    for (struct tk_val v = tk_first(blocks); tk_exists(v); v = tk_after(blocks, v))
        if (tk_is_document(v) && tk_has_bad_name(p->j, v))
            spots[count++] = spot_of(p, v);
    return count;
}

int tk_fix_document_name(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    const struct tk_part *part = &p->j->t->parts[f->site.part];
    struct tk_val blocks = tk_result_blocks(part);
    uint32_t count = 1;
    struct tk_spot *spots = tk_arena_alloc(p->j->t->arena, (tk_count(blocks) + 1) * sizeof(*spots));
    int r = spots ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;

    (void)d;
    if (r < 0)
        return r;
    if (tk_exists(blocks))
        count = spots_in_result(p, blocks, spots);
    else
        spots[0] = spot_of(p, tk_part_val(part, part->node));
    return tk_change_spots(p->e, f->site.part, spots, count);
}
