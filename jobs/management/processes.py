"""The processes that serve a site: a free port, handing over the address, the lock file, messages to a supervisor.

On SIGUSR2 the first process of a server starts its own command again and gives it the listening socket. Once the new
processes serve, they end the old ones. Until then the old ones go on: nobody waits for the start, and a release that
cannot start changes nothing.

A process that serves searches for garbage seldom. Commands keep Python's own limits.

Each process that serves holds a shared lock of the lock file, a restore an exclusive one. The lock ends with its
process.
"""

import gc
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from clubs.file_locks import FileLocked, take_lock

PORTS = range(8000, 8020)  # on which a laptop serves if nobody names one
LISTENER = "TOPAGE_LISTENER"  # the file number of the socket
BEFORE = "TOPAGE_BEFORE"  # the id of the process that serves until the new one does

# Limits of Python's garbage collector. The first is the number of new objects before a search. The second is the number
# of searches before one that looks at older objects too. The third is the number of those before one that looks at all
# objects. With Python's own limits (700, 10, 10), a request that makes many objects is searched many times.
SELDOM = (50_000, 20, 20)


class Handover:
    """The handovers of one process, as the handler of a signal. It starts one successor at a time."""

    def __init__(self, listener: socket.socket) -> None:
        self.listener = listener
        self.successor: subprocess.Popen[bytes] | None = None

    def __call__(self, *_signal: object) -> None:
        if self.successor is not None and self.successor.poll() is None:
            return
        number = self.listener.fileno()
        variables = {LISTENER: str(number), BEFORE: str(os.getpid())}
        self.successor = subprocess.Popen(sys.orig_argv, env=os.environ | variables, pass_fds=[number])


def take_listener() -> tuple[socket.socket | None, int]:
    """Return the socket that a process of the site has handed over, and the id of that process, or None and 0."""
    number, before = os.environ.pop(LISTENER, ""), int(os.environ.pop(BEFORE, 0))
    return (socket.socket(fileno=int(number)), before) if number else (None, 0)


def end_predecessor(before: int) -> None:
    """End the process that has handed over its address, unless it has ended already."""
    if before and os.getppid() == before:
        os.kill(before, signal.SIGTERM)


def collect_seldom() -> None:
    """Search for garbage seldom in this process and in those that it forks: it serves for long."""
    gc.set_threshold(*SELDOM)


held: list[int] = []  # the numbers of the lock files, which stay open until the process ends


def hold_presence() -> None:
    """Take the shared lock, which shows that this process serves. Raise `CommandError` during a restore.

    If VAR_DIR cannot be written, do nothing.
    """
    with suppress(OSError):
        hold("serving.lock", "A restore is under way. Start again when it has ended.", shared=True)


def claim_site() -> None:
    """Take the exclusive lock: no other process of this machine can serve until this one ends.

    Raise `CommandError` if one serves.

    A server may be unable to write in VAR_DIR. Then only the connections of PostgreSQL show who serves.
    """
    try:
        hold("serving.lock", "The site serves. End its processes (serve, workers, beat), then restore.")
    except OSError:
        if not settings.SERVER:
            raise


def claim_folder() -> None:
    """Take the lock of a laptop's folder, in which one site runs, never two. Raise `CommandError` if it is taken."""
    told = {"folder": settings.VAR_DIR}
    try:
        hold("start.lock", _("This site runs already, in another window. Its data: %(folder)s") % told)
    except OSError as error:
        raise CommandError(_("Nothing can be written to %(folder)s.") % told) from error


def hold(name: str, refusal: str, *, shared: bool = False) -> None:
    """Hold a lock file of VAR_DIR until the process ends. Raise `CommandError` if another process holds it."""
    try:
        held.append(take_lock(settings.VAR_DIR / name, shared=shared))
    except FileLocked:
        raise CommandError(refusal) from None


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
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as supervisor:
        supervisor.sendto(text.encode(), address)


def listen_on_free_port(host: str) -> int:
    """Listen on the first free port, for the command `serve`, and return it. Raise `CommandError` if none is free."""
    for port in PORTS:
        with suppress(OSError):
            # macOS and Windows let a program listen on all networks where another one does on this machine alone
            for tried in ("127.0.0.1", "0.0.0.0"):
                socket.create_server((tried, port)).close()
            os.environ[LISTENER] = str(socket.create_server((host, port), backlog=1024).detach())
            return port
    raise CommandError(_("The ports %(first)s to %(last)s are taken.") % {"first": PORTS[0], "last": PORTS[-1]})
