/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the signature that says that there is none, in the spelling of the part. */
#include <errno.h>

#include "providers/gemini/rules.h"

int tk_gem_fix_signature(struct tk_plan *p, const struct tk_finding *f, struct tk_decision d)
{
    static const struct tk_path camel = {{"thoughtSignature", [TK_OTHER(0)] = "thought_signature"}};
    static const struct tk_path snake = {{"thought_signature", [TK_OTHER(0)] = "thoughtSignature"}};
    const struct tk_path *path =
        tk_gemini_is_snake(&p->j->t->parts[f->site.part]) ? &snake : &camel;
    struct tk_str dummy = tk_encode_text(p->e, TK_STR(TK_GEMINI_DUMMY));
    int r = dummy.p ? tk_edit_rewritten(p->e, f->site.part, f->code) : -ENOMEM;

    (void)d;
    return r < 0 ? r : tk_change_set(p->e, f->site.part, path, dummy);
}
