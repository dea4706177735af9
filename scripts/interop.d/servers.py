"""X servers of our own: nothing here ever touches the user's display."""

import os
import subprocess
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
