"""Firefox and Chromium with a page of ours, over their automation protocols; no network."""

import base64
import json
import os
import select
import socket
import time
from urllib.parse import quote

from drivers.program import Program, peer
from processes import Failed, Late, start, stop_group, wait_until



class Browser(Program):
    """The page's functions fill an element, select it, and read what was pasted; keys copy and paste."""

    cannot = {("theirs", "files"): "a page cannot copy files"}
    settle = 0.5

    def page(self):
        return "file://" + quote(peer("page.html"))

    def call(self, expression, seconds):
        """The value of a JavaScript expression, a promise's when it is one."""
        raise NotImplementedError

    def command(self, name, seconds):
        """The browser's own copy, paste or selectAll command, as its key would do."""
        raise NotImplementedError

    def middle_click(self, x, y):
        """At a place in the page."""
        raise NotImplementedError

    def kind(self, content):
        return "large" if content.column.endswith("MB") else content.kind

    def copy(self, content):
        self.send(content)
        self.call(f"prepareCopy({json.dumps(self.kind(content))})", content.seconds)
        if content.selection == "PRIMARY":
            # Selecting is all it takes.
            self.command("selectAll", content.seconds)
            return
        if content.kind == "png":
            self.call("writePicture()", content.seconds)
        else:
            self.command("copy", content.seconds)
        self.call("copied()", content.seconds)

    def send(self, content):
        """In pieces, because the protocols have limits."""
        self.call("start()", 10)
        for place in range(0, len(content.data), 3_000_000):
            piece = base64.b64encode(content.data[place:place + 3_000_000]).decode()
            self.call(f"add('{piece}')", content.seconds)

    def paste(self, content):
        kind = json.dumps(self.kind(content))
        self.call(f"preparePaste({kind})", content.seconds)
        if content.selection == "PRIMARY":
            self.middle_click(*self.call("place()", 10))
        else:
            self.command("paste", content.seconds)
        count = self.call(f"pasted({kind})", content.seconds)
        if content.kind == "files":
            names = json.loads(self.call("names()", content.seconds))
            return [
                next((path for path in content.data if os.path.basename(path) == name), name) for name in names]
        pieces = [
            base64.b64decode(self.call(f"piece({place}, 3000000)", content.seconds))
            for place in range(0, count, 3_000_000)]
        return b"".join(pieces)


