"""Windows driven with keys, as a person does."""

from processes import run, wait_until


def xdotool(environment, *words, seconds=15, check=True):
    return run(["xdotool", *words], environment, seconds, check=check).output.decode()


def window(environment, *search, seconds=30):
    """The number of the last window found, once there is one."""

    def find():
        lines = xdotool(environment, "search", "--onlyvisible", *search, check=False).split()
        return lines[-1] if lines else None

    return wait_until(find, seconds, f"a window with {' '.join(search)}")


def keys(environment, window, *names):
    """Types into a window. There is no window manager that would focus it."""
    xdotool(environment, "windowfocus", "--sync", window)
    xdotool(environment, "key", "--delay", "30", *names)
