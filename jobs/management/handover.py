"""The handover of a site's address to new processes, which begin to serve before the old ones end.

On SIGUSR2 the first process of a server starts its own command again and gives it the listening socket. Once the new
processes serve, they end the old ones. Until then the old ones go on: nobody waits for the start, and a release that
cannot start changes nothing.
"""

import os
import signal
import socket
import subprocess
import sys

LISTENER = "TOPAGE_LISTENER"  # the file number of the socket
BEFORE = "TOPAGE_BEFORE"  # the id of the process that serves until the new one does


class Handover:
    """The handovers of one process, as the handler of a signal. It starts one successor at a time."""

    def __init__(self, listener: socket.socket) -> None:
        self.listener = listener
        self.successor: subprocess.Popen[bytes] | None = None

    def __call__(self, *_signal: object) -> None:
        if self.successor is not None and self.successor.poll() is None:
            return
        number = self.listener.fileno()
        told = {LISTENER: str(number), BEFORE: str(os.getpid())}
        self.successor = subprocess.Popen(sys.orig_argv, env=os.environ | told, pass_fds=[number])


def take_listener() -> tuple[socket.socket | None, int]:
    """Return the socket that a process of the site has handed over, and the id of that process, or None and 0."""
    number, before = os.environ.pop(LISTENER, ""), int(os.environ.pop(BEFORE, 0))
    return (socket.socket(fileno=int(number)), before) if number else (None, 0)


def end_predecessor(before: int) -> None:
    """End the process that has handed over its address, unless it has ended already."""
    if before and os.getppid() == before:
        os.kill(before, signal.SIGTERM)
