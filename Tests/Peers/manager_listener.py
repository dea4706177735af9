"""Prints the first MANAGER message to the root window."""
from common import *

d = open_display()
root = d.screen(0).root
root.change_attributes(event_mask=X.StructureNotifyMask)
d.sync()
say("ready")
while True:
    event = d.next_event()
    if event.type == X.ClientMessage and event.client_type == d.intern_atom("MANAGER"):
        time, selection, window, a, b = event.data[1]
        say("MANAGER", time, d.get_atom_name(selection), window, a, b)
        break
