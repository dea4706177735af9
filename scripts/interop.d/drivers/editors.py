"""Emacs in its window, by its own commands; NEdit by its keys; Neovim by its registers, with `pasteboard` as clipboard program."""

import os

from drivers.commandline import Xclip
from drivers.program import Program, peer
from drivers.windows import keys, window, xdotool
from processes import Failed, Late, run, start, stop_group, wait_until


class Emacs(Program):
    name = "Emacs"
    packages = ("emacs-gtk",)
    cannot = {
        ("theirs", "html"): "copies text only",
        ("theirs", "png"): "copies text only",
        (None, "files"): "copies and pastes text only: files arrive as their names",
    }

    def start(self):
        self.socket = os.path.join(self.directory, "emacs")
        words = ["emacs", "-Q", "--eval", f'(setq server-name "{self.socket}")', "-l", peer("emacs.el")]
        self.process = start(words, self.environment)

        def answers():
            try:
                return self.evaluate("(eq (framep (selected-frame)) 'x)", 5) == "t"
            except (Failed, Late):
                return False

        wait_until(answers, 30, "a window of Emacs")

    def stop(self):
        if getattr(self, "process", None):
            stop_group(self.process)

    def is_alive(self):
        return False

    def evaluate(self, form, seconds):
        words = ["emacsclient", "-s", self.socket, "--eval", form]
        return run(words, self.environment, seconds, check=True).output.decode().strip()

    def copy(self, content):
        primary = "t" if content.selection == "PRIMARY" else "nil"
        self.evaluate(f'(peer-copy "{content.path}" {primary})', content.seconds)

    def paste(self, content):
        path = self.scratch("emacs-pasted")
        primary = "t" if content.selection == "PRIMARY" else "nil"
        self.evaluate(f'(peer-paste "{path}" "{content.kind}" {primary})', content.seconds)
        with open(path, "rb") as file:
            return file.read()


class Nedit(Program):
    """Motif, and older than UTF-8: its text is Latin-1."""

    name = "NEdit"
    packages = ("nedit", "xdotool")
    cannot = {
        (None, "html"): "takes and gives text only",
        (None, "png"): "takes and gives text only",
        (None, "files"): "takes and gives text only",
    }
    repertoire = "latin-1"
    remarks = {
        (None, column): "the characters of Latin-1, the only ones that NEdit knows: of our copies with others it pastes "
        "nothing, rather than a part"
        for column in ("unicode", "5MB", "64MB", "primary", "library")}

    def start(self):
        self.process = None

    def stop(self):
        if self.process:
            stop_group(self.process)
        self.process = None

    def open(self, path):
        self.stop()
        self.process = start(["nedit", path], self.environment)
        place = window(self.environment, "--name", os.path.basename(path))
        return place

    def copy(self, content):
        path = self.scratch("nedit-copied.txt")
        with open(path, "wb") as file:
            file.write(content.data.decode().encode("latin-1"))
        self.rig.ours.clear(content.selection)
        place = self.open(path)

        # Selecting is all it takes for PRIMARY. NEdit is long busy with a large text, and keys are not lost meanwhile.
        presses = ["ctrl+a"] if content.selection == "PRIMARY" else ["ctrl+a", "ctrl+c"]
        self.insist(content, place, presses, lambda: self.rig.ours.targets(content.selection), "a copied text")

    def insist(self, content, place, presses, done, what):
        """Presses again only after long enough: what is pressed twice happens twice."""
        patience = 4 if len(content.data) < 100_000 else content.seconds

        def insisted():
            keys(self.environment, place, *presses)
            try:
                return wait_until(done, patience, what)
            except Late:
                return None

        return wait_until(insisted, content.seconds, what)

    def paste(self, content):
        path = self.scratch("nedit-pasted.txt")
        with open(path, "wb"):
            pass
        place = self.open(path)
        if content.selection == "PRIMARY":
            xdotool(self.environment, "mousemove", "--window", place, "60", "60", "click", "2")
            wait_until(lambda: self.is_modified(place), content.seconds, "a pasted text")
        else:
            self.insist(content, place, ["ctrl+v"], lambda: self.is_modified(place), "a pasted text")
        self.insist(content, place, ["ctrl+s"], lambda: not self.is_modified(place), "a saved text")
        with open(path, "rb") as file:
            # It ends a file with a newline.
            return file.read().removesuffix(b"\n").decode("latin-1").encode()

    def is_modified(self, place):
        return "(modified)" in xdotool(self.environment, "getwindowname", place, check=False)


THROUGH = {(None, "library"): "not through the library: it uses the command"}
TEXT_ONLY = {
    (None, "html"): "handles text only",
    (None, "png"): "handles text only",
    (None, "files"): "handles text only",
}


