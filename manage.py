#!/usr/bin/env python
"""The command line of Django: `python manage.py help` lists the commands."""

import errno
import gc
import io
import os
import sys
from pathlib import Path


def run() -> None:
    """Run the command `topage` of an installed site. This file is then in a package, with the site beside it."""
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    main(sys.argv, is_installed=True)


def main(arguments: list[str], *, is_installed: bool = False) -> None:
    """Run a command. Report a failure of the database in one sentence; `--traceback` shows where it came from."""
    for stream in (sys.stdout, sys.stderr):  # a file or a terminal may lack a sign, such as “−”: it gets a “?” instead
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        if is_installed:
            from operations.laptop import prepare_arguments

            arguments = prepare_arguments(arguments)
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        # garbage is not collected until the apps are ready: imported objects stay, and the search for garbage takes a
        # fifth of a start
        gc.disable()
        from django.core.management import execute_from_command_line

        from operations.stack import give_room

        give_room(execute_from_command_line)(arguments)
        sys.stdout.flush()
    except (KeyboardInterrupt, EOFError):  # Ctrl-C, or Ctrl-D in answer to a question
        sys.exit(130)
    except Exception as error:
        from tournaments.failures import find_failure, first_line

        # the reader of a pipe has seen enough, or a disk is full
        if isinstance(error, OSError) and error.errno in {errno.EPIPE, errno.ENOSPC} and "--traceback" not in arguments:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is left to write would fail again
            sys.exit(None if error.errno == errno.EPIPE else f"The command was not carried out: {error.strerror}.")
        failure = find_failure(error)
        if failure is None or "--traceback" in arguments:
            raise
        sys.exit(f"The command was not carried out: {failure.logged} ({first_line(error)}).")


if __name__ == "__main__":
    main(sys.argv)
