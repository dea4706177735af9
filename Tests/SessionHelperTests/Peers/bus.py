"""A system bus with one client, which hears one signal of the login manager when this process gets SIGUSR1;
then there is a file PATH.said.

bus.py PATH MEMBER
"""
import os
import signal
import socket
import struct
import sys

path, member = sys.argv[1:]
clients, wanted = [], []


def padded(data, size):
    return data + bytes(-len(data) % size)


def text(value):
    return struct.pack("<I", len(value)) + value.encode() + b"\0"


def message():
    interface = "org.freedesktop.login1.Session"
    place = "/org/freedesktop/login1/session/_31"
    signature, body = "", b""
    if member == "PrepareForSleep":
        interface, place = "org.freedesktop.login1.Manager", "/org/freedesktop/login1"
        signature, body = "b", struct.pack("<I", 1)
    elif member == "PropertiesChanged":
        interface = "org.freedesktop.DBus.Properties"
        entry = padded(text("LockedHint") + b"\1b\0", 4) + struct.pack("<I", 1)
        body = padded(text("org.freedesktop.login1.Session"), 4)
        start = padded(body + bytes(4), 8)
        body = body + struct.pack("<I", len(entry)) + bytes(len(start) - len(body) - 4) + entry + bytes(4)
        signature = "sa{sv}as"
    fields = b""
    for code, kind, value in ((1, "o", place), (2, "s", interface), (3, "s", member), (7, "s", ":1.0")):
        fields = padded(fields, 8) + bytes([code, 1]) + kind.encode() + b"\0" + text(value)
    if signature:
        fields = padded(fields, 8) + b"\x08\1g\0" + bytes([len(signature)]) + signature.encode() + b"\0"
    head = b"l\x04\x01\x01" + struct.pack("<III", len(body), 7, len(fields)) + fields
    return padded(head, 8) + body


def say(*_):
    for client in clients:
        client.sendall(message())
    open(path + ".said", "w").close()


signal.signal(signal.SIGUSR1, say)
listener = socket.socket(socket.AF_UNIX)
listener.bind(path + ".new")
listener.listen(4)
os.rename(path + ".new", path)
while True:
    client, _ = listener.accept()
    received = b""
    while b"AUTH EXTERNAL " not in received or not received.endswith(b"\r\n"):
        received += client.recv(4096)
    assert received.startswith(b"\0AUTH EXTERNAL " + str(os.getuid()).encode().hex().encode())
    client.sendall(b"OK 0123456789abcdef\r\n")
    while b"BEGIN\r\n" not in received:
        received += client.recv(4096)
    while received.count(b"sender='org.freedesktop.login1'") < 3 or b"Hello" not in received:
        received += client.recv(4096)
    clients.append(client)
