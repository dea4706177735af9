"""Qt 5 and Qt 6: text through a text field, everything else through QClipboard."""

import importlib
import os
import queue
import sys

from commands import content, pasted, reply, serve

binding = sys.argv[1]
core = importlib.import_module(f"{binding}.QtCore")
gui = importlib.import_module(f"{binding}.QtGui")
widgets = importlib.import_module(f"{binding}.QtWidgets")

application = widgets.QApplication(sys.argv)
field = widgets.QPlainTextEdit()
field.show()
modes = getattr(gui.QClipboard, "Mode", gui.QClipboard)
work = queue.Queue()
reader, writer = os.pipe()


def invoke(function):
    work.put(function)
    os.write(writer, b"x")


def woken(*_):
    os.read(reader, 1)
    work.get()()


def png(image):
    if image.isNull():
        return None
    data = core.QByteArray()
    target = core.QBuffer(data)
    flags = getattr(core, "QIODevice")
    target.open(getattr(flags, "OpenModeFlag", flags).WriteOnly)
    image.convertToFormat(getattr(gui.QImage, "Format", gui.QImage).Format_RGB888).save(target, "PNG", 100)
    return bytes(data)


def copy(command, board, mode):
    kind = command["kind"]
    if kind == "png":
        board.setImage(gui.QImage(command["value"]), mode)
    elif kind == "text":
        data = content(command).decode()
        if len(data) > 100_000 or command["selection"] == "PRIMARY":
            board.setText(data, mode)
        else:
            field.setPlainText(data)
            field.selectAll()
            field.copy()
    else:
        value = core.QMimeData()
        if kind == "html":
            value.setHtml(content(command).decode())
            value.setText(command["text"])
        else:
            value.setUrls([core.QUrl.fromLocalFile(each) for each in command["value"]])
        board.setMimeData(value, mode)
    application.processEvents()
    reply(ok=True)


def paste(command, board, mode):
    # What it copied before it holds for the selection until it has read that it lost it.
    application.processEvents()
    kind = command["kind"]
    if kind == "png":
        pasted(command, png(board.image(mode)))
    elif kind == "text":
        if command.get("large") or command["selection"] == "PRIMARY":
            text = board.text(mode)
        else:
            field.clear()
            field.paste()
            text = field.toPlainText()
        pasted(command, text.encode("utf-8", "surrogatepass"))
    else:
        value = board.mimeData(mode)
        if kind == "html":
            pasted(command, value.html().encode() if value.hasHtml() else None)
        else:
            pasted(command, [each.toLocalFile() for each in value.urls()] if value.hasUrls() else None)


def handle(command):
    board = application.clipboard()
    mode = modes.Selection if command["selection"] == "PRIMARY" else modes.Clipboard
    (copy if command["do"] == "copy" else paste)(command, board, mode)


kinds = getattr(core.QSocketNotifier, "Type", core.QSocketNotifier)
notifier = core.QSocketNotifier(reader, kinds.Read)
notifier.activated.connect(woken)
serve(handle, invoke)
reply(ready=core.qVersion())
sys.exit(application.exec())
