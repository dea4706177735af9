"""Clipboard managers beside each other: what they keep, how fast, and what they cost."""

import os
import pathlib
import shutil
import statistics
import subprocess
import time

# Name, package and what to run; each gets an X server of its own, since only one can manage a display.
OTHERS = (
    ("csd-clipboard", "cinnamon-settings-daemon",
     ("/usr/lib/x86_64-linux-gnu/cinnamon-settings-daemon/csd-clipboard",)),
    ("parcellite", "parcellite", ("/usr/bin/parcellite", "-n")),
    ("xfce4-clipman", "xfce4-clipman", ("/usr/bin/xfce4-clipman",)),
)


class Display:
    """An X server and a manager on it."""

    def __init__(self, bench, name, command):
        self.home = bench.work / ("manager-" + name)
        self.home.mkdir(mode=0o700)
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-noreset", "-nolisten", "tcp", "-screen", "0", "640x480x24"],
            pass_fds=[writing], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        self.environment = {
            **bench.environment, "DISPLAY": ":" + number, "HOME": str(self.home), "XDG_RUNTIME_DIR": str(self.home),
            "XDG_CONFIG_HOME": str(self.home), "XDG_DATA_HOME": str(self.home), "XDG_CACHE_HOME": str(self.home)}
        if shutil.which("dbus-run-session") and name != "ours":
            command = ("dbus-run-session", "--", *command)
        self.start = time.monotonic()
        self.process = subprocess.Popen(
            command, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)

    def manager(self, program):
        """Process id of the manager itself, which may be a child of what was started."""
        for entry in os.listdir("/proc"):
            if not entry.isdigit():
                continue
            try:
                line = pathlib.Path(f"/proc/{entry}/cmdline").read_bytes().split(b"\0")
                environment = pathlib.Path(f"/proc/{entry}/environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if line[0].decode(errors="replace") == program and f"HOME={self.home}".encode() in environment:
                return int(entry)
        return None

    def close(self):
        for process in (self.process, self.server):
            process.terminate()
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def keep(bench, display, *words):
    result = subprocess.run(
        [str(bench.options.tools / "keep"), *map(str, words)], env=display.environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, timeout=120)
    return result.stdout.decode().split()


def measure(bench, name, command, wakeups, resident):
    own = name == "ours"
    display = Display(bench, name, command)

    def add(what, value, unit, reach):
        bench.add("helper", f"{name}, {what}", value, unit, None, None, reach if own else None)

    def missing(what, why):
        print(f"helper   {name}, {what}: {why}", flush=True)
        if own:
            bench.wrong.append(f"helper, {what}: {why}")

    try:
        time.sleep(3)
        process = display.manager(command[0])
        if process is None:
            missing("start", "it ended")
            return
        before = wakeups(process)
        seconds = 3 if bench.quick else 60
        time.sleep(seconds)
        add(f"idle, in {seconds} s", wakeups(process) - before, "wake-ups", ("<", 0))
        add("idle, resident", resident(process), "MiB", ("<", 12))
        counted = keep(bench, display, "count", 5)
        add("requests for one copy in 5 s", int(counted[0]), "requests", ("<", 4))
        # Before the save: parcellite asks nobody any more after an owner that ended without an answer.
        back = []
        for _ in range(2 if bench.quick else 7):
            words = keep(bench, display, "die", 3)
            if words[0] == "back":
                back.append(float(words[1]))
        if back:
            add("text back after kill -9", statistics.median(back), "ms", ("<", 200))
        else:
            missing("text back after kill -9", "lost")
        saved, said = [], "silent"
        for _ in range(3 if bench.quick else 15):
            words = keep(bench, display, "save", 15, 8 << 20, 3 << 20)
            said = words[0]
            if said != "kept":
                break
            saved.append(float(words[1]))
        if said == "kept":
            add("save 8 MB and 3 MB", statistics.median(saved), "ms", ("<", 50))
        else:
            missing("save 8 MB and 3 MB", said if said != "silent" else "no answer in 15 s, or no manager")
    finally:
        display.close()


def start_time(bench, command):
    """Milliseconds until the helper manages the display."""
    times = []
    for number in range(3 if bench.quick else 9):
        home = bench.work / f"start-{number}"
        home.mkdir(mode=0o700)
        environment = {**bench.environment, "HOME": str(home), "XDG_RUNTIME_DIR": str(home)}
        start = time.monotonic()
        process = subprocess.Popen(
            command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while subprocess.run(
                [*command, "--control", "status"], env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            if process.poll() is not None or time.monotonic() > start + 10:
                bench.wrong.append("helper, start: it does not answer")
                return
        times.append((time.monotonic() - start) * 1e3)
        process.terminate()
        process.wait()
    bench.add("helper", "ours, start until it answers", statistics.median(times), "ms", None, None, ("<", 100))


def run(bench, wakeups, resident):
    ours = (bench.options.helper,)
    if not ours[0] or not os.access(ours[0], os.X_OK):
        print("helper   skipped: there is no pasteboardd")
        return
    start_time(bench, ours)
    empty = bench.options.tools / "empty"
    if os.access(empty, os.X_OK):
        process = subprocess.Popen([empty], stdin=subprocess.DEVNULL)
        time.sleep(0.5)
        bench.add("helper", "an empty Swift program, resident", resident(process.pid), "MiB")
        process.kill()
        process.wait()
    measure(bench, "ours", ours, wakeups, resident)
    if bench.quick and "helper" not in bench.options.rows:
        print("helper   others: not in a quick run of all rows; name the row to have them", flush=True)
        return
    for name, package, command in OTHERS:
        if os.access(command[0], os.X_OK):
            measure(bench, name, command, wakeups, resident)
        else:
            print(f"helper   {name}: skipped, since the package {package} is not installed", flush=True)
