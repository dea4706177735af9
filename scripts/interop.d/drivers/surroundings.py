"""xclip again, on other servers; and what a clipboard manager keeps of our copies."""

import os
import signal
import time

import servers
from drivers.commandline import Xclip
from drivers.program import Program
from ours import Ours
from processes import Failed, Late, run, start, stop_group, wait_until


def on(title, server, *packages, slowness=1):
    return type(title, (Xclip,), {
        "name": f"xclip on {title}", "slowness": slowness, "server": staticmethod(server),
        "packages": ("xclip", *packages)})


WESTON = (
    "Weston fetches what is copied too, and xclip serves one reader at a time: after a large text it serves nobody any "
    "more, xclip neither. Copy large texts with pasteboard")


class Weston(Xclip):
    name = "xclip on Xwayland under Weston"
    packages = ("xclip", "weston", "xwayland")
    server = staticmethod(servers.weston)
    versioned = "weston"
    faults = {("theirs", "5MB"): WESTON, ("theirs", "64MB"): WESTON}


class Sway(Xclip):
    name = "xclip on Xwayland under sway"
    packages = ("xclip", "sway", "xwayland", "x11-xserver-utils")
    server = staticmethod(servers.sway)
    versioned = "sway"


NOBODY_OUTSIDE = (
    "the server lets a program with an untrusted cookie (ssh -X) paste from everybody, and answer only others like it; "
    "our paste says so after 2 s. Copying over ssh needs ssh -Y")


class WeUntrusted(Xclip):
    """As when only we run over `ssh -X`."""

    name = "xclip, and we over ssh -X"
    packages = ("xclip", "xvfb", "xauth")
    server = staticmethod(servers.restricted)

    def __init__(self, rig):
        super().__init__(rig)
        self.trusted = rig.ours.environment
        rig.ours.environment = {**self.trusted, "XAUTHORITY": self.trusted["UNTRUSTED"]}

    refusals = {("ours", None): ("did not answer for TARGETS", NOBODY_OUTSIDE)}

    def paste(self, content):
        # xclip would wait for ever.
        return Ours(self.rig.ours.binaries, self.trusted, self.directory).paste(content)


class XclipUntrusted(Xclip):
    """As when only the other program runs over `ssh -X`."""

    name = "xclip over ssh -X"
    packages = ("xclip", "xvfb", "xauth")
    server = staticmethod(servers.restricted)
    refusals = {("theirs", None): (
        "went away", "xclip ends at the first request, which the server does not let it answer; our paste says so")}

    def __init__(self, rig):
        super().__init__(rig)
        self.environment["XAUTHORITY"] = self.environment["UNTRUSTED"]

    def copy(self, content):
        # Without a look whether it owns the selection: that would be the first request.
        self.start_owner(content)
        time.sleep(0.3)


SERVERS = [
    on("Xvfb that resets", servers.resetting, "xvfb"),
    on("Xephyr", servers.xephyr, "xserver-xephyr"),
    on("Xtigervnc", servers.vnc, "tigervnc-standalone-server"),
    on("a server without BIG-REQUESTS", servers.proxy("--hide", "BIG-REQUESTS")),
    on("a server without XFIXES", servers.proxy("--hide", "XFIXES")),
    on("a server without X-Resource", servers.proxy("--hide", "X-Resource")),
    on("a server 40 ms away", servers.proxy("--delay", "0.04"), slowness=3),
    Weston, Sway, WeUntrusted, XclipUntrusted,
]


