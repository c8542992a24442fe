# SPDX-License-Identifier: Apache-2.0
"""Reads what the build says of itself (`info`), for the writers of each language: in_python, in_go, in_typescript."""

NOTICE = "Made by clients/shared/generate.py from routes.json and the build's `info`: change those."

# The class of a code whose errors have a name each, and no name in common.
FAMILIES = {-32002: "stream", -32003: "refused"}
# Errors that a class was named after in another way than all others.
CLASSES = {"internal": "InternalError", "stream": "StreamError"}

# Classes that are written by hand, in errors_base.py and errors_with_data.ts: their data have members of their own, or
# their code has no name.
BY_HAND = ("parse_error", "invalid_params", "dialect_mismatch", "unsafe_history", "stream", "refused")


def camel(name):
    return "".join(word.capitalize() for word in name.split("_"))


def class_of(name):
    return CLASSES.get(name) or camel(name)


def families(info):
    """Returns the name of the class of each code: that of FAMILIES, else the first name that has the code."""
    found = dict(FAMILIES)
    for error in info["errors"]:
        found.setdefault(error["code"], error["name"])
    return found


def sentence(text):
    return text[:1].upper() + text[1:] + "."


def parameters(info):
    """Yields the method, the name and the schema of each parameter, those of steps too."""
    for method in info["methods"]:
        for name, schema in method["params"].get("properties", {}).items():
            yield method["name"], name, schema
            if name in ("splice", "tools", "target", "options"):
                for inner, of_step in schema.get("properties", {}).items():
                    yield method["name"] + "." + name, inner, of_step


def words(info, method, *path):
    """Returns the words that a parameter of a method may have."""
    schema = next(m["params"] for m in info["methods"] if m["name"] == method)
    for name in path:
        schema = schema["properties"][name]
    return schema["enum"]


def vocabularies(info):
    """Returns the words of the parameters whose values are names, by what they name."""
    return {
        "provider": words(info, "validate", "provider"),
        "dialect": words(info, "validate", "dialect"),
        "endpoint": words(info, "validate", "target", "endpoint"),
        "server": words(info, "validate", "target", "server"),
        "policy": list(info["policies"]),
    }


def policy_keys(info):
    """Yields the name and the schema of each key of the parameter `policy`."""
    schema = next(s for method, name, s in parameters(info) if (method, name) == ("validate", "policy"))
    keys = next(form for form in schema["anyOf"] if "properties" in form)["properties"]
    yield from keys.items()
