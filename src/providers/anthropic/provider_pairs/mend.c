/* SPDX-License-Identifier: Apache-2.0 */
#include "providers/anthropic/provider_pairs/mend.h"

#include "providers/anthropic/provider_pairs/form.h"
#include "providers/anthropic/state.h"
#include "providers/common/json_args.h"
#include "shapes/shape.h"
#include "value/unicode.h"

static const struct tk_path type_path = {{"type"}};
static const struct tk_path content_path = {{"content"}};

/* Returns true for an input that says nothing: absent, null, or blank where inputs are strings. */
static bool is_no_input(const struct tk_judge *j, struct tk_val input)
{
    if (!tk_exists(input) || tk_is(input, TK_NULL))
        return true;
    return tk_adapter_of(j->t->shape)->string_input && tk_is(input, TK_STRING) &&
           tk_is_blank(tk_text(input, j->t->arena));
}

/* Returns true if only the call's input is wrong, and nothing is lost when the input becomes an
 * object. */
static bool input_mends(struct tk_judge *j, const struct tk_part *call)
{
    struct tk_str name = tk_part_name(j->t, call);
    struct tk_val input = tk_part_val(call, call->payload);

    return !tk_is_blank(tk_part_id(j->t, call)) && name.p && !tk_is_blank(name) &&
           tk_is_serializable(j, name) &&
           (is_no_input(j, input) ||
            (!tk_adapter_of(j->t->shape)->string_input &&
             tk_object_of_text(input, &tk_anthropic(j)->pairing.input, j->t).p));
}

static struct tk_str mended_input(struct tk_judge *j, const struct tk_part *call)
{
    struct tk_val input = tk_part_val(call, call->payload);
    struct tk_encoding out;

    if (!is_no_input(j, input))
        return tk_object_of_text(input, &tk_anthropic(j)->pairing.input, j->t);
    tk_encode_begin(&out, (enum tk_codec)j->t->doc->codec, j->t->arena);
    if (tk_adapter_of(j->t->shape)->string_input) {
        tk_write_str(&out.w, TK_STR("{}"));
    } else {
        tk_write_map(&out.w);
        tk_write_end(&out.w);
    }
    return tk_encode_end(&out);
}

static enum tk_mend mend_of_content(struct tk_judge *j, const struct tk_part *result)
{
    const struct tk_server_tool *tool;
    struct tk_result_view view = j->t->shape->result(result, j->t->arena);
    struct tk_val content = view.content;

    tool = tk_tool_of_result(view.type);
    if (!tool)
        return TK_MEND_NONE;
    if (tk_is(content, TK_OBJECT) && tk_fits_in_list(tool, content))
        return TK_MEND_WRAP;
    if (tk_is(content, TK_ARRAY) && tk_count(content) == 1 &&
        tk_result_fits(tool, tk_first(content), j->t->arena))
        return TK_MEND_UNWRAP;
    return TK_MEND_NONE;
}

enum tk_mend tk_mend_of(struct tk_judge *j, uint16_t code, uint32_t call, uint32_t result)
{
    const struct tk_part *c = call == TK_NONE ? NULL : &j->t->parts[call];
    const struct tk_part *r = &j->t->parts[result];
    const struct tk_server_tool *tool;

    if (code == TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_CALL)
        return c && input_mends(j, c) ? TK_MEND_INPUT : TK_MEND_NONE;
    if (!j->t->shape->wire || (code != TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_RESULT &&
                               code != TK_CODE_PROVIDER_EXECUTED_RESULT_TYPE_MISMATCH))
        return TK_MEND_NONE;
    tool = c ? tk_tool_answering(j->t, c) : NULL;
    if (tool && !tk_text_is(tk_part_val(r, r->type), tool->result) &&
        tk_result_fits(tool, tk_part_val(r, r->payload), j->t->arena))
        return TK_MEND_TYPE;
    return code == TK_CODE_INVALID_PROVIDER_EXECUTED_TOOL_RESULT ? mend_of_content(j, r)
                                                                 : TK_MEND_NONE;
}

bool tk_mends_call(enum tk_mend mend)
{
    return mend == TK_MEND_INPUT;
}

static struct tk_str wrapped(struct tk_judge *j, struct tk_val v)
{
    struct tk_encoding out;

    tk_encode_begin(&out, (enum tk_codec)j->t->doc->codec, j->t->arena);
    tk_write_list(&out.w);
    tk_write_val(&out.w, v);
    tk_write_end(&out.w);
    return tk_encode_end(&out);
}

int tk_mend(struct tk_judge *j, struct tk_edits *e, enum tk_mend mend, uint32_t part, uint32_t call)
{
    const struct tk_part *p = &j->t->parts[part];
    struct tk_val content = tk_part_val(p, p->payload);

    switch (mend) {
    case TK_MEND_INPUT:
        return tk_change_set(e, part, &j->t->shape->input, mended_input(j, p));
    case TK_MEND_TYPE:
        return tk_change_set(
            e, part, &type_path,
            tk_encode_text(e, tk_tool_answering(j->t, &j->t->parts[call])->result));
    case TK_MEND_WRAP:
        return tk_change_set(e, part, &content_path, wrapped(j, content));
    case TK_MEND_UNWRAP:
        return tk_change_set(e, part, &content_path, tk_span(tk_first(content)));
    case TK_MEND_NONE:
        break;
    }
    return 0;
}
