/* SPDX-License-Identifier: Apache-2.0 */
#include "wording/path.h"

#include <inttypes.h>

#include "shapes/blocks.h"
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

/* Returns true for an index, or what is written in its place; false for a mask, which may be anything. */
static bool is_index(const struct steps *steps, uint32_t i)
{
    struct tk_str s = step(steps, i);

    return s.n > 0 && s.p[0] != '*' && tk_index_size(s.p, s.p + s.n) == s.n;
}

/* Returns true for an index that is a number. */
static bool is_number(const struct steps *steps, uint32_t i)
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

/* Returns the bytes of the piece of a path that ends at `at`; 0: there is none. */
static uint32_t piece_before(const struct tk_normal *text, uint32_t at)
{
    if (at == 0)
        return 0;
    if (text->p[at - 1] == '>' || text->p[at - 1] == '}')
        return tk_index_before(text->p, text->p + at);
    return tk_is_path_byte(text->p[at - 1]);
}

/* Returns the bytes of the piece of a path that begins at `at`; 0: there is none. */
static uint32_t piece_at(const struct tk_normal *text, uint32_t at, uint32_t end)
{
    if (at == end)
        return 0;
    if (text->p[at] == '<' || text->p[at] == '{')
        return tk_index_size(text->p + at, text->p + end);
    return tk_is_path_byte(text->p[at]);
}

struct tk_section tk_path_before(const struct tk_normal *text, uint32_t at)
{
    struct tk_section path = {at, at};
    uint32_t n;

    if (at < 3 || memcmp(text->p + at - 2, ": ", 2) != 0)
        return path;
    path.from = path.to = at - 2;
    while ((n = piece_before(text, path.from)) > 0 && path.to - path.from < TK_WORDS_PATH_MAX &&
           (path.from == path.to || tk_normal_joined(text, path.from)))
        path.from -= n;
    return path;
}

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

/* ---- the path of a phrase ---- */

/* A comparison of two paths, from their ends. */
struct path_fit {
    const struct steps *want, *have;
    struct tk_section *slots; /* of the phrase */
    bool hidden;              /* a step is masked */
    bool told;                /* a step other than messages and content is there */
};

static bool fits_until(struct path_fit *f, uint32_t want, uint32_t have, uint32_t slot);

/* Returns the kind of the block whose type a step is; -1: it is no block's. */
static int kind_of_block(const struct steps *steps, uint32_t i)
{
    uint8_t row = tk_block_of(step(steps, i));

    return row == TK_BLOCK_NONE ? -1 : tk_blocks[row].kind;
}

/* Returns how many steps of the text before `have` may be on the way: the type of a block, after its index,
 * or a place inside a result; 0: none. */
static uint32_t on_the_way(const struct steps *steps, uint32_t have)
{
    if (have >= 4 && is_index(steps, have - 1) && is_parts(step(steps, have - 2)) &&
        kind_of_block(steps, have - 3) == TK_PART_RESULT)
        return 3;
    return have >= 2 && kind_of_block(steps, have - 1) >= 0 &&
                   (is_index(steps, have - 2) || is_hidden(step(steps, have - 2)))
               ? 1
               : 0;
}

/* Returns true for a step that may be a name: also "x", which may be written for an index. */
static bool is_name(const struct steps *steps, uint32_t i)
{
    return !is_index(steps, i) || (step(steps, i).n == 1 && !is_number(steps, i));
}

/* Compares a text slot, which is one name or several, with the names before `have`. */
static bool fits_text(struct path_fit *f, uint32_t want, uint32_t have, uint32_t slot)
{
    struct path_fit before = *f;

    for (uint32_t first = have; first > 0 && is_name(f->have, first - 1); first--) {
        *f = before;
        f->hidden |= is_hidden(step(f->have, first - 1));
        f->told |= !is_hidden(step(f->have, first - 1));
        f->slots[slot - 1] =
            (struct tk_section){f->have->list[first - 1].from, f->have->list[have - 1].to};
        if (fits_until(f, want - 1, first - 1, slot - 1))
            return true;
    }
    return false;
}

/* Compares one step; *ret_slot: the slots that are left. */
static bool fits_step(struct path_fit *f, uint32_t want, uint32_t have, uint32_t *ret_slot)
{
    struct tk_str wanted = step(f->want, want - 1), got = step(f->have, have - 1);

    if (wanted.p[0] == TK_MARK_INDEX) {
        f->slots[--*ret_slot] = f->have->list[have - 1];
        f->hidden |= is_hidden(got);
        return is_hidden(got) || is_index(f->have, have - 1);
    }
    if (is_hidden(got)) {
        f->hidden = true;
        return true;
    }
    f->told |= !is_root(wanted) && !is_parts(wanted);
    return tk_str_eq(wanted, got);
}

