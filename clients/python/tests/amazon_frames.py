# SPDX-License-Identifier: Apache-2.0
"""The framing application/vnd.amazon.eventstream: lengths and checksums around headers and a payload."""

import json
import struct
import zlib

MEDIA = "application/vnd.amazon.eventstream"


def frame(event, payload):
    """Returns the frame of an event, its name and its payload as a value."""
    about = {":event-type": event, ":content-type": "application/json", ":message-type": "event"}
    headers = b"".join(
        struct.pack("!B%dsBH%ds" % (len(k), len(v)), len(k), k.encode(), 7, len(v), v.encode())
        for k, v in about.items()
    )
    data = json.dumps(payload).encode()
    prelude = struct.pack("!II", 12 + len(headers) + len(data) + 4, len(headers))
    message = prelude + struct.pack("!I", zlib.crc32(prelude)) + headers + data
    return message + struct.pack("!I", zlib.crc32(message))
