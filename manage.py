#!/usr/bin/env python
"""The command line of Django: `python manage.py help` lists the commands."""

import gc
import os
import sys


def main(arguments: list[str]) -> None:
    """Run a command. Report a failure of the database in one sentence; `--traceback` shows where it came from."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # garbage is not collected until the apps are ready: imported objects stay, and the search for garbage takes a fifth
    # of a start
    gc.disable()
    from django.core.management import execute_from_command_line

    from operations.stack import give_room
    from tournaments.failures import find_failure, first_line

    try:
        give_room(execute_from_command_line)(arguments)
    except Exception as error:
        failure = find_failure(error)
        if failure is None or "--traceback" in arguments:
            raise
        sys.exit(f"The command was not carried out: {failure.logged} ({first_line(error)}).")


if __name__ == "__main__":
    main(sys.argv)
