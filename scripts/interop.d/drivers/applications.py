"""A file manager, an office program and an image editor in their windows."""

import html
import os
import shutil

from drivers.program import Program, peer
from drivers.windows import keys, window, xdotool
from processes import Failed, Late, run, start, stop_group, wait_until


def no(reason, *columns):
    return {(None, column): reason for column in columns}


class FileManager(Program):
    name = "PCManFM"
    packages = ("pcmanfm", "xdotool")
    cannot = {
        **no("handles files only", "ascii", "unicode", "html", "png", "5MB", "64MB", "library"),
        (None, "primary"): "uses CLIPBOARD only",
    }

    def start(self):
        self.processes = []

    def stop(self):
        for process in self.processes:
            stop_group(process)

    def open(self, folder):
        """A window that shows the folder; one program a window, each by itself."""
        self.stop()
        self.processes = [start(["pcmanfm", "--no-desktop", "--new-win", folder], self.environment)]
        return window(self.environment, "--name", os.path.basename(folder))

    def copy(self, content):
        folder = os.path.join(self.directory, "to copy")
        os.makedirs(folder, exist_ok=True)
        self.shown = {}
        for path in content.data:
            target = os.path.join(folder, os.path.basename(path))
            shutil.copy(path, target)
            self.shown[target] = path
        self.rig.ours.clear("CLIPBOARD")
        place = self.open(folder)

        def copied():
            # The folder fills after its window is there.
            keys(self.environment, place, "ctrl+a", "ctrl+c")
            offered = self.rig.ours.targets("CLIPBOARD")
            return "uri-list" in offered and len(self.rig.ours.paste(content)) == len(content.data)

        wait_until(copied, 15, "copied files")

    def expected(self, content, direction):
        return list(self.shown) if direction == "theirs" else content.data

    def paste(self, content):
        folder = os.path.join(self.directory, "to paste")
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        place = self.open(folder)
        names = {os.path.basename(path): path for path in content.data}

        def arrived():
            found = os.listdir(folder)
            return len([each for each in found if not each.startswith(".")]) == len(names)

        keys(self.environment, place, "ctrl+v")
        try:
            wait_until(arrived, 10, "pasted files")
        except Late:
            pass
        result = []
        for name in os.listdir(folder):
            with open(os.path.join(folder, name), "rb") as file, open(names.get(name, "/dev/null"), "rb") as source:
                result.append(names.get(name, name) if file.read() == source.read() else f"other content: {name}")
        return result


class Writer(Program):
    """LibreOffice's window; its commands are called by the names its menus use."""

    name = "LibreOffice Writer"
    settle = 2.0
    # A text of 5 MB has 70,000 paragraphs, which Writer needs minutes to lay out.
    large_kind = "png"
    packages = ("libreoffice-writer", "python3-uno")
    cannot = {(None, "primary"): "its commands for PRIMARY are the mouse only", (None, "files"): "pastes files as text"}
    start_seconds = 60

    def start(self):
        self.pipe = f"interop{os.getpid()}"
        profile = os.path.join(self.directory, "office")
        log = open(os.path.join(self.directory, "office.log"), "wb")
        self.process = start(
            ["soffice", "--writer", "--norestore", "--nologo", "--nofirststartwizard",
             f"-env:UserInstallation=file://{profile}", f"--accept=pipe,name={self.pipe};urp;"],
            {**self.environment, "SAL_USE_VCLPLUGIN": "gen"}, stderr=log, stdout=log)
        log.close()
        window(self.environment, "--name", "LibreOffice Writer", seconds=60)
        wait_until(lambda: self.ask("ready", seconds=20, check=False).status == 0, 30, "LibreOffice")

    def stop(self):
        if getattr(self, "process", None):
            stop_group(self.process)

    def is_alive(self):
        # It may show a dialogue that nobody answers.
        return False

    def ask(self, *words, seconds, check=True):
        result = run(["/usr/bin/python3", peer("office.py"), self.pipe, *words], self.environment, seconds)
        if check and result.status != 0:
            raise Failed(f"LibreOffice: {result.said()}")
        return result

    def difference(self, content, direction, got):
        if content.kind != "html":
            return super().difference(content, direction, got)
        # A document of its own comes out, with what was in ours.
        label = content.data.split()[0].removeprefix(b"<p>")
        words = [each.encode() for each in ("Größe", "\u4f60\u597d", "\U0001f600")]
        parts = [label, b"<b>bold</b>", *words, b"&amp; &lt;"]
        plain = html.unescape(got.decode("utf-8", "replace")).encode()
        missing = [part for part in parts if part not in got and html.unescape(part.decode()).encode() not in plain]
        return f"{missing[0]!r} is missing in {got[-300:]!r}" if missing else None

    def copy(self, content):
        self.ask("copy", content.kind, content.path, seconds=content.seconds)

    def paste(self, content):
        path = self.scratch("office-pasted")
        self.ask("paste", content.kind, path, seconds=content.seconds)
        with open(path, "rb") as file:
            return file.read()


class Gimp(Program):
    """Its keys copy and paste; its own console loads and saves."""

    name = "GIMP"
    packages = ("gimp", "xdotool")
    large_kind = "png"
    cannot = {
        **no("handles pictures only", "ascii", "unicode", "html", "files", "library"),
        (None, "primary"): "uses CLIPBOARD only",
    }
    start_seconds = 90

    def start(self):
        self.processes, self.count = [], 0

    def stop(self):
        for process in self.processes:
            stop_group(process)
        self.processes = []

    def open(self, *words):
        self.stop()
        log = open(os.path.join(self.directory, "gimp.log"), "wb")
        # With its old folder it would first ask whether to recover what it lost when it was ended.
        self.count += 1
        environment = {**self.environment, "GIMP2_DIRECTORY": os.path.join(self.directory, f"gimp-{self.count}")}
        self.processes = [start(
            ["gimp", "--no-splash", "--no-fonts", "--no-data", "--new-instance", *words], environment,
            stderr=log, stdout=log)]
        log.close()
        return window(self.environment, "--name", "GIMP|GNU Image", seconds=60)

    def copy(self, content):
        self.rig.ours.clear("CLIPBOARD")
        self.open(content.path)
        place = window(self.environment, "--name", "imported", seconds=60)

        def copied():
            keys(self.environment, place, "ctrl+a", "ctrl+c")
            return "image/png" in self.rig.ours.targets("CLIPBOARD")

        wait_until(copied, content.seconds, "a copied picture")

    def insist(self, place, key, title, seconds):
        def shown():
            keys(self.environment, place, key)
            try:
                return window(self.environment, "--name", title, seconds=3)
            except Late:
                return None

        return wait_until(shown, seconds, f"a window with --name {title}")

    def paste(self, content):
        path = self.scratch("gimp-pasted.png")
        self.open()
        place = window(self.environment, "--name", "GNU Image", seconds=60)
        # It shows its window before it listens to keys, so they are repeated until they do something.
        picture = self.insist(place, "ctrl+shift+v", "Pasted|Untitled|Clipboard", content.seconds)
        dialogue = self.insist(picture, "ctrl+shift+e", "Export Image", 20)
        keys(self.environment, dialogue, "ctrl+a")
        xdotool(self.environment, "type", "--delay", "10", path)
        keys(self.environment, dialogue, "Return")
        options = window(self.environment, "--name", "Export Image as PNG", seconds=20)
        keys(self.environment, options, "alt+e")
        wait_until(lambda: os.path.exists(path) and run(
            ["tail", "-c", "8", path], self.environment, 5).output[:4] == b"IEND", content.seconds, "a saved picture")
        with open(path, "rb") as file:
            return file.read()