class Manager(Program):
    """Two questions: what it keeps when our program is gone, and whether it disturbs who reads our copy meanwhile.

    "theirs": we copy, end, and paste what is left. "ours": we copy, and xclip reads at once.
    """

    command = ()
    # Seconds it may take to fetch what was copied.
    patience = 1.5

    def start(self):
        log = open(os.path.join(self.directory, f"{self.name}.log"), "wb")
        self.process = start(list(self.command), self.environment, stderr=log, stdout=log)
        log.close()
        self.reader = Xclip(self.rig)
        time.sleep(self.patience)
        if self.process.poll() is not None:
            raise Failed(f"{self.name} ended with {self.process.returncode}")

    def stop(self):
        if getattr(self, "process", None):
            stop_group(self.process)

    def copy(self, content):
        words = self.rig.ours.words(content)
        source = open(content.path, "rb") if content.kind == "text" else None
        owner = start([*words, "-f"], self.environment, **({"stdin": source} if source else {}))
        if source:
            source.close()
        try:
            time.sleep(self.patience + (5 if content.column == "64MB" else 0))
            owner.send_signal(signal.SIGTERM)
            owner.wait(15)
        finally:
            stop_group(owner)
        self.take_back()
        # Some take over only now.
        try:
            wait_until(lambda: self.rig.ours.targets(content.selection), 5, "an owner")
        except Late:
            raise Failed("nothing is left when our program is gone") from None

    def take_back(self):
        """What a person does to get the last copy back, if anything is needed."""

    def paste(self, content):
        return self.reader.paste(content)


TEXT_ONLY = "keeps text only"
NOT_PRIMARY = "is not set to keep PRIMARY"
LIBRARY = {(None, "library"): "the same engine as the command's"}


class Parcellite(Manager):
    name = "parcellite"
    packages = ("parcellite",)
    command = ("parcellite", "-d")
    cannot = {
        ("theirs", "html"): TEXT_ONLY, ("theirs", "png"): TEXT_ONLY, ("theirs", "files"): TEXT_ONLY,
        ("theirs", "primary"): NOT_PRIMARY, **LIBRARY}


class Clipman(Manager):
    name = "xfce4-clipman"
    packages = ("xfce4-clipman", "dbus-daemon", "xfconf")
    command = ("dbus-run-session", "--", "xfce4-clipman")
    cannot = {
        ("theirs", "html"): "keeps text and pictures only", ("theirs", "files"): "keeps text and pictures only",
        ("theirs", "primary"): NOT_PRIMARY, **LIBRARY}

    def __init__(self, rig):
        super().__init__(rig)
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS")


class Copyq(Manager):
    name = "CopyQ"
    packages = ("copyq", "copyq-plugins")
    command = ("copyq",)
    remarks = {("theirs", None): "after choosing it in CopyQ's window, which gives nothing back by itself"}
    cannot = {
        ("theirs", "files"): "keeps text, HTML and pictures only, unless told otherwise in its settings",
        ("theirs", "primary"): NOT_PRIMARY, **LIBRARY}
    faults = {
        ("theirs", "64MB"): "CopyQ gives up when so much takes too long on a busy machine, from xclip too, and keeps "
        "what was copied before"}

    def take_back(self):
        run(["copyq", "select", "0"], self.environment, 15, check=True)


class CinnamonClipboard(Manager):
    name = "csd-clipboard"
    packages = ("cinnamon-settings-daemon", "dbus-daemon")
    command = ("dbus-run-session", "--", "/usr/lib/x86_64-linux-gnu/cinnamon-settings-daemon/csd-clipboard")
    cannot = {("theirs", "primary"): NOT_PRIMARY, **LIBRARY}

    def __init__(self, rig):
        super().__init__(rig)
        self.environment.pop("DBUS_SESSION_BUS_ADDRESS")


class Autocutsel(Manager):
    name = "autocutsel"
    packages = ("autocutsel",)
    command = ("autocutsel", "-selection", "CLIPBOARD")
    cannot = {("theirs", None): "keeps the text in the cut buffer only, xclip's too", **LIBRARY}


class Pasteboardd(Manager):
    name = "pasteboardd"
    cannot = {
        ("theirs", "primary"): NOT_PRIMARY,
        ("theirs", "64MB"): "keeps at most 32 MiB of one type, so that nobody can fill its memory", **LIBRARY}

    def __init__(self, rig):
        super().__init__(rig)
        self.command = (rig.ours.path("pasteboardd"),)

    def version(self):
        return "of this package"


MANAGERS = [Parcellite, Clipman, Copyq, CinnamonClipboard, Autocutsel, Pasteboardd]
