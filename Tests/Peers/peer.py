"""A client that does what the test says, a line an order: both as owner and as requestor, honest or not.

Windows and times are numbers, atoms are names; NONE is the atom None and #N is the atom number N.
Every order is answered with one line, where it is not said otherwise.
"""
from time import sleep
import zlib
from common import *

d = open_display()
root = d.screen().root
waiting = []
windows = {}


def atom(name):
    if name == "NONE":
        return 0
    if name.startswith("#"):
        return int(name[1:])
    # Cached, unlike intern_atom, which asks the server each time.
    return d.get_atom(name)


def name(number):
    if number == 0:
        return "NONE"
    try:
        found = d.get_atom_name(number)
    except error.XError:
        return "#%d" % number
    # A name that would not be one word of a line stands as a number.
    return found if found.isprintable() and " " not in found and len(found) < 100 else "#%d" % number


def window(number):
    number = int(number)
    if number not in windows:
        windows[number] = d.create_resource_object("window", number)
    return windows[number]


def wait(matches):
    """The first event that matches; the others stay in their order."""
    for index, event in enumerate(waiting):
        if matches(event):
            return waiting.pop(index)
    while True:
        event = d.next_event()
        if matches(event):
            return event
        waiting.append(event)


def content(words):
    """LENGTH bytes of the pattern, or x and hex digits."""
    if words.startswith("x"):
        return bytes.fromhex(words[1:])
    length = int(words)
    return (bytes(range(251)) * (length // 251 + 1))[:length]


def store(w, prop, kind, form, data, mode=X.PropModeReplace):
    form = int(form)
    size = form // 8
    items = data
    if form != 8:
        items = [int.from_bytes(data[i:i + size], sys.byteorder) for i in range(0, len(data), size)]
    window(w).change_property(atom(prop), atom(kind), form, items, mode=mode)


def read(w, prop, delete=False):
    reply = window(w).get_property(atom(prop), X.AnyPropertyType, 0, 1 << 28, delete=delete)
    if reply is None:
        return None
    value = reply.value
    if isinstance(value, str):
        value = value.encode("latin-1")
    if reply.format != 8:
        value = b"".join(int(v).to_bytes(reply.format // 8, sys.byteorder) for v in value)
    return name(reply.property_type), reply.format, bytes(value)


def describe(found):
    if found is None:
        return "absent"
    kind, form, data = found
    return "%s %d %d %s" % (kind, form, len(data), "%08x" % zlib.adler32(data))


def written(w, prop):
    w, prop = int(w), atom(prop)
    return wait(lambda e: e.type == X.PropertyNotify and e.window.id == w and e.atom == prop
                and e.state == X.PropertyNewValue)


def deleted(w, prop):
    w, prop = int(w), atom(prop)
    return wait(lambda e: e.type == X.PropertyNotify and e.window.id == w and e.atom == prop
                and e.state == X.PropertyDelete)


def forget(w, prop):
    w, prop = int(w), atom(prop)
    waiting[:] = [e for e in waiting
                  if not (e.type == X.PropertyNotify and e.window.id == w and e.atom == prop)]


def fetch(w, prop):
    """Reads a reply to its end, strictly: no chunk before the deletion, one terminator, nothing after it."""
    forget(w, prop)
    found = read(w, prop)
    if found is None or found[0] != "INCR":
        if found is not None:
            window(w).delete_property(atom(prop))
        return "plain " + describe(found)
    bound = int.from_bytes(found[2][:4], sys.byteorder)
    chunks, data, kinds, largest = 0, [], set(), 0
    window(w).delete_property(atom(prop))
    while True:
        written(w, prop)
        found = read(w, prop)
        if found is None:
            return "vanished"
        # Until the deletion nothing else may be written there.
        again = read(w, prop)
        if again != found:
            return "changed"
        kinds.add(found[:2])
        window(w).delete_property(atom(prop))
        if not found[2]:
            break
        chunks += 1
        largest = max(largest, len(found[2]))
        data.append(found[2])
    d.sync()
    if read(w, prop) is not None:
        return "more"
    data = b"".join(data)
    if len(kinds) != 1:
        return "types " + repr(kinds)
    kind, form = kinds.pop()
    return "incr %d %d %d %s %d %d %s" % (
        bound, chunks, largest, kind, form, len(data), "%08x" % zlib.adler32(data))


for order in lines():
    verb, rest = order[0], order[1:]
    if verb == "window":
        w = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent,
                               event_mask=X.PropertyChangeMask | X.StructureNotifyMask)
        windows[w.id] = w
        d.sync()
        say(w.id)
    elif verb == "own":
        selection, w, time = rest
        window(w).set_selection_owner(atom(selection), int(time))
        d.sync()
        owner = d.get_selection_owner(atom(selection))
        say("owned" if owner and owner.id == int(w) else "lost")
    elif verb == "dance":  # destroys the owner's window, and owns with another one at once, as Wine does on each copy
        selection, w = rest
        window(w).destroy()
        next_window = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent,
                                         event_mask=X.PropertyChangeMask | X.StructureNotifyMask)
        windows[next_window.id] = next_window
        next_window.set_selection_owner(atom(selection), X.CurrentTime)
        d.sync()
        say(next_window.id)
    elif verb == "disown":
        d.create_resource_object("window", 0).set_selection_owner(atom(rest[0]), int(rest[1]))
        d.sync()
        say("done")
    elif verb == "convert":  # no answer
        w, selection, target, prop, time = rest
        window(w).convert_selection(atom(selection), atom(target), atom(prop), int(time))
        d.flush()
    elif verb == "flood":  # many conversions at once; no answer
        w, selection, target, count = rest
        for index in range(int(count)):
            window(w).convert_selection(atom(selection), atom(target), atom("P%d" % (index % 64)), 0)
        d.flush()
    elif verb == "notified":
        e = wait(lambda e: e.type == X.SelectionNotify)
        say(e.requestor.id, name(e.selection), name(e.target), name(e.property), e.time)
    elif verb == "count":  # so many notices
        left = int(rest[0])
        while left:
            if d.next_event().type == X.SelectionNotify:
                left -= 1
        say("counted")
    elif verb == "requested":
        e = wait(lambda e: e.type == X.SelectionRequest)
        requestor = e.requestor.id
        if requestor not in windows:
            window(requestor).change_attributes(
                event_mask=X.PropertyChangeMask | X.StructureNotifyMask)
        say(requestor, name(e.selection), name(e.target), name(e.property), e.time)
    elif verb == "notify":
        w, selection, target, prop, time = rest
        window(w).send_event(xevent.SelectionNotify(
            time=int(time), requestor=int(w), selection=atom(selection), target=atom(target),
            property=atom(prop)))
        d.sync()
        say("done")
    elif verb in ("store", "append"):
        w, prop, kind, form, data = rest
        store(w, prop, kind, form, content(data),
              X.PropModeReplace if verb == "store" else X.PropModeAppend)
        d.sync()
        say("done")
    elif verb == "atoms":  # store a list of atoms, or of pairs
        store(rest[0], rest[1], rest[2], 32,
              b"".join(atom(a).to_bytes(4, sys.byteorder) for a in rest[3:]))
        d.sync()
        say("done")
    elif verb == "list":  # the atoms of a property
        found = read(*rest)
        say(*([] if found is None else [found[0], found[1]] + [
            name(int.from_bytes(found[2][i:i + 4], sys.byteorder))
            for i in range(0, len(found[2]), 4)]) or ["absent"])
    elif verb == "number":
        found = read(*rest)
        say(found[0], found[1], int.from_bytes(found[2], sys.byteorder))
    elif verb == "read":
        say(describe(read(*rest)))
    elif verb == "take":
        # What was written until now is what is read.
        for _ in range(d.pending_events()):
            waiting.append(d.next_event())
        forget(*rest)
        say(describe(read(*rest, delete=True)))
    elif verb == "fetch":
        say(fetch(*rest))
    elif verb == "written":
        written(*rest)
        say("done")
    elif verb == "deleted":
        deleted(*rest)
        say("done")
    elif verb == "forget":
        forget(*rest)
        say("done")
    elif verb == "drain":  # the rest of an INCR whose header is gone and whose next chunk is there
        data = []
        while True:
            found = read(*rest)
            forget(*rest)
            window(rest[0]).delete_property(atom(rest[1]))
            if found is None or not found[2]:
                break
            data.append(found[2])
            written(*rest)
        d.sync()
        data = b"".join(data)
        say("drained", len(data), "%08x" % zlib.adler32(data))
    elif verb == "forge":
        target = window(rest[0])
        if rest[1] == "clear":
            e = xevent.SelectionClear(time=0, window=target, atom=atom(rest[2]))
        elif rest[1] == "destroy":
            e = xevent.DestroyNotify(event=window(rest[2]), window=window(rest[2]))
        elif rest[1] == "written":
            e = xevent.PropertyNotify(
                window=window(rest[2]), atom=atom(rest[3]), time=int(rest[4]), state=X.PropertyNewValue)
        else:
            e = xevent.PropertyNotify(
                window=window(rest[2]), atom=atom(rest[3]), time=0, state=X.PropertyDelete)
        target.send_event(e)
        d.sync()
        say("done")
    elif verb == "forgerequest":  # a request that the server did not see; no answer
        owner, w, selection, target, prop, time = rest
        window(owner).send_event(xevent.SelectionRequest(
            owner=window(owner), requestor=window(w), selection=atom(selection),
            target=atom(target), property=atom(prop), time=int(time)))
        d.flush()
    elif verb == "messages":  # so many messages
        target, count = window(rest[0]), int(rest[1])
        for index in range(count):
            target.send_event(xevent.ClientMessage(
                window=target, client_type=atom("NOISE"), data=(32, [index, 0, 0, 0, 0])))
        d.sync()
        say("done")
    elif verb == "root":  # the root window, with events
        root.change_attributes(event_mask=X.PropertyChangeMask)
        d.sync()
        say(root.id)
    elif verb == "weird":  # the numbers of atoms with unlikely names
        names = [b"\xff\xfe\n", b" ", b"\x1b[2J", b"x" * 20000, "n\u00e4me".encode()]
        say(*["#%d" % request.InternAtom(display=d.display, name=n, only_if_exists=0).atom
              for n in names])
    elif verb == "pairs":  # a list of so many pairs of a target, each with a property of its own
        w, prop, target, count = rest
        target, numbers = atom(target), []
        for index in range(int(count)):
            numbers += [target, atom("Q%d" % index)]
        window(w).change_property(atom(prop), atom("ATOM_PAIR"), 32, numbers)
        d.sync()
        say("done")
    elif verb == "vanish":  # so many windows ask, and are gone with their client; no answer
        selection, target, count = rest
        for index in range(int(count)):
            w = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
            w.convert_selection(atom(selection), atom(target), atom("P"), 0)
        d.sync()
        os._exit(0)
    elif verb == "hoard":  # so many windows ask, and never take anything
        selection, target, count = rest
        for index in range(int(count)):
            w = root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
            w.convert_selection(atom(selection), atom(target), atom("P"), 0)
        d.flush()
        say("hoarded")
    elif verb == "grab":
        d.grab_server()
        d.sync()
        say("done")
    elif verb == "hold":  # the server, for so many milliseconds; answers when it has it, and when it lets go
        d.grab_server()
        d.sync()
        say("held")
        sleep(int(rest[0]) / 1000)
        d.ungrab_server()
        d.sync()
        say("done")
    elif verb == "ungrab":
        d.ungrab_server()
        d.sync()
        say("done")
    elif verb == "killclient":
        request.KillClient(display=d.display, resource=int(rest[0]))
        d.sync()
        say("done")
    elif verb == "fill":  # properties of this size until the server has no memory for one more
        w, size = window(rest[0]), int(rest[1])
        data = bytes(size)
        count = 0
        while True:
            failed = error.CatchError(error.BadAlloc)
            w.change_property(atom("FILL%d_%d" % (size, count)), Xatom.STRING, 8,
                              data, onerror=failed)
            d.sync()
            if failed.get_error():
                break
            count += 1
        say("filled", count)
    elif verb == "free":  # what was filled with that size
        w, size, count = window(rest[0]), int(rest[1]), int(rest[2])
        for index in range(count):
            w.delete_property(atom("FILL%d_%d" % (size, index)))
        d.sync()
        say("done")
    elif verb == "greedy":  # starts an INCR the moment its header is written, before the notice
        w, prop = rest
        written(w, prop)
        say("early " + describe(read(w, prop, delete=True)))
    elif verb == "endless":  # chunks as long as they are deleted; answers at the end of the window
        w, prop, kind, size = rest
        data = content(size)
        w, prop = int(w), atom(prop)
        count = 0
        while True:
            e = wait(lambda e: e.type == X.DestroyNotify and e.window.id == w or
                     e.type == X.PropertyNotify and e.window.id == w and e.atom == prop
                     and e.state == X.PropertyDelete)
            if e.type == X.DestroyNotify:
                break
            count += 1
            window(w).change_property(prop, atom(kind), 8, data)
        say("chunks", count)
    elif verb == "serve":  # answers every request with this much text, by INCR in chunks if it is more than one
        kind, size, chunk = rest[0], int(rest[1]), int(rest[2])
        data = content(rest[1])
        say("serving")
        running = {}
        while True:
            e = d.next_event()
            if e.type == X.SelectionRequest:
                w = window(e.requestor.id)
                w.change_attributes(event_mask=X.PropertyChangeMask)
                if size > chunk:
                    running[(e.requestor.id, e.property)] = 0
                    w.change_property(e.property, atom("INCR"), 32, [size])
                else:
                    w.change_property(e.property, atom(kind), 8, data)
                w.send_event(xevent.SelectionNotify(
                    time=e.time, requestor=e.requestor, selection=e.selection, target=e.target,
                    property=e.property))
                d.flush()
            elif e.type == X.PropertyNotify and e.state == X.PropertyDelete:
                key = (e.window.id, e.atom)
                if key in running:
                    at = running[key]
                    window(key[0]).change_property(key[1], atom(kind), 8, data[at:at + chunk])
                    d.flush()
                    if at >= size:
                        del running[key]
                    else:
                        running[key] = at + chunk
    elif verb == "destroy":
        window(rest[0]).destroy()
        d.sync()
        say("done")
    elif verb == "recreate":  # destroys a window, and makes another one with its number
        w = window(rest[0])
        w.destroy()
        request.CreateWindow(
            display=d.display, onerror=None, depth=0, wid=w.id, parent=root, x=0, y=0, width=1,
            height=1, border_width=0, window_class=X.InputOnly, visual=X.CopyFromParent,
            event_mask=X.PropertyChangeMask | X.StructureNotifyMask)
        d.sync()
        say("done")
    elif verb == "census":  # windows of all clients, and the next atom's number
        d.sync()
        say(len(root.query_tree().children), d.intern_atom("PROBE_" + rest[0]))
    elif verb == "sync":
        d.sync()
        say("done")
    elif verb == "exit":
        os._exit(0)
    else:
        say("what?", *order)
