/* SPDX-License-Identifier: Apache-2.0 */
#include "catalogue/rule.h"

const char *tk_severity_name(enum tk_severity severity)
{
    static const char *const names[] = {
        [TK_WARNING] = "warning", [TK_ERROR] = "error", [TK_EDIT] = "edit"};

    return names[severity];
}
