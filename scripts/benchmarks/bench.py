"""Runs the rows of scripts/bench and prints what came out."""

import argparse
import json
import os
import pathlib
import platform
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import managers

MARK = "PASTEBOARD_BENCH"


class Bench:
    """An X server of its own, what runs on it, and what was measured."""

    def __init__(self, options):
        self.options = options
        self.rows = []
        self.wrong = []
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="pasteboard-bench-"))
        self.mark = f"{os.getpid()}-{random.getrandbits(48):x}"
        self.environment = {**os.environ, MARK: self.mark, "HOME": str(self.work)}
        for name in ("WAYLAND_DISPLAY", "XAUTHORITY"):
            self.environment.pop(name, None)
        self.floor = str(options.tools / "floor")
        self.ours = options.pasteboard
        self.quick = options.quick
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-noreset", "-nolisten", "tcp", "-screen", "0", "640x480x24"],
            pass_fds=[writing], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        if not number:
            sys.exit("bench: Xvfb did not start")
        self.environment["DISPLAY"] = f":{number}"

    def close(self):
        for process in self.started():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.server.terminate()
        try:
            self.server.wait(10)
        except subprocess.TimeoutExpired:
            self.server.kill()
        shutil.rmtree(self.work, ignore_errors=True)

    # Processes

    def started(self):
        """Process ids of everything that this run started and that lives, detached or not."""
        wanted = f"{MARK}={self.mark}".encode()
        found = set()
        for entry in os.listdir("/proc"):
            if not entry.isdigit() or int(entry) == os.getpid():
                continue
            try:
                if wanted in pathlib.Path(f"/proc/{entry}/environ").read_bytes().split(b"\0"):
                    found.add(int(entry))
            except OSError:
                pass
        return found

    def run(self, *command, seconds=60, check=True, **more):
        more.setdefault("stdin", subprocess.DEVNULL)
        more.setdefault("stdout", subprocess.DEVNULL)
        result = subprocess.run(
            [str(part) for part in command], env=self.environment, timeout=seconds, stderr=subprocess.PIPE, **more)
        if check and result.returncode != 0:
            message = result.stderr.decode(errors="replace").strip()
            raise RuntimeError(f"{' '.join(map(str, command))}: status {result.returncode} {message}")
        return result

    def own(self, *command, stdin=None):
        """Runs a command that goes on in the background, and says by which processes."""
        before = self.started()
        with open(stdin or os.devnull, "rb") as source:
            # xclip's background process keeps what it inherits: nobody may wait for the end of these.
            subprocess.run(
                [str(part) for part in command], env=self.environment, timeout=120, stdin=source,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            new = self.started() - before
            if new:
                # xclip may return a moment before it owns the selection.
                time.sleep(0.2)
                return new
            time.sleep(0.01)
        raise RuntimeError(f"{command[0]}: nothing goes on in the background")

    def end(self, processes):
        for process in processes:
            try:
                os.kill(process, signal.SIGTERM)
            except ProcessLookupError:
                pass
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline and self.started() & set(processes):
            time.sleep(0.01)

    def file(self, name, size):
        """A file of text that no two places of which are alike."""
        path = self.work / name
        if not path.exists():
            with open(path, "wb") as output:
                left = size
                while left > 0:
                    piece = random.randbytes(min(left, 1 << 22) // 2 + 1).hex().encode()[:min(left, 1 << 22)]
                    output.write(piece)
                    left -= len(piece)
        return path

    def stopwatch(self, rounds, commands, output="null", seconds=120):
        """Wall and CPU milliseconds and peak MiB of each command, by name, one entry a round."""
        separated = []
        for command in commands.values():
            separated += [":::"] * bool(separated) + [str(part) for part in command]
        result = self.run(
            self.options.tools / "stopwatch", rounds, seconds, output, *separated, stdout=subprocess.PIPE,
            seconds=seconds * rounds * len(commands))
        times = {name: [] for name in commands}
        for line in result.stdout.decode().splitlines():
            index, wall, cpu, peak, status = (float(field) for field in line.split())
            name = list(commands)[int(index)]
            if status != 0:
                self.wrong.append(f"{name}: status {status:.0f}")
            times[name].append((wall / 1000, cpu / 1000, peak / 1024))
        return times

    def same(self, what, command, path):
        """Checks that a command writes the bytes of a file."""
        try:
            with open(self.work / "pasted", "wb") as output:
                self.run(*command, stdout=output, seconds=120)
            same = subprocess.run(["cmp", "-s", self.work / "pasted", path]).returncode == 0
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            self.wrong.append(f"{what}: {error}")
            return
        if not same:
            self.wrong.append(f"{what}: other bytes than those that were copied")

    # Results

    def add(self, row, name, value, unit, ratio=None, base=None, reach=None, more=None):
        """One line of the table; `reach` is what the ratio, or where there is none the value, is to reach."""
        entry = {"row": row, "what": name, "median": value, "unit": unit}
        if ratio is not None:
            entry["ratio"] = ratio
            entry["to"] = base
        if reach is not None:
            sign, bound = reach
            measured = value if ratio is None else ratio
            entry["reach"] = f"{'at least' if sign == '>' else 'at most'} {bound:g}"
            entry["reached"] = measured >= bound if sign == ">" else measured <= bound
        entry.update(more or {})
        self.rows.append(entry)
        columns = [f"{row:<8}", f"{name:<34}", f"{value:>10.3f} {unit:<8}"]
        columns.append(f"{ratio:>7.2f} x {base:<16}" if ratio is not None else " " * 26)
        columns.append(f"{entry['reach']} {'' if entry['reached'] else '(short)'}" if reach is not None else "")
        print(" ".join(columns).rstrip(), flush=True)


def median(values):
    return statistics.median(values)


def ratio(values, others):
    """The median of the ratios within each round: what disturbed a round disturbed both."""
    return median([a / b for a, b in zip(values, others)])


def row_paste(bench):
    rounds = 60 if bench.quick else 300
    path = bench.file("1k", 1024)
    owner = bench.own(bench.floor, "own", "CLIPBOARD", path)
    commands = {
        "floor": [bench.floor, "paste", "CLIPBOARD", "UTF8_STRING"],
        "pasteboard": [bench.ours, "paste"],
        "pasteboard -t UTF8_STRING": [bench.ours, "paste", "-t", "UTF8_STRING"],
        "pasteboard, dynamic": [bench.options.dynamic, "paste"],
        "xclip": ["xclip", "-o", "-selection", "clipboard"],
        "xsel": ["xsel", "-o", "-b"],
        "/bin/true": ["/bin/true"],
    }
    for name, command in list(commands.items())[:-1]:
        bench.same(f"paste 1 KB, {name}", command, path)
    times = bench.stopwatch(rounds, commands)
    reaches = {("pasteboard", 0): ("<", 0.6)}
    for index, kind in enumerate(("wall", "CPU")):
        of = {name: [run[index] for run in runs] for name, runs in times.items()}
        for name in commands:
            bench.add("paste", f"{name}, {kind}", median(of[name]), "ms", ratio(of[name], of["xclip"]), "xclip",
                      reaches.get((name, index)))
        if index == 0:
            bench.add("paste", "pasteboard, wall", median(of["pasteboard"]), "ms",
                      ratio(of["pasteboard"], of["xsel"]), "xsel", ("<", 1.0))
            bench.add("paste", "pasteboard, wall", median(of["pasteboard"]), "ms",
                      ratio(of["pasteboard"], of["floor"]), "floor")
    bench.end(owner)


def row_copy(bench):
    rounds = 20 if bench.quick else 100
    commands = {
        "floor": [bench.floor, "own", "CLIPBOARD", "/dev/stdin"],
        "pasteboard": [bench.ours, "copy"],
        "pasteboard, dynamic": [bench.options.dynamic, "copy"],
        "xclip": ["xclip", "-selection", "clipboard"],
        "xsel": ["xsel", "-i", "-b"],
    }
    before = bench.started()
    separated = []
    for command in commands.values():
        separated += [":::"] * bool(separated) + [str(part) for part in command]
    result = bench.run(bench.options.tools / "copies", rounds, 10, 1024, "CLIPBOARD", *separated,
                       stdout=subprocess.PIPE, seconds=10 * rounds * len(commands))
    pasted = {name: [] for name in commands}
    returned = {name: [] for name in commands}
    for line in result.stdout.decode().splitlines():
        index, until_pasted, until_returned, status = (float(field) for field in line.split())
        name = list(commands)[int(index)]
        if status != 0:
            bench.wrong.append(f"copy 1 KB, {name}: not pasted in time")
        pasted[name].append(until_pasted / 1000)
        returned[name].append(until_returned / 1000)
    for name in commands:
        bench.add("copy", f"{name}, until pasted", median(pasted[name]), "ms",
                  ratio(pasted[name], pasted["xclip"]), "xclip", ("<", 1.0) if name == "pasteboard" else None)
    for name in commands:
        bench.add("copy", f"{name}, until returned", median(returned[name]), "ms",
                  ratio(returned[name], returned["xclip"]), "xclip")
    bench.end(bench.started() - before)


def row_large(bench):
    size = (64 if bench.quick else 256) << 20
    rounds = 5 if bench.quick else 11
    path = bench.file("large.txt", size)
    owners = [
        bench.own(bench.floor, "own", "PRIMARY", path),
        bench.own("xclip", "-selection", "secondary", path),
        bench.own(bench.ours, "copy", "-s", "clipboard", path),
    ]
    selections = {"floor": "PRIMARY", "xclip": "SECONDARY", "ours": "CLIPBOARD"}
    readers = {
        "floor": lambda selection: [bench.floor, "paste", selection, "UTF8_STRING"],
        "xclip": lambda selection: ["xclip", "-o", "-selection", selection.lower()],
        "ours": lambda selection: [bench.ours, "paste", "-s", selection.lower(), "-t", "UTF8_STRING"],
    }
    commands = {f"{owner} to {reader}": command(selection)
                for owner, selection in selections.items() for reader, command in readers.items()}
    for name, command in commands.items():
        bench.same(f"large, {name}", command, path)
    for output in ("null", "pipe"):
        times = bench.stopwatch(rounds, commands, output)
        wall = {name: [run[0] for run in runs] for name, runs in times.items()}
        where = "" if output == "null" else " | cat"
        for name in commands:
            bench.add("large", name + where, size / 1e3 / median(wall[name]), "MB/s")
        for name, base, bound in (
            ("ours to ours", "xclip to xclip", 1.5), ("xclip to ours", "xclip to xclip", 1.5),
            ("ours to ours", "floor to floor", 0.8), ("xclip to ours", "xclip to floor", 0.8),
            ("floor to ours", "floor to floor", 0.8), ("ours to floor", "floor to floor", 0.8),
            ("ours to xclip", "floor to xclip", 0.8),
        ):
            bench.add("large", name + where, size / 1e3 / median(wall[name]), "MB/s", ratio(wall[base], wall[name]),
                      base, (">", bound))
    for owner in owners:
        bench.end(owner)


def peak(process):
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0


def row_memory(bench):
    size = (256 if bench.quick else 1024) << 20
    path = bench.file("huge.txt", size)
    for name, command, stdin in (
        ("floor", [bench.floor, "own", "CLIPBOARD", path], None),
        ("copy FILE", [bench.ours, "copy", path], None),
        ("copy <FILE", [bench.ours, "copy"], path),
        ("xclip", ["xclip", "-selection", "clipboard", path], None),
    ):
        owner = bench.own(*command, stdin=stdin)
        reader = [bench.ours, "paste", "-t", "UTF8_STRING"]
        bench.same(f"memory, {name}", reader, path)
        times = bench.stopwatch(1, {"reader": reader})
        is_ours = name.startswith("copy")
        bench.add("memory", f"{name}: owner", max(peak(process) for process in owner), "MiB", None, None,
                  ("<", 32) if is_ours else None)
        bench.add("memory", f"{name}: pasteboard paste", times["reader"][0][2], "MiB", None, None, ("<", 32))
        bench.end(owner)
    try:
        with open(path, "rb") as source:
            reader, writer = os.pipe()
            feeder = subprocess.Popen(["cat"], stdin=source, stdout=writer, env=bench.environment)
            os.close(writer)
            before = bench.started() - {feeder.pid}
            subprocess.run([bench.ours, "copy"], stdin=reader, stdout=subprocess.DEVNULL, env=bench.environment,
                           timeout=120, check=True)
            os.close(reader)
            feeder.wait(30)
        owner = bench.started() - before
        bench.same("memory, from a pipe", [bench.ours, "paste", "-t", "UTF8_STRING"], path)
        bench.add("memory", "copy from a pipe: owner", max(peak(process) for process in owner), "MiB", None, None,
                  ("<", 32))
        bench.end(owner)
    finally:
        path.unlink()
        (bench.work / "pasted").unlink(missing_ok=True)


def row_many(bench):
    count, size = 100, 10 << 20
    rounds = 3 if bench.quick else 7
    path = bench.file("10m.txt", size)
    owners = [
        bench.own(bench.floor, "own", "PRIMARY", path),
        bench.own(bench.ours, "copy", "-s", "clipboard", path),
    ]
    rates = {"floor": [], "pasteboard": []}
    waits = {"floor": [], "pasteboard": []}
    for _ in range(rounds):
        for name, selection in (("floor", "PRIMARY"), ("pasteboard", "CLIPBOARD")):
            result = bench.run(bench.options.tools / "requestors", count, 120, selection, path,
                               stdout=subprocess.PIPE, seconds=150)
            whole, right, wrong, refused, unfinished, first, probe, worst = (
                float(field) for field in result.stdout.split())
            if right != count:
                bench.wrong.append(f"many, {name}: {right:.0f} right, {wrong:.0f} wrong, {refused:.0f} refused, "
                                   f"{unfinished:.0f} unfinished")
            rates[name].append(count * size / whole)
            waits[name].append(probe / 1000)
    bench.add("many", "floor to 100", median(rates["floor"]), "MB/s")
    bench.add("many", "pasteboard to 100", median(rates["pasteboard"]), "MB/s",
              ratio(rates["pasteboard"], rates["floor"]), "floor", (">", 0.7))
    bench.add("many", "TARGETS meanwhile, floor", median(waits["floor"]), "ms")
    bench.add("many", "TARGETS meanwhile, pasteboard", median(waits["pasteboard"]), "ms",
              ratio(waits["pasteboard"], waits["floor"]), "floor")
    for owner in owners:
        bench.end(owner)


def wakeups(process):
    total = 0
    for task in os.listdir(f"/proc/{process}/task"):
        for line in pathlib.Path(f"/proc/{process}/task/{task}/status").read_text().splitlines():
            if line.startswith("voluntary_ctxt_switches:"):
                total += int(line.split()[1])
    return total


def resident(process):
    for line in pathlib.Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0


def row_idle(bench):
    seconds = 3 if bench.quick else 10
    path = bench.file("1k", 1024)
    idle = {"owner": bench.own(bench.ours, "copy", path)}
    running = {}
    bench.same("idle, paste", [bench.ours, "paste"], path)
    for name, command in (
        ("watcher", [bench.ours, "watch"]), ("helper", [bench.options.helper]),
        ("button", [bench.options.button, "--accept", "public.text", "--watch"]),
    ):
        if not command[0] or not os.access(command[0], os.X_OK):
            continue
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=bench.environment)
        idle[name] = {process.pid}
        running[name] = process
    time.sleep(1.5)
    before = {}
    for name, processes in list(idle.items()):
        if name in running and running[name].poll() is not None:
            bench.wrong.append(f"idle, {name}: it ended with status {running[name].returncode}")
            del idle[name]
            continue
        before[name] = sum(wakeups(process) for process in processes)
    time.sleep(seconds)
    for name, processes in idle.items():
        try:
            count = sum(wakeups(process) for process in processes) - before[name]
            memory = max(resident(process) for process in processes)
        except OSError:
            bench.wrong.append(f"idle, {name}: it ended")
            continue
        bench.add("idle", f"{name}, in {seconds} s", count, "wake-ups", None, None, ("<", 0))
        bench.add("idle", f"{name}, resident", memory, "MiB", None, None, ("<", 15))
    for processes in idle.values():
        bench.end(processes)


def row_helper(bench):
    managers.run(bench, wakeups, resident)


def row_types(bench):
    found, bounds = {}, {}
    for _ in range(3 if bench.quick else 9):
        result = bench.run(bench.options.types, stdout=subprocess.PIPE, seconds=120)
        for line in result.stdout.decode().splitlines():
            name, nanoseconds, bound = line.split("\t")
            found.setdefault(name, []).append(float(nanoseconds))
            bounds[name] = float(bound)
    for name, nanoseconds in found.items():
        bench.add("types", name, median(nanoseconds) / 1e3, "us", None, None, ("<", bounds[name] / 1e3))


def machine(bench):
    def first_line(*command):
        try:
            result = subprocess.run(command, env=bench.environment, stdin=subprocess.DEVNULL, capture_output=True,
                                    timeout=30)
            return (result.stdout + result.stderr).decode(errors="replace").strip().splitlines()[0]
        except (OSError, IndexError, subprocess.TimeoutExpired):
            return "?"

    def package(name):
        return first_line("dpkg-query", "-W", "-f", "${Version}", name)

    model = next((line.split(":", 1)[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")),
                 platform.machine())
    return {
        "processor": model, "cores": os.cpu_count(), "kernel": platform.release(), "load": os.getloadavg()[0],
        "swift": first_line("swift", "--version"), "xvfb": package("xvfb"), "xclip": package("xclip"),
        "xsel": package("xsel"), "libx11": package("libx11-6"),
    }


ROWS = {"paste": row_paste, "copy": row_copy, "large": row_large, "memory": row_memory, "many": row_many,
        "idle": row_idle, "helper": row_helper, "types": row_types}


def main():
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--quick", action="store_true", help="fewer rounds and less data, for a minute")
    parser.add_argument("--json", metavar="FILE", help="writes all numbers")
    for name in ("tools", "pasteboard", "dynamic", "helper", "button", "types"):
        parser.add_argument(f"--{name}", default="", help=argparse.SUPPRESS)
    parser.add_argument("rows", nargs="*", metavar="ROW", help=", ".join(ROWS))
    options = parser.parse_args()
    unknown = [row for row in options.rows if row not in ROWS]
    if unknown:
        parser.error(f"no row {unknown[0]}; there are {', '.join(ROWS)}")
    options.tools = pathlib.Path(options.tools)
    bench = Bench(options)

    def stop(number, _):
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, stop)
    try:
        described = machine(bench)
        print(", ".join(f"{name} {value}" for name, value in described.items()))
        for name in options.rows or ROWS:
            try:
                ROWS[name](bench)
            except (RuntimeError, OSError, subprocess.SubprocessError) as error:
                bench.wrong.append(f"{name}: {error}")
    finally:
        bench.close()
    if options.json:
        with open(options.json, "w") as output:
            json.dump({"machine": described, "quick": options.quick, "rows": bench.rows, "wrong": bench.wrong},
                      output, indent=1)
            output.write("\n")
    for wrong in dict.fromkeys(bench.wrong):
        print(f"WRONG    {wrong}")
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
