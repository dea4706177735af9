"""Java's AWT and Swing."""

import os

from drivers.program import PlainToolkit, peer
from processes import run


class Java(PlainToolkit):
    name = "Java AWT"
    packages = ("openjdk-17-jre", "openjdk-17-jdk-headless")

    def start(self):
        classes = os.path.join(self.directory, "classes")
        run(["javac", "-J-XX:-UsePerfData", "-d", classes, peer("Peer.java")], self.environment, 60, check=True)
        self.program = ("java", "-XX:-UsePerfData", "-Xmx2g", "-cp", classes, "Peer")
        super().start()
