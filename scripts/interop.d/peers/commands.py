"""The line protocol between a driver and a small program with a toolkit.

A command is a line of JSON: {"do": "copy" or "paste", "kind": "text", "html", "png" or "files", "selection",
"value": what to copy from or paste into, "text": plain text beside html}. Each gets one line of JSON back.
"""

import json
import os
import sys
import threading
import traceback
from urllib.parse import quote, unquote, urlsplit


def reply(**values):
    os.write(1, json.dumps(values).encode() + b"\n")


def serve(handle, invoke):
    """Reads commands on a thread of its own; `invoke` has the toolkit's thread call a function.

    handle(command) answers by `reply`, now or later.
    """

    def guarded(command):
        try:
            handle(command)
        except BaseException as error:
            traceback.print_exc()
            reply(error=f"{type(error).__name__}: {error}")

    def read():
        for line in sys.stdin.buffer:
            command = json.loads(line)
            invoke(lambda command=command: guarded(command))
        os._exit(0)

    threading.Thread(target=read, daemon=True).start()


def content(command):
    with open(command["value"], "rb") as file:
        return file.read()


def pasted(command, data):
    if data is None:
        reply(error="the toolkit says that nothing is there")
        return
    if command["kind"] == "files":
        reply(files=data)
        return
    with open(command["value"], "wb") as file:
        file.write(data)
    reply(ok=True)


def uri(path):
    return "file://" + quote(path)


def path(uri):
    return unquote(urlsplit(uri).path)
