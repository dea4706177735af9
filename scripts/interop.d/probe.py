"""A requestor that asks an owner for everything that it lists, and writes down how it answers."""

import base64
import time

from Xlib import X, Xatom, display, error

from processes import Late

# Longer answers, and pictures, are written down without their bytes.
LONGEST = 4_000
LARGE = ("image/png", "UTF8_STRING", "text/plain;charset=utf-8")


class Probe:
    def __init__(self, name):
        self.display = display.Display(name)
        self.display.set_error_handler(lambda *_: None)
        self.window = self.display.screen().root.create_window(
            0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
        self.property = self.display.intern_atom("PROBE")
        self.clock = self.display.intern_atom("PROBE_TIME")

    def close(self):
        self.display.close()

    def event(self, matches, seconds):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            while self.display.pending_events():
                event = self.display.next_event()
                if matches(event):
                    return event
            time.sleep(0.001)
        raise Late(f"the owner does not answer within {seconds:g} s")

    def now(self):
        self.window.change_property(self.clock, Xatom.STRING, 8, b"")
        return self.event(lambda each: each.type == X.PropertyNotify and each.atom == self.clock, 5).time

    def name(self, atom):
        return self.display.get_atom_name(atom) if atom else "NONE"

    def read(self):
        reply = self.window.get_property(self.property, X.AnyPropertyType, 0, 1 << 28, delete=True)
        data = reply.value.encode("latin-1") if isinstance(reply.value, str) else bytes(reply.value) \
            if reply.format == 8 else b"".join(int(each).to_bytes(reply.format // 8, "little") for each in reply.value)
        return self.name(reply.property_type), reply.format, data

    def ask(self, selection, target):
        """None when refused; else type, format, bytes, and of an incremental transfer its header and chunk sizes."""
        place = self.display.intern_atom(target)
        self.window.convert_selection(
            self.display.intern_atom(selection), place, self.property, self.now())
        answer = self.event(lambda each: each.type == X.SelectionNotify and each.target == place, 20)
        if not answer.property:
            return None
        kind, form, data = self.read()
        if kind != "INCR":
            return {"type": kind, "format": form, "data": data}
        header = int.from_bytes(data, "little") if data else None
        pieces, sizes = [], []
        while True:
            self.event(lambda each: each.type == X.PropertyNotify and each.atom == self.property
                       and each.state == X.PropertyNewValue, 20)
            kind, form, data = self.read()
            if not data:
                break
            pieces.append(data)
            if sizes and sizes[-1][0] == len(data):
                sizes[-1][1] += 1
            else:
                sizes.append([len(data), 1])
        return {"type": kind, "format": form, "data": b"".join(pieces), "header": header, "chunks": sizes}

    def everything(self, selection, whole):
        found = self.ask(selection, "TARGETS")
        if not found:
            return {"targets": None, "answers": {}}
        data = found["data"]
        names = [self.name(int.from_bytes(data[at:at + 4], "little")) for at in range(0, len(data), 4)]
        answers = {}
        # Of much content one target is enough, the one that people would want.
        wanted = names if whole else [each for each in LARGE if each in names][:1]
        for name in dict.fromkeys(wanted):
            if name in ("TARGETS", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY"):
                continue
            try:
                one = self.ask(selection, name)
            except Late:
                answers[name] = "silent"
                continue
            if one:
                data = one.pop("data")
                one["length"] = len(data)
                if whole and len(data) <= LONGEST and not name.lower().startswith(("image/", "pixmap")):
                    one["data"] = base64.b64encode(data).decode()
            answers[name] = one
        return {"targetsType": found["type"], "targets": names, "answers": answers}
