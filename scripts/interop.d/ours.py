"""Our side: the built programs, used as a person would."""

import json
import os

from processes import Failed, run


class Ours:
    def __init__(self, binaries, environment, directory):
        self.binaries = binaries
        self.environment = environment
        self.directory = directory

    def path(self, name):
        return os.path.join(self.binaries, name)

    def words(self, content):
        """The command that copies; text comes by standard input."""
        if content.library:
            return [self.path("profile"), "note", "copy", content.data.decode()]
        words = [self.path("pasteboard"), "copy", "-s", content.selection.lower()]
        if content.kind == "html":
            plain = content.path + ".txt"
            with open(plain, "wb") as file:
                file.write(content.text)
            words += ["--as", f"text/html={content.path}", "--as", f"text/plain={plain}"]
        elif content.kind == "png":
            words += ["--no-file", content.path]
        elif content.kind == "files":
            words += content.data
        return words

    def copy(self, content):
        source = content.path if content.kind == "text" and not content.library else None
        return run(self.words(content), self.environment, content.seconds, input_path=source, check=True)

    def paste(self, content):
        if content.library:
            words = [self.path("profile"), "note", "paste"]
            # The program ends the text with a line of its own.
            return run(words, self.environment, content.seconds, check=True).output[:-1]
        words = [self.path("pasteboard"), "paste", "-s", content.selection.lower()]
        if content.kind == "files":
            output = run([*words, "--files", "-0"], self.environment, content.seconds, check=True).output
            return [name.decode() for name in output.split(b"\0") if name]
        if content.kind == "html":
            words += ["-t", "text/html"]
        elif content.kind == "png":
            words += ["-t", "png"]
        if content.column == "64MB":
            # Some programs make what they copied when it is asked for, and 64 MB take them longer than the usual 5 s.
            words += ["--timeout", str(content.seconds)]
        target = os.path.join(self.directory, "pasted")
        result = run(words, self.environment, content.seconds, output_path=target)
        if result.status != 0:
            raise Failed(f"pasteboard ends with {result.status}: {result.said()}")
        with open(target, "rb") as file:
            return file.read()

    def cut(self, paths):
        run([self.path("pasteboard"), "copy", "--cut", *paths], self.environment, 20, check=True)

    def raw(self, selection, target):
        words = [self.path("pasteboard"), "paste", "-s", selection.lower(), "-t", target]
        return run(words, self.environment, 10, check=True).output

    def targets(self, selection):
        words = [self.path("pasteboard"), "types", "-s", selection.lower()]
        return run(words, self.environment, 10).output.decode("utf-8", "replace")

    def owner(self, selection):
        """The window that owns a selection; None where nobody does."""
        words = [self.path("pasteboard"), "inspect", "--json", "-s", selection.lower()]
        output = run(words, self.environment, 10).output
        return next((each["window"] for each in json.loads(output or b"[]")), None)

    def clear(self, selection):
        run([self.path("pasteboard"), "clear", "-s", selection.lower()], self.environment, 10)
