"""A file manager, an office program and an image editor in their windows."""

import glob
import html
import os
import shutil

from drivers.commandline import paths
from drivers.program import Program, peer
from drivers.windows import keys, window, xdotool
from processes import Failed, Late, run, start, stop_group, wait_until


# GNOME's target for files, which says whether they were copied or cut.
FILES = "x-special/gnome-copied-files"


def no(reason, *columns):
    return {(None, column): reason for column in columns}


class FileManager(Program):
    """A window that shows a folder, and the keys that copy, cut and paste what is in it."""

    cannot = {
        **no("handles files only", "ascii", "unicode", "html", "png", "5MB", "64MB", "library"),
        (None, "primary"): "uses CLIPBOARD only",
    }
    remarks = {(None, "files"): "copied, and cut"}

    def start(self):
        self.processes = []

    def stop(self):
        for process in self.processes:
            stop_group(process)

    def words(self, folder):
        raise NotImplementedError

    def open(self, folder):
        """One program a window, each by itself."""
        self.stop()
        self.processes = [start(self.words(folder), self.environment)]
        return window(self.environment, "--name", os.path.basename(folder))

    def folder(self, name, sources=()):
        """A folder of that name with copies of the files; the copies."""
        folder = os.path.join(self.directory, name)
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(folder)
        return folder, [shutil.copy(path, folder) for path in sources]

    def copy(self, content):
        self.press(content, "to copy", "ctrl+c")

    def press(self, content, name, key):
        folder, copies = self.folder(name, content.data)
        self.shown = copies
        self.rig.ours.clear("CLIPBOARD")
        place = self.open(folder)

        def copied():
            # The folder fills after its window is there.
            keys(self.environment, place, "ctrl+a", key)
            if FILES not in self.rig.ours.targets("CLIPBOARD"):
                return None
            first, *uris = self.rig.ours.raw("CLIPBOARD", FILES).rstrip(b"\0").split(b"\n")
            return (first, paths(b"\n".join(uris))) if len(uris) == len(content.data) else None

        return wait_until(copied, 15, "copied files")

    def expected(self, content, direction):
        return self.shown if direction == "theirs" else content.data

    def paste(self, content):
        return self.pasted("to paste", content.data)

    def pasted(self, folder_name, sources):
        """The files that came by the key, by the path of what they are a copy of."""
        originals = {}
        for path in sources:
            with open(path, "rb") as file:
                originals[os.path.basename(path)] = (path, file.read())
        folder, _ = self.folder(folder_name)
        place = self.open(folder)

        def arrived():
            found = os.listdir(folder)
            return len([each for each in found if not each.startswith(".")]) == len(originals)

        keys(self.environment, place, "ctrl+v")
        try:
            wait_until(arrived, 10, "pasted files")
        except Late:
            pass
        result = []
        for name in os.listdir(folder):
            path, data = originals.get(name, (name, None))
            with open(os.path.join(folder, name), "rb") as file:
                result.append(path if file.read() == data else f"other content: {name}")
        return result

    def further(self, content, direction):
        """The same with files that are cut: they move."""
        if direction == "theirs":
            # Once only: PCManFM gives cut files to the first who asks.
            word, found = self.press(content, "to cut", "ctrl+x")
            got = difference_of_lists(self.shown, found)
            return got or (None if word == b"cut" else f"cut files are offered with {word!r}")
        _, cut = self.folder("cut by us", content.data)
        self.rig.ours.cut(cut)
        got = difference_of_lists(cut, self.pasted("to move into", cut))
        left = [path for path in cut if os.path.exists(path)]
        return got or (f"{len(left)} of {len(cut)} cut files stay where they were" if left else None)


def difference_of_lists(wanted, found):
    return None if sorted(wanted) == sorted(found) else f"cut: {len(found)} of {len(wanted)} files: {found}"[:200]


class Pcmanfm(FileManager):
    name = "PCManFM"
    packages = ("pcmanfm", "xdotool")

    def words(self, folder):
        return ["pcmanfm", "--no-desktop", "--new-win", folder]


class Thunar(FileManager):
    name = "Thunar"
    packages = ("thunar", "dbus-daemon", "xfconf", "xdotool")

    def __init__(self, rig):
        super().__init__(rig)
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS")

    def words(self, folder):
        return ["dbus-run-session", "--", "thunar", folder]


class Writer(Program):
    """LibreOffice's window; its commands are called by the names its menus use."""

    name = "LibreOffice Writer"
    # Which of its own toolkits it uses.
    toolkit = "gen"
    settle = 2.0
    # A text of 5 MB has 70,000 paragraphs, which Writer needs minutes to lay out.
    large_kind = "png"
    packages = ("libreoffice-writer", "python3-uno")
    cannot = {(None, "primary"): "its commands for PRIMARY are the mouse only", (None, "files"): "pastes files as text"}
    start_seconds = 60

    def start(self):
        self.pipe = f"interop{os.getpid()}"
        self.pipes = self.found_pipes()
        profile = os.path.join(self.directory, "office")
        log = open(os.path.join(self.directory, "office.log"), "wb")
        self.process = start(
            ["soffice", "--writer", "--norestore", "--nologo", "--nofirststartwizard",
             f"-env:UserInstallation=file://{profile}", f"--accept=pipe,name={self.pipe};urp;"],
            {**self.environment, "SAL_USE_VCLPLUGIN": self.toolkit}, stderr=log, stdout=log)
        log.close()
        window(self.environment, "--name", "LibreOffice Writer", seconds=60)
        wait_until(lambda: self.ask("ready", seconds=20, check=False).status == 0, 30, "LibreOffice")

    def stop(self):
        if getattr(self, "process", None):
            stop_group(self.process)
            # Told to end, it leaves its sockets in /tmp, whatever TMPDIR says.
            for path in self.found_pipes() - self.pipes:
                if self.pipe in path or "SingleOfficeIPC" in path:
                    os.unlink(path)

    @staticmethod
    def found_pipes():
        return set(glob.glob(f"/tmp/OSL_PIPE_{os.getuid()}_*"))

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


class WriterGtk(Writer):
    name = "LibreOffice Writer with GTK 3"
    packages = ("libreoffice-writer", "libreoffice-gtk3", "python3-uno")
    slowness = 2
    toolkit = "gtk3"
    faults = {
        ("theirs", "ascii"): "LibreOffice with GTK 3, driven from outside, now and then blocks at its first copy on a new "
        "X server, before anything of ours runs: end it, and copy again"}


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
