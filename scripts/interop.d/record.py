"""Records what programs do with selections, so that tests can do the same without them.

    /usr/bin/python3 -B scripts/interop.d/record.py --binaries DIR [PROGRAM]...

Writes recordings/PROGRAM.json: as owner, for each kind of content, what it lists and how it answers each target; as
requestor, what it asks in which order, how it reads, and what it got. `Tests/Peers/replay.py` reads them.
"""

import argparse
import base64
import json
import os
import re
import shutil
import sys
import tempfile
import time

import programs
import servers
from matrix import Rig, filled_samples
from processes import Failed, Late, start, stop_group, wait_until
from probe import Probe

RECORDED = ("firefoxesr", "chromium", "libreofficewriter", "libreofficewriterwithgtk3", "gimp", "javaawt", "emacs",
            "qt6", "gtk4")
COLUMNS = ("ascii", "unicode", "html", "png", "files", "5MB", "primary")
HERE = os.path.dirname(os.path.abspath(__file__))


class Recorder:
    """An Xvfb, and a second door to it that writes down what passes. Only the program uses that one."""

    def __init__(self, environment):
        self.inner = servers.xvfb(environment)
        self.display = self.inner.display
        number = self.inner.number + 5000
        self.door = f":{number}"
        self.path = servers.beside(environment, "trace")
        self.process = start(
            ["xtrace", "-k", "-n", "-d", self.display, "-D", self.door, "-o", self.path], environment)
        wait_until(lambda: os.path.exists(f"/tmp/.X11-unix/X{number}"), 10, "the door of xtrace")
        self.socket = f"/tmp/.X11-unix/X{number}"

    def place(self):
        return os.path.getsize(self.path)

    def since(self, place):
        with open(self.path, encoding="utf-8", errors="replace") as file:
            file.seek(place)
            return file.read().splitlines()

    def stop(self):
        stop_group(self.process)
        self.inner.stop()
        if os.path.exists(self.socket):
            os.unlink(self.socket)


ASK = re.compile(
    r'ConvertSelection requestor=(\S+) selection=\w+\("(.*?)"\) target=\w+\("(.*?)"\) property=\w+(?:\("(.*?)"\))? '
    r"time=(\S+)")
NOTICE = re.compile(
    r'Event \(generated\) SelectionNotify.*requestor=(\S+) selection=\w+\("(.*?)"\) target=\w+\("(.*?)"\) '
    r'property=(?:None|\w+\("(.*?)"\))')
GET = re.compile(
    r'Request\(20\): GetProperty delete=(\w+)\(.*?window=(\S+) property=\w+\("(.*?)"\) type=(\S+).*?'
    r"long-offset=(\S+) long-length=(\S+)")
DELETE = re.compile(r'Request\(19\): DeleteProperty window=(\S+) property=\w+\("(.*?)"\)')


def asked(lines):
    """What a requestor did: one entry a conversion, and how its property was read."""
    conversions, open_places = [], {}
    for line in lines:
        found = ASK.search(line)
        if found:
            window, selection, target, name, moment = found.groups()
            one = {
                "selection": selection, "target": target, "property": name or "NONE",
                "time": "current" if "0x00000000" in moment or "Current" in moment else "event",
                "granted": None, "reads": []}
            conversions.append(one)
            # Some read as soon as the property is there, before they hear that it is.
            open_places[(window, target)] = open_places[(window, name)] = one
            continue
        found = NOTICE.search(line)
        if found:
            window, _, target, name = found.groups()
            one = open_places.pop((window, target), None)
            if one:
                one["granted"] = name is not None
            continue
        found = GET.search(line)
        if found:
            delete, window, name, _, offset, length = found.groups()
            one = open_places.get((window, name))
            if one:
                read = [delete == "true", int(offset, 16), int(length, 16)]
                # What repeats, as in an incremental transfer, is written once.
                if read not in one["reads"]:
                    one["reads"].append(read)
            continue
        found = DELETE.search(line)
        if found:
            one = open_places.get((found[1], found[2]))
            if one and "delete" not in one["reads"]:
                one["reads"].append("delete")
    return conversions


def record(kind, binaries):
    directory = tempfile.mkdtemp(prefix="interop-")
    result = {"program": kind.name, "owner": {}, "requestor": {}}
    try:
        samples = filled_samples(directory)
        rig = Rig(binaries, directory, Recorder)
        program = kind(rig)
        program.environment["DISPLAY"] = rig.server.door
        try:
            result["version"] = program.version()
            program.start()
            probe = Probe(rig.server.display)
            for column in COLUMNS:
                for direction in ("theirs", "ours"):
                    if program.reason(direction, column) or program.reason(direction, column, program.faults):
                        continue
                    content = samples[direction].get(column, program.large_kind, program.slowness, program.repertoire)
                    try:
                        if direction == "theirs":
                            result["owner"][column] = owner(program, probe, content)
                        else:
                            result["requestor"][column] = requestor(program, rig, content)
                    except (Failed, Late, OSError) as error:
                        print(f"{kind.name} {direction} {column}: {error}", file=sys.stderr, flush=True)
                        program.stop()
                        program.start()
            probe.close()
        finally:
            program.stop()
            rig.stop()
    finally:
        shutil.rmtree(directory, ignore_errors=True)
    return result


def owner(program, probe, content):
    program.copy(content)
    time.sleep(0.3)
    expected = program.expected(content, "theirs")
    entry = {"kind": content.kind, "selection": content.selection}
    entry.update(probe.everything(content.selection, whole=content.column != "5MB"))
    if content.column != "5MB" and content.kind != "png":
        entry["content"] = (
            expected if content.kind == "files"
            # Some put a document of their own around it.
            else entry["answers"]["text/html"]["data"] if content.kind == "html"
            else base64.b64encode(expected).decode())
    return entry


def requestor(program, rig, content):
    rig.ours.copy(content)
    # xtrace is slow: the program is to have heard of the copy.
    time.sleep(max(program.settle, 1))
    place = rig.server.place()
    got = program.paste(content)
    time.sleep(0.2)
    wrong = program.difference(content, "ours", got)
    if wrong:
        raise Failed(wrong)
    asks = asked(rig.server.since(place))
    asks = [one for one in asks if one["selection"] == content.selection]
    return {"kind": content.kind, "selection": content.selection, "asks": asks}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--binaries", required=True)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_args()
    for name in options.programs or RECORDED:
        (kind,) = programs.chosen([name])
        result = record(kind, options.binaries)
        path = os.path.join(HERE, "recordings", f"{programs.key(kind.name)}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(result, file, indent=1, ensure_ascii=False)
        print(f"{kind.name}: {len(result['owner'])} kinds copied, {len(result['requestor'])} pasted", flush=True)


if __name__ == "__main__":
    main()
