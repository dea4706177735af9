"""Debian packages: which are there, and installing those that are not."""

import os
import subprocess
import sys


def version(package):
    """The installed version without epoch and revision, or None."""
    words = ["dpkg-query", "-W", "-f", "${db:Status-Status} ${Version}", package]
    result = subprocess.run(words, capture_output=True, text=True, timeout=30)
    state, _, text = result.stdout.partition(" ")
    if state != "installed":
        return None
    return text.split(":")[-1].split("-")[0].split("+")[0]


def install(names):
    missing = [name for name in names if version(name) is None]
    if not missing:
        return
    print(f"installing {' '.join(missing)}", file=sys.stderr, flush=True)
    words = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
    if os.geteuid() != 0:
        words = ["sudo", "-n", "env", "DEBIAN_FRONTEND=noninteractive", *words]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for preparation in ([], [*words[:words.index("apt-get")], "apt-get", "update", "-qq"]):
        if preparation:
            subprocess.run(preparation, env=environment, stdin=subprocess.DEVNULL, timeout=300)
        done = subprocess.run(
            words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=900)
        if done.returncode == 0:
            return
    print(f"could not install {' '.join(missing)}", file=sys.stderr, flush=True)
