"""X servers of our own: nothing here ever touches the user's display."""

import os
import tempfile

from processes import Failed, start, stop_group


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
    for path in (home, runtime):
        os.makedirs(path, mode=0o700, exist_ok=True)
    return {
        "PATH": "/usr/local/bin:/usr/bin:/bin:/usr/games",
        "HOME": home,
        "XDG_RUNTIME_DIR": runtime,
        "PYTHONDONTWRITEBYTECODE": "1",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "TMPDIR": tempfile.gettempdir(),
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
