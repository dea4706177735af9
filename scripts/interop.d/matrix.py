"""Runs the matrix: every program, both ways, one at a time. See scripts/interop for how it is called."""

import argparse
import shutil
import signal
import sys
import tempfile
import time
import traceback

import packages
import processes
import programs
import report
import servers
from ours import Ours
from processes import Failed, Late
from samples import COLUMNS, Samples

DIRECTIONS = ("theirs", "ours")
QUICK_COLUMNS = ("ascii", "unicode", "html", "png", "files", "5MB", "primary", "library")


class Rig:
    """One server, one program, and our programs."""

    def __init__(self, binaries, directory, server_type=servers.xvfb):
        self.directory = directory
        self.environment = servers.private_environment(directory)
        self.server = server_type(self.environment)
        self.environment["DISPLAY"] = self.server.display
        self.ours = Ours(binaries, self.environment, directory)

    def stop(self):
        # Whatever serves a selection in the background ends with its server.
        self.server.stop()


class Cell:
    """pass: as it should be. cannot: the program has no such thing. fault: the program's. FAIL: ours until shown
    otherwise."""

    def __init__(self, state, note="", seconds=0.0):
        self.state = state
        self.note = note
        self.seconds = seconds

    def record(self):
        # What was seen of a known fault, and how long it took, differs with each run.
        return {"state": self.state, "note": self.note.split(" (seen: ")[0]}


def try_cell(program, rig, samples, direction, column):
    reason = program.reason(direction, column)
    if reason:
        return Cell("cannot", reason)
    content = samples[direction].get(column, program.large_kind, program.slowness, program.repertoire)
    started = time.monotonic()
    other = program.counterpart(rig) if program.counterpart else rig.ours
    try:
        if direction == "theirs":
            program.copy(content)
            got = other.paste(content)
        else:
            other.copy(content)
            time.sleep(program.settle)
            got = program.paste(content)
        wrong = program.difference(content, direction, got)
    except (Failed, Late, OSError) as error:
        wrong = str(error)
    except Exception as error:  # A driver's own fault must not end the matrix.
        traceback.print_exc()
        wrong = f"driver: {type(error).__name__}: {error}"
    seconds = time.monotonic() - started
    refusal = program.reason(direction, column, program.refusals)
    if refusal:
        words, note = refusal
        if wrong is None or words not in wrong:
            return Cell("FAIL", f"not refused with {words!r}: {wrong or 'it passes'}", seconds)
        return Cell("cannot", note, seconds)
    if wrong is None:
        wrong = further(program, content, direction)
    if wrong is None:
        return Cell("pass", program.reason(direction, column, program.remarks) or "", seconds)
    fault = program.reason(direction, column, program.faults)
    if fault:
        return Cell("fault", f"{fault} (seen: {wrong})", seconds)
    return Cell("FAIL", wrong, seconds)


def further(program, content, direction):
    try:
        return program.further(content, direction)
    except (Failed, Late, OSError) as error:
        return str(error)


def row(kind, binaries, columns, progress):
    directory = tempfile.mkdtemp(prefix="interop-")
    try:
        return filled(kind, binaries, columns, progress, directory)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def filled_samples(directory):
    return {direction: Samples(directory, direction) for direction in DIRECTIONS}


def filled(kind, binaries, columns, progress, directory):
    samples = filled_samples(directory)
    cells, version = {}, "?"
    try:
        rig = Rig(binaries, directory, kind.server or servers.xvfb)
    except (Failed, Late, OSError) as error:
        for place in [f"{direction} {column}" for column in columns for direction in DIRECTIONS]:
            cells[place] = Cell("FAIL", f"its X server does not start: {error}").record()
        return {"name": kind.name, "version": version, "cells": cells}
    program = kind(rig)
    try:
        version = program.version()
        problem = None
        try:
            program.start()
        except (Failed, Late, OSError) as error:
            problem = f"does not start: {error}"
        for column in columns:
            for direction in DIRECTIONS:
                if problem and not program.reason(direction, column):
                    cell = Cell("FAIL", problem)
                else:
                    cell = try_cell(program, rig, samples, direction, column)
                    if cell.state in ("FAIL", "fault") and not program.is_alive():
                        # One cell's crash or hang is not another's.
                        problem = restart(program)
                cells[f"{direction} {column}"] = cell.record()
                progress(program.name, direction, column, cell)
    finally:
        program.stop()
        rig.stop()
    left = processes.end_all(directory)
    if left:
        print(f"{program.name}: left running, and ended: {', '.join(left)}", file=sys.stderr, flush=True)
    return {"name": program.name, "version": version, "cells": cells}


def restart(program):
    program.stop()
    try:
        program.start()
    except (Failed, Late, OSError) as error:
        return f"does not start again: {error}"
    return None


def show(name, direction, column, cell):
    way = f"{name} -> ours" if direction == "theirs" else f"ours -> {name}"
    line = f"{way:28} {COLUMNS[column]:8} {cell.state:6} {cell.seconds:6.2f} s  {cell.note}"
    print(line, file=sys.stderr, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binaries", required=True)
    parser.add_argument("--install", action="store_true", help="install each program's packages before its row")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--columns")
    parser.add_argument("--json", help="where the results go; old results of other programs there are kept")
    parser.add_argument("--table", help="where the table goes")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    # Also when told to stop, what was started is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    columns = options.columns.split(",") if options.columns else QUICK_COLUMNS if options.quick else list(COLUMNS)
    kinds = programs.chosen(options.programs)
    results = report.Results(options.json)
    for kind in kinds:
        if options.install:
            packages.install(kind.packages)
        results.put(row(kind, options.binaries, columns, show))
        results.save()
    if options.table:
        results.write_table(options.table, programs.TABLES)
    sys.exit(1 if results.failures(kind.name for kind in kinds) else 0)


if __name__ == "__main__":
    main()
