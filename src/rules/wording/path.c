/* SPDX-License-Identifier: Apache-2.0 */
#include "rules/wording/path.h"

#include <inttypes.h>

#include "shapes/shape.h"

enum {
    STEPS_MAX = 16, /* of a path; the rest of a longer one is ignored */
};

/* The steps of a path: names and indexes. */
struct steps {
    const char *bytes; /* the normal form that the ranges are in */
    struct tk_section list[STEPS_MAX];
    uint32_t count;
    bool brackets; /* indexes are in brackets, so all steps are members */
};

static struct steps split(const char *bytes, struct tk_section path)
{
    struct steps steps = {.bytes = bytes};
    uint32_t from = path.from;

    for (uint32_t at = path.from; at <= path.to && steps.count < STEPS_MAX; at++) {
        bool ends = at == path.to || bytes[at] == '.' || bytes[at] == '[' || bytes[at] == ']';

        if (at < path.to && bytes[at] == '[')
            steps.brackets = true;
        if (!ends)
            continue;
        if (at > from)
            steps.list[steps.count++] = (struct tk_section){from, at};
        from = at + 1;
    }
    return steps;
}

static struct tk_str step(const struct steps *steps, uint32_t i)
{
    if (i >= steps->count)
        return TK_STR("");
    return (struct tk_str){steps->bytes + steps->list[i].from,
                           steps->list[i].to - steps->list[i].from};
}

static bool is_index(const struct steps *steps, uint32_t i)
{
    return tk_str_is(step(steps, i), "0");
}

/* Returns true for "***", which a gateway writes in the place of a name or an index. */
static bool is_hidden(struct tk_str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] != '*')
            return false;
    return s.n > 0;
}

struct tk_section tk_path_before(const struct tk_normal *text, uint32_t at)
{
    struct tk_section path = {at, at};

    if (at < 3 || memcmp(text->p + at - 2, ": ", 2) != 0)
        return path;
    path.from = path.to = at - 2;
    while (path.from > 0 && at - path.from < TK_SLOT_MAX &&
           tk_is_path_byte(text->p[path.from - 1]) && tk_normal_joined(text, path.from))
        path.from--;
    return path;
}

/* ---- the path of a phrase ---- */

/* Returns true if the steps from i on can be what a slot for text means: names, of which the first
 * isn't a list. */
static bool fits_text(const struct steps *steps, uint32_t i)
{
    return i < steps->count && !is_index(steps, i) && !is_index(steps, i + 1);
}

bool tk_path_fits(const struct tk_phrase *phrase, const struct tk_normal *text,
                  struct tk_section path, struct tk_found *found)
{
    struct steps want = split(phrase->bytes, (struct tk_section){0, phrase->path});
    struct steps have = split(text->p, path);
    uint32_t slot = 0, i;

    for (i = 0; i < want.count; i++) {
        char first = step(&want, i).p[0];

        if (i >= have.count)
            return false;
        if (first == TK_MARK_TEXT) {
            found->slots[slot] = (struct tk_section){have.list[i].from, path.to};
            return fits_text(&have, i);
        }
        if (first == TK_MARK_NUMBER)
            found->slots[slot++] = have.list[i];
        if (is_hidden(step(&have, i)))
            continue;
        if (first == TK_MARK_NUMBER ? !is_index(&have, i)
                                    : !tk_str_eq(step(&want, i), step(&have, i)))
            return false;
    }
    return i == have.count;
}

bool tk_path_tells(const struct tk_phrase *phrase)
{
    struct steps steps = split(phrase->bytes, (struct tk_section){0, phrase->path});

    return steps.count > 1 && step(&steps, steps.count - 1).p[0] != TK_MARK_NUMBER;
}

/* ---- what a path means ---- */

/* Returns true if a step is the name of a list of parts in some shape. */
static bool is_parts(struct tk_str name)
{
    for (const struct tk_shape *const *shape = tk_shapes; *shape; shape++)
        if ((*shape)->parts.p && tk_str_eq(tk_parts_name(*shape), name))
            return true;
    return false;
}

static bool is_root(struct tk_str name)
{
    for (const struct tk_shape *const *shape = tk_shapes; *shape; shape++)
        if (tk_str_eq(tk_root_name(*shape), name))
            return true;
    return false;
}