class Chromium(Browser):
    name = "Chromium"
    packages = ("chromium",)

    def start(self):
        to_read, to_write = os.pipe()
        from_read, from_write = os.pipe()
        words = [
            "chromium", "--remote-debugging-pipe", "--no-sandbox", "--no-first-run", "--disable-gpu",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            f"--user-data-dir={self.directory}/chromium", "--allow-file-access-from-files", "about:blank"]

        def place():
            # The protocol is spoken on descriptors 3 and 4.
            high = [os.dup(each) for each in (to_read, from_write)]
            high = [os.dup2(each, 100 + at) for at, each in enumerate(high)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        log = open(os.path.join(self.directory, "chromium.log"), "wb")
        self.process = start(
            words, self.environment, preexec_fn=place, close_fds=False, stderr=log)
        os.close(to_read)
        os.close(from_write)
        self.input, self.output, self.rest, self.number, self.session = from_read, to_write, b"", 0, None
        targets = wait_until(
            lambda: [each for each in self.ask("Target.getTargets", {}, 30)["targetInfos"] if each["type"] == "page"],
            30, "a page of Chromium")
        identifier = targets[0]["targetId"]
        self.session = self.ask(
            "Target.attachToTarget", {"targetId": identifier, "flatten": True}, 10)["sessionId"]
        origin = {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
        session, self.session = self.session, None
        self.ask("Browser.grantPermissions", origin, 10)
        self.session = session
        self.ask("Page.enable", {}, 10)
        self.ask("Page.navigate", {"url": self.page()}, 20)
        wait_until(lambda: self.call("typeof start == 'function'", 10), 20, "the page in Chromium")
        self.ask("Page.bringToFront", {}, 10)

    def stop(self):
        if getattr(self, "process", None):
            stop_group(self.process)
            for descriptor in (self.input, self.output):
                os.close(descriptor)

    def is_alive(self):
        return False

    def ask(self, method, parameters, seconds):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        deadline = time.monotonic() + seconds
        while True:
            while b"\0" not in self.rest:
                if not select.select([self.input], [], [], max(0, deadline - time.monotonic()))[0]:
                    raise Late(f"Chromium does not answer {method} within {seconds:g} s")
                piece = os.read(self.input, 1 << 20)
                if not piece:
                    raise Failed("Chromium ended")
                self.rest += piece
            line, _, self.rest = self.rest.partition(b"\0")
            answer = json.loads(line)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise Failed(f"Chromium, {method}: {answer['error'].get('message')}")
                return answer["result"]

    def call(self, expression, seconds):
        parameters = {
            "expression": expression, "awaitPromise": True, "returnByValue": True, "userGesture": True}
        answer = self.ask("Runtime.evaluate", parameters, seconds)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise Failed(f"the page: {details.get('exception', {}).get('description', details)}".split("\n")[0])
        return answer["result"].get("value")

    def command(self, name, seconds):
        letter = {"copy": "c", "paste": "v", "selectAll": "a"}[name]
        key = {
            "modifiers": 2, "key": letter, "code": f"Key{letter.upper()}",
            "windowsVirtualKeyCode": ord(letter.upper())}
        self.ask("Input.dispatchKeyEvent", {**key, "type": "rawKeyDown", "commands": [name]}, seconds)
        self.ask("Input.dispatchKeyEvent", {**key, "type": "keyUp"}, seconds)

    def middle_click(self, x, y):
        for kind in ("mousePressed", "mouseReleased"):
            self.ask(
                "Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, "button": "middle", "clickCount": 1}, 10)


class Firefox(Browser):
    name = "Firefox ESR"
    packages = ("firefox-esr",)
    faults = {
        ("ours", "files"): "Firefox gives a page the first of several files only, from xclip too; choose the others "
        "in a file dialogue",
        ("ours", "64MB"): "Firefox gives up when so much takes too long on a busy machine, from xclip too; try again",
    }
    remarks = {("theirs", "html"): "Firefox puts a meta element before the HTML, and bytes pass unchanged"}

    def expected(self, content, direction):
        if direction == "theirs" and content.kind == "html":
            return b'<meta http-equiv="content-type" content="text/html; charset=utf-8">' + content.data
        return content.data

    def start(self):
        profile = os.path.join(self.directory, "firefox")
        os.makedirs(profile, exist_ok=True)
        settings = {
            "marionette.port": 0, "browser.shell.checkDefaultBrowser": False, "app.update.enabled": False,
            "network.captive-portal-service.enabled": False, "network.connectivity-service.enabled": False,
            "datareporting.policy.dataSubmissionEnabled": False, "toolkit.telemetry.enabled": False,
            "browser.startup.homepage_override.mstone": "ignore", "browser.aboutwelcome.enabled": False,
            "services.settings.server": "data:,", "extensions.getAddons.cache.enabled": False,
            # A page may write pictures only when a person has just clicked; this does without the person.
            "dom.events.testing.asyncClipboard": True}
        with open(os.path.join(profile, "user.js"), "w") as file:
            for name, value in settings.items():
                file.write(f"user_pref({json.dumps(name)}, {json.dumps(value)});\n")
        port = os.path.join(profile, "MarionetteActivePort")
        if os.path.exists(port):
            os.unlink(port)
        log = open(os.path.join(self.directory, "firefox.log"), "wb")
        self.process = start(
            ["firefox-esr", "--marionette", "-remote-allow-system-access", "--profile", profile, "--no-remote",
             "about:blank"], self.environment, stderr=log)

        def number():
            if not os.path.exists(port):
                return None
            with open(port) as file:
                return file.read().strip()

        self.socket = socket.create_connection(("127.0.0.1", int(wait_until(number, 60, "Firefox's port"))), 20)
        self.number = 0
        self.read(20)
        self.ask("WebDriver:NewSession", {"capabilities": {"alwaysMatch": {}}}, 60)
        self.ask("WebDriver:SetTimeouts", {"script": 90000}, 10)
        self.ask("WebDriver:Navigate", {"url": self.page()}, 30)

    def stop(self):
        if getattr(self, "process", None):
            stop_group(self.process)

    def is_alive(self):
        return False

    def read(self, seconds):
        deadline = time.monotonic() + seconds
        data = b""
        try:
            while b":" not in data:
                self.socket.settimeout(max(0.01, deadline - time.monotonic()))
                piece = self.socket.recv(1)
                if not piece:
                    raise Failed("Firefox ended")
                data += piece
            length, pieces = int(data[:-1]), []
            while length:
                self.socket.settimeout(max(0.01, deadline - time.monotonic()))
                piece = self.socket.recv(min(length, 1 << 20))
                if not piece:
                    raise Failed("Firefox ended")
                pieces.append(piece)
                length -= len(piece)
        except TimeoutError:
            raise Late(f"Firefox does not answer within {seconds:g} s") from None
        return json.loads(b"".join(pieces))

    def ask(self, name, parameters, seconds):
        self.number += 1
        data = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.settimeout(seconds)
        self.socket.sendall(str(len(data)).encode() + b":" + data)
        while True:
            _, number, error, value = self.read(seconds)
            if number == self.number:
                if error:
                    raise Failed(f"Firefox, {name}: {error.get('message')}".split("\n")[0])
                return value

    def script(self, text, seconds):
        parameters = {"script": text, "args": [], "newSandbox": False}
        return self.ask("WebDriver:ExecuteAsyncScript", parameters, seconds)["value"]

    def call(self, expression, seconds):
        value = self.script(
            "const done = arguments[arguments.length - 1];"
            f"(async () => window.wrappedJSObject ? await window.wrappedJSObject.eval({json.dumps(expression)})"
            f" : await eval({json.dumps(expression)}))()"
            ".then(value => done({value}), error => done({error: String(error)}));", seconds)
        if value and value.get("error"):
            raise Failed(f"the page: {value['error']}")
        return value and value.get("value")

    def command(self, name, seconds):
        # What the menu's entry does. Whether the entry is enabled is known late for a page in another process.
        self.privileged(
            f"document.commandDispatcher.getControllerForCommand('cmd_{name}').doCommand('cmd_{name}'); done();",
            seconds)

    def privileged(self, text, seconds):
        """The browser's window, where its menus' commands are."""
        self.ask("Marionette:SetContext", {"value": "chrome"}, 10)
        try:
            return self.script(f"const done = arguments[arguments.length - 1]; {text}", seconds)
        finally:
            self.ask("Marionette:SetContext", {"value": "content"}, 10)

    def middle_click(self, x, y):
        pointer = {
            "type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
                {"type": "pointerMove", "x": int(x), "y": int(y)},
                {"type": "pointerDown", "button": 1}, {"type": "pointerUp", "button": 1}]}
        self.ask("WebDriver:PerformActions", {"actions": [pointer]}, 10)
