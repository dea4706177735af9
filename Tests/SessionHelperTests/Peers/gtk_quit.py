"""A GTK 3 program that copies a text and a picture, stores them as applications do, and ends."""
import gi
gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GdkPixbuf, Gtk

clipboard = Gtk.Clipboard.get(Gdk.SELECTION_CLIPBOARD)
picture = GdkPixbuf.Pixbuf.new(GdkPixbuf.Colorspace.RGB, False, 8, 700, 500)
picture.fill(0x3366CCFF)
clipboard.set_image(picture)
clipboard.set_can_store(None)
clipboard.store()
