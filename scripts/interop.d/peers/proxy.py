"""An X server's door with something missing: extensions that it does not let clients find, or time.

proxy.py DISPLAY-NUMBER [--hide EXTENSION]... [--delay SECONDS] -displayfd DESCRIPTOR
"""

import argparse
import os
import queue
import signal
import socket
import struct
import sys
import threading
import time

parser = argparse.ArgumentParser()
parser.add_argument("number", type=int)
parser.add_argument("--hide", action="append", default=[])
parser.add_argument("--delay", type=float, default=0.0)
parser.add_argument("-displayfd", type=int, required=True)
options = parser.parse_args()
hidden = {name.encode() for name in options.hide}
QUERY_EXTENSION = 98


class Requests:
    """Finds the requests in a client's stream, and renames the extensions it must not find."""

    def __init__(self):
        self.rest = b""
        self.order = None
        self.passing = 0

    def feed(self, data):
        if self.passing >= len(data):
            self.passing -= len(data)
            return data
        output = [data[:self.passing]]
        self.rest += data[self.passing:]
        self.passing = 0
        while True:
            piece = self.setup() if self.order is None else self.request()
            if not piece:
                return b"".join(output)
            output.append(piece)

    def take(self, length):
        piece, self.rest = self.rest[:length], self.rest[length:]
        self.passing = length - len(piece)
        return piece

    def setup(self):
        if len(self.rest) < 12:
            return b""
        self.order = "<" if self.rest[:1] == b"l" else ">"
        name, data = struct.unpack_from(f"{self.order}HH", self.rest, 6)
        return self.take(12 + (name + 3 & ~3) + (data + 3 & ~3))

    def request(self):
        if len(self.rest) < 8:
            # The shortest request is four bytes long.
            if len(self.rest) < 4 or struct.unpack_from(f"{self.order}H", self.rest, 2)[0] != 1:
                return b""
            return self.take(4)
        length = struct.unpack_from(f"{self.order}H", self.rest, 2)[0]
        if length == 0:
            length = struct.unpack_from(f"{self.order}I", self.rest, 4)[0]
        if self.rest[0] == QUERY_EXTENSION:
            if len(self.rest) < 4 * length:
                return b""
            size = struct.unpack_from(f"{self.order}H", self.rest, 4)[0]
            piece = self.take(4 * length)
            if piece[8:8 + size] in hidden:
                piece = piece[:8] + b"?" * size + piece[8 + size:]
            return piece
        return self.take(4 * length)


def pump(source, target, change):
    later = queue.Queue(maxsize=4096)

    def write():
        while True:
            when, data = later.get()
            time.sleep(max(0, when - time.monotonic()))
            try:
                if not data:
                    target.shutdown(socket.SHUT_WR)
                    return
                target.sendall(data)
            except OSError:
                return

    threading.Thread(target=write, daemon=True).start()
    while True:
        try:
            data = source.recv(1 << 16)
        except OSError:
            data = b""
        changed = change(data) if data else b""
        if changed or not data:
            later.put((time.monotonic() + options.delay, changed))
        if not data:
            return


def listen():
    for number in range(60, 2000):
        path = f"/tmp/.X11-unix/X{number}"
        if os.path.exists(path) or os.path.exists(f"/tmp/.X{number}-lock"):
            continue
        door = socket.socket(socket.AF_UNIX)
        try:
            door.bind(path)
        except OSError:
            continue
        door.listen(64)
        return door, path, number
    raise SystemExit("no number is free")


door, path, number = listen()
# Told to end, it takes its socket away.
signal.signal(signal.SIGTERM, lambda *_: sys.exit())
with os.fdopen(options.displayfd, "wb") as pipe:
    pipe.write(b"%d\n" % number)
try:
    while True:
        client, _ = door.accept()
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"/tmp/.X11-unix/X{options.number}")
        threading.Thread(target=pump, args=(client, server, Requests().feed), daemon=True).start()
        threading.Thread(target=pump, args=(server, client, lambda data: data), daemon=True).start()
finally:
    os.unlink(path)
