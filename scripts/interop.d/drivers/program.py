"""What all drivers have in common."""

import copy
import json
import os
import select
import subprocess
import time

import packages
from processes import Failed, Late, start, stop_group
from samples import difference

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Debian's modules belong to this one; another python3 may stand first in PATH.
PYTHON = "/usr/bin/python3"


class Program:
    """A row of the table.

    cannot: why the program has no such thing, for (direction, column), (direction, None) or (None, column).
    remarks: what to know although it passes.
    faults: what is wrong in the program itself when that cell does not pass, and what users can do.
    """

    name = ""
    packages = ()
    # Whose version is shown, if not the first package's.
    versioned = None
    cannot = {}
    remarks = {}
    faults = {}
    # Where nothing can be had, and how our program says so: (words that it uses, why).
    refusals = {}
    # Seconds it needs to notice that another program has copied; a person never pastes sooner.
    settle = 0.0
    # How much more time than others it may take.
    slowness = 1
    # The X server for its row; nothing means a plain Xvfb.
    server = None
    # Who is at the other side instead of us, for programs that call our command.
    counterpart = None
    # What is copied for the columns of sizes.
    large_kind = "text"
    # The encoding of all the text that it can hold.
    repertoire = "utf-8"
    start_seconds = 30

    def __init__(self, rig):
        self.rig = rig
        self.environment = dict(rig.environment)
        self.directory = rig.directory

    def start(self):
        """Brings the program to where it can copy and paste."""

    def stop(self):
        """Ends what `start` started."""

    def is_alive(self):
        """Whether it can go on after a cell went wrong."""
        return True

    def copy(self, content):
        raise NotImplementedError

    def paste(self, content):
        raise NotImplementedError

    def further(self, content, direction):
        """What else is to be tried when a cell passed: None, or what is wrong."""
        return None

    def expected(self, content, direction):
        """The data as this program can give or take it, where it changes it by its nature."""
        return content.data

    def difference(self, content, direction, got):
        """None when what arrived is as it should be; else what is wrong."""
        wanted = copy.copy(content)
        wanted.data = self.expected(content, direction)
        return difference(wanted, got)

    def reason(self, direction, column, table=None):
        table = self.cannot if table is None else table
        for key in ((direction, column), (direction, None), (None, column)):
            if key in table:
                return table[key]
        return None

    def version(self):
        return packages.version(self.versioned or self.packages[0]) or "not installed"

    def scratch(self, name):
        path = os.path.join(self.directory, name)
        if os.path.exists(path):
            os.unlink(path)
        return path


class Toolkit(Program):
    """A small program with the toolkit, driven by lines of JSON on its standard input and output."""

    program = ()
    preparation = None

    def start(self):
        if self.preparation:
            self.preparation()
        log = open(os.path.join(self.directory, f"{self.name.replace(' ', '-')}.log"), "wb")
        self.process = start(
            list(self.program), self.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=log, bufsize=0)
        log.close()
        self.rest = b""
        self.answer(self.start_seconds)

    def stop(self):
        if getattr(self, "process", None):
            stop_group(self.process)

    def is_alive(self):
        # After a late answer the next one would be taken for another question's.
        return False

    def answer(self, seconds):
        deadline = time.monotonic() + seconds
        while b"\n" not in self.rest:
            ready, _, _ = select.select([self.process.stdout], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise Late(f"{self.name} does not answer within {seconds:g} s")
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                raise Failed(f"{self.name} ended with {self.process.wait(5)}")
            self.rest += piece
        line, _, self.rest = self.rest.partition(b"\n")
        value = json.loads(line)
        if "error" in value:
            raise Failed(value["error"])
        return value

    def ask(self, seconds, **command):
        self.process.stdin.write(self.line(command).encode() + b"\n")
        return self.answer(seconds)

    def line(self, command):
        return json.dumps(command)

    def copy(self, content):
        value = content.data if content.kind == "files" else content.path
        self.ask(
            content.seconds, do="copy", kind=content.kind, selection=content.selection, value=value,
            text=(content.text or b"").decode())

    def paste(self, content):
        path = self.scratch("toolkit-pasted")
        value = self.ask(
            content.seconds, do="paste", kind=content.kind, selection=content.selection, value=path,
            large=content.column.endswith("MB"))
        if content.kind == "files":
            return value["files"]
        with open(path, "rb") as file:
            return file.read()


class PlainToolkit(Toolkit):
    """One whose program reads fields between tabs instead of JSON: do, kind, selection, size, text, values."""

    def line(self, command):
        value = command["value"]
        values = [value] if isinstance(value, str) else value
        size = "large" if command.get("large") else "small"
        fields = [command["do"], command["kind"], command["selection"], size, command.get("text", "")]
        return "\t".join([*fields, *values])


def peer(name):
    return os.path.join(HERE, "peers", name)
