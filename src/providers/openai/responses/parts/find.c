/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/openai/responses/rules.h"

#include "providers/common/image_url.h"
#include "providers/openai/responses/item_survey.h"

/* Roles whose messages may have a part. */
enum {
    USERS = 1,
    ASSISTANTS = 2,
};

static const struct {
    struct tk_str type;
    uint8_t content; /* enum tk_content */
    uint8_t fits;
} types[] = {
    {TK_STR_INIT("input_text"), TK_CONTENT_TEXT, USERS},
    {TK_STR_INIT("output_text"), TK_CONTENT_TEXT, ASSISTANTS},
    {TK_STR_INIT("refusal"), TK_CONTENT_REFUSAL, ASSISTANTS},
    {TK_STR_INIT("input_image"), TK_CONTENT_MEDIA, USERS},
    {TK_STR_INIT("input_file"), TK_CONTENT_MEDIA, USERS},
    {TK_STR_INIT("input_audio"), TK_CONTENT_MEDIA, USERS},
    {TK_STR_INIT("text"), TK_CONTENT_TEXT, 0},
    {TK_STR_INIT("summary_text"), TK_CONTENT_TEXT, 0},
    {TK_STR_INIT("image_url"), TK_CONTENT_MEDIA, 0},
};

enum tk_content tk_content_of(const struct tk_part *p, enum tk_role role, bool *ret_fits)
{
    struct tk_val type = tk_part_val(p, p->type);

    *ret_fits = true;
    if (p->flags & TK_PART_STRING)
        return TK_CONTENT_TEXT;
    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (tk_text_is(type, types[i].type)) {
            *ret_fits = types[i].fits & (role == TK_ROLE_ASSISTANT ? ASSISTANTS : USERS);
            return (enum tk_content)types[i].content;
        }
    return TK_CONTENT_UNKNOWN;
}

static int judge_part(struct tk_judge *j, uint32_t part, enum tk_role role)
{
    const struct tk_part *p = &j->t->parts[part];
    bool fits;
    int r;

    tk_content_of(p, role, &fits);
    if (fits)
        return 0;
    r = tk_find_part(&j->findings, j->t, TK_CODE_RESP_CONTENT_PART_TYPE, part);
    if (r == 0)
        r = tk_find_words(&j->findings, j->t, tk_text(tk_part_val(p, p->type), j->t->arena),
                          (struct tk_str){0});
    if (role != TK_ROLE_ASSISTANT)
        tk_find_has_other_form(&j->findings);
    return r;
}

int tk_judge_part_types(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    tk_responses(j)->media_of = TK_NONE;
    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        if (!tk_item_is(t, m, TK_ITEM_MESSAGE) || !tk_has_known_role(t, m))
            continue;
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            r = judge_part(j, i, (enum tk_role)t->messages[m].role);
    }
    return r;
}

/* ---- images ---- */

static bool is_invalid_image(struct tk_val part, struct tk_arena *arena)
{
    return tk_text_is(tk_get(part, TK_STR("type")), TK_STR("input_image")) &&
           tk_url_image(tk_get(part, TK_STR("image_url")), arena) != TK_URL_IMAGE_FINE;
}

/* Looks at the images that an output brings; the item is blamed once. */
static int judge_output(struct tk_judge *j, uint32_t item)
{
    const struct tk_part *p = &j->t->parts[j->t->messages[item].first];
    struct tk_val output = tk_part_val(p, p->payload);

    if (!tk_is(output, TK_ARRAY) || p->block == TK_ITEM_SHELL_OUTPUT)
        return 0;
    for (struct tk_val v = tk_first(output); tk_exists(v); v = tk_after(output, v))
        if (is_invalid_image(v, j->t->arena))
            return tk_find_item(j, TK_CODE_RESP_IMAGE_INVALID, item);
    return 0;
}

int tk_judge_images(struct tk_judge *j)
{
    const struct tk_transcript *t = j->t;
    int r = 0;

    for (uint32_t m = t->first_message; m != TK_NONE && r == 0; m = t->messages[m].next) {
        if (tk_item_is_output(t, m))
            r = judge_output(j, m);
        if (!tk_item_is(t, m, TK_ITEM_MESSAGE))
            continue;
        for (uint32_t i = t->messages[m].first; i != TK_NONE && r == 0; i = t->parts[i].next)
            if (t->parts[i].kind == TK_PART_MEDIA &&
                is_invalid_image(tk_part_val(&t->parts[i], t->parts[i].node), t->arena))
                r = tk_find_part(&j->findings, j->t, TK_CODE_RESP_IMAGE_INVALID, i);
    }
    return r;
}
