/* SPDX-License-Identifier: Apache-2.0 */
/* Tools of the Gemini API: the members of an entry are tools of their own. */
#ifndef TK_PROVIDERS_GEMINI_TOOLS_H
#define TK_PROVIDERS_GEMINI_TOOLS_H

#include "providers/tools.h"

extern const struct tk_tool_rules tk_gemini_tools;
extern const struct tk_named_tools tk_gemini_named_tools; /* named_tools.c */

#endif
