# SPDX-License-Identifier: Apache-2.0
"""How long a validate of 200 KB takes, from the first byte sent to the last byte of the answer.

Requests go out at a fixed rate on one connection, one at a time. Each is followed by the same bytes to a reference: a
process that reads them, hashes them and answers. Load from elsewhere on the machine slows down both; a defect of the
daemon slows down only the daemon.
"""
import gc
import hashlib
import os
import socket
import struct
import time

from documents import request_of
from harness import Client, frame

RATE = 30  # requests a second, to the daemon and to the reference each
HEADER = struct.Struct(">I")


def receive_frame(s):
    """The bytes of a frame's document; None at the end of the connection."""
    data = bytearray()
    wanted = HEADER.size
    while len(data) < wanted:
        more = s.recv(1 << 18)
        if not more:
            return None
        data += more
        if len(data) >= HEADER.size:
            wanted = HEADER.size + HEADER.unpack_from(data)[0]
    return data[HEADER.size:]


def start_reference():
    """A socket connected to the reference, which ends when the socket is closed."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        while (data := receive_frame(theirs)) is not None:
            theirs.sendall(frame(hashlib.sha256(data).digest()))
        os._exit(0)
    theirs.close()
    return ours


def microseconds(s, data):
    """How long the answer took, and the answer."""
    begin = time.perf_counter()
    s.sendall(data)
    answer = receive_frame(s)
    return (time.perf_counter() - begin) * 1e6, answer


def measure(path, body):
    """The work of a process that measures: `body` is the request body of 200 KB that the daemon at `path` judges."""
    data = frame(request_of("validate", {"request": body}, "json"))

    def work(tally, stop):
        gc.disable()
        reference = start_reference()
        with Client(path) as c:
            due = time.monotonic()
            while not stop.wait(max(0, due - time.monotonic())):
                due = max(due + 1 / RATE, time.monotonic())  # what a pause left out isn't made up for
                took, answer = microseconds(c.socket, data)
                if answer is None:
                    tally.count("lost")
                    break
                if b'"result"' in answer[:100]:
                    tally.sample("validate_us", took)
                else:
                    tally.count("validate_refused")
                tally.sample("reference_us", microseconds(reference, data)[0])
        reference.close()
    return work
