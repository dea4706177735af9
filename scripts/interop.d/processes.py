"""Programs with deadlines, each in a process group of its own that ends with the rig."""

import os
import signal
import subprocess
import tempfile
import time


class Late(Exception):
    """Something was not over in time."""


class Failed(Exception):
    """A program said no; the message is what it said."""


class Result:
    def __init__(self, status, output, errors):
        self.status = status
        self.output = output
        self.errors = errors

    def said(self):
        lines = self.errors.decode("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else "nothing on standard error"


def stop_group(process, patience=2.0):
    """Ends a process that `start` started, and what it started in its group."""
    for number, wait in ((signal.SIGTERM, patience), (signal.SIGKILL, 5.0)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            pass
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            continue
        # The leader is over. What it left in the group gets no second chance.
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        return


def start(words, environment, **options):
    options.setdefault("stdin", subprocess.DEVNULL)
    options.setdefault("stdout", subprocess.DEVNULL)
    options.setdefault("stderr", subprocess.DEVNULL)
    return subprocess.Popen(words, env=environment, start_new_session=True, **options)


def run(words, environment, seconds=20, input_path=None, output_path=None, check=False):
    """Runs a program to its own end.

    Output goes to files: a background process that holds a pipe open, as xclip's does, cannot hold us up.
    """
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        source = open(input_path, "rb") if input_path else subprocess.DEVNULL
        target = open(output_path, "wb") if output_path else output
        try:
            process = subprocess.Popen(
                words, env=environment, start_new_session=True,
                stdin=source, stdout=target, stderr=errors)
            try:
                status = process.wait(seconds)
            except subprocess.TimeoutExpired:
                stop_group(process, 0.2)
                raise Late(f"{os.path.basename(words[0])} is not over after {seconds:g} s") from None
        finally:
            if input_path:
                source.close()
            if output_path:
                target.close()
        output.seek(0)
        errors.seek(0)
        result = Result(status, output.read(), errors.read())
    if check and result.status != 0:
        raise Failed(f"{os.path.basename(words[0])} ends with {result.status}: {result.said()}")
    return result


def wait_until(condition, seconds, what):
    """Polls for what has no event to wait for, such as a window on the screen."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise Late(f"{what}: not within {seconds:g} s")
        time.sleep(0.05)


def end_all(directory, patience=5.0):
    """Ends what still runs in a row's directory, by its environment; the names of what did not end by itself."""

    def found():
        running = []
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) == os.getpid():
                continue
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    belongs = f"{directory}/".encode() in file.read()
                with open(f"/proc/{name}/stat", "rb") as file:
                    title, _, rest = file.read().rpartition(b") ")
            except OSError:
                continue
            if belongs and not rest.startswith(b"Z"):
                running.append((int(name), title.partition(b"(")[2].decode("utf-8", "replace")))
        return running

    try:
        wait_until(lambda: not found(), patience, "the end of everything")
        return []
    except Late:
        left = found()
    for number, _ in left:
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return [f"{title} ({number})" for number, title in left]
