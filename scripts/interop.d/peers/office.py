"""Calls LibreOffice's own copy and paste in its window. office.py PIPE ready | copy KIND FILE | paste KIND FILE"""

import sys

import uno
from com.sun.star.beans import PropertyValue

pipe, do, *rest = sys.argv[1:]
local = uno.getComponentContext()
resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
context = resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
manager = context.ServiceManager
desktop = manager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
# Without a window manager no window need be the current one.
components = desktop.getComponents().createEnumeration()
if not components.hasMoreElements():
    sys.exit("no document yet")
old = components.nextElement()
if do == "ready":
    sys.exit(0)
# What an earlier document was must not change how this one pastes.
document = desktop.loadComponentFromURL("private:factory/swriter", "_blank", 0, ())
old.close(True)
frame = document.getCurrentController().getFrame()
dispatcher = manager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", context)


def command(name):
    dispatcher.executeDispatch(frame, f".uno:{name}", "", 0, ())


def value(name, content):
    result = PropertyValue()
    result.Name, result.Value = name, content
    return result


def insert(kind, path):
    if kind == "text":
        with open(path, encoding="utf-8", newline="") as file:
            document.getText().setString(file.read())
    elif kind == "html":
        cursor = document.getText().createTextCursor()
        cursor.insertDocumentFromURL(uno.systemPathToFileUrl(path), (value("FilterName", "HTML (StarWriter)"),))
    else:
        command_with = (value("FileName", uno.systemPathToFileUrl(path)),)
        dispatcher.executeDispatch(frame, ".uno:InsertGraphic", "", 0, command_with)


def text():
    # Paragraphs are lines to LibreOffice.
    return document.getText().getString().replace("\r\n", "\n").replace("\r", "\n")


def save(kind, path):
    if kind == "png":
        graphics = document.getGraphicObjects()
        if not graphics.getCount():
            sys.exit("no picture was pasted")
        provider = manager.createInstanceWithContext("com.sun.star.graphic.GraphicProvider", context)
        provider.storeGraphic(
            graphics.getByIndex(0).Graphic,
            (value("URL", uno.systemPathToFileUrl(path)), value("MimeType", "image/png")))
        return
    if kind == "html":
        document.storeToURL(uno.systemPathToFileUrl(path), (value("FilterName", "HTML (StarWriter)"),))
        return
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text())


if do == "copy":
    kind, path = rest
    insert(kind, path)
    if kind != "png":
        command("SelectAll")
    command("Copy")
elif do == "paste":
    kind, path = rest
    command("Paste")
    save(kind, path)
