"""The port on which a laptop serves if nobody names one."""

import socket
from contextlib import suppress

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

PORTS = range(8000, 8020)


def find_free_port() -> int:
    """Return the first port on which nothing listens. Raise `CommandError` if all of PORTS are taken."""
    for port in PORTS:
        # macOS and Windows let a second program listen where another one does on this machine alone
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                continue
        with suppress(OSError):
            socket.create_server(("0.0.0.0", port)).close()
            return port
    raise CommandError(_("The ports %(first)s to %(last)s are taken.") % {"first": PORTS[0], "last": PORTS[-1]})
