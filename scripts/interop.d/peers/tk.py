"""Tk: text through a text widget where a person would see it, through `selection get` where it is large."""

import os
import queue
import tkinter

from commands import content, pasted, reply, serve

root = tkinter.Tk()
text = tkinter.Text(root)
text.pack()
root.update()
work = queue.Queue()
reader, writer = os.pipe()


def invoke(function):
    work.put(function)
    os.write(writer, b"x")


def woken(*_):
    os.read(reader, 1)
    work.get()()


def handle(command):
    selection = command["selection"]
    if command["do"] == "copy":
        data = content(command).decode()
        if len(data) > 100_000:
            root.clipboard_clear()
            root.clipboard_append(data)
            root.update()
            reply(ok=True)
            return
        text.delete("1.0", "end")
        text.insert("1.0", data)
        # Selecting in a text widget makes it PRIMARY.
        text.tag_remove("sel", "1.0", "end")
        text.tag_add("sel", "1.0", "end - 1 char")
        text.focus_force()
        if selection == "CLIPBOARD":
            text.event_generate("<<Copy>>")
        root.update()
        reply(ok=True)
        return
    # What it copied before it holds for the selection until it has read that it lost it.
    root.update()
    if selection == "CLIPBOARD" and not command.get("large"):
        text.delete("1.0", "end")
        text.focus_force()
        text.event_generate("<<Paste>>")
        root.update()
        data = text.get("1.0", "end - 1 char")
    else:
        data = root.selection_get(selection=selection, type="UTF8_STRING")
    pasted(command, data.encode("utf-8", "surrogatepass"))


root.tk.createfilehandler(reader, tkinter.READABLE, woken)
serve(handle, invoke)
reply(ready=root.tk.call("info", "patchlevel"))
root.mainloop()