class Neovim(Program):
    """With xclip at the other side."""

    name = "Neovim with pasteboard"
    packages = ("neovim",)
    cannot = {**TEXT_ONLY, **THROUGH}
    counterpart = Xclip

    def start(self):
        self.socket = os.path.join(self.directory, "nvim")
        tool = self.rig.ours.path("pasteboard")
        settings = os.path.join(self.directory, "settings.vim")
        with open(settings, "w") as file:
            file.write(
                "let g:clipboard = {'name': 'pasteboard',"
                f" 'copy': {{'+': ['{tool}', 'copy'], '*': ['{tool}', 'copy', '-p']}},"
                f" 'paste': {{'+': ['{tool}', 'paste'], '*': ['{tool}', 'paste', '-p']}}}}\n")
        words = ["nvim", "--headless", "--clean", "--cmd", f"source {settings}", "--listen", self.socket]
        self.process = start(words, self.environment)
        wait_until(lambda: os.path.exists(self.socket), 15, "Neovim")

    def stop(self):
        if getattr(self, "process", None):
            stop_group(self.process)

    def is_alive(self):
        return False

    def ask(self, expression, seconds):
        words = ["nvim", "--server", self.socket, "--remote-expr", expression]
        return run(words, self.environment, seconds, check=True)

    def register(self, content):
        return "*" if content.selection == "PRIMARY" else "+"

    def copy(self, content):
        self.ask(
            f"setreg('{self.register(content)}', join(readfile('{content.path}', 'b'), \"\\n\"), 'c')",
            content.seconds)

    def paste(self, content):
        path = self.scratch("nvim-pasted")
        self.ask(
            f"writefile(split(getreg('{self.register(content)}'), \"\\n\", 1), '{path}', 'b')", content.seconds)
        with open(path, "rb") as file:
            return file.read()


class Tmux(Program):
    """With xclip at the other side."""

    name = "tmux with pasteboard"
    packages = ("tmux",)
    cannot = {**TEXT_ONLY, **THROUGH}
    counterpart = Xclip

    def start(self):
        self.tmux(10, "-f", "/dev/null", "new-session", "-d", "-x", "150", "-y", "60", "cat")

    def stop(self):
        try:
            self.tmux(10, "kill-server")
        except (Failed, Late):
            pass

    def tmux(self, seconds, *words):
        socket = os.path.join(self.directory, "tmux")
        return run(["tmux", "-u", "-S", socket, *words], self.environment, seconds, check=True)

    def option(self, content):
        return "-p" if content.selection == "PRIMARY" else ""

    def copy(self, content):
        # run-shell waits for the command's end and its output's: what serves on must hold neither.
        socket = os.path.join(self.directory, "tmux")
        tool = self.rig.ours.path("pasteboard")
        self.tmux(content.seconds, "load-buffer", content.path)
        self.tmux(
            content.seconds, "run-shell", f"tmux -S {socket} save-buffer - | {tool} copy {self.option(content)}")

    def paste(self, content):
        socket = os.path.join(self.directory, "tmux")
        tool = self.rig.ours.path("pasteboard")
        path = self.scratch("tmux-pasted")
        self.tmux(
            content.seconds, "run-shell", f"{tool} paste {self.option(content)} | tmux -S {socket} load-buffer -")
        self.tmux(content.seconds, "save-buffer", path)
        with open(path, "rb") as file:
            return file.read()


class Pyperclip(Program):
    """Python's clipboard module, which calls xclip; here that name leads to `pasteboard`."""

    name = "pyperclip with pasteboard as xclip"
    packages = ("python3-pyperclip",)
    cannot = {**TEXT_ONLY, **THROUGH}
    counterpart = Xclip
    tool = "xclip"

    def start(self):
        names = os.path.join(self.directory, f"as-{self.tool}")
        os.makedirs(names, exist_ok=True)
        link = os.path.join(names, self.tool)
        if not os.path.islink(link):
            os.symlink(os.path.abspath(self.rig.ours.path("pasteboard")), link)
        result = run([link, "-i"], self.environment, 10, input_path="/dev/null")
        if result.status != 0:
            raise Failed(f"pasteboard does not answer to the name {self.tool}: {result.said()}")
        self.environment["PATH"] = f"{names}:{self.environment['PATH']}"

    def python(self, content, program, path):
        from drivers.program import PYTHON
        preparation = f"import pyperclip, sys; pyperclip.set_clipboard('{self.tool}'); "
        primary = f"primary={content.selection == 'PRIMARY'}"
        run(
            [PYTHON, "-c", preparation + program.replace("PRIMARY", primary), path],
            self.environment, content.seconds, check=True)

    def copy(self, content):
        self.python(content, "pyperclip.copy(open(sys.argv[1], newline='').read(), PRIMARY)", content.path)

    def paste(self, content):
        path = self.scratch("pyperclip-pasted")
        self.python(content, "open(sys.argv[1], 'w', newline='').write(pyperclip.paste(PRIMARY))", path)
        with open(path, "rb") as file:
            return file.read()


class PyperclipXsel(Pyperclip):
    name = "pyperclip with pasteboard as xsel"
    tool = "xsel"
