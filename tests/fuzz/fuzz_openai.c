/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cases of OpenAI's two APIs (case.h). Of bytes that are choices the first says which of the two:
 * Chat Completions if it is even, else Responses.
 */
#include "case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct histories *chat, *responses;
    bool whole = size > 0 && data[0] == '{', items = size > 0 && data[0] % 2 == 1;
    size_t skipped = size > 0 && !whole;

    if (!chat) {
        chat = histories_new("openai-chat");
        responses = histories_new("openai-responses");
    }
    case_try(items ? responses : chat, data + skipped, size - skipped);
    return 0;
}
