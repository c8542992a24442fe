/* SPDX-License-Identifier: Apache-2.0 */
/* Amazon Bedrock's Converse API, for the models of all vendors (PROVIDERS.md 6). */
#ifndef TK_PROVIDERS_BEDROCK_PROVIDER_H
#define TK_PROVIDERS_BEDROCK_PROVIDER_H

#include "providers/provider.h"

extern const struct tk_provider tk_provider_bedrock;

#endif