/* Compares the first `want` steps of the phrase, which have `slot` slots, with those before `have`. */
static bool fits_until(struct path_fit *f, uint32_t want, uint32_t have, uint32_t slot)
{
    struct path_fit before = *f;
    uint32_t way = on_the_way(f->have, have), left = slot;

    if (want == 0)
        return !f->hidden || f->told;
    if (have == 0)
        return false;
    if (step(f->want, want - 1).p[0] == TK_MARK_TEXT
            ? fits_text(f, want, have, slot)
            : fits_step(f, want, have, &left) && fits_until(f, want - 1, have - 1, left))
        return true;
    *f = before;
    return way > 0 && fits_until(f, want, have - way, slot);
}

bool tk_path_fits(const struct tk_phrase *phrase, const struct tk_normal *text,
                  struct tk_section path, struct tk_found *found)
{
    struct steps want = split(phrase->bytes, (struct tk_section){0, phrase->path});
    struct steps have = split(text->p, path);
    struct path_fit fit = {&want, &have, found->slots, false, false};
    uint32_t slots = 0;

    for (uint32_t i = 0; i < phrase->path; i++)
        slots += phrase->bytes[i] == TK_MARK_INDEX || phrase->bytes[i] == TK_MARK_TEXT;
    return fits_until(&fit, want.count, have.count, slots);
}

/* ---- what a path means ---- */

/* Returns the first index that follows a name; steps->count: there is none. */
static uint32_t first_index(const struct steps *steps)
{
    uint32_t i = 1;

    while (i < steps->count && !is_index(steps, i))
        i++;
    return i < steps->count ? i : steps->count;
}

/* A path while it is read. */
struct path_reading {
    const struct tk_normal *text;
    const struct steps *steps;
    struct tk_arena *arena;
    bool from_one; /* indexes count from 1 */
};

/* Returns the index that a step spells, counted from 0; -1: it is no number, or too large for any list. */
static int64_t index_of(const struct path_reading *r, uint32_t i)
{
    struct tk_section at = r->steps->list[i];
    struct tk_str raw = tk_normal_raw(r->text, at.from, at.to);
    int64_t n = 0;

    if (raw.n > 9 || !is_number(r->steps, i))
        return -1;
    for (size_t d = 0; d < raw.n; d++) {
        if (raw.p[d] < '0' || raw.p[d] > '9') /* a digit of another form */
            return -1;
        n = n * 10 + (raw.p[d] - '0');
    }
    return r->from_one && n > 0 ? n - 1 : n;
}

/* Frameworks that count from 1 write "member" after each index. */
static bool is_member_word(const struct steps *steps, uint32_t i)
{
    return i > 0 && is_index(steps, i - 1) && tk_str_is(step(steps, i), "member");
}

static struct tk_str step_text(const struct path_reading *r, uint32_t i)
{
    struct tk_section at = r->steps->list[i];
    int64_t n;

    if (is_root(step(r->steps, i)))
        return step(r->steps, i);
    if (!is_index(r->steps, i))
        return tk_normal_raw(r->text, at.from, at.to);
    n = index_of(r, i);
    return n < 0 ? (struct tk_str){0} : tk_arena_printf(r->arena, "%" PRId64, n);
}

static struct tk_str pointer_of(const struct path_reading *r, uint32_t from, uint32_t to)
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

bool tk_path_place(const struct tk_normal *text, struct tk_section path, bool sure,
                   struct tk_arena *arena, struct tk_words_place *ret)
{
    struct steps steps = split(text->p, path);
    uint32_t first = first_index(&steps), second;
    struct path_reading r = {text, &steps, arena, is_member_word(&steps, first + 1)};
    bool has_block;

    if (first == steps.count)
        return false;
    if (is_parts(step(&steps, first - 1)) && first > 1) { /* of a message that is hidden */
        ret->block = index_of(&r, first);
        return true;
    }
    if (!sure && !is_root(step(&steps, first - 1)))
        return false;
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
        uint32_t n;

        while ((n = piece_at(text, path.to, words.to)) > 0)
            path.to += n;
        at = path.to;
        if (path.to > path.from && is_of_request(text, path, found))
            return tk_path_place(text, path, true, arena, ret);
    }
    return false;
}
