"""xclip and xsel."""

import contextlib
from urllib.parse import quote, unquote, urlsplit

from drivers.program import Program
from processes import run, wait_until



@contextlib.contextmanager
def owned_afterwards(rig, content):
    """xclip and xsel can return before the server has heard that they own the selection."""
    rig.ours.clear(content.selection)
    yield
    wait_until(lambda: rig.ours.targets(content.selection), 10, "the selection has its new owner")


class Xclip(Program):
    name = "xclip"
    packages = ("xclip",)

    def words(self, content):
        words = ["xclip", "-selection", content.selection.lower()]
        target = {"html": "text/html", "png": "image/png", "files": "text/uri-list"}.get(content.kind)
        return words + (["-t", target] if target else [])

    def copy(self, content):
        with owned_afterwards(self.rig, content):
            self.start_owner(content)

    def start_owner(self, content):
        path = content.path
        if content.kind == "files":
            path = self.scratch("uri-list")
            with open(path, "w", encoding="ascii", newline="") as file:
                file.write("".join(f"{uri(name)}\r\n" for name in content.data))
        run([*self.words(content), "-i", path], self.environment, content.seconds, check=True)

    def paste(self, content):
        path = self.scratch("xclip-pasted")
        words = [*self.words(content), "-o"]
        run(words, self.environment, content.seconds, output_path=path, check=True)
        with open(path, "rb") as file:
            data = file.read()
        return paths(data) if content.kind == "files" else data


class Xsel(Program):
    name = "xsel"
    packages = ("xsel",)
    cannot = {
        (None, "html"): "carries text only",
        (None, "png"): "carries text only",
        (None, "files"): "carries text only",
    }

    def words(self, content):
        return ["xsel", "--primary" if content.selection == "PRIMARY" else "--clipboard"]

    def copy(self, content):
        with owned_afterwards(self.rig, content):
            run(
                [*self.words(content), "-i"], self.environment, content.seconds, input_path=content.path, check=True)

    def paste(self, content):
        path = self.scratch("xsel-pasted")
        run([*self.words(content), "-o"], self.environment, content.seconds, output_path=path, check=True)
        with open(path, "rb") as file:
            return file.read()


def uri(path):
    return "file://" + quote(path)


def paths(uris):
    """The paths in a text/uri-list."""
    lines = uris.decode("utf-8").replace("\r\n", "\n").split("\n")
    return [unquote(urlsplit(line).path) for line in lines if line and not line.startswith("#")]
