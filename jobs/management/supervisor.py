"""The messages to a supervisor: that the site serves, or that a worker works. systemd listens for them."""

import os
import socket
from contextlib import suppress


def tell_supervisor() -> None:
    """Tell systemd that this process is the site's first one and serves. It waits for that before it starts workers."""
    notify_supervisor(f"MAINPID={os.getpid()}\nREADY=1")


def notify_supervisor(text: str) -> None:
    """Send a message to systemd, if NOTIFY_SOCKET names a socket of systemd.

    If the name begins with "@", the socket is an abstract one, whose name begins with a zero byte. Source:
    sd_notify(3).
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = f"\0{address[1:]}"
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.sendto(text.encode(), address)
