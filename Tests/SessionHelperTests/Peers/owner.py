"""An owner of CLIPBOARD that does what a test tells it, a JSON object a line, and answers each with a line.

{"own": [[target, type, format, content], ...], ...}   content: a text, or a number of pattern bytes
    options: "deaf" (answers nothing), "silent": [targets], "refuse": [targets], "hide": [targets] (not in TARGETS),
    "delay": milliseconds before each answer, "stall": [targets] (INCR that stops), "endless": [targets],
    "selection": name (CLIPBOARD), "sizes": {target: bytes} (answers TARGET_SIZES)
{"save": [targets] or null}   asks the clipboard manager; "yes MS" or "no MS" when it answers
{"log": true}                 what was asked for since the last copy
{"show": [class, title]}      shows a window, as programs have one beside the owning one
{"clear": true or a selection}, {"lost": true}, {"close": true}
"""
import json
import os
import select
import sys
import time
from Xlib import X, Xatom, display as xdisplay
from Xlib.protocol import event as xevent, request

CHUNK = 65536
d = xdisplay.Display()
d.set_error_handler(lambda *_: None)
root = d.screen().root


def atom(name):
    return d.intern_atom(name)


CLIPBOARD, TARGETS, INCR = atom("CLIPBOARD"), atom("TARGETS"), atom("INCR")
TIMESTAMP, SAVE, MANAGER = atom("TIMESTAMP"), atom("SAVE_TARGETS"), atom("CLIPBOARD_MANAGER")


