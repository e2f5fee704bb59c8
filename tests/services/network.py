"""A network between the site and a server of the tests, which can be told to swallow everything."""

import contextlib
import socket
from pathlib import Path
from threading import Event, Thread


class Network:
    """A port of this machine that forwards to `target`, a unix socket, until the network swallows everything."""

    def __init__(self, target: Path) -> None:
        self.target = target
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self.listener.getsockname()[1])
        self.swallows = Event()
        self.ends: list[socket.socket] = []
        Thread(target=self.accept, daemon=True).start()

    def accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self.listener.accept()
                far = socket.socket(socket.AF_UNIX)
                far.connect(str(self.target))
                self.ends += [near, far]
                for ends in ((near, far), (far, near)):
                    Thread(target=self.carry, args=ends, daemon=True).start()

    def carry(self, come_from: socket.socket, go_to: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while carried := come_from.recv(65536):
                if not self.swallows.is_set():
                    go_to.sendall(carried)
            if not self.swallows.is_set():
                go_to.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for end in (self.listener, *self.ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)  # wakes the reading thread
            end.close()
