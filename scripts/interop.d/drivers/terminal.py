"""xterm: its keyboard, its pointer, and for what does not fit on a screen its own control sequence."""

import base64
import os
import re

from drivers.program import PYTHON, Program, peer
from processes import Failed, run, start, stop_group, wait_until

RESOURCES = """
XTerm*allowWindowOps: true
XTerm*allowColorOps: false
XTerm*internalBorder: 0
XTerm*scrollBar: false
XTerm*precompose: false
XTerm*translations: #override \\
  Ctrl <Key>V: insert-selection(CLIPBOARD) \\n\\
  Ctrl <Key>C: copy-selection(CLIPBOARD)
"""


class Xterm(Program):
    name = "xterm"
    packages = ("xterm", "xdotool", "x11-utils")
    cannot = {
        (None, "html"): "takes and gives text only",
        (None, "png"): "takes and gives text only",
        (None, "files"): "takes and gives text only",
    }

    remarks = {
        ("theirs", "ascii"): "xterm's screen has blanks where a tab was",
        ("theirs", "unicode"): "xterm's screen does not keep U+200D",
    }

    def expected(self, content, direction):
        # What is on a screen has blanks where a tab was, and no zero width joiners.
        if direction == "theirs" and not content.column.endswith("MB"):
            return content.data.decode().expandtabs(8).replace("\u200d", "").encode()
        return content.data

    def run_inside(self, *words):
        """A terminal that runs the program at its tty; its window, once it is there."""
        resources = os.path.join(self.directory, "xterm.ad")
        with open(resources, "w") as file:
            file.write(RESOURCES.replace("\n  ", "\n "))
        environment = {**self.environment, "XENVIRONMENT": resources}
        terminal = start(
            ["xterm", "-u8", "-fa", "Monospace", "-fs", "8", "-geometry", "120x30+10+10", "-e", *words], environment)
        return terminal

    def window(self, terminal):
        def find():
            words = ["xdotool", "search", "--onlyvisible", "--class", "xterm"]
            lines = run(words, self.environment, 10).output.decode().split()
            return lines[-1] if lines else None
        return wait_until(find, 15, "a window of xterm")

    def xdotool(self, *words):
        run(["xdotool", *words], self.environment, 15, check=True)

    def copy(self, content):
        ready, done = self.scratch("tty-ready"), self.scratch("tty-done")
        large = content.column.endswith("MB")
        source = content.path
        if large:
            source = self.scratch("sequence")
            with open(source, "wb") as file:
                file.write(b"\033]52;c;" + base64.b64encode(content.data) + b"\033\\")
        terminal = self.run_inside(PYTHON, peer("tty_writer.py"), source, ready)
        try:
            window = self.window(terminal)
            # The program in it says so when the terminal has read everything.
            wait_until(lambda: os.path.exists(ready), content.seconds, "the text on xterm's screen")
            if not large:
                self.select(window, content)
        except BaseException:
            stop_group(terminal)
            raise
        self.terminal = terminal

    def select(self, window, content):
        """Drags over the text with the pointer; for CLIPBOARD, then the key for it."""
        hints = run(["xprop", "-id", window, "WM_NORMAL_HINTS"], self.environment, 10, check=True).output.decode()
        match = re.search(r"resize increment: (\d+) by (\d+)", hints)
        if not match:
            raise Failed("xterm does not say how large its characters are")
        width, height = int(match[1]), int(match[2])
        lines = content.data.decode().split("\n")
        row = len(lines) - 1
        before = self.rig.ours.owner(content.selection)
        self.xdotool("mousemove", "--window", window, "1", str(height // 2))
        self.xdotool("mousedown", "1")
        # The last line is ASCII: one cell a character.
        last = len(lines[-1]) * width
        for x, y in ((width * 2, height // 2), (last, row * height + height // 2)):
            self.xdotool("mousemove", "--window", window, str(x), str(y))
        self.xdotool("mouseup", "1")
        if content.selection == "CLIPBOARD":
            self.xdotool("windowfocus", window)
            self.xdotool("key", "ctrl+c")
        # The pointer and the key reach xterm some time after they were sent.
        wait_until(lambda: self.rig.ours.owner(content.selection) not in (None, before), 15, "xterm's copy")

    def paste(self, content):
        self.finish()
        ready, output = self.scratch("tty-ready"), self.scratch("tty-output")
        terminal = self.run_inside(PYTHON, peer("tty_reader.py"), ready, output, str(len(content.data)))
        try:
            window = self.window(terminal)
            wait_until(lambda: os.path.exists(ready), 15, "the program in xterm")
            if content.selection == "PRIMARY":
                self.xdotool("mousemove", "--window", window, "40", "40", "click", "2")
            else:
                self.xdotool("windowfocus", window)
                self.xdotool("key", "ctrl+v")
            wait_until(lambda: os.path.exists(output), content.seconds, "the pasted text in xterm")
        except BaseException as error:
            partial = output + ".part"
            if os.path.exists(partial):
                raise Failed(
                    f"{error}; {os.path.getsize(partial):,} of {len(content.data):,} bytes arrived") from None
            raise
        finally:
            stop_group(terminal)
        with open(output, "rb") as file:
            return file.read()

    def finish(self):
        terminal, self.terminal = getattr(self, "terminal", None), None
        if terminal:
            stop_group(terminal)

    def stop(self):
        self.finish()
