"""The command `manage.py serve`: serve the site with waitress.

Waitress gives a request to a thread only when the whole request has arrived. Therefore a phone that stops in the middle
of a request blocks nobody. Many readers do not block the tables either (see `management.lanes`). Addresses are not
logged, because they contain the codes of the tables.

The command refuses to start on a database that is not ready. It ends on SIGINT, SIGTERM and SIGHUP (a closed terminal).
On a server SIGUSR2 replaces its processes by new ones without a pause (see `management.handover`).
"""

import os
import select
import signal
import socket
import sys
from argparse import ArgumentParser
from multiprocessing import connection, get_context
from threading import Thread
from time import sleep
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string
from waitress.server import create_server

from jobs.management.connections import Connections, StrictChannel, run_server
from jobs.management.database import check_database
from jobs.management.lanes import Lanes
from jobs.management.processes import (
    Handover,
    collect_seldom,
    end_predecessor,
    hold_presence,
    take_listener,
    tell_supervisor,
)
from tournaments.laptop_backups import backups
from tournaments.queue import compute_in_background, forget_every_day
from tournaments.words.stamps import site_version

# Phones and browsers keep their connections open between two requests. A site with more readers needs a proxy.
MOST_CONNECTIONS = 2000
MOST_BYTES = 16 * 1024 * 1024
# Python lets another thread run after this time, instead of after 5 ms. So a thread whose database query is answered
# does not wait long for a thread that computes.
TURN_SECONDS = 0.0005
# A process that is told to end has this time to finish its requests. Then it is killed.
END_SECONDS = 10.0


class Command(BaseCommand):
    help = "Serve the site until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="0.0.0.0 for every network of this machine")
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--processes", type=int, default=1, help="more than one only on a server")

    def handle(self, *args: Any, host: str, port: int, processes: int, **options: Any) -> None:
        if processes > 1 and settings.MODE != "server":
            raise CommandError("MODE=laptop serves by one process: the jobs run in it, and SQLite has one writer.")
        hold_presence()
        check_database()
        handed_over, before = take_listener()
        listener = handed_over or listen(host, port)
        signal.signal(signal.SIGTERM, end)
        if settings.MODE == "server":  # a laptop has one process that runs jobs
            signal.signal(signal.SIGUSR2, Handover(listener))
        closed = getattr(signal, "SIGHUP" if hasattr(signal, "SIGHUP") else "SIGBREAK")  # Windows has the latter
        if signal.getsignal(closed) is not signal.SIG_IGN:  # if nohup has started the process, it ignores SIGHUP
            signal.signal(closed, end)
        # Compute this now, because it reads all files of the site. Otherwise the first readers would have to wait.
        site_version()
        if processes > 1:
            self.share(listener, processes, before)
        else:
            tell_supervisor()
            end_predecessor(before)
            serve(listener)

    def share(self, listener: socket.socket, processes: int, before: int) -> None:
        """Serve one address by several processes. When one of them ends, end all, so that they are restarted together.

        Only this process holds the writing end of a pipe. If it ends for any reason, the system closes the pipe. The
        other processes notice that and end too.
        """
        context = get_context("fork")
        reading, writing = os.pipe()
        children = [context.Process(target=serve_until, args=(reading, writing, listener)) for _ in range(processes)]
        for child in children:
            child.start()
        tell_supervisor()
        end_predecessor(before)
        try:
            connection.wait([child.sentinel for child in children])
            raise CommandError("A process of the site has ended by itself.")
        except KeyboardInterrupt:
            pass
        finally:
            # otherwise clients would wait for an answer; without the listener, a proxy tries another server
            listener.close()
            for child in children:
                child.terminate()
            for child in children:
                child.join(END_SECONDS)
                child.kill()


def end(*_signal: object) -> None:
    """End the process, as the handler of a signal."""
    sys.exit()


def serve_until(reading: int, writing: int, listener: socket.socket) -> None:
    """Serve until the parent process ends. The parent's end closes the pipe, of which `reading` is the reading end."""
    os.close(writing)
    signal.signal(signal.SIGUSR2, signal.SIG_IGN)  # the parent process handles SIGUSR2
    Thread(target=end_with_parent, args=(reading,), name="parent", daemon=True).start()
    serve(listener)


def end_with_parent(reading: int) -> None:
    """Wait until the parent process has ended, then end this process: politely first, after END_SECONDS by force."""
    os.read(reading, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    sleep(END_SECONDS)
    os._exit(1)


def listen(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server((host, port), family=family_of(host), backlog=1024)
    except OSError as error:
        raise CommandError(f"Nothing can listen on {host}, port {port}: {error}. Choose another by --port.") from error


def family_of(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def serve(listener: socket.socket) -> None:
    """Serve until SIGINT, SIGTERM or SIGHUP. Requests that have then arrived are answered, for END_SECONDS at most."""
    sys.setswitchinterval(TURN_SECONDS)
    collect_seldom()
    compute_in_background()
    forget_every_day()
    backups.start()
    server = create_server(
        import_string(settings.WSGI_APPLICATION),
        map=Connections() if hasattr(select, "epoll") else None,
        sockets=[listener],
        _dispatcher=Lanes(),
        connection_limit=MOST_CONNECTIONS,
        asyncore_use_poll=True,  # used where epoll is missing; select() allows only about a thousand connections
        max_request_body_size=MOST_BYTES,
        # The settings NUM_PROXIES and HTTPS decide whether a proxy's headers about the client are believed.
        clear_untrusted_proxy_headers=False,
        ident=None,
    )
    server.channel_class = StrictChannel
    run_server(server)