/* Returns the first index that follows a name; steps->count: there is none. */
static uint32_t first_index(const struct steps *steps)
{
    uint32_t i = 1;

    while (i < steps->count && !is_index(steps, i))
        i++;
    return i < steps->count ? i : steps->count;
}

/* A path while it is read. */
struct reading {
    const struct tk_normal *text;
    const struct steps *steps;
    struct tk_arena *arena;
    bool from_one; /* indexes count from 1 */
};

/* Returns the index that a step spells, counted from 0; -1: it is too large for any list. */
static int64_t index_of(const struct reading *r, uint32_t i)
{
    struct tk_section at = r->steps->list[i];
    struct tk_str raw = tk_normal_raw(r->text, at.from, at.to);
    int64_t n = 0;

    if (raw.n > 9)
        return -1;
    for (size_t d = 0; d < raw.n; d++)
        n = n * 10 + (raw.p[d] - '0');
    return r->from_one && n > 0 ? n - 1 : n;
}

/* Frameworks that count from 1 write "member" after each index. */
static bool is_member_word(const struct steps *steps, uint32_t i)
{
    return i > 0 && is_index(steps, i - 1) && tk_str_is(step(steps, i), "member");
}

static struct tk_str step_text(const struct reading *r, uint32_t i)
{
    struct tk_section at = r->steps->list[i];
    int64_t n;

    if (!is_index(r->steps, i))
        return tk_normal_raw(r->text, at.from, at.to);
    n = index_of(r, i);
    return n < 0 ? (struct tk_str){0} : tk_arena_printf(r->arena, "%" PRId64, n);
}

static struct tk_str pointer_of(const struct reading *r, uint32_t from, uint32_t to)
{
    struct tk_str pointer = TK_STR("");

    for (uint32_t i = from; i < to && pointer.p; i++) {
        struct tk_str text = step_text(r, i);

        if (is_member_word(r->steps, i))
            continue;
        if (!text.p || is_hidden(text))
            return (struct tk_str){0};
        pointer = tk_arena_concat(r->arena, (struct tk_str[]){pointer, TK_STR("/"), text}, 3);
    }
    return pointer;
}

bool tk_path_place(const struct tk_normal *text, struct tk_section path, struct tk_arena *arena,
                   struct tk_words_place *ret)
{
    struct steps steps = split(text->p, path);
    uint32_t first = first_index(&steps), second;
    struct reading r = {text, &steps, arena, is_member_word(&steps, first + 1)};
    bool has_block;

    if (first == steps.count)
        return false;
    if (is_parts(step(&steps, first - 1)) && first > 1) { /* of a message that is hidden */
        ret->block = index_of(&r, first);
        return true;
    }
    second = first + (r.from_one ? 3 : 2);
    has_block = is_index(&steps, second) && is_parts(step(&steps, second - 1));
    ret->pointer = pointer_of(&r, first - 1,
                              steps.brackets ? steps.count
                              : has_block    ? second + 1
                                             : first + 1);
    if (is_root(step(&steps, first - 1)))
        ret->message = index_of(&r, first);
    if (ret->message >= 0 && has_block)
        ret->block = index_of(&r, second);
    return true;
}

static bool is_in_slot(const struct tk_found *found, uint32_t at)
{
    for (uint32_t i = 0; i < TK_PHRASE_SLOTS; i++)
        if (at >= found->slots[i].from && at < found->slots[i].to)
            return true;
    return false;
}

static bool is_of_request(const struct tk_normal *text, struct tk_section path,
                          const struct tk_found *found)
{
    struct steps steps = split(text->p, path);
    uint32_t first = first_index(&steps);

    if (first == steps.count)
        return false;
    if (is_root(step(&steps, first - 1)) || is_parts(step(&steps, first - 1)))
        return true;
    return steps.brackets && found && !is_in_slot(found, path.from);
}

bool tk_path_place_within(const struct tk_normal *text, struct tk_section words,
                          const struct tk_found *found, struct tk_arena *arena,
                          struct tk_words_place *ret)
{
    for (uint32_t at = words.from; at < words.to; at++) {
        struct tk_section path = {at, at};

        while (path.to < words.to && tk_is_path_byte(text->p[path.to]))
            path.to++;
        at = path.to;
        if (path.to > path.from && is_of_request(text, path, found))
            return tk_path_place(text, path, arena, ret);
    }
    return false;
}
