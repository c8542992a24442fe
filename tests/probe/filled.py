# SPDX-License-Identifier: Apache-2.0
"""Makes the large parts of the requests in written.json, which says them as objects with one member:

    {"$text": ["a", 5]}           the text, so many times
    {"$list": [3, {"id": "{n}"}]}  so many copies; {n} in a copy's strings is its number from 0
    {"$join": [[1], {"$list": ...}]}  the lists, joined
    {"$png": [8, 8]}              a PNG of that width and height in base64
    {"$png_url": [8, 8]}          the same as a data URL
    {"$noise": [100, 100]}        a PNG that no compression makes smaller, in base64
"""
import base64
import json
import random
import struct
import zlib


def chunk(kind, data):
    return struct.pack("!I", len(data)) + kind + data + struct.pack("!I", zlib.crc32(kind + data))


def png(width, height, noise=False):
    """Returns the base64 of a grey image, or of one of three random bytes a pixel (the same ones each time)."""
    depth = 3 if noise else 1
    draw = random.Random(1)
    rows = b"".join(b"\0" + (draw.randbytes(depth * width) if noise else b"\x80" * width) for _ in range(height))
    head = struct.pack("!IIBBBBB", width, height, 8, 2 if noise else 0, 0, 0, 0)
    data = chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 1)) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + data).decode()


def copies(count, item):
    text = json.dumps(item)
    return [json.loads(text.replace("{n}", str(number))) for number in range(count)]


MAKERS = {
    "$text": lambda text, count: text * count,
    "$list": lambda count, item: copies(count, filled(item)),
    "$join": lambda *lists: [item for part in lists for item in filled(part)],
    "$png": png,
    "$png_url": lambda width, height: "data:image/png;base64," + png(width, height),
    "$noise": lambda width, height: png(width, height, noise=True),
}


def filled(value):
    """Returns the value with everything made that it says so of."""
    if isinstance(value, list):
        return [filled(item) for item in value]
    if not isinstance(value, dict):
        return value
    name = next(iter(value), None)
    if len(value) == 1 and name in MAKERS:
        return MAKERS[name](*value[name])
    return {key: filled(member) for key, member in value.items()}


def edited(body, edits):
    """Returns the body with `drop` (a list of JSON pointers) and then `set` (pointer -> value) of edits applied. The last
    word of a pointer may be "-": after the list's end."""
    body = json.loads(json.dumps(body))
    for pointer in edits.get("drop", []):
        place, last = found(body, pointer)
        del place[last]
    for pointer, value in edits.get("set", {}).items():
        place, last = found(body, pointer)
        if last == "-":
            place.append(filled(value))
        else:
            place[last] = filled(value)
    return body


def found(body, pointer):
    *words, last = [word.replace("~1", "/").replace("~0", "~") for word in pointer.split("/")[1:]]
    for word in words:
        body = body[int(word) if isinstance(body, list) else word]
    return body, int(last) if isinstance(body, list) and last != "-" else last
