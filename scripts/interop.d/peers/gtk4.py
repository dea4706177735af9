"""GTK 4: text through a text view, everything else through its clipboard."""

import gi

gi.require_version("Gtk", "4.0")
gi.require_version("Gdk", "4.0")
from gi.repository import Gdk, Gio, GLib, GObject, Gtk  # noqa: E402

from commands import content, pasted, reply, serve  # noqa: E402

Gtk.init()
window = Gtk.Window()
view = Gtk.TextView()
window.set_child(view)
window.present()
buffer = view.get_buffer()


def clipboard(command):
    display = Gdk.Display.get_default()
    return display.get_primary_clipboard() if command["selection"] == "PRIMARY" else display.get_clipboard()


def copy(command, board):
    kind = command["kind"]
    if kind == "html":
        providers = [
            Gdk.ContentProvider.new_for_bytes("text/html", GLib.Bytes.new(content(command))),
            Gdk.ContentProvider.new_for_bytes("text/plain;charset=utf-8", GLib.Bytes.new(command["text"].encode())),
        ]
        board.set_content(Gdk.ContentProvider.new_union(providers))
    elif kind == "files":
        files = Gdk.FileList.new_from_list([Gio.File.new_for_path(each) for each in command["value"]])
        value = GObject.Value(Gdk.FileList, files)
        board.set_content(Gdk.ContentProvider.new_for_value(value))
    elif kind == "png":
        value = GObject.Value(Gdk.Texture, Gdk.Texture.new_from_filename(command["value"]))
        board.set_content(Gdk.ContentProvider.new_for_value(value))
    else:
        data = content(command).decode()
        if len(data) > 100_000 or command["selection"] == "PRIMARY":
            board.set(data)
        else:
            buffer.set_text(data)
            buffer.select_range(*buffer.get_bounds())
            view.emit("copy-clipboard")
    reply(ok=True)


def read_stream(command, board, types):
    # All of it by the main loop: a blocking read would keep the display's events from GTK.
    sink = Gio.MemoryOutputStream.new_resizable()

    def copied(_, result):
        try:
            sink.splice_finish(result)
            pasted(command, sink.steal_as_bytes().get_data())
        except GLib.Error as error:
            reply(error=error.message)

    def got(source, result):
        try:
            stream, _ = source.read_finish(result)
        except GLib.Error as error:
            reply(error=error.message)
            return
        flags = Gio.OutputStreamSpliceFlags.CLOSE_SOURCE | Gio.OutputStreamSpliceFlags.CLOSE_TARGET
        sink.splice_async(stream, flags, GLib.PRIORITY_DEFAULT, None, copied)

    board.read_async(types, GLib.PRIORITY_DEFAULT, None, got)


def read_value(command, board, kind, convert):
    def got(source, result):
        try:
            pasted(command, convert(source.read_value_finish(result)))
        except GLib.Error as error:
            reply(error=error.message)

    board.read_value_async(kind, GLib.PRIORITY_DEFAULT, None, got)


def paste(command, board):
    kind = command["kind"]
    if kind == "html":
        read_stream(command, board, ["text/html"])
    elif kind == "files":
        read_value(command, board, Gdk.FileList, lambda files: [each.get_path() for each in files.get_files()])
    elif kind == "png":
        read_value(command, board, Gdk.Texture, lambda texture: texture.save_to_png_bytes().get_data())
    elif command.get("large") or command["selection"] == "PRIMARY":
        def got(source, result):
            try:
                text = source.read_text_finish(result)
                pasted(command, text.encode() if text is not None else None)
            except GLib.Error as error:
                reply(error=error.message)

        board.read_text_async(None, got)
    else:
        buffer.set_text("")

        def finished(*_):
            buffer.disconnect(changed)
            pasted(command, buffer.get_text(*buffer.get_bounds(), True).encode())

        changed = buffer.connect("paste-done", finished)
        view.emit("paste-clipboard")


def handle(command):
    board = clipboard(command)
    (copy if command["do"] == "copy" else paste)(command, board)


serve(handle, lambda function: GLib.idle_add(lambda: function() and False))
reply(ready=f"{Gtk.get_major_version()}.{Gtk.get_minor_version()}.{Gtk.get_micro_version()}")
GLib.MainLoop().run()
