"""The message to a supervisor that the site serves. systemd waits for it before it starts the workers."""

import os
import socket
from contextlib import suppress


def tell_supervisor() -> None:
    """Send READY=1 to the socket that systemd names in NOTIFY_SOCKET (`Type=notify`). Do nothing without it.

    A first "@" of the name stands for the zero byte of an abstract socket. Source: sd_notify(3).
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    if address.startswith("@"):
        address = f"\0{address[1:]}"
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.sendto(b"READY=1", address)
