"""Does with selections what a program was seen to do: replay.py RECORDING, orders by lines.

own KIND: owns the selection and answers as the program answered; says "ready", and at the next order "asked" and the
targets that were asked for, in order.
ask KIND: asks as the program asked, reads as it read; says one line of JSON an ask, and "over".
The recordings are made by scripts/interop.d/record.py.
"""
import base64
import json
import zlib
from common import *

with open(sys.argv[1], encoding="utf-8") as file:
    recording = json.load(file)
d = open_display()
window = d.screen().root.create_window(
    0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
PATTERN = b"".join(b"%07d\n" % number for number in range(1 << 17))
# python3-xlib cannot say more in one request.
LARGEST = 200_000
running = {}


def atom(name):
    return 0 if name == "NONE" else d.get_atom(name)


def now():
    window.change_property(atom("CLOCK"), Xatom.STRING, 8, b"")
    return wait(lambda e: e.type == X.PropertyNotify and e.atom == atom("CLOCK")).time


def wait(matches):
    while True:
        e = d.next_event()
        if matches(e):
            return e


def store(w, place, kind, form, data):
    size = form // 8
    items = data if form == 8 else [
        int.from_bytes(data[i:i + size], "little") for i in range(0, len(data), size)]
    if len(data) <= LARGEST:
        w.change_property(place, kind, form, items)
        return
    # Nobody sees a part of it.
    d.grab_server()
    for start in range(0, len(items), LARGEST // size):
        mode = X.PropModeAppend if start else X.PropModeReplace
        w.change_property(place, kind, form, items[start:start + LARGEST // size], mode)
    d.ungrab_server()


def synthetic(length):
    """What stands for bytes that were not recorded."""
    return (PATTERN * (length // len(PATTERN) + 1))[:length]


class Owner:
    def __init__(self, kind):
        self.entry = recording["owner"][kind]
        self.time = now()
        window.set_selection_owner(atom(self.entry["selection"]), self.time)
        d.sync()
        self.asked = []

    def content(self, answer):
        return base64.b64decode(answer["data"]) if "data" in answer else synthetic(answer["length"])

    def request(self, e):
        target = d.get_atom_name(e.target)
        self.asked.append(target)
        w, place = e.requestor, e.property
        answer = self.entry["answers"].get(target)
        if answer == "silent":
            return
        if target == "TARGETS" and self.entry["targets"] is not None:
            w.change_property(place, atom(self.entry["targetsType"]), 32, [atom(n) for n in self.entry["targets"]])
        elif target == "TIMESTAMP" and answer:
            w.change_property(place, atom(answer["type"]), 32, [self.time])
        elif answer is None:
            place = 0
        elif "chunks" in answer:
            w.change_attributes(event_mask=X.PropertyChangeMask)
            sizes = [size for size, count in answer["chunks"] for _ in range(count)]
            running[(w.id, place)] = (answer, self.content(answer), sizes)
            header = [] if answer["header"] is None else [answer["header"]]
            w.change_property(place, atom("INCR"), 32, header)
        else:
            store(w, place, atom(answer["type"]), answer["format"], self.content(answer))
        w.send_event(xevent.SelectionNotify(
            time=e.time, requestor=w, selection=e.selection, target=e.target, property=place))
        d.flush()

    def deleted(self, e):
        key = (e.window.id, e.atom)
        if key not in running:
            return
        answer, data, sizes = running.pop(key)
        size = sizes[0] if sizes else 0
        store(e.window, e.atom, atom(answer["type"]), answer["format"], data[:size])
        d.flush()
        if size:
            running[key] = (answer, data[size:], sizes[1:])

    def serve(self):
        """Until there is an order."""
        while True:
            while d.pending_events():
                e = d.next_event()
                if e.type == X.SelectionRequest:
                    self.request(e)
                elif e.type == X.PropertyNotify and e.state == X.PropertyDelete:
                    self.deleted(e)
            if 0 in select.select([d.fileno(), 0], [], [])[0]:
                return


def read(place, style):
    """One reading, as the program does it: in one request or more, deleting at once or after it."""
    found = None
    for step in style:
        if step == "delete":
            window.delete_property(place)
        else:
            delete, offset, length = step
            reply = window.get_property(place, X.AnyPropertyType, offset, length, delete=delete)
            if reply is None:
                return None
            if length:
                found = reply
    return found


def content_of(reply):
    value = reply.value.encode("latin-1") if isinstance(reply.value, str) else reply.value
    if reply.format == 8:
        return bytes(value)
    return b"".join(int(v).to_bytes(reply.format // 8, "little") for v in value)


def style_of(reads):
    """One reading: whether it looks at the size first, and whether it deletes with the reading or after it."""
    steps = [step for step in reads if step != "delete"]
    deletes = any(step[0] for step in steps)
    peek = [[False, 0, 0]] if any(step[2] == 0 for step in steps) else []
    return [*peek, [deletes, 0, 1 << 24], *([] if deletes else ["delete"])]


def ask(one, selection):
    place = atom(one["property"])
    window.convert_selection(
        atom(selection), atom(one["target"]), place, 0 if one["time"] == "current" else now())
    e = wait(lambda e: e.type == X.SelectionNotify)
    result = {"target": one["target"], "recorded": one["granted"], "granted": e.property != 0}
    if e.property and one["reads"]:
        style = style_of(one["reads"])
        reply = read(place, style)
        if reply is None:
            return {**result, "error": "granted, and nothing there"}
        kind, form, data = d.get_atom_name(reply.property_type), reply.format, content_of(reply)
        if kind == "INCR":
            pieces = []
            while True:
                wait(lambda e: e.type == X.PropertyNotify and e.atom == place and e.state == X.PropertyNewValue)
                reply = read(place, style)
                if reply is None:
                    continue
                kind, form, piece = d.get_atom_name(reply.property_type), reply.format, content_of(reply)
                if not piece:
                    break
                pieces.append(piece)
            result["chunks"], data = len(pieces), b"".join(pieces)
        result.update(type=kind, format=form, length=len(data), sum=zlib.adler32(data))
    return result


def orders():
    rest = b""
    while True:
        while b"\n" in rest:
            line, _, rest = rest.partition(b"\n")
            yield line.decode().split()
        piece = os.read(0, 4096)
        if not piece:
            return
        rest += piece


owner = None
say("recorded", json.dumps({"program": recording["program"], "owner": {
    kind: {"kind": entry["kind"], "selection": entry["selection"], "content": entry.get("content"),
           "targets": entry["targets"]} for kind, entry in recording["owner"].items()},
    "requestor": {kind: len(entry["asks"]) for kind, entry in recording["requestor"].items()}}))
for verb, kind in orders():
    if owner:
        say("asked", *owner.asked)
        owner = None
    if verb == "own":
        owner = Owner(kind)
        say("ready")
        owner.serve()
    elif verb == "ask":
        entry = recording["requestor"][kind]
        for one in entry["asks"]:
            say(json.dumps(ask(one, entry["selection"])))
        say("over")
