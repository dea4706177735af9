"""A Qt 5 program that copies a text with markup, and ends."""
from PyQt5.QtCore import QMimeData, QTimer
from PyQt5.QtWidgets import QApplication

application = QApplication(["qt_quit"])
data = QMimeData()
data.setText("Qt gr\u00fc\u00dft")
data.setHtml("<b>Qt</b>")
data.setData("application/x-example", bytes(range(256)) * 4000)
application.clipboard().setMimeData(data)
QTimer.singleShot(0, application.quit)
application.exec_()
