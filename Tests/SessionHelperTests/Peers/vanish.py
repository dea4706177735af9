"""Clients whose windows or connections vanish while the clipboard manager deals with them, at one moment after another.

vanish.py          saves that are asked for and not waited for, owners that end at each step
vanish.py pastes   requestors that end at each step of a paste
"""
import sys
import time
from Xlib import X, Xatom, display as xdisplay
from Xlib.protocol import event as xevent


def connected():
    d = xdisplay.Display()
    d.set_error_handler(lambda *_: None)
    window = d.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
    return d, window


def stamp(d, window):
    window.change_property(d.intern_atom("STAMP"), Xatom.INTEGER, 32, [], X.PropModeAppend)
    while True:
        e = d.next_event()
        if e.type == X.PropertyNotify:
            return e.time


def end(d, window, how):
    if how == "window":
        window.destroy()
        d.sync()
    d.close()


def save(how, step):
    """An owner that answers so many requests, and then is gone."""
    d, window = connected()
    clipboard, manager = d.intern_atom("CLIPBOARD"), d.intern_atom("CLIPBOARD_MANAGER")
    targets, wanted = d.intern_atom("TARGETS"), [d.intern_atom(name) for name in ("image/png", "a/b")]
    time_of = stamp(d, window)
    window.set_selection_owner(clipboard, time_of)
    window.convert_selection(manager, d.intern_atom("SAVE_TARGETS"), d.intern_atom("P"), time_of)
    d.sync()
    deadline = time.monotonic() + 1
    while step and time.monotonic() < deadline:
        if not d.pending_events():
            time.sleep(0.001)
            continue
        e = d.next_event()
        if e.type == X.SelectionRequest:
            step -= 1
            if e.target == targets:
                e.requestor.change_property(e.property, Xatom.ATOM, 32, wanted)
            elif e.target == wanted[0]:
                e.requestor.change_attributes(event_mask=X.PropertyChangeMask)
                e.requestor.change_property(e.property, d.intern_atom("INCR"), 32, [0xFFFFFFFF])
            else:
                e.requestor.change_property(e.property, Xatom.STRING, 8, b"x")
            e.requestor.send_event(xevent.SelectionNotify(
                time=e.time, requestor=e.requestor, selection=e.selection, target=e.target, property=e.property))
            d.flush()
        elif e.type == X.PropertyNotify and e.window != window and e.state == X.PropertyDelete:
            step -= 1
            e.window.change_property(e.atom, wanted[0], 8, bytes(5000))
            d.flush()
    end(d, window, how)


def paste(how, step):
    """A requestor that takes so many pieces, and then is gone."""
    d, window = connected()
    prop = d.intern_atom("P")
    window.convert_selection(d.intern_atom("CLIPBOARD"), d.intern_atom("image/png"), prop, stamp(d, window))
    d.sync()
    deadline = time.monotonic() + 1
    while step and time.monotonic() < deadline:
        if not d.pending_events():
            time.sleep(0.001)
            continue
        e = d.next_event()
        if e.type == X.SelectionNotify or (e.type == X.PropertyNotify and e.atom == prop
                                           and e.state == X.PropertyNewValue):
            step -= 1
            window.get_full_property(prop, X.AnyPropertyType)
            window.delete_property(prop)
            d.flush()
    end(d, window, how)


for how in ("window", "connection"):
    for step in range(6):
        (paste if sys.argv[1:] == ["pastes"] else save)(how, step)
