"""X servers of our own: nothing here ever touches the user's display."""

import os
import re
import secrets

from processes import Failed, Late, run, start, stop_group, wait_until


class Server:
    """A server that says its number on a descriptor once it listens."""

    def __init__(self, words, environment, **options):
        read, write = os.pipe()
        self.process = start(
            [*words, "-displayfd", str(write)], environment, pass_fds=(write,), **options)
        os.close(write)
        number = b""
        with os.fdopen(read, "rb", buffering=0) as pipe:
            while not number.endswith(b"\n"):
                piece = pipe.read(16)
                if not piece:
                    stop_group(self.process)
                    raise Failed(f"{words[0]} ended before it listened")
                number += piece
        self.number = int(number)
        self.display = f":{self.number}"

    def stop(self):
        stop_group(self.process)


def xvfb(environment, reset=False):
    words = ["Xvfb", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-ac"]
    return Server(words if reset else [*words, "-noreset"], environment)


def private_environment(directory):
    """What every program gets: a home of its own, no session bus, no other display."""
    home = os.path.join(directory, "home")
    runtime = os.path.join(directory, "run")
    temporary = os.path.join(directory, "tmp")
    for path in (home, runtime, temporary):
        os.makedirs(path, mode=0o700, exist_ok=True)
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/games",
        "HOME": home,
        "XDG_RUNTIME_DIR": runtime,
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        # What programs forget there goes with the row.
        "TMPDIR": temporary,
        # Toolkits must come to the X server, and must not look for a bus to report their widgets to.
        "GDK_BACKEND": "x11",
        "QT_QPA_PLATFORM": "xcb",
        "NO_AT_BRIDGE": "1",
        "GTK_A11Y": "none",
        "LIBGL_ALWAYS_SOFTWARE": "1",
        "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    }


def resetting(environment):
    """One that forgets everything when its last client leaves, as Xvfb does without -noreset."""
    return xvfb(environment, reset=True)


def vnc(environment):
    return Server(["Xtigervnc", "-SecurityTypes", "None", "-rfbport", "-1", "-geometry", "1280x900"], environment)


class Nested:
    """A server or a proxy in front of an Xvfb."""

    def __init__(self, environment, words):
        self.outer = xvfb(environment)
        try:
            inside = {**environment, "DISPLAY": self.outer.display}
            self.inner = Server([word.format(number=self.outer.number) for word in words], inside)
        except BaseException:
            self.outer.stop()
            raise
        self.display = self.inner.display

    def stop(self):
        self.inner.stop()
        self.outer.stop()


def xephyr(environment):
    return Nested(environment, ["Xephyr", "-screen", "1000x700", "-noreset", "-ac"])


def proxy(*options):
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers", "proxy.py")
    return lambda environment: Nested(environment, ["/usr/bin/python3", program, "{number}", *options])


def beside(environment, name):
    """A path in the row's own directory."""
    return os.path.join(os.path.dirname(environment["HOME"]), name)


def restricted(environment):
    """One that asks for a cookie, and can give out untrusted ones, as sshd does for `ssh -X`.

    The environment gets the trusted cookie; `UNTRUSTED` names the file with the other one.
    """
    trusted, untrusted = beside(environment, "trusted"), beside(environment, "untrusted")
    words = ["Xvfb", "-screen", "0", "1280x900x24", "-nolisten", "tcp", "-noreset", "+extension", "SECURITY"]
    # The server reads its cookie when it starts, before it has a number.
    cookie = secrets.token_hex(16)
    run(["xauth", "-f", trusted, "add", ":0", ".", cookie], environment, 10, check=True)
    server = Server([*words, "-auth", trusted], environment)
    try:
        environment["XAUTHORITY"] = trusted
        run(["xauth", "-f", trusted, "add", server.display, ".", cookie], environment, 10, check=True)
        run(
            ["xauth", "-f", untrusted, "generate", server.display, ".", "untrusted", "timeout", "3600"],
            {**environment, "DISPLAY": server.display}, 10, check=True)
    except BaseException:
        server.stop()
        raise
    environment["UNTRUSTED"] = untrusted
    return server


class Compositor:
    """An Xwayland that a Wayland compositor starts. `find` looks into its log for the number of the display."""

    def __init__(self, words, environment, find, outer=None):
        self.outer = outer
        self.log = beside(environment, "compositor.log")
        with open(self.log, "wb") as log:
            self.process = start(words, environment, stdout=log, stderr=log)
        try:
            self.display = wait_until(lambda: self.process.poll() is None and find() or self.over(), 20, "Xwayland")
        except BaseException as error:
            self.stop()
            if isinstance(error, Late):
                raise Failed(f"{words[0]}: {error}; it says: {self.said()}") from None
            raise

    def over(self):
        if self.process.poll() is not None:
            raise Failed(f"it ended with {self.process.returncode}; it says: {self.said()}")

    def said(self):
        with open(self.log, "rb") as log:
            lines = log.read().decode("utf-8", "replace").strip().splitlines()
        wrong = [line for line in lines if "ERROR" in line or "fatal" in line.lower()]
        return (wrong or lines or ["nothing"])[-1][:200]

    def stop(self):
        stop_group(self.process)
        if self.outer:
            self.outer.stop()


def weston(environment):
    """In a window of an Xvfb: without any seat, as on its headless backend, Weston 10 crashes at the first copy."""
    outer = xvfb(environment)
    log = beside(environment, "compositor.log")

    def find():
        with open(log, encoding="utf-8", errors="replace") as file:
            match = re.search(r"xserver listening on display (:\d+)", file.read())
        return match and match[1]

    words = [
        "weston", "--backend=x11-backend.so", "--xwayland", "--no-config", "--idle-time=0", "--socket=wayland-interop"]
    return Compositor(words, {**environment, "DISPLAY": outer.display}, find, outer)


def sway(environment):
    """Headless. It does not run as root, so that root runs it as somebody else and asks it to let all users in."""
    runtime = beside(environment, "sway")
    os.makedirs(runtime, mode=0o700, exist_ok=True)
    number, settings = os.path.join(runtime, "number"), os.path.join(runtime, "settings")
    with open(settings, "w") as file:
        file.write(
            "xwayland force\n"
            f"exec sh -c 'xhost +local: && echo $DISPLAY > {number}.new && mv {number}.new {number}'\n")
    words = ["sway", "-c", settings]
    if os.geteuid() == 0:
        nobody = 65534
        for path in (runtime, settings):
            os.chown(path, nobody, nobody)
        os.chmod(os.path.dirname(environment["HOME"]), 0o711)
        words = ["setpriv", f"--reuid={nobody}", f"--regid={nobody}", "--clear-groups", *words]

    def find():
        if not os.path.exists(number):
            return None
        with open(number) as file:
            return file.read().strip()

    inside = {
        **environment, "XDG_RUNTIME_DIR": runtime, "HOME": runtime, "TMPDIR": runtime, "WLR_BACKENDS": "headless",
        "WLR_LIBINPUT_NO_DEVICES": "1", "WLR_RENDERER": "pixman"}
    return Compositor(words, inside, find)
