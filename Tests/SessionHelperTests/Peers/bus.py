"""A system bus whose login manager says one thing when this process gets SIGUSR1; then there is a file PATH.said.

bus.py PATH MEMBER

The bus is a real dbus-daemon, the login manager is played here. PATH is there once both are ready.
"""
import ctypes
import os
import signal
import subprocess
import sys

from gi.repository import Gio, GLib

path, member = sys.argv[1:]
with open(path + ".conf", "w") as settings:
    settings.write(
        f"""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path={path}.new</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/><allow user="*"/></policy>
</busconfig>"""
    )


def end_with_this_process():
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


address_end, address_start = os.pipe()
subprocess.Popen(
    ["dbus-daemon", "--nofork", "--config-file", path + ".conf", "--print-address", str(address_start)],
    pass_fds=[address_start], stdin=subprocess.DEVNULL, preexec_fn=end_with_this_process)
os.close(address_start)
address = os.fdopen(address_end).readline().strip()

flags = Gio.DBusConnectionFlags
bus = Gio.DBusConnection.new_for_address_sync(
    address, flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None)
bus.call_sync(
    "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
    GLib.Variant("(su)", ("org.freedesktop.login1", 4)), None, Gio.DBusCallFlags.NONE, 5000, None)

place, interface, content = "/org/freedesktop/login1/session/_31", "org.freedesktop.login1.Session", None
if member == "PrepareForSleep":
    place, interface = "/org/freedesktop/login1", "org.freedesktop.login1.Manager"
    content = GLib.Variant("(b)", (True,))
elif member == "PropertiesChanged":
    changed = {"IdleHint": GLib.Variant("b", False), "LockedHint": GLib.Variant("b", True)}
    content = GLib.Variant("(sa{sv}as)", (interface, changed, []))
    interface = "org.freedesktop.DBus.Properties"


def say():
    bus.emit_signal(None, place, interface, member, content)
    bus.flush_sync(None)
    open(path + ".said", "w").close()
    return True


GLib.unix_signal_add(GLib.PRIORITY_DEFAULT, signal.SIGUSR1, say)
os.rename(path + ".new", path)
GLib.MainLoop().run()
