# SPDX-License-Identifier: Apache-2.0
"""Secrets for every place of a history: what a person may have written there."""
import base64
import json
import re

NAME = "Schmidtke"
CITY = "Wuppertal"
NUMBER = 471182639571
HIDDEN = (NAME.lower(), CITY.lower(), "471182639571", "4711 8263")
PLAIN = "Hanna %s, %s, 4711 8263" % (NAME, CITY)
# Forms that rules look into, each with the secret inside.
FORMS = (
    PLAIN,
    NAME + "_" + CITY,
    "toolu_" + NAME, "srvtoolu_" + NAME, "call_" + NAME, "rs_" + NAME, "fc_" + CITY, "msg_" + NAME,
    NAME.lower() + "_tool_result", NAME.lower() + "_20250305", "tool-" + NAME, NAME + ".3",
    "https://%s.example/%s?q=%s" % (NAME.lower(), CITY, PLAIN.replace(" ", "+")),
    json.dumps({"name": PLAIN, NAME: [PLAIN, NUMBER, {CITY: {"type": NAME}}], "text": json.dumps({NAME: CITY})}),
    '{"open": "' + PLAIN, "[" + NAME + ", " + CITY + "]", '{"a": "\\x' + NAME + '", \\u' + CITY,
    "data:text/plain," + PLAIN, "data:" + NAME + "/" + CITY + ";" + NAME + ";base64," + NAME + CITY,
    "image/" + NAME, "claude-sonnet-4-5-" + NAME, "arn:aws:bedrock:eu-west-1:471182639571:profile/" + NAME,
    "ft:gpt-4o-mini-2024-07-18:%s:%s:4711 8263" % (NAME, CITY), "davinci:ft-%s-2022" % NAME,
    "anthropic." + NAME + "_result_metadata", "functions." + NAME + ":0", "mcp__%s__%s" % (NAME, CITY),
    NAME + "\ufeff" + CITY, "\u00fc" + NAME + "\u4f60\u597d" + CITY + "\U0001f600",
)
# Media with a secret after the first bytes. The secret is whole groups of base64, so that it can be found again.
SECRET_BYTES = (PLAIN * 3).encode()[:3 * (len(PLAIN) * 3 // 3)]
MEDIA = {
    "image/png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x20" + SECRET_BYTES,
    "image/jpeg": b"\xff\xd8\xff\xe1\x00\x7e" + SECRET_BYTES[:124] + b"\xff\xc0\0\x11\x08\0\x10\0\x20" + SECRET_BYTES,
    "image/gif": b"GIF89a\x10\0\x20\0\0\0" + SECRET_BYTES,
    "image/webp": b"RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x0f\0\0\x1f\0\0" + SECRET_BYTES,
    "application/pdf": b"%PDF-1" + SECRET_BYTES,
    "text/plain": SECRET_BYTES,
}


# Members in which the protocol has a number: limits, indexes, counts; and objects that have only such numbers. All other
# numbers are replaced.
NUMBERS_THAT_STAY = {
    "index", "max_tokens", "max_completion_tokens", "max_output_tokens", "max_tool_calls", "max_uses", "max_content_tokens",
    "max_num_results", "budget_tokens", "temperature", "top_p", "top_k", "top_logprobs", "seed", "frequency_penalty",
    "presence_penalty", "usage", "trigger", "keep", "clear_at_least", "document_index", "search_result_index", "start_char_index",
    "end_char_index", "start_page_number", "end_page_number", "start_block_index", "end_block_index", "start_index", "end_index",
    "content_index", "output_index", "return_code", "display_width_px", "display_height_px", "display_number", "context_length",
    "total_tokens", "task_budget", "lc"}
NUMBERS_THAT_STAY |= {re.sub("_([a-z])", lambda found: found[1].upper(), name) for name in NUMBERS_THAT_STAY}
# Keywords of JSON Schema that have numbers, which a person chose.
SCHEMA_NUMBERS = ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "minItems",
                  "maxItems", "minProperties", "maxProperties", "minContains", "maxContains", "const", "default", "example")


def encoded(data):
    return base64.b64encode(data).decode()


def decoded(text):
    """Returns the text that base64 inside of a text says; empty: it is none."""
    data = text.split(",", 1)[-1]
    try:
        return base64.b64decode(data, validate=True).decode("latin-1")
    except ValueError:
        return ""


def strings(value):
    """All strings of a value, names of members included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for element in value:
            yield from strings(element)
    elif isinstance(value, dict):
        for key, member in value.items():
            yield key
            yield from strings(member)


def found(document):
    """Secrets that a redacted document (parsed) still has, also in base64 and in names."""
    text = json.dumps(document, ensure_ascii=False).lower()
    text += "".join(decoded(s).lower() for s in strings(document))
    return [secret for secret in HIDDEN if secret in text]


def places(value, path=()):
    """The path of every string and number, and of every object."""
    if isinstance(value, (list, dict)):
        for key, member in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(member, path + (key,))
    yield path


def planted(value, path, secret):
    """A copy of the value with the secret at a place: instead of what was there, or as a member of an object."""
    if path:
        copy = dict(value) if isinstance(value, dict) else list(value)
        copy[path[0]] = planted(value[path[0]], path[1:], secret)
        return copy
    if isinstance(value, dict):
        return {**value, NAME: secret, CITY: {"type": secret, "text": [secret, {NAME: NUMBER}], "n": NUMBER}}
    return secret