def pattern(count, seed):
    row = bytes((i * 31 + seed) & 255 for i in range(65521))
    return (row * (count // len(row) + 1))[:count]


class Owner:
    def __init__(self):
        self.window = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
        self.values, self.order, self.options, self.log = {}, [], {}, []
        self.transfers, self.delayed = {}, []
        self.lost, self.saving = False, None

    def now(self):
        self.window.change_property(atom("STAMP"), Xatom.INTEGER, 32, [], X.PropModeAppend)
        while True:
            e = d.next_event()
            if e.type == X.PropertyNotify and e.window == self.window and e.atom == atom("STAMP"):
                return e.time
            self.handle(e)

    def own(self, order):
        self.values, self.order, self.log, self.lost = {}, [], [], False
        for number, (target, kind, size, content) in enumerate(order["own"]):
            data = content.encode() if isinstance(content, str) else pattern(content, number)
            self.values[atom(target)] = (atom(kind), size, data)
            if target not in order.get("hide", []):
                self.order.append(atom(target))
        self.options = {k: {atom(t) for t in v} if isinstance(v, list) else v
                        for k, v in order.items() if k not in ("own", "selection")}
        if "sizes" in self.options:
            self.order.append(atom("TARGET_SIZES"))
        self.time = self.now()
        selection = atom(order.get("selection", "CLIPBOARD"))
        self.window.set_selection_owner(selection, self.time)
        d.sync()
        print("owned" if d.get_selection_owner(selection) == self.window else "failed", flush=True)

    def notify(self, e, prop):
        e.requestor.send_event(xevent.SelectionNotify(
            time=e.time, requestor=e.requestor, selection=e.selection, target=e.target, property=prop))
        d.flush()

    def within(self, name, target):
        return target in self.options.get(name, ())

    def answer(self, e):
        prop = e.property or e.target
        if e.target == TARGETS:
            e.requestor.change_property(prop, Xatom.ATOM, 32, [TARGETS, TIMESTAMP, SAVE] + self.order)
        elif e.target == TIMESTAMP:
            e.requestor.change_property(prop, Xatom.INTEGER, 32, [self.time])
        elif e.target == atom("TARGET_SIZES") and "sizes" in self.options:
            pairs = [n for t, size in self.options["sizes"].items() for n in (atom(t), size & 0xFFFFFFFF)]
            e.requestor.change_property(prop, atom("ATOM_PAIR"), 32, pairs)
        elif e.target in self.values and not self.within("refuse", e.target):
            kind, size, data = self.values[e.target]
            lies = self.within("stall", e.target) or self.within("endless", e.target)
            if len(data) > 4 * CHUNK or lies:
                e.requestor.change_attributes(event_mask=X.PropertyChangeMask)
                e.requestor.change_property(prop, INCR, 32, [min(len(data), 0xFFFFFFFF)])
                self.transfers[(e.requestor.id, prop)] = [e.requestor, e.target, kind, size, data, 0]
            else:
                e.requestor.change_property(prop, kind, size, data)
        else:
            prop = X.NONE
        self.notify(e, prop)

    def handle(self, e):
        if e.type == X.SelectionRequest:
            self.log.append(d.get_atom_name(e.target))
            if self.options.get("deaf") or self.within("silent", e.target):
                return
            delay = self.options.get("delay", 0)
            if delay:
                last = max([t for t, _ in self.delayed], default=0)
                self.delayed.append((max(last, time.monotonic()) + delay / 1000, e))
            else:
                self.answer(e)
        elif e.type == X.SelectionClear:
            self.lost = True
        elif e.type == X.PropertyNotify and e.state == X.PropertyDelete:
            transfer = self.transfers.get((e.window.id, e.atom))
            if transfer:
                self.advance(e, transfer)
        elif e.type == X.SelectionNotify and self.saving is not None:
            word = "yes" if e.property else "no"
            print(word, round((time.monotonic() - self.saving) * 1000), flush=True)
            self.saving = None

    def advance(self, e, transfer):
        window, target, kind, size, data, offset = transfer
        if self.within("stall", target) and offset:
            return
        piece = data[offset:offset + CHUNK]
        if self.within("endless", target):
            piece = bytes(CHUNK)
        window.change_property(e.atom, kind, size, piece)
        transfer[5] += len(piece)
        if not piece:
            del self.transfers[(e.window.id, e.atom)]
        d.flush()

    def save(self, targets):
        if d.get_selection_owner(MANAGER) == X.NONE:
            print("nobody", flush=True)
            return
        self.window.delete_property(atom("SAVED"))
        if targets is not None:
            self.window.change_property(atom("SAVED"), Xatom.ATOM, 32, [atom(t) for t in targets])
        self.saving = time.monotonic()
        self.window.convert_selection(MANAGER, SAVE, atom("SAVED"), self.time)
        d.flush()


owner = Owner()
buffer = b""
while True:
    while d.pending_events():
        owner.handle(d.next_event())
    wait = max(0, owner.delayed[0][0] - time.monotonic()) if owner.delayed else None
    if wait == 0:
        owner.answer(owner.delayed.pop(0)[1])
        continue
    ready, _, _ = select.select([0, d.fileno()], [], [], wait)
    if 0 not in ready:
        continue
    more = os.read(0, 1 << 20)
    if not more:
        sys.exit(0)
    buffer += more
    while b"\n" in buffer:
        line, buffer = buffer.split(b"\n", 1)
        order = json.loads(line)
        if "own" in order:
            owner.own(order)
        elif "save" in order:
            owner.save(order["save"])
        elif "log" in order:
            print(" ".join(["log"] + owner.log), flush=True)
        elif "lost" in order:
            d.sync()
            while d.pending_events():
                owner.handle(d.next_event())
            print("lost" if owner.lost else "owner", flush=True)
        elif "clear" in order:
            cleared = CLIPBOARD if order["clear"] is True else atom(order["clear"])
            request.SetSelectionOwner(display=d.display, window=X.NONE, selection=cleared, time=owner.now())
            d.sync()
            print("cleared", flush=True)
        elif "show" in order:
            shown = root.create_window(0, 0, 20, 20, 0, X.CopyFromParent)
            shown.set_wm_class(*order["show"][:1] * 2)
            shown.set_wm_name(order["show"][1])
            shown.map()
            d.sync()
            print("shown", flush=True)
        elif "close" in order:
            d.close()
            print("closed", flush=True)
            os.read(0, 1)
            sys.exit(0)
