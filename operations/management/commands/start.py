"""The command `topage` alone: it brings the site of a laptop up to date, serves it in the hall, and opens a browser."""

import os
import sys
import webbrowser
from argparse import ArgumentParser
from io import StringIO
from threading import Thread
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils import translation
from django.utils.translation import gettext as _

from jobs.management.processes import claim_folder, listen_on_free_port
from operations.laptop import choose_language
from tournaments.addresses import find_own_addresses


class Command(BaseCommand):
    help = "Bring the site of this laptop up to date, serve it on the hall's network, and open it in the browser."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-browser", action="store_true", help="open no browser")

    def handle(self, *args: Any, no_browser: bool, **options: Any) -> None:
        if settings.SERVER:
            raise CommandError(f"MODE=server has units or containers that start the site: `{settings.COMMAND} serve`.")
        with translation.override(choose_language()):
            claim_folder()
            self.stdout.write(_("Data: %(folder)s") % {"folder": settings.VAR_DIR})
            call_command("upgrade", stdout=StringIO())
            port = listen_on_free_port("0.0.0.0")
            address = f"http://127.0.0.1:{port}/"
            self.stdout.write(_("On this laptop: %(address)s") % {"address": address})
            for other in find_own_addresses():
                sentence = _("On phones in the same network: %(address)s")
                self.stdout.write(sentence % {"address": f"http://{other}:{port}/"})
            self.stdout.write(_("If phones reach nothing, let the laptop’s firewall accept Topage (Python)."))
            self.stdout.write(_("To stop: press Ctrl-C here, or close this window."))
        self.stdout.flush()
        connection.close()
        # On Linux without a screen, a browser would start in the terminal, and take it.
        has_screen = sys.platform != "linux" or {"BROWSER", "DISPLAY", "WAYLAND_DISPLAY"} & os.environ.keys()
        if has_screen and not no_browser:
            Thread(target=webbrowser.open, args=(address,), name="browser", daemon=True).start()
        call_command("serve")
