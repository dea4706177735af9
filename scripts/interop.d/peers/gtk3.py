"""GTK 3: text through a text view, everything else through its clipboard."""

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GdkPixbuf, GLib, Gtk  # noqa: E402

from commands import content, pasted, path, reply, serve, uri  # noqa: E402

window = Gtk.Window()
view = Gtk.TextView()
window.add(view)
window.show_all()
buffer = view.get_buffer()


def clipboard(command):
    return Gtk.Clipboard.get(Gdk.Atom.intern(command["selection"], False))


def set_html(command, board):
    # Python cannot offer targets by gtk_clipboard_set_with_data, so a widget of its own owns the selection.
    data = {"text/html": content(command), "UTF8_STRING": command["text"].encode()}
    owner = Gtk.Invisible()
    window.owner = owner
    owner.connect("selection-get", lambda _, selection, *rest: selection.set(
        selection.get_target(), 8, data[selection.get_target().name()]))
    atom = Gdk.Atom.intern(command["selection"], False)
    for name in data:
        Gtk.selection_add_target(owner, atom, Gdk.Atom.intern(name, False), 0)
    if not Gtk.selection_owner_set(owner, atom, Gtk.get_current_event_time() or server_time()):
        raise RuntimeError("GTK did not become the owner")


def server_time():
    gi.require_version("GdkX11", "3.0")
    from gi.repository import GdkX11
    window.get_window().set_events(window.get_window().get_events() | Gdk.EventMask.PROPERTY_CHANGE_MASK)
    return GdkX11.x11_get_server_time(window.get_window())


def set_files(command, board):
    uris = "".join(f"{uri(name)}\r\n" for name in command["value"]).encode()
    owner = Gtk.Invisible()
    window.owner = owner
    owner.connect("selection-get", lambda _, selection, *rest: selection.set(selection.get_target(), 8, uris))
    atom = Gdk.Atom.intern(command["selection"], False)
    Gtk.selection_add_target(owner, atom, Gdk.Atom.intern("text/uri-list", False), 0)
    if not Gtk.selection_owner_set(owner, atom, server_time()):
        raise RuntimeError("GTK did not become the owner")


def copy(command, board):
    kind = command["kind"]
    if kind == "html":
        set_html(command, board)
    elif kind == "files":
        set_files(command, board)
    elif kind == "png":
        board.set_image(GdkPixbuf.Pixbuf.new_from_file(command["value"]))
    else:
        data = content(command).decode()
        if len(data) > 100_000:
            board.set_text(data, -1)
        else:
            buffer.set_text(data)
            # Selecting in a view makes it PRIMARY.
            buffer.select_range(*buffer.get_bounds())
            if command["selection"] == "CLIPBOARD":
                view.emit("copy-clipboard")
            else:
                buffer.add_selection_clipboard(board)
    reply(ok=True)


def paste(command, board):
    kind = command["kind"]
    if kind == "html":
        data = board.wait_for_contents(Gdk.Atom.intern("text/html", False))
        pasted(command, data.get_data() if data else None)
    elif kind == "files":
        uris = board.wait_for_uris()
        pasted(command, [path(each) for each in uris] if uris else None)
    elif kind == "png":
        image = board.wait_for_image()
        pasted(command, image.save_to_bufferv("png", ["compression"], ["0"])[1] if image else None)
    elif command.get("large") or command["selection"] == "PRIMARY":
        text = board.wait_for_text()
        pasted(command, text.encode() if text is not None else None)
    else:
        buffer.set_text("")
        changed = buffer.connect("paste-done", lambda *_: finished())

        def finished():
            buffer.disconnect(changed)
            pasted(command, buffer.get_text(*buffer.get_bounds(), True).encode())

        view.emit("paste-clipboard")


def handle(command):
    board = clipboard(command)
    (copy if command["do"] == "copy" else paste)(command, board)


serve(handle, lambda function: GLib.idle_add(lambda: function() and False))
reply(ready=f"{Gtk.get_major_version()}.{Gtk.get_minor_version()}.{Gtk.get_micro_version()}")
Gtk.main()
