# SPDX-License-Identifier: Apache-2.0
"""The help of each parameter, by its name; by method and name where methods differ.

Made by clients/shared/generate.py from routes.json and the build's `info`: change those.
"""

from __future__ import annotations

HELP = {
    "messages": "the history, oldest message first; either this or request",
    "request": "the whole request body; either this or messages",
    "provider":
        "the provider whose rules the history must obey: \"anthropic\" (default), "
        "\"openai-chat\", \"openai-responses\", \"bedrock\", \"gemini\"",
    "dialect":
        "the shape of the messages: \"anthropic\" (default), \"fantasy\", \"ai-sdk\", "
        "\"openai-chat\", \"openai-responses\", \"bedrock\", \"gemini\"",
    "target": "where the request is sent; platforms and models differ in what they accept",
    "endpoint":
        "where the request goes: \"anthropic\" (default), \"bedrock\", \"vertex\", \"compatible\", "
        "\"openai\", \"azure\", \"gemini\"",
    "model": "the model's name; absent: that of the request",
    "server":
        "the server of endpoint compatible, if it is a known one: \"deepseek\", \"groq\", "
        "\"mistral\", \"moonshot\", \"openrouter\", \"vllm\", \"xai\"",
    "policy":
        "allowed repair of each kind of fault: a name, or a base and keys that override it; "
        "default: \"conservative\"",
    "max_violations": "largest number of findings to list; all are counted; default: 256",
    "betas": "the request's anthropic-beta values",
    "provenance":
        "blocks are as received (wire) or were put together again (rebuilt): \"wire\" "
        "(default), \"rebuilt\"",
    "seals": "seals of turns in this history",
    "timeout_ms": "milliseconds that the request may take; the server's own limit holds too",
    "caller": "name of the client's request or session, for the log; never read out of a history",
    "guard":
        "fail closed if an error remains; false: repair what can be repaired and list the "
        "rest; default: True",
    "return":
        "an RFC 6902 patch, the repaired messages, changes of the bytes sent, or none of "
        "these: \"patch\" (default), \"messages\", \"splices\", \"report\"",
    "return_removed":
        "give back what was removed or replaced, byte for byte, to be stored with the history",
    "content": "the parts of one assistant turn",
    "stop_reason": "why the turn ended, in the provider's words",
    "carry_in": "provider-executed calls that the previous turn left open",
    "repair_turn.return":
        "an RFC 6902 patch, the repaired content, changes of the bytes sent, or none of "
        "these: \"patch\" (default), \"content\", \"splices\", \"report\"",
    "seal.content": "the content of an assistant turn as received; either this or message",
    "message": "the assistant turn as a message",
    "seal.request": "the whole request body that this turn answers",
    "blocks": "include the blocks, so that they can be restored",
    "stream": "the stream's key, chosen by the client, unique on its connection",
    "wire":
        "framing of the bytes; absent: the provider's first one: \"sse\", \"eventstream\", \"json\"",
    "emit":
        "form of the outputs: parts, wire events, or those as SSE bytes or in the input's "
        "framing: \"parts\" (default), \"events\", \"sse\", \"wire\"",
    "starting_after": "number of the last event that came before: a response that is read on",
    "provider_input":
        "how a provider's call is sent as events: input whole in its start, or in deltas: "
        "\"whole\" (default), \"deltas\"",
    "history": "the messages sent with the request; open calls and used ids are read from it",
    "stream.open.request": "the whole request body, instead of history",
    "max_buffer": "bytes that this stream may hold back; max_stream_buffer holds too",
    "events": "wire events in order",
    "data": "bytes of the stream, cut anywhere: a string's UTF-8, or msgpack bin",
    "data_base64": "the same in base64, for JSON clients whose chunk may end inside a character",
    "restart": "these bytes come from a new connection; an unfinished frame is forgotten",
    "transport_error": "the transport's error; null: it didn't fail",
    "response": "one whole response body",
    "pair.emit":
        "form of the outputs: parts, wire events, or wire events as SSE bytes: \"parts\" "
        "(default), \"events\", \"sse\"",
    "pair.request": "the whole request body, instead of history",
    "splice.history": "another name for messages",
    "assistant": "the assistant turn as received, or the whole response body",
    "tool_results": "the tool runner's results, in any order",
    "appended": "the caller's messages, in their order",
    "container": "the container id that the caller pinned",
    "splice.dialect":
        "the shape of the messages: the provider's own: \"anthropic\", \"openai-chat\", "
        "\"openai-responses\", \"bedrock\", \"gemini\"",
    "splice.return":
        "an RFC 6902 patch, all messages, or changes of the bytes sent: \"patch\" (default), "
        "\"messages\", \"splices\"",
    "options": "choices between several ways to do the work",
    "mode":
        "repair what can be repaired, or refuse instead of filling, dropping and textifying: "
        "\"repair\" (default), \"strict\"",
    "merge":
        "keep neighbouring user messages separate, or join them: \"separate\" (default), "
        "\"single\"",
    "on_assistant_conflict":
        "what to do with an appended assistant message that replaces the turn: \"error\" "
        "(default), \"replace\"",
    "compaction":
        "keep the history before a compaction turn, or replace it by the turn: \"keep\" "
        "(default), \"replace\"",
    "choice": "which of several choices or candidates is the turn",
    "state":
        "the request tells if the server has the history (auto), or it has it (chain): "
        "\"auto\" (default), \"chain\"",
    "tools.request": "the whole request body; either this or tools",
    "tools": "the request's tools, if the rest of the request isn't sent",
    "add": "tools to add: entries as the provider takes them, or tools by name",
    "on_conflict":
        "which of two entries for the same tool is kept: \"replace\" (default), \"newest\", "
        "\"keep_base\", \"replace_custom\"",
    "tools.betas": "the caller's anthropic-beta header: a line, or a list of lines",
    "tools.provider":
        "whose tools they are: \"anthropic\" (default), \"openai-responses\", \"gemini\", "
        "\"azure-responses\", \"xai-responses\"",
    "call":
        "the endpoint that the request is for: a turn, or a count of tokens: \"messages\" "
        "(default), \"count_tokens\"",
    "interleaved": "ask for thinking between tool calls",
    "legacy_betas": "include the beta values that web tools needed in the past",
    "tools.return":
        "an RFC 6902 patch, all tools, or changes of the bytes sent: \"patch\" (default), "
        "\"tools\", \"splices\"",
    "fit.dialect":
        "the shape of the messages: the provider's own: \"anthropic\", \"openai-chat\", "
        "\"openai-responses\", \"bedrock\", \"gemini\"",
    "over": "the budget: nothing is done while the history's size is at most this",
    "to":
        "where a cut aims, at most over: it moves only when over - to has been added; "
        "absent: over",
    "unit": "the unit of all sizes: \"bytes\" (default), \"tokens\"",
    "counts": "tokens of the first entries of the list, in order; others are estimated",
    "bytes_per_token": "bytes of a token, to estimate entries without a count; default: 4",
    "overhead": "size of what isn't in the list, such as system text and tools",
    "measures":
        "measures that may be taken, always in this order: results, reasoning, media, "
        "rounds, loops; absent: rounds and loops",
    "keep": "what stays",
    "pin": "indexes of entries whose rounds nothing touches",
    "placeholder": "takes the place of a cleared result; absent: [Old tool result removed.]",
    "media_placeholder": "takes the place of media; absent: [Old media removed.]",
    "marker": "a message of the user at the cut, for example a summary; absent: none",
    "on_unreachable":
        "refuse if the budget can't be reached, or answer the smallest outcome: \"error\" "
        "(default), \"least\"",
    "prepare.request": "the whole request body",
    "splice": "the turn that came back, its results and what the caller appends; absent: no step",
    "prepare.tools": "tools to add, and the caller's beta values; absent: none",
    "prepare.tools.betas": "the caller's anthropic-beta header: a line, or a list of lines",
    "prepare.tools.provider":
        "whose tools they are; absent: the provider of the request: \"anthropic\", "
        "\"openai-responses\", \"gemini\", \"azure-responses\", \"xai-responses\"",
    "prepare.tools.target": "where the request goes; absent: the target of all steps",
    "fit": "the budget that the history is fitted to before it is repaired; absent: no step",
    "prepare.dialect":
        "the shape of the messages: the provider's own: \"anthropic\", \"openai-chat\", "
        "\"openai-responses\", \"bedrock\", \"gemini\"",
    "prepare.return":
        "an RFC 6902 patch, the whole body if it changed, or changes of the bytes sent: "
        "\"patch\" (default), \"request\", \"splices\"",
    "text": "the provider's error: its message, its JSON body, or what an SDK made of these",
    "explain.provider":
        "the provider whose words these are; absent: any: \"anthropic\", \"openai-chat\", "
        "\"openai-responses\", \"bedrock\", \"gemini\"",
    "status": "HTTP status of the provider's answer",
    "report_miss.provider":
        "the provider that refused the request: \"anthropic\", \"openai-chat\", "
        "\"openai-responses\", \"bedrock\", \"gemini\"",
    "detect.request": "the whole request body, of any provider; either this or messages",
    "redact.messages": "the history; either this, request or document",
    "redact.request": "the whole request body",
    "document": "a larger document, in which the history is at the place that `at` names",
    "at": "JSON pointer to the history in the document",
    "echo": "any value; it is returned unchanged",
    "format":
        "form of the result: the map of numbers, or {text} in a format of Prometheus: \"json\" "
        "(default), \"prometheus\", \"openmetrics\"",
}
